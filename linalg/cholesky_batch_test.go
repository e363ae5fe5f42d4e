package linalg

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

func TestCholeskyAppendBatch(t *testing.T) {
	for _, n := range []int{0, 1, 5, 70} {
		for _, q := range []int{0, 1, 2, 33, 70} {
			t.Run(fmt.Sprintf("%d+%d", n, q), func(t *testing.T) {
				all, points := newStream(t, n+q, 1e-6)
				c, _ := newStream(t, 0, 1e-6)
				for i, x := range points[:n] {
					c.Append(kernelRow(x, points[:i]), 1, 0)
				}
				cross, among := kernelMatrix(points[n:], points[:n]), kernelMatrix(points[n:], points[n:])
				for i := range q {
					clear(compute.Row(among, i)[:i])
				}
				if !c.AppendBatch(compute.Dense(cross), compute.Dense(among), 0, 1) {
					t.Fatal("batch rejected")
				}
				if n+q == 0 {
					return
				}
				checkFactor(t, c, gram(points, 1e-6))
				if e := relativeError(c.InverseDiag(), all.InverseDiag()); e > 1e-8 {
					t.Errorf("diagonal of the inverse differs by %.3g from one by one", e)
				}
			})
		}
	}
}

// The first batch needs no cross. An untracked factor also accepts a batch.
func TestCholeskyAppendBatchFirst(t *testing.T) {
	_, points := newStream(t, 30, 1e-6)
	c := NewCholesky(1e-6)
	if !c.AppendBatch(nil, compute.Dense(kernelMatrix(points, points)), 0, 1) {
		t.Fatal("batch rejected")
	}
	checkFactor(t, c, gram(points, 1e-6))
}

func TestCholeskyAppendBatchRefuses(t *testing.T) {
	c, points := newStream(t, 20, 0)
	_, before, diag := c.State()
	rng := newRand(8)
	far := []point{{50, 50}, {60, 60}, {70, 70}}
	for name, batch := range map[string][]point{
		"a duplicate of a present point": {far[0], points[3], far[1]},
		"a duplicate within the batch":   {far[0], far[1], far[0]},
		"a near-duplicate":               {far[0], near(rng, points[3])},
	} {
		if c.AppendBatch(compute.Dense(kernelMatrix(batch, points)), compute.Dense(kernelMatrix(batch, batch)), 1e-9, 1) {
			t.Errorf("%s was admitted", name)
		}
		if _, rows, d := c.State(); !slices.Equal(rows, before) || !slices.Equal(d, diag) {
			t.Errorf("%s: rejected, but the state has changed", name)
		}
	}
	if !c.AppendBatch(compute.Dense(kernelMatrix(far, points)), compute.Dense(kernelMatrix(far, far)), 0.99, 1) {
		t.Error("distant points were rejected")
	}
	checkFactor(t, c, gram(slices.Concat(points, far), 0))
}
