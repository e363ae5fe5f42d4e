package slkl_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// zeroModel checks that the model is its intercept and reports it.
func zeroModel(t *testing.T, m *slkl.Model, x mat.Matrix, want float64) {
	t.Helper()
	for _, r := range m.Report().Outputs {
		if r.Status != rkhs.Converged || r.ModelOrder != 0 || !(r.Penalty >= r.PenaltyMax) || r.Gap != 0 || r.RelativeGap() != 0 {
			t.Errorf("report of a zero model: %+v", r)
		}
	}
	if m.ModelOrder() != 0 {
		t.Errorf("%d columns have weight", m.ModelOrder())
	}
	for _, v := range predict(t, m, x).RawMatrix().Data {
		if !near(v, want, 1e-15) {
			t.Fatalf("prediction %v, want %v", v, want)
		}
	}
	n, d := x.Dims()
	k := m.Kernel(0)
	if err := kernel.Check(k, x); err != nil {
		t.Errorf("the learned kernel: %v", err)
	} else if v := k.Eval(make([]float64, d), make([]float64, d)); v != 0 {
		t.Errorf("the learned kernel has the value %v for %d rows", v, n)
	}
}

// roundTrip saves and loads m.
func roundTrip(t *testing.T, m *slkl.Model) *slkl.Model {
	t.Helper()
	var loaded slkl.Model
	if err := loaded.UnmarshalBinary(marshal(t, m)); err != nil {
		t.Fatal(err)
	}
	return &loaded
}

func variants() map[string]slkl.Options {
	return map[string]slkl.Options{
		"default":    {},
		"shared":     {Paper: slkl.Paper{Shared: true}},
		"descent":    {Paper: slkl.Paper{Epsilon: 1e-4}},
		"random":     {Paper: slkl.Paper{Order: slkl.UniformRandom, Epsilon: 1e-4}},
		"Newton":     {Paper: slkl.Paper{Rule: slkl.NewtonStep, Epsilon: 1e-4}},
		"low memory": {Paper: slkl.Paper{LowMemory: true}},
		"mixture":    {Kernels: mixture()},
	}
}

func TestConstantTarget(t *testing.T) {
	x, _ := sample(50, 3, 1, 1)
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			for _, v := range []float64{0, 0.1, -1.0 / 3, 1e9} {
				y := mat.NewDense(50, 2, nil)
				y.Apply(func(int, int, float64) float64 { return v }, y)
				o.Penalty = 1e-6
				zeroModel(t, roundTrip(t, fit(t, x, y, o)), x, v)
				if !o.LowMemory {
					o.Penalty = 0
					zeroModel(t, fit(t, x, y, o), x, v)
				}
			}
		})
	}
}

func TestOneRow(t *testing.T) {
	x, y := sample(1, 3, 1, 1)
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			o.Penalty = 1e-3
			zeroModel(t, roundTrip(t, fit(t, x, y, o)), x, y.At(0, 0))
		})
	}
	zeroModel(t, fit(t, x, y, slkl.Options{}), x, y.At(0, 0))
}

// TestOneRowWithoutIntercept has the closed form of M = 1:
// mu = (√(lam/nu)·|cᵀy| − lam)₊/‖c‖² with c = 1.
func TestOneRowWithoutIntercept(t *testing.T) {
	x, y := mat.NewDense(1, 1, []float64{2}), mat.NewDense(1, 1, []float64{-3})
	for _, lam := range []float64{0.5, 1, 4} {
		for _, nu := range []float64{1e-4, 0.01, 1, 100} {
			m := fit(t, x, y, slkl.Options{Penalty: nu, Paper: slkl.Paper{Ridge: lam, NoIntercept: true}})
			mu := max(0, math.Sqrt(lam/nu)*3-lam)
			want := -3 * mu / (mu + lam)
			if got := predict(t, m, x).At(0, 0); !near(got, want, 1e-12) && got != want {
				t.Errorf("lam %g, nu %g: prediction %v, want %v", lam, nu, got, want)
			}
			if got := m.Kernel(0).Eval([]float64{2}, []float64{2}); !near(got, mu, 1e-12) && got != mu {
				t.Errorf("lam %g, nu %g: mu = %v, want %v", lam, nu, got, mu)
			}
			objective := lam*9/(lam+mu) + nu*mu
			if got := m.Report().Outputs[0].Objective; !near(got, objective, 1e-12) {
				t.Errorf("lam %g, nu %g: objective %v, want %v", lam, nu, got, objective)
			}
		}
	}
}

// TestNuMax fits just above and just below the largest nu that matters, with
// the same bound in both modes.
func TestNuMax(t *testing.T) {
	x, y := sample(80, 3, 2, 1)
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			o.Penalty, o.Ridge = 1e12, 0.7
			m := fit(t, x, y, o)
			for k, r := range m.Report().Outputs {
				low := o
				low.LowMemory = true
				if w := fit(t, x, y, low).Report().Outputs[k].PenaltyMax; !near(w, r.PenaltyMax, 1e-12) {
					t.Errorf("NuMax is %v, in low memory %v", r.PenaltyMax, w)
				}
			}
			single := mat.DenseCopyOf(y.Slice(0, 80, 0, 1))
			mean := mat.Sum(single) / 80
			top := fit(t, x, single, o).Report().Outputs[0].PenaltyMax
			for _, factor := range []float64{1e6, 1 + 1e-9} {
				o.Penalty = factor * top
				zeroModel(t, roundTrip(t, fit(t, x, single, o)), x, mean)
			}
			o.Penalty = 0.99 * top
			if m := fit(t, x, single, o); m.ModelOrder() == 0 {
				t.Errorf("no column has weight at nu = %v below %v", o.Penalty, top)
			}
		})
	}
}

// TestOnlyTheProductMatters is Proposition 3: the same lam·nu gives the same
// function. The report holds the numbers that were given.
func TestOnlyTheProductMatters(t *testing.T) {
	x, y := sample(80, 3, 2, 1)
	for name, o := range variants() {
		if o.Epsilon > 0 {
			continue // stops before the optimum, where the result depends on the path
		}
		o.Kernels = mixture()[:2]
		o.Penalty = 0.01
		want := predict(t, fit(t, x, y, o), x)
		for _, lam := range []float64{1e-3, 0.7, 3, 1e5} {
			o.Penalty, o.Ridge = 0.01/lam, lam
			m := fit(t, x, y, o)
			if d := far(predict(t, m, x), want); !(d <= 1e-6) {
				t.Errorf("%s, lam %g: predictions differ by %.1e", name, lam, d)
			}
			report := roundTrip(t, m).Report()
			for _, r := range report.Outputs {
				if r.Penalty != o.Penalty || report.Ridge != lam {
					t.Errorf("%s: nu %v and lam %v reported, %v and %v given", name, r.Penalty, report.Ridge, o.Penalty, lam)
				}
			}
		}
	}
}

// TestZeroLandmark has a landmark with k(x, x) = 0 and so a zero column.
func TestZeroLandmark(t *testing.T) {
	x, y := sample(80, 3, 2, 1)
	p := mat.NewDense(5, 3, nil)
	p.Slice(1, 5, 0, 3).(*mat.Dense).Copy(x)
	for name, o := range variants() {
		o.Kernels, o.Penalty, o.Points = []kernel.Kernel{kernel.Linear{}}, 0.01, p
		without := o
		without.Points = p.Slice(1, 5, 0, 3)
		got, want := fit(t, x, y, o), fit(t, x, y, without)
		if got.ModelOrder() > 4 {
			t.Errorf("%s: the zero column has weight", name)
		}
		if d := far(predict(t, roundTrip(t, got), x), predict(t, want, x)); o.Epsilon == 0 && !(d <= 1e-6) {
			t.Errorf("%s: predictions differ by %.1e", name, d)
		}
	}
}

// TestNothingToLearn repeats every row with the opposite target. The correlations are rounding
// errors, and no nu is small enough to fit them.
func TestNothingToLearn(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := sample(150, 3, 2, 1)
	var xx, yy, neg mat.Dense
	neg.Scale(-1, y)
	xx.Stack(x, x)
	yy.Stack(y, &neg)
	for name, o := range variants() {
		if o.LowMemory {
			o.Penalty = 1e-6
		}
		m := fit(t, &xx, &yy, o)
		if d := far(predict(t, m, x), mat.NewDense(150, 2, nil)); m.ModelOrder() != 0 || !(d <= 1e-12) {
			t.Errorf("%s: %d columns have weight, prediction up to %.1e", name, m.ModelOrder(), d)
		}
	}
}

// TestEqualScores expects the first label. The means of the targets are
// exact.
func TestEqualScores(t *testing.T) {
	x, y := sample(60, 3, 1, 1)
	for _, k := range []int{2, 4} {
		y.Apply(func(i, _ int, _ float64) float64 { return float64(10 - i%k) }, y)
		c, err := slkl.FitClassifier(context.Background(), x, y, &slkl.Options{Penalty: 1e12})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range predict(t, c, x).RawMatrix().Data {
			if v != float64(11-k) {
				t.Fatalf("%d classes of the same score: label %v, want %v", k, v, 11-k)
			}
		}
	}
}

// TestMoreLandmarksThanRows expects all rows.
func TestMoreLandmarksThanRows(t *testing.T) {
	x, y := sample(40, 3, 1, 1)
	all, more := slkl.Options{Penalty: 0.01, MaxPoints: 40}, slkl.Options{Penalty: 0.01, MaxPoints: 4000}
	if !unchanged(t, fit(t, x, y, more), marshal(t, fit(t, x, y, all))) {
		t.Error("4000 landmarks of 40 rows are not the 40 rows")
	}
}

// TestRepeatedLandmarks repeats every landmark three times, which must not change the function.
func TestRepeatedLandmarks(t *testing.T) {
	x, y := sample(200, 3, 2, 1)
	for name, o := range variants() {
		if o.Epsilon > 0 {
			continue // stops before the optimum, where the result depends on the columns
		}
		t.Run(name, func(t *testing.T) {
			o.Penalty, o.PointRows = 0.01, span(0, 40)
			want := fit(t, x, y, o)
			o.PointRows = append(append(span(0, 40), span(0, 40)...), span(0, 40)...)
			got := fit(t, x, y, o)
			for k, r := range got.Report().Outputs {
				if w := want.Report().Outputs[k]; !near(r.Objective, w.Objective, 1e-8) || !(r.RelativeGap() <= 1e-9) {
					t.Errorf("objective %.15g, gap %.1e, without repetition %.15g, gap %.1e", r.Objective, r.RelativeGap(), w.Objective, w.RelativeGap())
				}
			}
			if d := far(predict(t, got, x), predict(t, want, x)); !(d <= 1e-4) {
				t.Errorf("predictions differ by %.1e", d)
			}
		})
	}
}

// TestDependentColumns has 40 columns of a kernel of rank 3, with and without columns of full rank. The
// certificate must still reach its tolerance.
func TestDependentColumns(t *testing.T) {
	square := kernel.Polynomial{Degree: 2, Offset: 1}
	for seed := range uint64(4) {
		x, y := sample(120, 1, 2, seed)
		for _, kernels := range [][]kernel.Kernel{{square}, {square, kernel.Gaussian{Sigma: 0.7}}, mixture()} {
			for name, o := range map[string]slkl.Options{"default": {}, "shared": {Paper: slkl.Paper{Shared: true}}, "low memory": {Paper: slkl.Paper{LowMemory: true}}, "low memory, shared": {Paper: slkl.Paper{LowMemory: true, Shared: true}}} {
				o.Kernels, o.Penalty, o.MaxPoints = kernels, 0.01, 40
				m, err := slkl.Fit(context.Background(), x, y, &o)
				for _, r := range m.Report().Outputs {
					if err != nil || !(r.RelativeGap() <= 1e-9) || r.Status != rkhs.Converged {
						t.Errorf("seed %d, %v, %s: %+v, error %v", seed, kernels, name, r, err)
					}
				}
			}
		}
	}
}

// TestRepeatedRows doubles every row, which doubles F when lam and nu double.
func TestRepeatedRows(t *testing.T) {
	x, y := sample(100, 3, 1, 1)
	var xx, yy mat.Dense
	xx.Stack(x, x)
	yy.Stack(y, y)
	o := slkl.Options{Kernels: base().Kernels, Penalty: 0.01, Paper: slkl.Paper{PointRows: span(0, 50)}}
	once := fit(t, x, y, o)
	o.Ridge, o.Penalty = 2, 0.02
	twice := fit(t, &xx, &yy, o)
	if got, want := twice.Report().Outputs[0].Objective, 2*once.Report().Outputs[0].Objective; !near(got, want, 1e-10) {
		t.Errorf("objective %.15g, want %.15g", got, want)
	}
	if d := far(predict(t, twice, x), predict(t, once, x)); !(d <= 1e-6) {
		t.Errorf("predictions differ by %.1e", d)
	}
}

// TestKernelsAreCopied writes to the scales of a kernel after the fit.
func TestKernelsAreCopied(t *testing.T) {
	x, y := sample(60, 2, 1, 1)
	scales := []float64{1, 3}
	k := kernel.ARD{Scales: scales, Of: kernel.Gaussian{Sigma: 1}}
	o := slkl.Options{Penalty: 0.1, Kernels: []kernel.Kernel{k}, Points: x.Slice(0, 20, 0, 2)}
	m, a := fit(t, x, y, o), learner(t, o)
	before := predict(t, m, x)
	scales[0] = 100
	if far(predict(t, m, x), before) != 0 {
		t.Error("the model changed with the caller's slice")
	}
	add(t, a, x, y)
	late, err := a.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if d := far(predict(t, late, x), before); d > 1e-6 {
		t.Errorf("the learner took in rows by the caller's changed slice: predictions differ by %g", d)
	}
}

// TestStepsKeepTheirWord uses nearly collinear columns, where steps computed only from their Gram
// matrix diverge. The model must be no worse than the constant, have a certificate, and be fast.
func TestStepsKeepTheirWord(t *testing.T) {
	testutil.Long(t, "hundreds of factorisations")
	for seed := range uint64(4) {
		x, y := sample(300, 2, 1, seed)
		for _, o := range []slkl.Options{
			{Penalty: 1e-2, Kernels: []kernel.Kernel{kernel.Polynomial{Degree: 20, Scale: 1, Offset: 1}}},
			{Penalty: 1e-8, Kernels: []kernel.Kernel{kernel.Polynomial{Degree: 12, Scale: 1, Offset: 1}}, Paper: slkl.Paper{NoIntercept: true}},
			{Penalty: 1e-4, Kernels: []kernel.Kernel{kernel.Polynomial{Degree: 25, Scale: 1, Offset: 1}}},
		} {
			o.Seed = seed
			m, err := slkl.Fit(context.Background(), x, y, &o)
			if err != nil && !errors.Is(err, rkhs.ErrNotConverged) {
				t.Fatal(err)
			}
			roundTrip(t, m)
			p := predict(t, m, x)
			p.Sub(p, y)
			if r := m.Report().Outputs[0]; !(r.Gap >= 0 && r.Objective > 0) || mat.Norm(p, 2) > mat.Norm(y, 2) {
				t.Errorf("%v, nu %g, seed %d: residual %g of %g, %+v", o.Kernels[0], o.Penalty, seed, mat.Norm(p, 2), mat.Norm(y, 2), r)
			}
		}
	}
}

// TestNearDuplicatesEnd: rounding prevents progress long before the limit of
// the steps.
func TestNearDuplicatesEnd(t *testing.T) {
	half, y := sample(150, 3, 1, 1)
	x, twice := mat.NewDense(300, 3, nil), mat.NewDense(300, 1, nil)
	for i := range 300 {
		x.SetRow(i, half.RawRowView(i%150))
		twice.SetRow(i, y.RawRowView(i%150))
		x.Set(i, 0, x.At(i, 0)+float64(i/150)*1e-9)
	}
	o := slkl.Options{Penalty: 1e-10, Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 0.3}}}
	m, err := slkl.Fit(context.Background(), x, twice, &o)
	if err != nil {
		t.Fatal(err)
	}
	if r := m.Report().Outputs[0]; r.Solves > 5000 || r.RelativeGap() > 1e-6 {
		t.Errorf("%d solves to a relative gap of %.1e", r.Solves, r.RelativeGap())
	}
}
