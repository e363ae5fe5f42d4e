package blocks

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSparseDesign: joint features of sparse rows have the same bits as features of chunks that do
// not fit into memory.
func TestSparseDesign(t *testing.T) {
	const n, cols, columns = DesignRows + 300, 20000, 6
	rows := compute.NewSparse(cols, n, 3*n)
	for i := range n {
		for k := range 3 {
			rows.Append(int32(k*6000+i*i%(700+k)), 1+float64(i%5))
		}
		rows.EndRow()
	}
	m, err := features.New(kernel.Gaussian{Sigma: 9}, cols, features.Options{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	order, a := compute.Indices(n), compute.NewMatrix(columns, 1)
	slices.Reverse(order)
	for i := range a.Data {
		a.Data[i] = float64(i) - 2.5
	}
	kept := NewDouble(compute.SparsePoints(rows), order, n-100, columns, 1, 1<<30)
	again := NewDouble(compute.SparsePoints(rows), order, n-100, columns, 1, 0)
	for b := range 3 {
		got, want := compute.NewMatrix(n, 1), compute.NewMatrix(n, 1)
		for d, f := range map[*Design]compute.Matrix{kept: got, again: want} {
			d.Use(b, m.Block(uint64(b)))
			d.AddTo(f, a)
		}
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("block %d: other bits", b)
		}
	}
	if kept.loadAll == nil || again.loadAll != nil {
		t.Error("stored chunks are not computed together, or other chunks are")
	}
	testSparseSingle(t, compute.SparsePoints(rows), order, m, kept)
}

// testSparseSingle compares products of stored and recomputed features in single precision with
// products in double precision.
func testSparseSingle(t *testing.T, x compute.Points, order []int, m features.Map, double *Design) {
	t.Helper()
	n, columns := len(order), m.Columns()
	a, r := compute.NewMatrix(columns, 1), compute.NewMatrix(n, 1)
	for i := range a.Data {
		a.Data[i] = float64(i) - 2.5
	}
	for i := range r.Data {
		r.Data[i] = float64(i%7) - 3
	}
	for _, budget := range []int64{1 << 30, 0} {
		single := NewSparse(x, order, n-100, m.Block(0), columns, 1, budget)
		for b := range 2 {
			want, got := products(double, m, b, n, a, r), products(single, m, b, n, a, r)
			for i, v := range want {
				if math.Abs(got[i]-v) > 1e-4 {
					t.Fatalf("block %d, budget %d: product %d is %v, want %v", b, budget, i, got[i], v)
				}
			}
		}
	}
}

// products returns Z·a, rᵀZ and ZᵀZ for a block.
func products(d *Design, m features.Map, b, n int, a, r compute.Matrix) []float64 {
	d.Use(b, m.Block(uint64(b)))
	columns := m.Columns()
	f, c, gram := compute.NewMatrix(n, 1), compute.NewMatrix(1, columns), compute.NewMatrix(columns, columns)
	d.AddTo(f, a)
	for chunk := range d.Ends {
		from, to := d.Span(chunk)
		d.Chunk(chunk).AddTransposed(c, compute.Rows(r, from, to))
		d.Chunk(chunk).AddGram(gram, nil)
	}
	return slices.Concat(f.Data, c.Data, gram.Data)
}
