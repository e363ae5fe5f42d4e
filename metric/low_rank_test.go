package metric_test

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/metric"
)

// few returns rows of d columns: a dozen columns are noisy functions of two variables, on which
// the targets depend, and the other columns are noise.
func few(n, d int) (x, y *mat.Dense) {
	s := rng.New(10, "few", 0)
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := s.NormFloat64(), s.NormFloat64()
		y.Set(i, 0, a*b+a)
		for j := range d {
			v := s.NormFloat64()
			if j < 12 {
				v = 0.2*v + a*float64(j%5-2) + b*float64(j%3-1)
			}
			x.Set(i, j, v)
		}
	}
	return x, y
}

// TestRank: with a given rank, a matrix is learned also for many columns. It must predict better
// than column weights and use the relevant columns.
func TestRank(t *testing.T) {
	x, y := few(260, 210)
	ctx := context.Background()
	weights, err := metric.Learn(ctx, x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := metric.Learn(ctx, x, y, &metric.Options{Rank: 5})
	if err != nil {
		t.Fatal(err)
	}
	p, full := r.Kernel.(kernel.Projected)
	if !full || r.Error > 0.8*weights.Error || weights.Rank != 210 {
		t.Fatalf("%T with the error %v and weights with %v", r.Kernel, r.Error, weights.Error)
	}
	if rows, columns := p.L.Dims(); rows != r.Rank || r.Rank > 5 || columns != 210 {
		t.Errorf("%d×%d, rank %d", rows, columns, r.Rank)
	}
	matter := 0.0
	for _, v := range r.Importance[:12] {
		matter += v
	}
	if k, d := r.Directions.Dims(); k != r.Rank || d != 210 || matter < 0.7 {
		t.Errorf("%d directions of %d columns, importance %v of those that matter", k, d, matter)
	}
	for i := range r.Rank {
		if size := mat.Norm(r.Directions.RowView(i), 2); size < 1-1e-9 || size > 1+1e-9 {
			t.Errorf("direction %d has length %v", i, size)
		}
	}
	if _, err := metric.Learn(ctx, x, y, &metric.Options{Rank: -1}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("%v", err)
	}
}
