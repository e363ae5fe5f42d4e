package search

import (
	"math"
	"reflect"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// wave returns rows of three columns with targets that depend on the first.
func wave(n int, frequency, noise float64) (x, y compute.Matrix) {
	x, y = normals(n, 3, "rows"), normals(n, 1, "noise")
	for i := range n {
		y.Data[i] = math.Sin(frequency*x.Data[3*i]) + 0.3*x.Data[3*i+1] + noise*y.Data[i]
	}
	return x, y
}

// small limits the samples to keep tests fast.
var small = Options{Rows: 300, Seed: 1}

// TestTuneFindsTheNoise compares the error with the noise added to the targets.
func TestTuneFindsTheNoise(t *testing.T) {
	for _, noise := range []float64{0.05, 0.5, 2} {
		x, y := wave(400, 2, noise)
		got := Tune(compute.DensePoints(x), y, nil, small)
		variance := deviation(sortedColumn(y, 0))
		if root := math.Sqrt(got.Error) * variance; root < 0.8*noise || root > 1.6*noise+0.05 {
			t.Errorf("noise %v: left out, errors are %v by %v and %v", noise, root, got.Kernel, got.Noise)
		}
		if got.Rows != 300 || got.Ridge(600) != got.Noise/600 || got.Stopped {
			t.Errorf("%d rows, ridge %v, stopped %v", got.Rows, got.Ridge(600), got.Stopped)
		}
	}
}

// TestTuneUnits scales columns by powers of ten and shifts them. The kernel matrix must stay
// the same up to rounding.
func TestTuneUnits(t *testing.T) {
	x, y := wave(300, 2, 0.1)
	z := compute.Clone(x)
	for i := range z.Rows {
		for j, unit := range []float64{1e6, 1e-6, 1e3} {
			z.Data[3*i+j] = unit * (x.Data[3*i+j] + 10)
			x.Data[3*i+j] *= []float64{1, 3, 9}[j]
		}
	}
	a, b := Tune(compute.DensePoints(x), y, nil, small), Tune(compute.DensePoints(z), y, nil, small)
	if a.Noise != b.Noise || math.Abs(a.Error-b.Error) > 1e-6*a.Error {
		t.Errorf("noise %v and %v, error %v and %v", a.Noise, b.Noise, a.Error, b.Error)
	}
	for i := range 5 {
		ka := a.Kernel.Eval(compute.Row(x, i), compute.Row(x, i+7))
		kb := b.Kernel.Eval(compute.Row(z, i), compute.Row(z, i+7))
		if math.Abs(ka-kb) > 1e-6 {
			t.Errorf("kernel of rows %d and %d: %v and %v by %v, %v", i, i+7, ka, kb, a.Kernel, b.Kernel)
		}
	}
}

// threeClasses labels rows of two columns by angle.
func threeClasses(n int) (x compute.Matrix, labels []int) {
	x = normals(n, 2, "classes")
	s := rng.New(1, "flips", 0)
	for i := range n {
		l := int(3 * (math.Atan2(x.Data[2*i], x.Data[2*i+1])/(2*math.Pi) + 0.5))
		if s.Float64() < 0.1 {
			l = s.IntN(3)
		}
		labels = append(labels, min(l, 2))
	}
	return x, labels
}

func TestTuneClasses(t *testing.T) {
	x, labels := threeClasses(300)
	got := Tune(compute.DensePoints(x), compute.Matrix{}, labels, small)
	if got.Wrong < 0.02 || got.Wrong > 0.15 || got.Error > 0.6 {
		t.Errorf("%v wrong, log loss %v", got.Wrong, got.Error)
	}
	for i, l := range labels {
		labels[i] = min(l, 1)
	}
	two := Tune(compute.DensePoints(x), compute.Matrix{}, labels, small)
	if two.Wrong > 0.15 || two.Error > 0.4 {
		t.Errorf("two classes: %v wrong, log loss %v", two.Wrong, two.Error)
	}
}

// TestTuneWorkers expects identical bits for any number of workers.
func TestTuneWorkers(t *testing.T) {
	x, labels := threeClasses(260)
	_, y := wave(260, 2, 0.1)
	for _, l := range [][]int{nil, labels} {
		o := small
		o.Rows, o.Workers = 200, 1
		one := Tune(compute.DensePoints(x), y, l, o)
		o.Workers = 3
		if three := Tune(compute.DensePoints(x), y, l, o); !reflect.DeepEqual(one, three) {
			t.Errorf("one worker %v, three %v", one.Trial, three.Trial)
		}
	}
}

// TestTuneEdge uses targets without signal, for which the noise reaches its bound, and targets
// for which the bandwidth reaches its bound.
func TestTuneEdge(t *testing.T) {
	x, y := normals(200, 2, "x"), normals(200, 1, "y")
	edge := func(list []kernel.Trial) bool {
		for _, c := range list {
			if c.AtEdge {
				return true
			}
		}
		return false
	}
	if got := Tune(compute.DensePoints(x), y, nil, small); got.Error < 0.95 || !edge(got.Curve) {
		t.Errorf("without signal: error %v, a trial at the edge %v", got.Error, edge(got.Curve))
	}
	for i := range y.Data {
		y.Data[i] = x.Data[2*i]
	}
	got := Tune(compute.DensePoints(x), y, nil, small)
	if got.Error > 1e-4 || !edge(got.Curve) {
		t.Errorf("linear: error %v, a trial at the edge %v", got.Error, edge(got.Curve))
	}
}

// TestTuneNotFlat checks that no scored Gaussian is wide with little noise.
func TestTuneNotFlat(t *testing.T) {
	x, y := wave(300, 1, 0)
	o := small
	o.Families = []Family{GaussianFamily}
	for _, c := range Tune(compute.DensePoints(x), y, nil, o).Curve {
		k := c.Kernel
		if a, ok := k.(kernel.ARD); ok {
			k = a.Of
		}
		if g := k.(kernel.Gaussian); g.Sigma > 9 && c.Noise < 1e-6 {
			t.Errorf("%v with noise %v", k, c.Noise)
		}
	}
}

// TestTuneStops stops after a few trials.
func TestTuneStops(t *testing.T) {
	x, y := wave(300, 2, 0.1)
	for _, after := range []int{0, 1, 10} {
		o, asked := small, 0
		o.Workers = 1
		o.Stopped = func() bool { asked++; return asked > after }
		got := Tune(compute.DensePoints(x), y, nil, o)
		if !got.Stopped || got.Kernel == nil || !(got.Noise > 0) || len(got.Curve) > after {
			t.Errorf("after %d trials: %+v", after, got)
		}
	}
}

func TestTuneProgress(t *testing.T) {
	x, y := wave(200, 2, 0.1)
	last, calls := 0.0, 0
	o := small
	o.Work = 3e8
	var total float64
	o.Progress = func(done, all float64) {
		if done < last || done > all || total != 0 && all != total {
			t.Errorf("%v of %v after %v of %v", done, all, last, total)
		}
		last, total = done, all
		calls++
	}
	got := Tune(compute.DensePoints(x), y, nil, o)
	if last != total || total > o.Work || calls < 20 || got.Rows >= 200 {
		t.Errorf("%d calls, the last %v of %v, %d rows", calls, last, total, got.Rows)
	}
}

// TestTuneDegenerate uses data without information and still expects a kernel.
func TestTuneDegenerate(t *testing.T) {
	cases := map[string]func(x, y compute.Matrix) (compute.Matrix, compute.Matrix, []int){
		"one row": func(x, y compute.Matrix) (a, b compute.Matrix, l []int) {
			return compute.Rows(x, 0, 1), compute.Rows(y, 0, 1), nil
		},
		"two rows": func(x, y compute.Matrix) (a, b compute.Matrix, l []int) {
			return compute.Rows(x, 0, 2), compute.Rows(y, 0, 2), nil
		},
		"four rows": func(x, y compute.Matrix) (a, b compute.Matrix, l []int) {
			return compute.Rows(x, 0, 4), compute.Rows(y, 0, 4), nil
		},
		"equal rows": func(x, y compute.Matrix) (a, b compute.Matrix, l []int) {
			return compute.NewMatrix(60, 3), y, nil
		},
		"constant targets": func(x, y compute.Matrix) (a, b compute.Matrix, l []int) {
			return x, compute.NewMatrix(60, 1), nil
		},
		"one class": func(x, y compute.Matrix) (a, b compute.Matrix, l []int) { return x, y, make([]int, 60) },
		"vast values": func(x, y compute.Matrix) (a, b compute.Matrix, l []int) {
			for i := range x.Data {
				x.Data[i] *= 1e307
			}
			return x, y, nil
		},
		"one vast row": func(x, y compute.Matrix) (a, b compute.Matrix, l []int) {
			x.Data[7] = 1e308
			return x, y, nil
		},
		"vast targets": func(x, y compute.Matrix) (a, b compute.Matrix, l []int) {
			for i := range y.Data {
				y.Data[i] *= 1e300
			}
			return x, y, nil
		},
	}
	for name, change := range cases {
		x, y, labels := change(wave(60, 2, 0.1))
		got := Tune(compute.DensePoints(x), y, labels, small)
		if got.Kernel == nil || !(got.Noise > 0) || math.IsNaN(got.Error) || gram.Check(got.Kernel, compute.DensePoints(x)) != nil {
			t.Errorf("%s: %+v", name, got.Trial)
		}
	}
}

// TestSampleOrder expects class proportions in every leading part.
func TestSampleOrder(t *testing.T) {
	labels := make([]int, 1000)
	for i := range labels {
		if i%10 == 0 {
			labels[i] = 1
		}
	}
	order := SampleOrder(1000, 500, labels, 3)
	count := 0
	for i, r := range order {
		count += labels[r]
		if math.Abs(float64(count)-float64(i+1)/10) > 2 {
			t.Fatalf("%d of the first %d rows are of a class of a tenth", count, i+1)
		}
	}
}
