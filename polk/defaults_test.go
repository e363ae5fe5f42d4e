package polk

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

func TestTopEigenvalue(t *testing.T) {
	for _, n := range []int{1, 2, 50, 200} {
		for _, sigma := range []float64{0.2, 1, 10} {
			x := normals(newRand(uint64(n)), n, 3)
			e := gram.Evaluator{Kernel: kernel.Gaussian{Sigma: sigma}, Workers: 1}
			k := mat.NewDense(n, n, nil)
			e.Gram(k.RawMatrix(), x)
			var eigen mat.EigenSym
			if !eigen.Factorize(mat.NewSymDense(n, k.RawMatrix().Data), false) {
				t.Fatal("no eigenvalues")
			}
			got, want := topEigenvalue(e, compute.DensePoints(x)), eigen.Values(nil)[n-1]/float64(n)
			if got > want*(1+1e-12) || got < 0.98*want {
				t.Errorf("n = %d, sigma = %g: largest eigenvalue %v, want %v", n, sigma, got, want)
			}
		}
	}
	if got := topEigenvalue(gram.Evaluator{Kernel: kernel.Linear{}}, compute.DensePoints(compute.NewMatrix(3, 2))); got != 0 {
		t.Errorf("of the zero matrix it is %v", got)
	}
}

// The intercept is the constant with the lowest loss.
func TestInterceptMinimises(t *testing.T) {
	y := normals(newRand(2), 201, 2)
	for i := range y.Data {
		y.Data[i] = math.Exp(y.Data[i]) // skewed
	}
	for _, l := range []loss.Scalar{loss.Squared{}, loss.Absolute{}, loss.Pinball{Tau: 0.9}, loss.Pinball{Tau: 0.1}} {
		b := interceptOf(&settings{Options: Options{Loss: l}}, sortedColumns(y), 2)
		for c := range y.Cols {
			least := risk(l, y, c, b[c])
			for _, by := range []float64{-0.1, -1e-3, 1e-3, 0.1} {
				if r := risk(l, y, c, b[c]+by); r < least-1e-12 {
					t.Errorf("%v: %v has the loss %v, %v has %v", l, b[c], least, b[c]+by, r)
				}
			}
		}
	}
}

func risk(l loss.Scalar, y compute.Matrix, c int, f float64) (sum float64) {
	for i := range y.Rows {
		sum += l.Value(f, compute.Row(y, i)[c]) / float64(y.Rows)
	}
	return sum
}

// The default step size follows its formula and works without regularisation.
func TestDefaultStep(t *testing.T) {
	x, y := normals(newRand(3), 60, 2), normals(newRand(4), 60, 1)
	for _, c := range []struct {
		loss loss.Loss
		gain float64
	}{
		{loss.Squared{}, 1}, {loss.Huber{Delta: 1}, 1}, {loss.SquaredHinge{}, 1}, {loss.Logistic{}, 12},
		{loss.Softmax{}, 12}, {loss.Hinge{}, 4}, {loss.MulticlassHinge{}, 4}, {loss.Absolute{}, 4.0 / 3 * spread(sortedColumns(y))},
	} {
		s, err := newSettings(&Options{Loss: c.loss, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := newDescent(s, batch{x: compute.DensePoints(x), y: y, outputs: 1}, 60, quiet(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range []int{1, 32} {
			if got, want := d.rate(rows), c.gain/(topEigenvalue(gram.Evaluator{Kernel: s.Kernel}, compute.DensePoints(x))+1/float64(rows)); math.Abs(got/want-1) > 1e-12 {
				t.Errorf("%v: step %v for %d rows, want %v", c.loss, got, rows, want)
			}
		}
		d.from.ridge = 1e10
		if eta := d.rate(32); !(eta*d.from.ridge < 1) {
			t.Errorf("%v: Rate·Ridge = %v", c.loss, eta*d.from.ridge)
		}
	}
}

// Spread and default intercept stay finite for targets near the largest finite number.
func TestDefaultsDoNotOverflow(t *testing.T) {
	y := compute.Matrix{Rows: 3, Cols: 1, Stride: 1, Data: []float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64 / 2}}
	if v := spread(sortedColumns(y)); v-v != 0 {
		t.Errorf("spread %v", v)
	}
	if v := interceptOf(&settings{Options: Options{Loss: loss.Squared{}}}, sortedColumns(y), 1)[0]; v-v != 0 {
		t.Errorf("intercept %v", v)
	}
}

// quiet returns a monitor without receiver that never stops.
func quiet(tb testing.TB) *progress.Monitor {
	r := progress.New(context.Background(), nil, pkg)
	tb.Cleanup(r.Close)
	return r
}

// For labels without noise the search selects a smaller ridge than steps can use. A learned metric
// remains when the ridge increases. Here it must find the one relevant column of ten.
func TestMapStaysWhereRidgeIsRaised(t *testing.T) {
	x := normals(newRand(5), 600, 10)
	y, class := compute.NewMatrix(600, 1), make([]int, 600)
	for i := range class {
		if math.Sin(3*compute.Row(x, i)[0]) > 0 {
			class[i] = 1
		}
		y.Data[i] = float64(2*class[i] - 1)
	}
	s, err := newSettings(&Options{Loss: loss.Logistic{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDefaults(s, batch{x: compute.DensePoints(x), y: y, class: class, outputs: 1}, 600, quiet(t))
	if err != nil {
		t.Fatal(err)
	}
	if d.found.Noise >= leastRidge*600 {
		t.Fatalf("the search took the noise %v, nothing had to be raised", d.found.Noise)
	}
	if want := leastRidge; math.Abs(d.ridge/want-1) > 1e-12 {
		t.Errorf("the ridge is %v, want %v", d.ridge, want)
	}
	k, ok := d.kernel.(kernel.ARD)
	if !ok {
		t.Fatalf("the kernel is %T, want one of weighted columns", d.kernel)
	}
	for _, scale := range k.Scales[1:] {
		if scale < 10*k.Scales[0] {
			t.Errorf("scales of the columns are %v, the first alone counts", k.Scales)
			break
		}
	}
}
