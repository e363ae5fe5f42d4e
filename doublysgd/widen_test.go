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

// TestMoreRowsThanWork fits a smooth function with noise. Features are added on a sample of the
// rows, and Work limits the further rows. With enough Work the fit ends near the minimum over
// all rows, and predictions average to the targets.
func TestMoreRowsThanWork(t *testing.T) {
	testutil.Long(t, "it needs more rows than any Work; TestWork covers smaller ones")
	const n = 150000
	r := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := r.NormFloat64(), r.NormFloat64()
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, math.Sin(2*a)*b+3*r.NormFloat64())
	}
	for _, c := range []struct {
		work        float64
		least, most int // rows
	}{{1e11, 100000, n - 1}, {1e12, n, n}} {
		m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Work: c.work, Paper: doublysgd.Paper{Columns: 1024}})
		if err != nil {
			t.Fatal(err)
		}
		report := m.Report()
		t.Logf("Work %g: %d rows, %d features, a gap of %g at %g", c.work, report.Rows, report.Features, report.Gap, report.Objective)
		if report.Rows < c.least || report.Rows > c.most {
			t.Errorf("Work %g is for %d rows of %d", c.work, report.Rows, n)
		}
		if !(report.Gap < 0.01*report.Objective) {
			t.Errorf("Work %g: a gap of %v at %v", c.work, report.Gap, report.Objective)
		}
		if c.least < n {
			continue
		}
		f, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if off := mat.Sum(f)/n - mat.Sum(y)/n; math.Abs(off) > 1e-6 {
			t.Errorf("the mean of the predictions is off by %v", off)
		}
	}
}
