package polk

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// functional is textbook functional stochastic gradient descent. It keeps every row with its
// weight.
type functional struct {
	k          kernel.Kernel
	rows       [][]float64
	weights    [][]float64
	eta, lam   float64
	derivative func(f []float64, i int) []float64
}

func (f *functional) at(x []float64, outputs int) []float64 {
	v := make([]float64, outputs)
	for j, r := range f.rows {
		floats.AddScaled(v, f.k.Eval(x, r), f.weights[j])
	}
	return v
}

func (f *functional) step(x [][]float64, first, outputs int) {
	var g [][]float64
	for i, r := range x {
		g = append(g, f.derivative(f.at(r, outputs), first+i))
	}
	for _, w := range f.weights {
		floats.Scale(1-f.eta*f.lam, w)
	}
	for i, r := range x {
		floats.Scale(-f.eta/float64(len(x)), g[i])
		f.rows, f.weights = append(f.rows, r), append(f.weights, g[i])
	}
}

// Without a budget the learner equals functional gradient descent.
func TestExactIsFunctionalGradientDescent(t *testing.T) {
	const n, outputs, eta, lam = 160, 2, 0.8, 1e-2
	r := newRand(1)
	x, y := normals(r, n, 4), normals(r, n, outputs)
	floats.Scale(2, x.Data)
	want := &functional{k: kernel.Gaussian{Sigma: testSigma}, eta: eta, lam: lam,
		derivative: func(f []float64, i int) []float64 { floats.Sub(f, compute.Row(y, i)); return f }}
	l, err := NewLearner(&Options{Kernel: want.k, Ridge: lam, Paper: Paper{Rate: eta, Lossless: true, NoIntercept: true, Schedule: Constant}})
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < n; from += 5 {
		var batch [][]float64
		for i := range 5 {
			batch = append(batch, compute.Row(x, from+i))
		}
		want.step(batch, from, outputs)
		err := l.Update(dense(compute.Rows(x, from, from+5)), dense(compute.Rows(y, from, from+5)))
		if s := l.Last(); err != nil || s.ModelOrder != from+5 {
			t.Fatalf("order %d after %d rows: %v", s.ModelOrder, from+5, err)
		}
	}
	m, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	test := normals(r, 50, 4)
	p, err := m.Predict(dense(test))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		if d := floats.Distance(p.RawRowView(i), want.at(compute.Row(test, i), outputs), math.Inf(1)); d > 1e-12 {
			t.Fatalf("prediction differs by %.1e from functional gradient descent", d)
		}
	}
}

func dense(m compute.Matrix) *mat.Dense { return mat.NewDense(m.Rows, m.Cols, slices.Clone(m.Data)) }

// The reported error of a step is the distance between the function with all new points and the
// function after folding and pruning, computed from the kernel.
func TestErrorIsDistance(t *testing.T) {
	for seed := range uint64(30) {
		r := newRand(seed)
		p := newPursuit(newDictionary(testKernel(1), points{inputs: 2}, 2, 2, 1))
		for range 8 {
			x := normals(r, 1+r.IntN(12), 2)
			if p.order() > 0 && x.Rows > 2 { // points in the span of the remaining ones
				copy(compute.Row(x, 0), pointAt(p.dictionary, 0))
				copy(compute.Row(x, 1), compute.Row(x, 2))
			}
			w := normals(r, x.Rows, 2)
			before := naiveOf(p, x, w, indices(x.Rows))
			c := extendBy(p, x, w, 0.05, 14)
			after := naiveOf(p, compute.Matrix{}, compute.Matrix{}, nil)
			// The reported norm uses the kernel plus jitter.
			slack := 1e-9 + 2*p.factor.Jitter()*(before.squares()+after.squares())
			if got, want := c.spent, distance(before, after); math.Abs(got-want) > slack {
				t.Fatalf("seed %d: squared error %v, but the functions are %v apart", seed, got, want)
			}
		}
	}
}

// squares returns Σ ‖w‖².
func (f *naive) squares() (sum float64) {
	for _, w := range f.weights {
		sum += squaredNorm(w)
	}
	return sum
}

// distance returns the squared distance of two functions, without jitter.
func distance(f, g *naive) float64 {
	d := &naive{sigma: f.sigma, points: slices.Concat(f.points, g.points)}
	d.weights = append(d.weights, f.weights...)
	for _, w := range g.weights {
		v := slices.Clone(w)
		floats.Scale(-1, v)
		d.weights = append(d.weights, v)
	}
	all := indices(len(d.points))
	return inner(mat.NewDense(len(all), 2, slices.Concat(d.weights...)), d.gram(all, all))
}

// drive runs a stream of points in the plane, a third of them near-duplicates of earlier
// points, and calls check periodically.
func drive(t *testing.T, steps int, opts Options, check func(step int, e *dictionary)) {
	t.Helper()
	r := newRand(5)
	l, err := NewLearner(&opts)
	if err != nil {
		t.Fatal(err)
	}
	x, y := mat.NewDense(1, 2, nil), mat.NewDense(1, 1, nil)
	var last [64][2]float64
	for i := range steps {
		point := [2]float64{3 * r.NormFloat64(), 3 * r.NormFloat64()}
		if i > 0 && r.IntN(3) == 0 {
			point = last[r.IntN(min(i, len(last)))]
			point[0] += 1e-9 * (2*r.Float64() - 1)
			point[1] += 1e-9 * (2*r.Float64() - 1)
		}
		last[i%len(last)] = point
		x.SetRow(0, point[:])
		y.Set(0, 0, math.Sin(point[0])*math.Cos(point[1])+0.1*r.NormFloat64())
		if err := l.Update(x, y); err != nil {
			t.Fatal(err)
		}
		if (i+1)%(steps/10) == 0 {
			check(i+1, l.stream.descent.f.dictionary)
		}
	}
}

// After 1e5 steps with near-duplicates the factor matches the Gram matrix, the weights are finite,
// and the dictionary has stopped growing.
func TestLongStreamWithDuplicates(t *testing.T) {
	steps := 100000
	if !testutil.LongTests() {
		steps = 10000
	}
	early := 0
	drive(t, steps, Options{Kernel: kernel.Gaussian{Sigma: testSigma}, Ridge: 1e-4, Paper: Paper{Rate: 0.5, BudgetConstant: 0.5, Schedule: Constant, NoIntercept: true}},
		func(step int, e *dictionary) {
			checkExpansion(t, e, 1e-10, 1e-5)
			if early == 0 {
				early = e.order()
			}
			if float64(e.order()) > 1.5*float64(early) {
				t.Errorf("%d points after %d steps, %d after a tenth of all", e.order(), step, early)
			}
		})
	t.Logf("%d points after a tenth of all steps", early)
	if early < 20 {
		t.Errorf("%d points are too few to test anything", early)
	}
}

// The same with an active bound on the number of points and no budget, so that only folding and
// forced removals occur.
func TestLongStreamAtMaxPoints(t *testing.T) {
	drive(t, 20000, Options{Kernel: kernel.Gaussian{Sigma: testSigma}, Ridge: 1e-4, MaxPoints: 60, Loss: loss.Huber{Delta: 1}, Paper: Paper{Rate: 0.5, Lossless: true, Schedule: Constant, NoIntercept: true}},
		func(step int, e *dictionary) {
			checkExpansion(t, e, 1e-10, 1e-5)
			if e.order() != 60 {
				t.Errorf("%d points after %d steps, want 60", e.order(), step)
			}
		})
}

// pointAt returns the point in a slot of a dictionary of dense points.
func pointAt(d *dictionary, slot int) []float64 { return compute.Row(d.points.matrix().Matrix, slot) }
