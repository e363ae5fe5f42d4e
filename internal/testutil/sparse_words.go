package testutil

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// Words returns n sparse rows of d columns, perRow ones in each, of which few columns have many, and labels ±1
// that tell which of these a row has: what texts look like, hashed.
func Words(n, d, perRow int, seed uint64) (x *rkhs.Sparse, labels *mat.Dense) {
	random := rand.New(rand.NewPCG(seed, 0))
	x, labels = &rkhs.Sparse{Rows: n, Cols: d, Offsets: []int{0}}, mat.NewDense(n, 1, nil)
	for i := range n {
		var row []int32
		for len(row) < perRow {
			u := random.Float64()
			if j := int32(float64(d) * u * u * u); !slices.Contains(row, j) {
				row = append(row, j)
			}
		}
		slices.Sort(row)
		score := 0
		for _, j := range row {
			score += int(j%5) - 2
			x.Columns, x.Values = append(x.Columns, j), append(x.Values, 1)
		}
		x.Offsets = append(x.Offsets, len(x.Columns))
		labels.Set(i, 0, 1)
		if score < 0 {
			labels.Set(i, 0, -1)
		}
	}
	return x, labels
}

// AllocatesLittle bounds what a fit of sparse rows allocates from beginning to end, and with that what it ever holds,
// whenever garbage is collected. Steps that allocated what they compute took a thousand megabytes.
func AllocatesLittle(t *testing.T, fit func(ctx context.Context, x, labels mat.Matrix) error) {
	t.Helper()
	SkipRaces(t)
	if testing.Short() {
		t.Skip("-short: it fits 6000 rows")
	}
	x, labels := Words(6000, 50000, 50, 1)
	got := Allocated(func() {
		if err := fit(context.Background(), x, labels); err != nil {
			t.Fatal(err)
		}
	})
	if got > 115<<20 {
		t.Errorf("%d bytes are allocated in all, want no more than 115 MB", got)
	}
}
