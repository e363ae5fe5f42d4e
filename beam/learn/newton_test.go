package learn

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// smooth lists all losses without kinks with a number of outputs or of classes.
var smooth = map[string]struct {
	loss             loss.Loss
	outputs, classes int
}{
	"squared":                  {loss.Squared{}, 2, 0},
	"huber":                    {loss.Huber{Delta: .7}, 2, 0},
	"squared, of labels":       {loss.Squared{}, 1, 3},
	"squared hinge":            {loss.SquaredHinge{}, 1, 3},
	"squared hinge, of two":    {loss.SquaredHinge{}, 1, 2},
	"logistic":                 {loss.Logistic{}, 1, 2},
	"logistic, of each of all": {loss.Logistic{}, 1, 3},
	"softmax":                  {loss.Softmax{}, 1, 3},
}

// weighed returns rows with weights, and class targets if classes is positive.
func weighed(n, outputs, classes int) rows.Batch {
	b := table(outputs, n)[0]
	for i := range n {
		b.Weights = append(b.Weights, 1+float64(i%3))
		if classes > 0 {
			b.Targets[i] = float64((int(math.Floor(2*b.Values[2*i])) + i/8%2 + 2*classes*2) % classes)
		}
	}
	return b
}

// fitted returns the solution of a fit.
func fitted(t *testing.T, b *rows.Batch, classes bool, o doublysgd.Options) *iterate {
	t.Helper()
	if classes {
		c, err := doublysgd.FitClassifier(context.Background(), b.X(), b.Y(), &o)
		if err != nil {
			t.Fatal(err)
		}
		return iterateOf(t, c.Model(), c.Labels(), c.Loss())
	}
	m, err := doublysgd.Fit(context.Background(), b.X(), b.Y(), &o)
	if err != nil {
		t.Fatal(err)
	}
	return iterateOf(t, m, nil, o.Loss)
}

func iterateOf(t *testing.T, m *doublysgd.Model, labels []int, l loss.Loss) *iterate {
	t.Helper()
	i, err := newIterate(m, labels, l)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// objective returns F on the rows of a risk.
func (r *risk) objective() float64 {
	zero := compute.NewMatrix(r.at.theta.Rows, r.at.theta.Cols)
	return r.along(zero, []float64{0})[0]/r.total() + r.at.penalty(zero, 0)
}

// slope returns the gradient of F.
func (r *risk) slope() []float64 {
	g := r.gradient().Data
	floats.Scale(1/r.total(), g)
	r.at.addPenaltyGradient(g)
	return g
}

// TestDerivatives compares the gradient and the Hessian of F with finite differences, for two
// blocks of features and weighted rows.
func TestDerivatives(t *testing.T) {
	for name, c := range smooth {
		t.Run(name, func(t *testing.T) {
			b := weighed(90, c.outputs, c.classes)
			o := doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.7}, Ridge: 1e-2, Features: 16, Loss: c.loss, NoCalibration: true, Paper: doublysgd.Paper{Columns: 8, Passes: 1}}
			at := fitted(t, &b, c.classes > 0, o)
			r, err := newRisk(at, &b)
			if err != nil {
				t.Fatal(err)
			}
			const h = 1e-5
			g, q := r.slope(), at.theta.Cols
			hessians := make([]compute.Matrix, q)
			for k := range hessians {
				hessians[k] = r.hessian(r.curvatures(r.scores(at.theta), k))
				compute.Mirror(hessians[k])
			}
			for i, v := range at.theta.Data {
				at.theta.Data[i] = v + h
				above, rise := r.objective(), r.slope()
				at.theta.Data[i] = v - h
				below, fall := r.objective(), r.slope()
				at.theta.Data[i] = v
				if d := (above - below) / (2 * h); math.Abs(d-g[i]) > 1e-8 {
					t.Fatalf("derivative %d is %v, differences say %v", i, g[i], d)
				}
				row, o := i/q, i%q
				for j := range at.theta.Rows {
					got := compute.Row(hessians[o], row)[j] / r.total()
					if j == row && row < at.count() {
						got += at.ridge
					}
					if d := (rise[j*q+o] - fall[j*q+o]) / (2 * h); math.Abs(d-got) > 1e-6 {
						t.Fatalf("second derivative %d, %d of output %d is %v, differences say %v", row, j, o, got, d)
					}
				}
			}
		})
	}
}

// TestMinimumOfFit checks the solution of a fit: F must equal the objective of the report, and
// the gradient must be negligible relative to the gradient at the origin.
func TestMinimumOfFit(t *testing.T) {
	for name, c := range smooth {
		t.Run(name, func(t *testing.T) {
			b := weighed(300, c.outputs, c.classes)
			o := doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.7}, Ridge: 1e-3, Features: 64, Loss: c.loss, Tolerance: 1e-9, NoCalibration: true, Paper: doublysgd.Paper{Columns: 32, Precision: doublysgd.Double}}
			at := fitted(t, &b, c.classes > 0, o)
			r, err := newRisk(at, &b)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := r.objective(), at.model.Report().Objective; !(math.Abs(got-want) < 1e-9*want) {
				t.Errorf("F = %v, the report says %v", got, want)
			}
			end := floats.Norm(r.slope(), 2)
			clear(at.theta.Data)
			if origin := floats.Norm(r.slope(), 2); !(end < 1e-7*origin) {
				t.Errorf("the gradient is %.2g at the minimum and %.2g at the origin", end, origin)
			}
		})
	}
}

// solve must shift the diagonal of a Hessian that is zero for the constant, or indefinite by
// rounding, and no other Hessian.
func TestSolve(t *testing.T) {
	h := compute.NewMatrix(3, 3)
	copy(h.Data, []float64{4, 1, 2, 0, 3, 1, 0, 0, 5})
	b := mat.NewDense(3, 1, []float64{1, 2, 3})
	want := new(mat.Dense)
	if err := want.Solve(mat.NewSymDense(3, []float64{4.5, 1, 2, 0, 3.5, 1, 0, 0, 5}), b); err != nil {
		t.Fatal(err)
	}
	if err := solve(h, .5, b.RawMatrix()); err != nil || !mat.EqualApprox(b, want, 1e-14) {
		t.Errorf("%v, want %v; %v", b, want, err)
	}
	for _, last := range []float64{0, -1e-17} {
		h = compute.NewMatrix(2, 2)
		h.Data[0], h.Data[3] = 1, last
		b = mat.NewDense(2, 1, []float64{1, 0})
		if err := solve(h, 1, b.RawMatrix()); err != nil || math.Abs(b.At(0, 0)-.5) > 1e-14 || b.At(1, 0) != 0 {
			t.Errorf("%v; %v", b, err)
		}
	}
	h.Data[0] = math.NaN()
	if err := solve(h, 1, b.RawMatrix()); err == nil {
		t.Error("a Hessian that is not finite is solved")
	}
}
