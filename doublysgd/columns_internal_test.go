package doublysgd

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// TestColumnsOfSparseRows checks the block size for sparse rows. Blocks are smaller for many
// columns, and smaller again for little memory. Few rows, which need only one block, use the
// same size as few columns.
func TestColumnsOfSparseRows(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		limit      int64
		want       int
	}{{6000, 50000, 0, wideColumns}, {6000, 50000, 20 << 20, leastColumns}, {6000, 1000, 0, sparseColumns}, {1000, 50000, 0, sparseColumns}} {
		x, y := &rkhs.Sparse{Rows: c.rows, Cols: c.cols, Offsets: make([]int, 1, c.rows+1)}, mat.NewDense(c.rows, 1, nil)
		for i := range c.rows {
			for k := range 50 {
				x.Columns, x.Values = append(x.Columns, int32(k*20+i%20)), append(x.Values, 1)
			}
			x.Offsets = append(x.Offsets, len(x.Columns))
			y.Set(i, 0, float64(i%2))
		}
		s, err := (&Options{MemoryLimit: c.limit}).settings(2, false)
		if err != nil {
			t.Fatal(err)
		}
		w, _, index, err := input.WeighedClasses(pkg, input.Points, x, y)
		if err != nil {
			t.Fatal(err)
		}
		w.Y = input.Targets(index, 1)
		k, err := newTask(s, w, index)
		if err != nil {
			t.Fatal(err)
		}
		if k.columns != c.want {
			t.Errorf("%d rows of %d columns, limit %d: %d features are solved for at a time, want %d", c.rows, c.cols, c.limit, k.columns, c.want)
		}
	}
}
