package gp_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSparseRows checks that sparse and dense rows give the same mean, variance and
// covariance, at sparse and dense points, also after loading.
func TestSparseRows(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	const n, d = 150, 30
	x, y := mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for range 4 {
			x.Set(i, r.IntN(d), r.NormFloat64())
		}
		y.Set(i, 0, math.Sin(mat.Sum(x.RowView(i)))+0.1*r.NormFloat64())
	}
	ctx := context.Background()
	for name, o := range map[string]gp.Options{"solved at once": {}, "by few centres": {Centres: 20, CacheSize: 1}} {
		o.Kernel, o.Noise, o.Tolerance = kernel.Matern{Nu: 1.5, Length: 3}, 0.01, 1e-10
		dense, err := gp.Fit(ctx, x, y, &o)
		if err != nil {
			t.Fatal(name, err)
		}
		sparse, err := gp.Fit(ctx, testutil.Sparse(x), y, &o)
		if err != nil {
			t.Fatal(name, err)
		}
		data, err := sparse.MarshalBinary()
		if err != nil {
			t.Fatal(name, err)
		}
		var loaded gp.Model
		if err := loaded.UnmarshalBinary(data); err != nil {
			t.Fatal(name, err)
		}
		at := x.Slice(0, 40, 0, d)
		want := answers(t, dense, at)
		for form, got := range map[string][]*mat.Dense{"sparse": answers(t, sparse, testutil.Sparse(at)), "sparse, at dense points": answers(t, sparse, at),
			"dense, at sparse points": answers(t, dense, testutil.Sparse(at)), "from a file": answers(t, &loaded, testutil.Sparse(at))} {
			for k, name := range []string{"mean", "variance", "covariance"} {
				if !mat.EqualApprox(got[k], want[k], 1e-8) {
					t.Errorf("%s, %s: another %s", name, form, name)
				}
			}
		}
	}
}

// answers returns mean, variance and covariance at the given points.
func answers(t *testing.T, m *gp.Model, at mat.Matrix) []*mat.Dense {
	t.Helper()
	mean, err := m.Predict(at)
	if err != nil {
		t.Fatal(err)
	}
	variance, err := m.Variance(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	covariance, err := m.Covariance(context.Background(), at, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return []*mat.Dense{mean, variance, covariance}
}
