package svm

import (
	"context"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// unsolved returns solvers of each kind some steps from their start, which have all residuals.
func unsolved(t *testing.T) map[string]*solver {
	t.Helper()
	x, y := problem(60, 2, 5)
	targets := make([]float64, len(y))
	for i := range targets {
		targets[i] = math.Sin(2*x.Data[2*i]) + y[i]/3
	}
	list := map[string]*solver{}
	for name, p := range map[string]program{"labels": margins(y), "tube": tube(targets, 0.1), "one class": support(60)} {
		o := Options{C: 1}.withDefaults(60)
		s, err := prepare(newGramRows(kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), o), p, o)
		if err != nil {
			t.Fatal(err)
		}
		c, start := 30.0, []float64(nil)
		if p.sum != 0 {
			c, start = 1./12, fill(12, 60, nil)
		}
		s.start(c, start)
		s.o.MaxIterations = 15
		s.run(context.Background())
		list[name] = s
	}
	return list
}

// The best constant and the best scale are the best of a fine grid.
func TestBestConstantAndScale(t *testing.T) {
	for name, s := range unsolved(t) {
		p := s.primal()
		for _, a := range []float64{0, 0.5, 1, 1.3} {
			b := p.constant(a)
			for k := -2000; k <= 2000; k++ {
				if at := b + float64(k)*1e-3; p.at(a, at) < p.at(a, b)-1e-12*math.Abs(p.at(a, b)) {
					t.Fatalf("%s: the constant %v is better than %v", name, at, b)
				}
			}
		}
		for _, b := range []float64{-0.7, 0, 0.2, s.bias()} {
			r := p.scale(1, b)
			least := p.at(r, r*b)
			for k := range 4000 {
				if v := float64(k) * 1e-3; p.at(v, v*b) < least-1e-12*math.Abs(least) {
					t.Fatalf("%s, constant %v: the scale %v gives %v, %v gives %v", name, b, v, p.at(v, v*b), r, least)
				}
			}
		}
	}
}

// The certificate holds before convergence: the least primal objective is above the dual objective of a
// solution.
func TestCertificateBounds(t *testing.T) {
	for name, s := range unsolved(t) {
		before := s.certificate()
		s.o.MaxIterations, s.tolerance, s.o.Tolerance = 1e6, 1e-10, 1e-10
		if status, v := s.run(context.Background()); status != rkhs.Converged {
			t.Fatalf("%s: %v at %v", name, status, v)
		}
		after := s.certificate()
		if scale := math.Abs(after.dual); before.dual > after.dual+1e-12*scale || before.primal < after.dual-1e-12*scale || after.gap() > 1e-8*scale {
			t.Errorf("%s: dual %v and primal %v, of the solution %v and %v", name, before.dual, before.primal, after.dual, after.primal)
		}
	}
}

// At a large C the gap of f itself is wide. The gap of its best multiple is within Options.Gap and bounds the
// distance of the objective from the maximum.
func TestGapOfALargeC(t *testing.T) {
	x, _ := problem(300, 4, 12)
	y := make([]float64, 300)
	for i := range y {
		y[i] = math.Copysign(1, x.Data[4*i]+x.Data[4*i+1])
	}
	k := kernel.Gaussian{Sigma: 2}
	fit := func(o Options) *Solution {
		t.Helper()
		o.C = 1e4
		s, err := Fit(context.Background(), k, compute.DensePoints(x), y, o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	exact, plain, certified := fit(Options{Tolerance: 1e-10}), fit(Options{}), fit(Options{Gap: 1e-3})
	if plain.Gap > 1e-2*plain.Objective || exact.Objective-plain.Objective > plain.Gap {
		t.Errorf("the gap is %v of %v, the maximum %v", plain.Gap, plain.Objective, exact.Objective)
	}
	if certified.Relative > 1e-3 || exact.Objective-certified.Objective > certified.Gap {
		t.Errorf("the certified gap is %v of %v, the maximum %v", certified.Gap, certified.Objective, exact.Objective)
	}
	// This gap requires smaller violations than the tolerance.
	finer := fit(Options{Gap: 1e-6})
	if finer.Relative > 1e-6 || finer.Violation >= certified.Violation {
		t.Errorf("relative gap %v at a violation of %v", finer.Relative, finer.Violation)
	}
}

// residuals returns y − f of coefficients.
func residuals(k kernel.Kernel, x compute.Matrix, y, beta []float64) []float64 {
	g, e := gramOf(k, x), make([]float64, len(y))
	for i, v := range y {
		e[i] = v
		for j, b := range beta {
			e[i] -= g.Data[i*g.Stride+j] * b
		}
	}
	return e
}

// The optimality conditions of regression, by their definition, with stored rows and with computed rows, which
// shrink.
func TestRegressionConditions(t *testing.T) {
	const epsilon, c = 0.2, 5.0
	for _, bytes := range []int64{0, 1} {
		n := 1100
		x, _ := problem(n, 3, 6)
		r, y := rng.New(3, "svm test", 1), make([]float64, n)
		for i := range y {
			y[i] = math.Sin(2*x.Data[3*i]) + 0.2*r.NormFloat64()
		}
		k, w := kernel.Gaussian{Sigma: 1}, make([]float64, n)
		for i := range w {
			w[i] = float64(1 + i%3)
		}
		list, err := PathRegression(context.Background(), k, compute.DensePoints(x), y, epsilon, []float64{0.1, c}, Options{Tolerance: 1e-8, Gap: 1e-8, Weights: w, CacheBytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		s, sum, dual := list[1], 0.0, 0.0
		for i, e := range residuals(k, x, y, s.Beta) {
			b := s.Beta[i]
			sum += b
			dual += b*(y[i]+e)/2 - epsilon*math.Abs(b)
			e -= s.Bias
			most := c * w[i]
			switch {
			case math.Abs(b) > most*(1+1e-12),
				b == 0 && math.Abs(e) > epsilon+1e-7,
				b != 0 && math.Abs(b) < most && math.Abs(e-math.Copysign(epsilon, b)) > 1e-7,
				math.Abs(b) == most && e*math.Copysign(1, b) < epsilon-1e-7:
				t.Fatalf("cache %d: coefficient %v at a residual of %v", bytes, b, e)
			}
		}
		if math.Abs(sum) > 1e-9 || math.Abs(dual-s.Objective) > 1e-9*dual {
			t.Errorf("cache %d: sum %v, objective %v, want 0 and %v", bytes, sum, s.Objective, dual)
		}
	}
}

// The optimality conditions of one class: coefficients sum to one. Rows outside have the largest coefficient,
// and rows inside have zero. At most the fraction nu of the rows is outside.
func TestOneClassConditions(t *testing.T) {
	const n, nu = 1100, 0.13
	x, _ := problem(n, 3, 6)
	k, w := kernel.Gaussian{Sigma: 1}, make([]float64, n)
	total := 0.0
	for i := range w {
		w[i] = float64(1 + i%3)
		total += w[i]
	}
	for i := range w {
		w[i] *= n / total
	}
	for _, bytes := range []int64{0, 1} {
		s, err := OneClass(context.Background(), k, compute.DensePoints(x), nu, Options{Tolerance: 1e-9, Weights: w, CacheBytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		sum, outside := 0.0, 0.0
		for i, e := range residuals(k, x, make([]float64, n), s.Beta) {
			f, most := -e, w[i]/(nu*n)
			sum += s.Beta[i]
			if f < -s.Bias {
				outside += w[i] / n
			}
			switch {
			case s.Beta[i] < 0 || s.Beta[i] > most*(1+1e-12), s.Beta[i] == 0 && f < -s.Bias-1e-8, s.Beta[i] == most && f > -s.Bias+1e-8,
				s.Beta[i] > 0 && s.Beta[i] < most && math.Abs(f+s.Bias) > 1e-8:
				t.Fatalf("cache %d: coefficient %v of %v at f − r = %v", bytes, s.Beta[i], most, f+s.Bias)
			}
		}
		if math.Abs(sum-1) > 1e-12 || outside > nu || outside < nu-0.05 {
			t.Errorf("cache %d: sum %v, %v outside", bytes, sum, outside)
		}
	}
}

// One class of rows around the origin with a linear kernel has a zero norm. Its gap is rounding.
func TestGapOfZero(t *testing.T) {
	x := points(1, -0.7, -0.1, 0.3, 0.45, 0.6)
	s, err := OneClass(context.Background(), kernel.Linear{}, compute.DensePoints(x), 0.9, Options{Gap: 1e-3})
	if err != nil || s.Relative > 1e-3 {
		t.Errorf("relative gap %v, error %v", s.Relative, err)
	}
}

// The solver stops if the requested gap is below rounding.
func TestGapOutOfReach(t *testing.T) {
	x, y := problem(200, 2, 3)
	s, err := Fit(context.Background(), kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), y, Options{C: 10, Gap: 1e-300})
	if s == nil || s.Relative > 1e-10 || s.Iterations > 1e6 || (err == nil) != (s.Relative == 0) {
		t.Errorf("relative gap %v after %d steps, error %v", s.Relative, s.Iterations, err)
	}
}
