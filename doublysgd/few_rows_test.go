package doublysgd_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func TestIntervalOfFewLevels(t *testing.T) {
	testutil.IntervalsOfFewLevels(t, func(x, y *mat.Dense) (testutil.Intervals, error) {
		return doublysgd.Fit(context.Background(), x, y, nil)
	})
}

// TestFewRowsInOneStep fits squared loss to so many rows that other losses need several steps,
// in both precisions. One step must reach the minimum with all features, and the leave-one-out
// estimates must hold on new rows.
func TestFewRowsInOneStep(t *testing.T) {
	const n, tested = 2200, 4000
	r := rand.New(rand.NewPCG(3, 4))
	draw := func(n int) (x, y *mat.Dense) {
		x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
		for i := range n {
			a, b := 4*r.Float64(), 4*r.Float64()
			x.SetRow(i, []float64{a, b})
			y.Set(i, 0, math.Sin(3*a)*b+.3*r.NormFloat64())
		}
		return x, y
	}
	x, y := draw(n)
	tx, ty := draw(tested)
	for _, precision := range []doublysgd.Precision{doublysgd.Double, doublysgd.Single} {
		m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6, Paper: doublysgd.Paper{Precision: precision}})
		if err != nil {
			t.Fatal(err)
		}
		report := m.Report()
		if report.Passes != 1 || report.Features < 4*n-2048 || report.Calibration.Rows != n || report.Gradient > 1e-3 {
			t.Errorf("precision %v: %+v", precision, report)
		}
		p, err := m.Predict(tx)
		if err != nil {
			t.Fatal(err)
		}
		lower, upper, err := m.Interval(tx, .9)
		if err != nil {
			t.Fatal(err)
		}
		mean, covered := 0.0, 0
		for i := range tested {
			e := (p.At(i, 0) - ty.At(i, 0)) / report.Units[0]
			mean += e * e / 2 / tested
			if v := ty.At(i, 0); lower.At(i, 0) <= v && v <= upper.At(i, 0) {
				covered++
			}
		}
		if ratio := mean / report.HeldOutLoss; ratio < .9 || ratio > 1.1 {
			t.Errorf("precision %v: the mean loss is %.3f of the leave-one-out loss", precision, ratio)
		}
		if share := float64(covered) / tested; share < .88 || share > .92 {
			t.Errorf("precision %v: 90 %% intervals cover %.3f", precision, share)
		}
	}
}
