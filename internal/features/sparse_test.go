package features_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSparseRows compares features of sparse and dense rows for every kernel of the table, each supported
// sampler, and the maps that depend on data.
func TestSparseRows(t *testing.T) {
	for _, c := range table {
		x := denseOf(c.data(37, c.d, 1))
		for i := range 37 {
			if i%3 > 0 {
				x.Set(i, i%c.d, 0)
			}
		}
		if kernel.Check(c.k, x) != nil {
			x = denseOf(c.data(37, c.d, 1))
		}
		for s := features.Auto; s <= features.Halton; s++ {
			m, err := features.New(c.k, c.d, features.Options{Columns: 60, Sampler: s})
			if err == nil {
				sameSparse(t, m, x)
			}
		}
		m, err := features.Nystroem(c.k, testutil.Sparse(x), features.NystroemOptions{MaxPoints: 5})
		if err != nil {
			t.Fatalf("%v: %v", c.k, err)
		}
		sameSparse(t, m, x)
	}
	x := denseOf(histograms(20, 6, 1))
	m, err := features.Sampled(kernel.Intersection{}, 6, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	sameSparse(t, m, x)
}

func sameSparse(t *testing.T, m features.Map, x *mat.Dense) {
	t.Helper()
	tr := features.NewTransformer(m)
	want, err := tr.Transform(x)
	if err != nil {
		t.Fatalf("%v: %v", m.Kernel(), err)
	}
	got, err := tr.Transform(testutil.Sparse(x))
	if err != nil {
		t.Fatalf("%v: %v", m.Kernel(), err)
	}
	if !mat.EqualApprox(got, want, 1e-12*max(1, mat.Max(want))) {
		t.Errorf("%v: features of sparse rows differ from those of dense ones", m.Kernel())
	}
}

// words returns n sparse rows with a few listed columns each, some shared between rows.
func words(n, cols int) *rkhs.Sparse {
	s := &rkhs.Sparse{Rows: n, Cols: cols, Offsets: []int{0}}
	for i := range n {
		for k := range 6 {
			s.Columns = append(s.Columns, int32(k*(cols/6)+i%(k+2)))
			s.Values = append(s.Values, 0.5+float64((i+k)%3)/4)
		}
		s.Offsets = append(s.Offsets, len(s.Columns))
	}
	return s
}

// TestWide: with many columns, features are drawn only for the listed columns. They represent the kernel and
// equal the features of dense rows in any batch. Up to 2³¹ columns need no extra memory.
func TestWide(t *testing.T) {
	scales := make([]float64, 20000)
	for i := range scales {
		scales[i] = 1 + float64(i%3)
	}
	for _, k := range []kernel.Kernel{
		kernel.Gaussian{Sigma: 1.5}, kernel.Matern{Nu: 1.5, Length: 2}, kernel.Laplacian{Sigma: 5},
		kernel.ARD{Scales: scales, Of: kernel.Gaussian{Sigma: 1}}, kernel.Polynomial{Degree: 2, Offset: 1},
		kernel.Product{kernel.Gaussian{Sigma: 2}, kernel.Cauchy{Sigma: 6}},
	} {
		for _, cols := range []int{20000, math.MaxInt32} {
			if _, scaled := k.(kernel.ARD); scaled && cols > 20000 {
				continue
			}
			x := words(40, cols)
			m, err := features.New(k, cols, features.Options{Columns: 1 << 13})
			if err != nil {
				t.Fatalf("%v: %v", k, err)
			}
			phi, err := features.NewTransformer(m).Transform(x)
			if err != nil {
				t.Fatalf("%v: %v", k, err)
			}
			if cols == 20000 {
				dense, err := features.NewTransformer(m).Transform(mat.DenseCopyOf(x))
				if err != nil || !mat.Equal(dense, phi) {
					t.Errorf("%v: dense rows give other features, %v", k, err)
				}
			}
			checkEstimate(t, fmt.Sprintf("%v, %d columns", k, cols), k, x, phi)
		}
	}
}

// TestProducts: stored products serve other kernels on the same rows bit for bit, and only on these rows.
func TestProducts(t *testing.T) {
	const cols = 20000
	scales, halves := slices.Repeat([]float64{2}, cols), slices.Repeat([]float64{.5}, cols)
	p := features.Products{Budget: 1 << 19} // too small for all blocks
	for _, n := range []int{200, 37} {      // more rows than one worker processes, and different rows
		x, err := input.Points("test", "x", words(n, cols))
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []kernel.Kernel{
			kernel.Gaussian{Sigma: 1.5}, kernel.Gaussian{Sigma: 3}, kernel.Matern{Nu: 1.5, Length: 2}, kernel.ARD{Scales: scales, Of: kernel.Gaussian{Sigma: 1}},
			kernel.ARD{Scales: scales, Of: kernel.Matern{Nu: 1.5, Length: 2}}, kernel.ARD{Scales: halves, Of: kernel.Gaussian{Sigma: 1}},
			kernel.ARD{Scales: halves, Of: kernel.ARD{Scales: scales, Of: kernel.Gaussian{Sigma: 1}}}, kernel.Gaussian{Sigma: 1},
			kernel.Product{kernel.Gaussian{Sigma: 2}, kernel.Cauchy{Sigma: 6}}, kernel.Polynomial{Degree: 2, Offset: 1},
		} {
			for _, o := range []features.Options{{Columns: 302, Seed: 1}, {Columns: 302, Seed: 2}, {Columns: 60, Seed: 1}} {
				m, err := features.New(k, cols, o)
				if err != nil {
					t.Fatal(err)
				}
				for b := range uint64(2) {
					want, got := compute.NewMatrix(n, m.Columns()), compute.NewMatrix(n, m.Columns())
					features.TransformPoints(m.Block(b), want, x)
					p.TransformPoints(m.Block(b), got, x)
					if !slices.Equal(got.Data, want.Data) {
						t.Fatalf("%v, block %d of %d columns, seed %d: other bits than those of TransformPoints", k, b, o.Columns, o.Seed)
					}
				}
			}
		}
	}
}

// checkEstimate compares inner products of features with the kernel within five standard deviations of the
// mean of 4096 cosines. For TensorSketch of degree 2 it uses the bound of Pham and Pagh, √((3² − 1)/8192).
func checkEstimate(t *testing.T, name string, k kernel.Kernel, x mat.Matrix, phi *mat.Dense) {
	t.Helper()
	var got mat.Dense
	got.Mul(phi, phi.T())
	var want mat.SymDense
	if _, wide := x.Dims(); wide > 20000 {
		if _, ok := k.(kernel.Laplacian); ok {
			return // its blocks need dense rows
		}
		if _, ok := k.(kernel.Product); ok {
			return
		}
	}
	if err := kernel.Gram(&want, k, x); err != nil {
		t.Fatal(err)
	}
	tolerance := 5 / math.Sqrt(4096)
	if _, ok := k.(kernel.Polynomial); ok {
		tolerance = 5 * math.Sqrt(8./8192)
	}
	n := want.SymmetricDim()
	for i := range n {
		for j := range n {
			if size := math.Sqrt(want.At(i, i) * want.At(j, j)); math.Abs(got.At(i, j)-want.At(i, j)) > tolerance*size {
				t.Fatalf("%s: features give %v for rows %d and %d, the kernel %v", name, got.At(i, j), i, j, want.At(i, j))
			}
		}
	}
}
