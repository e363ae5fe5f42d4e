package compute

import (
	"math"
	"slices"
	"testing"
)

// TestDrawnRows compares Drawn with FourierPairsDrawn. The bits must match, except in single
// precision, where the features are rounded. The data fill several panels and several steps
// of columns and rows.
func TestDrawnRows(t *testing.T) {
	const d = 3 * drawnColumns / 2
	for _, size := range [][2]int{{150, 2}, {150, 128}, {150, 150}, {drawnRows + 40, 6}} {
		n, m := size[0], size[1]
		x, order := thinned(n, d, 3/float64(d), 3), Indices(n)
		slices.Reverse(order)
		picked := x.Pick(order).Sparse
		w, factors, scales := normals(m, d, 4), make([]float64, m), make([]float64, d)
		for i := range factors {
			factors[i] = 1 + float64(i%7)/7
		}
		for j := range scales {
			scales[j] = 1 + float64(j%5)
		}
		column := func(dst []float64, j int32, first int) {
			for i := range dst {
				dst[i] = w.Data[(first+i)*w.Stride+int(j)]
			}
		}
		divided := func(dst []float64, j int32, first int) {
			column(dst, j, first)
			for i := range dst {
				dst[i] /= scales[j]
			}
		}
		withEngines(func(e *engine[float64]) {
			f, want, got := NewDrawn(x, order, m), NewMatrix(n, 2*m), NewMatrix(n, 2*m)
			products, again := NewMatrix(n, m), NewMatrix(n, m)
			for i := range f.memory { // sums must not read stale memory
				f.memory[i] = math.NaN()
			}
			for range 2 { // the second time in used memory
				FourierPairsDrawn(want, picked, m, column, factors, .5, 1)
				f.PairsTo(got, Drawing{Column: column, Factors: factors}, .5, 2)
				if !slices.Equal(got.Data, want.Data) {
					t.Fatalf("%s, %d draws: other bits than those of FourierPairsDrawn", e.name, m)
				}
				compareDrawn(t, e.name, f.Pairs32(Drawing{Column: column, Factors: factors}, .5, 2), want, 0)
				FourierPairsDrawn(want, picked, m, divided, nil, .5, 1)
				compareDrawn(t, e.name, f.Pairs32(Drawing{Column: column, Scales: scales}, .5, 2), want, 1e-7)
				Zero(products)
				MulSparse(products, picked, w, 1)
				f.ProductsTo(again, Drawing{Column: column, Factors: factors}, 2)
				if !slices.Equal(again.Data, products.Data) {
					t.Fatalf("%s, %d draws: other bits than those of a product", e.name, m)
				}
			}
		})
	}
}

func compareDrawn(t *testing.T, name string, got Matrix32, want Matrix, tolerance float64) {
	t.Helper()
	for i := range want.Rows {
		for j, v := range Row(want, i) {
			if g := got.Data[i*got.Stride+j]; math.Abs(float64(g)-float64(float32(v))) > tolerance {
				t.Fatalf("%s, %d columns: element %d, %d is %v, want %v", name, want.Cols, i, j, g, v)
			}
		}
	}
}
