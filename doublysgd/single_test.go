package doublysgd_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSingleGivesWay has rows that single precision cannot represent: distant from the origin, with
// one outlier, or out of range. The default precision must remain accurate.
func TestSingleGivesWay(t *testing.T) {
	testutil.Long(t, "takes seconds")
	random := rand.New(rand.NewPCG(1, 2))
	base, labels := mat.NewDense(600, 3, nil), mat.NewDense(600, 1, nil)
	for i := range 600 {
		for j := range 3 {
			base.Set(i, j, random.NormFloat64())
		}
		if r := base.RawRowView(i); r[0]*r[0]+r[1]*r[1] > 1.4 {
			labels.Set(i, 0, 1)
		}
	}
	for _, c := range []struct{ scale, offset, outlier float64 }{{1, 0, 0}, {1, 1e8, 0}, {1, 0, 1e9}, {1e50, 0, 0}, {1e-44, 0, 0}} {
		t.Run(fmt.Sprintf("scale %g, offset %g, outlier %g", c.scale, c.offset, c.outlier), func(t *testing.T) {
			x := mat.NewDense(600, 3, nil)
			x.Apply(func(_, _ int, v float64) float64 { return c.scale*v + c.offset }, base)
			x.Set(7, 1, x.At(7, 1)+c.outlier)
			opts := &doublysgd.Options{Features: 512, Ridge: 1e-4, Metric: kernel.NoMetric, Paper: doublysgd.Paper{Passes: 3}}
			m, err := doublysgd.FitClassifier(context.Background(), x, labels, opts)
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for i := range 600 {
				if p.At(i, 0) != labels.At(i, 0) {
					wrong++
				}
			}
			if wrong > 60 {
				t.Errorf("%d of 600 labels are wrong", wrong)
			}
		})
	}
}
