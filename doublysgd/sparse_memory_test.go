package doublysgd_test

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSparseFitAllocates bounds the total allocation of a classification of sparse rows. The
// features of one block and the factors, in single precision, are allocated only once for any
// number of passes.
func TestSparseFitAllocates(t *testing.T) {
	testutil.SkipRaces(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would empty the pools
	const n, cols, perRow, columns, features = 2500, 20000, 5, 256, 2048
	x, y := &rkhs.Sparse{Cols: cols, Offsets: []int{0}}, mat.NewDense(n, 1, nil)
	for i := range n {
		for k := range perRow {
			x.Columns = append(x.Columns, int32(k*(cols/perRow)+(i*(k+1))%(cols/perRow)))
			x.Values = append(x.Values, 1)
		}
		x.Rows++
		x.Offsets = append(x.Offsets, len(x.Columns))
		y.Set(i, 0, float64(i%2))
	}
	allocated := func(passes int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := doublysgd.FitClassifier(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: 1e-4, Features: features, NoCalibration: true, Workers: 1, Paper: doublysgd.Paper{Columns: columns, Passes: passes}})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	allocated(1) // fill the pools
	few, many := allocated(2), allocated(8)
	if held := 4. * (n*columns + features*columns/2); few > 4*held {
		t.Errorf("a fit allocates %.1f MB in all, of which features and factors are %.1f", few/1e6, held/1e6)
	}
	if each := (many - few) / 6; each > 8*4*(n+features) {
		t.Errorf("a pass allocates %.0f KB", each/1e3)
	}
}
