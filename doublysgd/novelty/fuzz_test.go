package novelty_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

var twoRows = mat.NewDense(2, 2, []float64{0, 1, 2, 3})

func FuzzModel(f *testing.F) {
	m, err := novelty.Fit(context.Background(), cloud(20, 2, 1), &novelty.Options{MaxPoints: 3, Features: 8, Columns: 4, Iterations: 5})
	if err != nil {
		f.Fatal(err)
	}
	testutil.Fuzz(f, "novelty model", func() testutil.File { return new(novelty.Model) }, func(v testutil.File) { v.(*novelty.Model).Predict(twoRows) }, m)
}

func FuzzLearner(f *testing.F) {
	l, err := novelty.NewLearner(&novelty.Options{Kernel: kernel.Gaussian{Sigma: 1}, Columns: 4, Batch: 8, Features: 16})
	if err == nil {
		err = l.Update(cloud(270, 2, 1))
	}
	if err != nil {
		f.Fatal(err)
	}
	testutil.Fuzz(f, "novelty learner", func() testutil.File { return new(novelty.Learner) }, func(v testutil.File) {
		l := v.(*novelty.Learner)
		if !novelty.Fits(l, 64<<20) {
			return // too slow and too large for a fuzz test
		}
		if l.Update(twoRows) == nil {
			l.Model(context.Background())
		}
	}, l)
}
