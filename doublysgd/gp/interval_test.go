package gp_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestLeaveOneOutIntervals compares the intervals with explicit leave-one-out posteriors.
func TestLeaveOneOutIntervals(t *testing.T) {
	const n = 60
	x, y := wave(n, 3)
	k := kernel.Gaussian{Sigma: 0.5}
	g := fitGP(t, x, y, &gp.Options{Kernel: k, Tolerance: 1e-10})
	amplitude := g.Amplitude()[0]
	ratio := g.Noise()[0] / amplitude
	var errors []float64
	for i := range n {
		var rest []int
		for j := range n {
			if j != i {
				rest = append(rest, j)
			}
		}
		others, values := mat.NewDense(n-1, 2, nil), mat.NewDense(n-1, 1, nil)
		for at, j := range rest {
			others.SetRow(at, x.RawRowView(j))
			values.Set(at, 0, y.AtVec(j))
		}
		p := newPosterior(t, k, ratio, others, false)
		row := x.Slice(i, i+1, 0, 2)
		off := math.Abs(y.AtVec(i) - p.mean(t, values, row).At(0, 0))
		errors = append(errors, off/math.Sqrt(amplitude*(p.covariance(t, row).At(0, 0)+ratio)))
	}
	slices.Sort(errors)
	test, _ := wave(5, 4)
	variance := varianceOf(t, g, test)
	for _, c := range []struct{ coverage, want float64 }{
		{0.9, errors[54]}, // ⌈.9·61⌉ = 55
		{0.5, errors[30]},
		{60.0 / 61, errors[59]},
	} {
		lower, upper, err := g.Interval(test, c.coverage)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			half := (upper.At(i, 0) - lower.At(i, 0)) / 2
			if got := half / math.Sqrt(variance.At(i, 0)+g.Noise()[0]); !(math.Abs(got/c.want-1) < 1e-6) {
				t.Errorf("coverage %v: %v deviations, want %v", c.coverage, got, c.want)
			}
		}
	}
	if lower, upper, err := g.Interval(test, 0.9999); err != nil || !(upper.At(0, 0)-lower.At(0, 0) > 2*errors[59]*math.Sqrt(variance.At(0, 0)+g.Noise()[0])) {
		t.Errorf("coverage .9999: %v to %v, no wider than the largest error: %v", lower, upper, err)
	}
}

// TestIntervalsWithoutNoise covers an almost noiseless function. A small error relative to
// the function is then large relative to the residuals.
func TestIntervalsWithoutNoise(t *testing.T) {
	testutil.Long(t, "it is about figures")
	const n, more, seeds = 250, 500, 6
	inside := 0.0
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 7))
		x, y := mat.NewDense(n+more, 3, nil), mat.NewDense(n+more, 1, nil)
		for i := range n + more {
			for j := range 3 {
				x.Set(i, j, 4*r.Float64()-2)
			}
			y.Set(i, 0, math.Sin(1.5*x.At(i, 0))+x.At(i, 1)*x.At(i, 1)/2+0.3*x.At(i, 2))
		}
		g := fitGP(t, x.Slice(0, n, 0, 3), y.Slice(0, n, 0, 1), nil)
		lower, upper, err := g.Interval(x.Slice(n, n+more, 0, 3), 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for i := range more {
			if v := y.At(n+i, 0); lower.At(i, 0) <= v && v <= upper.At(i, 0) {
				inside += 1.0 / (more * seeds)
			}
		}
	}
	if inside < 0.86 || inside > 0.94 {
		t.Errorf("90 %% intervals cover %.3f in the mean of %d splits", inside, seeds)
	}
}
