package doublysgdpaper

import (
	"context"
	"math"
	"os"
	"testing"

	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func TestSlope(t *testing.T) {
	points := plotter.XYs{{X: 1, Y: 8}, {X: 2, Y: 2}, {X: 4, Y: 0.5}}
	if got := slopeOf(points); math.Abs(got+2) > 1e-12 {
		t.Errorf("slope %v, want -2", got)
	}
}

// The theorem of the paper: the squared distance decreases as 1/t.
func TestRateOfConvergence(t *testing.T) {
	testutil.Long(t, "takes seconds")
	points, err := convergence(context.Background(), 1, 4, 1024)
	if err != nil {
		t.Fatal(err)
	}
	if slope := slopeOf(points); math.Abs(slope+1) > 0.15 {
		t.Errorf("slope %v of %v", slope, points)
	}
}

// On few rows NORMA, with steps on all of them, and doubly stochastic gradients reach the exact
// posterior. gp.Fit reaches the figures of the reference.
func TestGaussianProcess(t *testing.T) {
	if os.Getenv("RKHS_PAPERS") == "" {
		t.Skip("takes half a minute: RKHS_PAPERS is not set")
	}
	p := &process{noise: 0.1, seed: 1, kernel: kernel.Gaussian{Sigma: 3}}
	p.x, _, p.y = plane(200, 1, "plane")
	p.test, _, _ = plane(20, 1, "plane test")
	mean, variance, err := p.posterior()
	if err != nil {
		t.Fatal(err)
	}
	f, v, err := p.norma(200, 3000)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := relative(f, mean), relative(v, variance); a > 0.05 || b > 0.05 {
		t.Errorf("NORMA: relative error %v of the mean, %v of the variance", a, b)
	}
	if f, v, err = p.plain(context.Background(), 1000); err != nil {
		t.Fatal(err)
	}
	if a, b := relative(f, mean), relative(v, variance); a > 0.05 || b > 0.05 {
		t.Errorf("doubly SGD: relative error %v of the mean, %v of the variance", a, b)
	}
	if f, v, err = p.ours(context.Background()); err != nil {
		t.Fatal(err)
	}
	if a, b := relative(f, mean), relative(v, variance); a > 0.05 || b > 0.03 {
		t.Errorf("FitGP: relative error %v of the mean, %v of the variance", a, b)
	}
}
