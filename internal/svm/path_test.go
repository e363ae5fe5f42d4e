package svm

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Solutions of a path have the objectives of single fits, upwards and downwards.
func TestPathAgainstSingleFits(t *testing.T) {
	x, y := problem(300, 3, 3)
	k := kernel.Gaussian{Sigma: 1}
	o := Options{Tolerance: 1e-7}
	for _, cs := range [][]float64{{0.001, 0.01, 0.1, 1, 10, 100}, {30, 3, 0.3}} {
		list, err := Path(context.Background(), k, compute.DensePoints(x), y, cs, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range cs {
			o.C = c
			s, err := Fit(context.Background(), k, compute.DensePoints(x), y, o)
			if err != nil {
				t.Fatal(err)
			}
			if d := list[i].Objective/s.Objective - 1; math.Abs(d) > 1e-9 || list[i].C != c {
				t.Errorf("C = %v of %v: objective %v on the path, %v alone", c, cs, list[i].Objective, s.Objective)
			}
		}
	}
}

// An ascending path needs fewer steps than separate fits.
func TestPathSavesSteps(t *testing.T) {
	x, y := problem(400, 3, 4)
	k := kernel.Gaussian{Sigma: 1}
	cs := []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100}
	list, err := Path(context.Background(), k, compute.DensePoints(x), y, cs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, single := 0, 0
	for i, c := range cs {
		s, err := Fit(context.Background(), k, compute.DensePoints(x), y, Options{C: c})
		if err != nil {
			t.Fatal(err)
		}
		path, single = path+list[i].Iterations, single+s.Iterations
	}
	if path > single*3/4 {
		t.Errorf("%d steps on the path, %d alone", path, single)
	}
}

// A fit that starts from its own solution ends at once. One that starts outside the bounds returns to it.
func TestStart(t *testing.T) {
	x, y := problem(300, 3, 5)
	k := kernel.Gaussian{Sigma: 1}
	s, err := Fit(context.Background(), k, compute.DensePoints(x), y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Fit(context.Background(), k, compute.DensePoints(x), y, Options{Start: s.Beta})
	if err != nil || again.Iterations != 0 || !slices.Equal(again.Beta, s.Beta) {
		t.Errorf("%d steps from the solution, error %v", again.Iterations, err)
	}
	wrong := slices.Clone(s.Beta)
	for i := range wrong {
		wrong[i] *= float64(i%5) - 1
	}
	again, err = Fit(context.Background(), k, compute.DensePoints(x), y, Options{Start: wrong})
	if err != nil || math.Abs(again.Objective-s.Objective) > 1e-3*s.Objective {
		t.Errorf("objective %v from a start out of bounds, want %v; error %v", again.Objective, s.Objective, err)
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	x, y := problem(1500, 4, 7)
	var first *Solution
	for _, workers := range []int{1, 2, 8} {
		s, err := Fit(context.Background(), kernel.Gaussian{Sigma: 1.5}, compute.DensePoints(x), y, Options{C: 10, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s
		}
		if !slices.Equal(s.Beta, first.Beta) || s.Bias != first.Bias || s.Gap != first.Gap {
			t.Errorf("%d workers give another solution", workers)
		}
	}
}

func TestCancelledFit(t *testing.T) {
	x, y := problem(100, 3, 5)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	s, err := Fit(ctx, kernel.Gaussian{Sigma: 1}, compute.DensePoints(x), y, Options{})
	if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
		t.Fatalf("error %v", err)
	}
	if s == nil || s.Status != rkhs.Cancelled || len(s.Beta) != 100 {
		t.Errorf("solution %+v", s)
	}
}

func TestIterationLimit(t *testing.T) {
	x, y := problem(1200, 3, 5)
	k := kernel.Gaussian{Sigma: 1}
	s, err := Fit(context.Background(), k, compute.DensePoints(x), y, Options{MaxIterations: 100, C: 10})
	if !errors.Is(err, rkhs.ErrNotConverged) {
		t.Fatalf("error %v", err)
	}
	if s.Iterations != 100 || s.Status != rkhs.IterationLimit || !(s.Violation > 1e-3) {
		t.Errorf("%d steps, status %v, violation %v", s.Iterations, s.Status, s.Violation)
	}
	full, err := Fit(context.Background(), k, compute.DensePoints(x), y, Options{C: 10, Tolerance: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	if short := full.Objective - s.Objective; short < 0 || short > s.Gap {
		t.Errorf("the objective is %v below its maximum, the gap is %v", short, s.Gap)
	}
}
