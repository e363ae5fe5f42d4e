package ratio_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

var twoRows = mat.NewDense(2, 2, []float64{0, 1, 2, 3})

func FuzzModel(f *testing.F) {
	x, y := testutil.Normals(20, 2, 0, 1, 1), testutil.Normals(20, 2, 0, 1, 2)
	m, err := ratio.Fit(context.Background(), x, y, &ratio.Options{MaxPoints: 3, Features: 8, Columns: 4})
	if err != nil {
		f.Fatal(err)
	}
	testutil.Fuzz(f, "ratio model", func() testutil.File { return new(ratio.Model) }, func(v testutil.File) { v.(*ratio.Model).Predict(twoRows) }, m)
}

func FuzzLearner(f *testing.F) {
	l, err := ratio.NewLearner(&ratio.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 0.1, Columns: 4, Batch: 8, Features: 16})
	if err == nil {
		err = l.Update(testutil.Normals(510, 2, 0, 1, 1), testutil.Normals(520, 2, 0, 1, 2))
	}
	if err != nil {
		f.Fatal(err)
	}
	testutil.Fuzz(f, "ratio learner", func() testutil.File { return new(ratio.Learner) }, func(v testutil.File) {
		l := v.(*ratio.Learner)
		if !ratio.Fits(l, 64<<20) {
			return // too slow and too large for a fuzz test
		}
		if l.Update(twoRows, twoRows) == nil {
			l.Model(context.Background())
		}
	}, l)
}
