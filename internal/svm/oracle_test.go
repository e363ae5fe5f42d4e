package svm

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// problem draws n points of R^d with labels, both of which occur.
func problem(n, d int, seed uint64) (x blas64.General, y []float64) {
	s := rng.New(seed, "svm test", 0)
	x = compute.NewMatrix(n, d)
	for i := range x.Data {
		x.Data[i] = s.NormFloat64()
	}
	y = make([]float64, n)
	for i := range y {
		y[i] = 1
		if x.Data[i*d]+s.NormFloat64() < 0 {
			y[i] = -1
		}
	}
	y[0], y[1] = 1, -1
	return x, y
}

func gramOf(k kernel.Kernel, x blas64.General) blas64.General {
	g := compute.NewMatrix(x.Rows, x.Rows)
	gram.Evaluator{Kernel: k}.Gram(g, x)
	return g
}

// dual returns Σ y_i·β_i − ½·βᵀKβ.
func dual(g blas64.General, y, beta []float64) float64 {
	v := 0.0
	for i, b := range beta {
		f := 0.0
		for j, c := range beta {
			f += g.Data[i*g.Stride+j] * c
		}
		v += b * (y[i] - f/2)
	}
	return v
}

// violation returns the violation of the optimality conditions by their definition.
func violation(g blas64.General, y, beta, c []float64) float64 {
	top, bottom := math.Inf(-1), math.Inf(1)
	for i, b := range beta {
		e := y[i]
		for j, v := range beta {
			e -= g.Data[i*g.Stride+j] * v
		}
		alpha := y[i] * b
		if y[i] > 0 && alpha < c[i] || y[i] < 0 && alpha > 0 {
			top = max(top, e)
		}
		if y[i] > 0 && alpha > 0 || y[i] < 0 && alpha < c[i] {
			bottom = min(bottom, e)
		}
	}
	return top - bottom
}

// enumerate returns the maximum of the dual: the largest value at a feasible point that is stationary in a set
// of variables and has all other variables at a bound.
func enumerate(g blas64.General, y, c []float64) float64 {
	n := len(y)
	best := math.Inf(-1)
	for code := range int(math.Pow(3, float64(n))) {
		beta, free := make([]float64, n), []int(nil)
		for i, rest := 0, code; i < n; i, rest = i+1, rest/3 {
			switch rest % 3 {
			case 1:
				beta[i] = y[i] * c[i]
			case 2:
				free = append(free, i)
			}
		}
		if stationary(g, y, beta, free) && feasible(y, beta, c) {
			best = max(best, dual(g, y, beta))
		}
	}
	return best
}

// stationary sets the free elements of beta to the maximum of the dual with Σβ = 0, and reports whether it is
// unique.
func stationary(g blas64.General, y, beta []float64, free []int) bool {
	m := len(free)
	a, r := mat.NewDense(m+1, m+1, nil), mat.NewVecDense(m+1, nil)
	for s, i := range free {
		a.Set(s, m, 1)
		a.Set(m, s, 1)
		e := y[i]
		for j, b := range beta {
			e -= g.Data[i*g.Stride+j] * b
		}
		r.SetVec(s, e)
		for t, j := range free {
			a.Set(s, t, g.Data[i*g.Stride+j])
		}
	}
	sum := 0.0
	for _, b := range beta {
		sum += b
	}
	if m == 0 {
		return sum == 0
	}
	r.SetVec(m, -sum)
	var sol mat.VecDense
	if sol.SolveVec(a, r) != nil {
		return false
	}
	for s, i := range free {
		beta[i] = sol.AtVec(s)
	}
	return true
}

func feasible(y, beta, c []float64) bool {
	sum := 0.0
	for i, b := range beta {
		sum += b
		if y[i]*b < -1e-12*c[i] || y[i]*b > c[i]*(1+1e-12) {
			return false
		}
	}
	return math.Abs(sum) <= 1e-9
}

func TestSmallProblemsAgainstEnumeration(t *testing.T) {
	k := kernel.Gaussian{Sigma: 1}
	for seed := range uint64(40) {
		n := 2 + int(seed%6)
		x, y := problem(n, 2, seed)
		c := []float64{0.1, 1, 10, 1000}[seed%4]
		o := Options{C: c, Tolerance: 1e-10, Weights: make([]float64, n)}
		bounds := make([]float64, n)
		for i := range bounds {
			o.Weights[i] = 1 + float64(i%3)
			bounds[i] = c * o.Weights[i]
		}
		s, err := Fit(context.Background(), k, compute.DensePoints(x), y, o)
		if err != nil {
			t.Fatal(err)
		}
		g := gramOf(k, x)
		want := enumerate(g, y, bounds)
		if d := math.Abs(dual(g, y, s.Beta) - want); d > 1e-9*(1+want) || math.Abs(s.Objective-want) > 1e-9*(1+want) {
			t.Errorf("seed %d: dual objective %v, reported %v, want %v", seed, dual(g, y, s.Beta), s.Objective, want)
		}
		if v := violation(g, y, s.Beta, bounds); v > 1e-9 {
			t.Errorf("seed %d: violation %v", seed, v)
		}
	}
}

// A problem with several working sets, shrinking and a cache of some rows has the same solution as on a
// stored matrix.
func TestComputedRowsAgainstStored(t *testing.T) {
	x, y := problem(1100, 4, 7)
	k := kernel.Gaussian{Sigma: 1.5}
	g := gramOf(k, x)
	for _, c := range []float64{0.1, 1, 10} {
		t.Run(fmt.Sprintf("C=%v", c), func(t *testing.T) {
			o := Options{C: c, Tolerance: 1e-6, CacheBytes: 1}
			s, err := Fit(context.Background(), k, compute.DensePoints(x), y, o)
			if err != nil {
				t.Fatal(err)
			}
			o.CacheBytes = 0 // the default holds it all
			r, err := Fit(context.Background(), k, compute.DensePoints(x), y, o)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(s.Objective-r.Objective) > 1e-9*r.Objective {
				t.Errorf("objective %v, on the stored matrix %v", s.Objective, r.Objective)
			}
			bounds := make([]float64, len(y))
			for i := range bounds {
				bounds[i] = c
			}
			if v := violation(g, y, s.Beta, bounds); math.Abs(v-s.Violation) > 1e-9 || v > 1e-6 {
				t.Errorf("violation %v, reported %v", v, s.Violation)
			}
			if d := dual(g, y, s.Beta); math.Abs(d-s.Objective) > 1e-9*d {
				t.Errorf("objective %v, reported %v", d, s.Objective)
			}
		})
	}
}
