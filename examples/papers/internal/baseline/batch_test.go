package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

var gaussian = kernel.Gaussian{Sigma: 0.6}

func TestPivotedCholesky(t *testing.T) {
	x, _ := blobs(120)
	l, pivots := pivotedCholesky(gaussian, x, 1e-9)
	n, r := l.Dims()
	if r != len(pivots) || r >= n {
		t.Errorf("rank %d of %d rows with %d pivots", r, n, len(pivots))
	}
	var k, again mat.Dense
	if err := kernel.Cross(&k, gaussian, x, x); err != nil {
		t.Fatal(err)
	}
	again.Mul(l, l.T())
	if again.Sub(&again, &k); mat.Max(&again) > 1e-9 || mat.Min(&again) < -1e-9 {
		t.Errorf("K − L·Lᵀ up to %v", max(mat.Max(&again), -mat.Min(&again)))
	}
	for i, p := range pivots {
		for j := i + 1; j < r; j++ {
			if l.At(p, j) != 0 && math.Abs(l.At(p, j)) > 1e-6 {
				t.Fatalf("pivot %d is not of a triangle: %v", i, l.At(p, j))
			}
		}
	}
}

func TestBatchLoss(t *testing.T) {
	f := []float64{0.3, -0.7, 1.1}
	logistic, hinge := BatchOptions{Temperature: 1}, BatchOptions{Margin: 1, Temperature: 1e-3}
	for y := range f {
		near(t, "logistic", logistic.loss(append([]float64(nil), f...), y), loss.Softmax{}.Value(f, y), 1e-14)
		near(t, "hinge", hinge.loss(append([]float64(nil), f...), y), loss.MulticlassHinge{}.Value(f, y), 1e-3*math.Log(3))
		for _, o := range []BatchOptions{logistic, {Margin: 1, Temperature: 0.5}} {
			g := append([]float64(nil), f...)
			o.loss(g, y)
			want := fd.Gradient(nil, func(v []float64) float64 { return o.loss(append([]float64(nil), v...), y) }, f, &fd.Settings{Formula: fd.Central})
			if !floats.EqualApprox(g, want, 1e-8) {
				t.Errorf("gradient %v, differences %v", g, want)
			}
		}
	}
}

// At the optimum f = −1/(n·lam)·Σ_i l'(f(x_i), y_i)·k(x_i, ·), a fixed point for the values at the
// rows.
func TestBatchIsStationary(t *testing.T) {
	x, class := blobs(200)
	for _, o := range []BatchOptions{{Lambda: 1e-3, Temperature: 1, Iterations: 2000}, {Lambda: 1e-3, Margin: 1, Temperature: 0.1, Iterations: 2000}} {
		f, err := FitBatch(gaussian, x, class, 3, o)
		if err != nil {
			t.Fatal(err)
		}
		scores := f.Scores(x)
		g := mat.DenseCopyOf(scores)
		for i, y := range class {
			o.loss(g.RawRowView(i), y)
		}
		g.Scale(-1/(200*o.Lambda), g)
		var again mat.Dense
		if err := kernel.Mul(&again, gaussian, x, x, g); err != nil {
			t.Fatal(err)
		}
		again.Sub(&again, scores)
		if e := max(mat.Max(&again), -mat.Min(&again)); e > 1e-3 {
			t.Errorf("%+v: off by %v", o, e)
		}
	}
}

// Gradient and Hessian match finite differences, the gain of a row matches the full quadratic
// model, and refit reaches the optimum.
func TestIVMParts(t *testing.T) {
	x, class := blobs(60)
	m := newIVM(gaussian, x, class, 3, IVMOptions{Lambda: 1e-2})
	m.add(3)
	m.add(17)
	at := []float64{0.1, -0.2, 0.3, 0.5, 0.1, -0.4}
	copy(m.f.weights, at)
	m.objective(at)
	g, err := m.newton()
	if err != nil {
		t.Fatal(err)
	}
	if want := fd.Gradient(nil, m.objective, at, &fd.Settings{Formula: fd.Central}); !floats.EqualApprox(g, want, 1e-8) {
		t.Errorf("gradient %v, differences %v", g, want)
	}
	var want, got mat.SymDense
	fd.Hessian(&want, m.objective, at, nil)
	m.factor.ToSym(&got)
	if !mat.EqualApprox(&got, &want, 1e-5) {
		t.Errorf("Hessian\n%v, differences\n%v", mat.Formatted(&got), mat.Formatted(&want))
	}
}

func TestIVMGain(t *testing.T) {
	x, class := blobs(60)
	m := newIVM(gaussian, x, class, 3, IVMOptions{Lambda: 1e-2})
	m.add(3)
	m.add(17)
	before, err := m.refit()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.newton(); err != nil {
		t.Fatal(err)
	}
	if g := m.gain(3); g != 0 {
		t.Errorf("an imported row gains %v", g)
	}
	gain := m.gain(40)
	m.add(40)
	m.objective(m.f.weights)
	g, err := m.newton()
	if err != nil {
		t.Fatal(err)
	}
	var step mat.VecDense
	if err := m.factor.SolveVecTo(&step, mat.NewVecDense(len(g), g)); err != nil {
		t.Fatal(err)
	}
	near(t, "gain", gain, floats.Dot(g, step.RawVector().Data)/2, 1e-9*gain)
	if after, err := m.refit(); err != nil || before-after < gain/3 || before-after > 3*gain {
		t.Errorf("the import lowers the objective by %v (%v), the quadratic model says %v", before-after, err, gain)
	}
	if g, _ := m.newton(); floats.Norm(g, math.Inf(1)) > 1e-7 {
		t.Errorf("gradient %v at the optimum", g)
	}
}

// A few rows nearly reach the objective of all rows.
func TestIVMAgainstBatch(t *testing.T) {
	x, class := blobs(200)
	f, err := FitIVM(gaussian, x, class, 3, IVMOptions{Lambda: 1e-3, MaxOrder: 40, Tolerance: 1e-3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	best, err := FitBatch(gaussian, x, class, 3, BatchOptions{Lambda: 1e-3, Temperature: 1, Iterations: 1000})
	if err != nil {
		t.Fatal(err)
	}
	a, b := risk(f, x, class), risk(best, x, class)
	if a < b || a > 1.03*b || f.Order() > 30 {
		t.Errorf("objective %v with %d points, that of all rows %v", a, f.Order(), b)
	}
}

func risk(f *Expansion, x *mat.Dense, class []int) float64 {
	total := 1e-3 / 2 * f.SquaredNorm()
	scores := f.Scores(x)
	for i, y := range class {
		total += loss.Softmax{}.Value(scores.RawRowView(i), y) / float64(len(class))
	}
	return total
}
