package linalg

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Appending points by rows that were rotated by deletions must equal appending them by their
// values.
func TestCholeskyAppendFactor(t *testing.T) {
	const jitter = 1e-6
	for _, c := range []struct {
		n, q int
		gone []int
	}{
		{0, 3, nil}, {1, 1, nil}, {5, 0, []int{4}}, {40, 7, nil}, {40, 7, []int{0, 38, 17, 17}}, {3, 2, []int{2, 1, 0}},
	} {
		t.Run(fmt.Sprintf("%d+%d without %v", c.n, c.q, c.gone), func(t *testing.T) {
			all, points := newStream(t, c.n+c.q, jitter)
			for n := c.n + c.q - 1; n >= c.n; n-- {
				all.Delete(n, nil)
			}
			old, fresh := slices.Clone(points[:c.n]), points[c.n:]
			v := kernelMatrix(fresh, old)
			if c.n > 0 {
				all.ForwardRows(compute.Dense(v), 1)
			}
			for _, i := range c.gone {
				all.Delete(i, nil)
				for r := range c.q {
					all.Rotate(compute.Row(v, r))
				}
				v.Cols--
				old = slices.Delete(old, i, i+1)
			}
			s, schur := kernelMatrix(fresh, fresh), NewCholesky(0)
			for i := range c.q {
				entry := make([]float64, i+1)
				for j := range entry {
					entry[j] = compute.Row(s, i)[j]
					for k := range old {
						entry[j] -= compute.Row(v, i)[k] * compute.Row(v, j)[k]
					}
				}
				if _, ok := schur.Append(entry[:i], entry[i]+jitter, 0); !ok {
					t.Fatal("a point was rejected")
				}
			}
			kept := slices.Concat(old, fresh)
			if len(kept) == 0 {
				return
			}
			diag := inverseDiag(t, gram(kept, jitter))
			all.AppendFactor(compute.Dense(v), schur, diag)
			checkFactor(t, all, gram(kept, jitter))
			if !slices.Equal(all.InverseDiag(), diag) {
				t.Error("the diagonal of the inverse is not what was given")
			}
		})
	}
}
