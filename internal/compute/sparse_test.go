package compute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// thinned returns n rows in which each element is nonzero with probability share. Some rows are
// empty.
func thinned(n, d int, share float64, seed uint64) Points {
	r := rand.New(rand.NewPCG(seed, 7))
	s := NewSparse(d, n, 0)
	for i := range n {
		for j := 0; i%11 != 5 && j < d; j++ {
			if r.Float64() < share {
				s.Columns, s.Values = append(s.Columns, int32(j)), append(s.Values, r.NormFloat64())
			}
		}
		s.Offsets = append(s.Offsets, len(s.Columns))
		s.Rows++
	}
	return SparsePoints(s)
}

var sparseFuncs = []Func{
	{Family: InnerProduct}, {Family: SquaredDistance}, {Family: Gaussian, A: .3}, {Family: Matern12, A: .5},
	{Family: Matern32, A: .5}, {Family: Matern52, A: .5}, {Family: RationalQuadratic, A: .2, P: 1.5},
	{Family: Polynomial, A: .5, B: 1, P: 3},
}

// withEngines calls do with each engine selected.
func withEngines(do func(e *engine[float64])) {
	used := use64
	defer func() { use64 = used }()
	for _, e := range engines64 {
		use64 = e
		do(e)
	}
}

// TestSparseKernelIsDense compares both summation methods, and mixed forms, with dense blocks.
// Inner products of up to 256 columns have the same bits, because the summation order is the
// same.
func TestSparseKernelIsDense(t *testing.T) {
	for _, c := range []struct {
		n, m, d int
		share   float64
	}{{37, 81, 20, .5}, {150, 70, 256, .1}, {129, 200, 3000, .004}, {1, 1, 1, 1}, {5, 65, 40, 0}} {
		x, z := thinned(c.n, c.d, c.share, 1), thinned(c.m, c.d, c.share, 2)
		for _, f := range sparseFuncs {
			want, got, mixed := NewMatrix(c.n, c.m), NewMatrix(c.n, c.m), NewMatrix(c.n, c.m)
			Kernel(want, x.Dense(), z.Dense(), f, 0)
			SparseKernel(got, x, z, f, 0)
			SparseKernel(mixed, DensePoints(x.Dense()), z, f, 1)
			for i, w := range want.Data {
				tolerance := 1e-12 * max(1, math.Abs(w))
				if f.Family == InnerProduct && c.d <= 256 {
					tolerance = 0
				}
				if math.Abs(got.Data[i]-w) > tolerance {
					t.Fatalf("%+v %+v: element %d is %v, want %v", c, f, i, got.Data[i], w)
				}
			}
			if !slices.Equal(got.Data, mixed.Data) {
				t.Errorf("%+v %+v: dense rows of X give other bits", c, f)
			}
		}
	}
}

// TestSparseKernelPaths checks that all engines, summation methods and numbers of workers give
// the same bits, and that a value does not depend on other rows.
func TestSparseKernelPaths(t *testing.T) {
	x, z := thinned(300, 90, .3, 3), thinned(133, 90, .3, 4)
	for _, f := range sparseFuncs {
		want := NewMatrix(300, 133)
		SparseKernel(want, x, z, f, 1)
		withEngines(func(e *engine[float64]) {
			got := NewMatrix(300, 133)
			SparseKernel(got, x, z, f, 2)
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s: %+v gives other bits", e.name, f)
			}
			at := touched(z.Sparse)
			defer at.free()
			b := &sparseBlock{dst: got, x: x.Sparse, z: z.Sparse, radial: f.radial(), apply: mapping(use64, f),
				xNorms: squares(x.Sparse), zNorms: squares(z.Sparse)}
			Zero(got)
			rowSums{x: x.Sparse, at: at, rows: 133, finish: b.values}.byPostings(z.Sparse, 2)
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s: %+v gives other bits by postings", e.name, f)
			}
			ofX := touched(x.Sparse)
			defer ofX.free()
			Zero(got)
			rowSums{x: x.Sparse, at: ofX, rows: 133, finish: b.values}.byRows(z.Sparse, 2)
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s: %+v gives other bits by the rows of Z", e.name, f)
			}
		})
		part := NewMatrix(100, 33)
		SparseKernel(part, x.Between(150, 250), z.Between(100, 133), f, 0)
		for i := range part.Rows {
			if !slices.Equal(Row(part, i), Row(want, 150+i)[100:]) {
				t.Fatalf("%+v: row %d depends on the rows beside it", f, i)
			}
		}
	}
}

// TestSparseDistances checks that self-distances are zero, that distances of close rows are
// accurate, and that a Gram matrix is symmetric.
func TestSparseDistances(t *testing.T) {
	x := thinned(60, 400, .05, 5)
	near := x.Clone()
	for k := range near.Sparse.Values {
		near.Sparse.Values[k] += 1e-9
	}
	d, gram := NewMatrix(60, 60), NewMatrix(60, 60)
	SparseKernel(d, x, near, Func{Family: SquaredDistance}, 0)
	SparseKernel(gram, x, x, Func{Family: SquaredDistance}, 0)
	for i := range 60 {
		want := 1e-18 * float64(x.Sparse.Offsets[i+1]-x.Sparse.Offsets[i])
		if got := Row(d, i)[i]; math.Abs(got-want) > 1e-6*want {
			t.Errorf("row %d: squared distance %v, want %v", i, got, want)
		}
		for j := range 60 {
			if Row(gram, i)[j] != Row(gram, j)[i] || i == j && Row(gram, i)[i] != 0 {
				t.Fatalf("squared distances %v and %v of rows %d and %d", Row(gram, i)[j], Row(gram, j)[i], i, j)
			}
		}
	}
}

// TestSparseWide checks that memory depends on the listed elements, not on the 2³¹−1 columns.
func TestSparseWide(t *testing.T) {
	s := NewSparse(math.MaxInt32, 2, 4)
	s.appendRow([]int32{3, math.MaxInt32 - 1}, []float64{1, 2})
	s.appendRow([]int32{5, math.MaxInt32 - 1}, []float64{4, 3})
	got := NewMatrix(2, 2)
	SparseKernel(got, SparsePoints(s), SparsePoints(s), Func{Family: InnerProduct}, 0)
	if want := []float64{5, 6, 6, 25}; !slices.Equal(got.Data, want) {
		t.Errorf("inner products %v, want %v", got.Data, want)
	}
}

// TestDrawn checks that generated and stored frequencies give features with the same bits, and
// that FourierPairsOf does too.
func TestDrawn(t *testing.T) {
	const n, m, d = drawnRows + 70, 150, 40
	x, w, factors := thinned(n, d, .1, 1).Sparse, normals(m, d, 2), normals(1, m, 3).Data
	scaled := Clone(w)
	for i, v := range factors {
		for j := range d {
			scaled.Data[i*scaled.Stride+j] *= v
		}
	}
	column := func(dst []float64, j int32, first int) {
		for i := range dst {
			dst[i] = Row(w, first+i)[j]
		}
	}
	withEngines(func(e *engine[float64]) {
		want, got, near := NewMatrix(n, 2*m), NewMatrix(n, 2*m), NewMatrix(n, 2*m)
		FourierPairsSparse(want, x, w, .5, 1)
		FourierPairsSparse(near, x, scaled, .5, 1)
		FourierPairsDrawn(got, x, m, column, nil, .5, 2)
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("%s: features of drawn frequencies have other bits", e.name)
		}
		FourierPairsDrawn(got, x, m, column, factors, .5, 2)
		for i, v := range near.Data {
			if math.Abs(got.Data[i]-v) > 1e-12 {
				t.Fatalf("%s: element %d with factors is %v, want %v", e.name, i, got.Data[i], v)
			}
		}
		products, again := NewMatrix(n, m), NewMatrix(n, 2*m)
		Zero(products)
		MulSparse(products, x, w, 2)
		FourierPairsOf(again, products, factors, .5, 2)
		if !slices.Equal(again.Data, got.Data) {
			t.Errorf("%s: features of products have other bits", e.name)
		}
	})
}

func TestMulSparse(t *testing.T) {
	for _, d := range []int{1, 30, 700} {
		x, z := thinned(140, d, .2, 6), normals(77, d, 3)
		want, got := normals(140, 77, 4), normals(140, 77, 4)
		MulNT(want, x.Dense(), z, 0)
		withEngines(func(e *engine[float64]) {
			got = normals(140, 77, 4)
			MulSparse(got, x.Sparse, z, 0)
			for i, w := range want.Data {
				if math.Abs(got.Data[i]-w) > 1e-12*max(1, math.Abs(w)) {
					t.Fatalf("%s, %d columns: element %d is %v, want %v", e.name, d, i, got.Data[i], w)
				}
			}
		})
	}
}

// BenchmarkSparse compares sparse and dense kernel blocks with the sparsity of a9a and of text.
func BenchmarkSparse(b *testing.B) {
	for _, c := range []struct {
		n, m, d int
		share   float64
	}{{8000, 1000, 123, .113}, {6000, 1000, 50000, .001}, {32, 1000, 50000, .001}} {
		x, z, k := thinned(c.n, c.d, c.share, 1), thinned(c.m, c.d, c.share, 2), NewMatrix(c.n, c.m)
		threads(b, fmt.Sprintf("n=%d/d=%d/sparse", c.n, c.d), func(b *testing.B, workers int) {
			timed(b, func() { SparseKernel(k, x, z, benchGaussian, workers) })
		})
		if c.d > 1000 {
			continue
		}
		xs, zs := x.Dense(), z.Dense()
		threads(b, fmt.Sprintf("n=%d/d=%d/dense", c.n, c.d), func(b *testing.B, workers int) {
			timed(b, func() { Kernel(k, xs, zs, benchGaussian, workers) })
		})
	}
}
