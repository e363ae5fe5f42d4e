package kernel_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/testutil"
	. "github.com/rkhs-go/rkhs/kernel"
)

func TestRowsAreScannedOnce(t *testing.T) {
	x, z, w := mat.NewDense(5, 2, nil), mat.NewDense(7, 2, nil), mat.NewDense(7, 3, nil)
	k := Gaussian{1}
	f := Expansion{Kernel: k, Points: z, Weights: w}
	for _, c := range []struct {
		name string
		want int
		do   func() error
	}{
		{"Gram", 5, func() error { return Gram(new(mat.SymDense), k, x) }},
		{"Cross", 12, func() error { return Cross(new(mat.Dense), k, x, z) }},
		{"Cross of transposes", 4, func() error { return Cross(new(mat.Dense), k, x.Slice(0, 2, 0, 2).T(), z.Slice(0, 2, 0, 2).T()) }},
		{"Diag", 5, func() error { return Diag(new(mat.VecDense), k, x) }},
		{"Mul", 19, func() error { return Mul(new(mat.Dense), k, x, z, w) }},
		{"Expansion.Predict", 5, func() error { _, err := f.Predict(x); return err }},
	} {
		testutil.CheckScans(t, c.name, c.want, func() {
			if err := c.do(); err != nil {
				t.Error(err)
			}
		})
	}
}
