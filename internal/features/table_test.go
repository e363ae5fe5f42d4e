package features_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// normals returns standard normals.
func normals(rows, cols int, stream uint32) compute.Matrix {
	m := compute.NewMatrix(rows, cols)
	compute.Normals(m.Data, compute.Address{Seed: 20, Stream: stream}, 0)
	return m
}

// sphere returns rows of length 1.
func sphere(rows, cols int, stream uint32) compute.Matrix {
	m := normals(rows, cols, stream)
	for i := range rows {
		row, s := rowOf(m, i), 0.0
		for _, v := range row {
			s += v * v
		}
		for j := range row {
			row[j] /= math.Sqrt(s)
		}
	}
	return m
}

// histograms returns nonnegative rows of sum 1 with a fifth of the entries zero.
func histograms(rows, cols int, stream uint32) compute.Matrix {
	m := compute.NewMatrix(rows, cols)
	compute.Uniforms(m.Data, compute.Address{Seed: 20, Stream: stream}, 0)
	for i := range rows {
		row, s := rowOf(m, i), 0.0
		for j, v := range row {
			row[j] = max(0, -math.Log(v)-0.22)
			s += row[j]
		}
		for j := range row {
			row[j] /= s
		}
	}
	return m
}

func rowOf(m compute.Matrix, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

type maker func(rows, cols int, stream uint32) compute.Matrix

// table lists every kernel with random features, data in its domain, and half of the largest root mean
// square error at 2000 atoms.
var table = []struct {
	k       kernel.Kernel
	d       int
	data    maker
	rmse    float64
	columns int // of 2000 atoms
}{
	{kernel.Gaussian{Sigma: 2}, 5, normals, 1.1e-2, 4000},
	{kernel.Laplacian{Sigma: 4}, 5, normals, 1.4e-2, 4000},
	{kernel.Cauchy{Sigma: 2}, 5, normals, 1.3e-2, 4000},
	{kernel.Matern{Nu: 1.5, Length: 2}, 5, normals, 1.3e-2, 4000},
	{kernel.Matern{Nu: 0.3, Length: 2}, 5, normals, 1.3e-2, 4000},
	{kernel.RationalQuadratic{Alpha: 0.8, Length: 2}, 5, normals, 1.3e-2, 4000},
	{kernel.Dirichlet{Sigma: 0.5}, 2, normals, 9 * 1.3e-2, 4000},
	{kernel.DotProduct{Coefficients: exponential(20)}, 5, sphere, 6.4e-2, 2000},
	{kernel.Polynomial{Degree: 2, Offset: 1}, 5, sphere, 2.3e-1, 2000},
	{kernel.Polynomial{Degree: 3, Scale: 0.5}, 5, sphere, 2.3e-1, 2000},
	{kernel.Intersection{}, 10, histograms, 7.3e-3, 4000},
	{kernel.JensenShannon{}, 10, histograms, 7.3e-3, 4000},
	{kernel.AdditiveChiSquared{}, 10, histograms, 7.3e-3, 4000},
	{kernel.SkewedChiSquared{C: 0.1}, 5, histograms, 1.1e-2, 4000},
	{kernel.SkewedIntersection{C: 0.1}, 5, histograms, 1.4e-2, 4000},
	{kernel.ExponentialSemigroup{Beta: 1}, 5, histograms, 3.6e-3, 2000},
	{kernel.ReciprocalSemigroup{Lambda: 1}, 5, histograms, 2.2e-3, 2000},
	{kernel.ArcCosine{Order: 0}, 5, sphere, 1.1e-2, 2000},
	{kernel.ArcCosine{Order: 1}, 5, sphere, 2 * 1.3e-2, 2000},
	{kernel.ArcCosine{Order: 2}, 5, sphere, 6 * 1.3e-2, 2000},
}

func exponential(n int) []float64 {
	a := make([]float64, n)
	a[0] = 1
	for i := 1; i < n; i++ {
		a[i] = a[i-1] / float64(i)
	}
	return a
}

func mapOf(t testing.TB, k kernel.Kernel, d int, opts features.Options) features.Map {
	t.Helper()
	m, err := features.New(k, d, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// estimates returns the sums over blocks [from, to) of the products of features, x by z, and of their
// squares.
func estimates(m features.Map, x, z compute.Matrix, from, to int) (sum, squares compute.Matrix) {
	sum, squares = compute.NewMatrix(x.Rows, z.Rows), compute.NewMatrix(x.Rows, z.Rows)
	fx, fz := compute.NewMatrix(x.Rows, m.Columns()), compute.NewMatrix(z.Rows, m.Columns())
	for b := from; b < to; b++ {
		block := m.Block(uint64(b))
		block.TransformTo(fx, x)
		block.TransformTo(fz, z)
		one := compute.NewMatrix(x.Rows, z.Rows)
		compute.MulNT(one, fx, fz, 0)
		for i, v := range one.Data {
			sum.Data[i] += v
			squares.Data[i] += v * v
		}
	}
	return sum, squares
}

func exactly(k kernel.Kernel, x, z compute.Matrix) compute.Matrix {
	want := compute.NewMatrix(x.Rows, z.Rows)
	gram.Evaluator{Kernel: k}.Cross(want, x, z)
	return want
}

// spread returns the root mean squared error of one block, of the average of 10 and of the average of 100.
// The blocks determine the number of runs. The error is 0 without a run.
func spread(m features.Map, x, z compute.Matrix, blocks int) (errors [3]float64) {
	want := exactly(m.Kernel(), x, z)
	sums, counts := [3]compute.Matrix{}, [3]float64{}
	for i := range sums {
		sums[i] = compute.NewMatrix(x.Rows, z.Rows)
	}
	for b := range blocks {
		one, _ := estimates(m, x, z, b, b+1)
		for i, length := range []int{1, 10, 100} {
			floats.Add(sums[i].Data, one.Data)
			if (b+1)%length == 0 {
				floats.Scale(1/float64(length), sums[i].Data)
				e := floats.Distance(sums[i].Data, want.Data, 2)
				errors[i] += e * e
				counts[i] += float64(len(want.Data))
				clear(sums[i].Data)
			}
		}
	}
	for i := range errors {
		if counts[i] > 0 {
			errors[i] = math.Sqrt(errors[i] / counts[i])
		}
	}
	return errors
}

// worstZ returns the largest deviation of the mean over blocks, in standard errors, over pairs of points.
func worstZ(m features.Map, x, z compute.Matrix, blocks int) (worst float64, all []float64) {
	sum, squares := estimates(m, x, z, 0, blocks)
	want := exactly(m.Kernel(), x, z)
	n := float64(blocks)
	for i, k := range want.Data {
		mean := sum.Data[i] / n
		variance := (squares.Data[i]/n - mean*mean) / (n - 1)
		// Do not count rounding as bias if a sampler has almost no variance.
		v := (mean - k) / (math.Sqrt(max(variance, 0)) + 1e-12*math.Abs(k) + 1e-300)
		all = append(all, v)
		worst = max(worst, math.Abs(v))
	}
	return worst, all
}

// fewer returns n, or a tenth of it in short runs.
func fewer(n int) int {
	if !testutil.LongTests() {
		return n / 10
	}
	return n
}

// TestUnbiased compares the mean of many small blocks with the kernel.
func TestUnbiased(t *testing.T) {
	for _, c := range table {
		x, z := c.data(6, c.d, 1), c.data(5, c.d, 2)
		copy(rowOf(z, 0), rowOf(x, 0))
		for _, s := range []features.Sampler{features.Independent, features.Orthogonal, features.Fastfood, features.Sobol, features.Halton} {
			m, err := features.New(c.k, c.d, features.Options{Sampler: s, Columns: 32, Seed: 4})
			if err != nil {
				continue // covered by TestSamplersRefused
			}
			if worst, _ := worstZ(m, x, z, fewer(2000)); !(worst < 5) {
				t.Errorf("%v, %v: mean is %.1f standard errors from the kernel", c.k, s, worst)
			}
		}
	}
}

// TestRate checks the error of each kernel against the known error of independent features, and that it falls
// with the root of their number: 2e3, 2e4 and, with RKHS_PAPERS, 2e5 atoms.
func TestRate(t *testing.T) {
	testutil.Long(t, "errors of few blocks are noise")
	blocks := 30
	if os.Getenv("RKHS_PAPERS") != "" {
		blocks = 300
	}
	for _, c := range table {
		x, z := c.data(12, c.d, 1), c.data(12, c.d, 2)
		for _, s := range []features.Sampler{features.Independent, features.Auto} {
			m := mapOf(t, c.k, c.d, features.Options{Sampler: s, Columns: c.columns, Seed: 1})
			e := spread(m, x, z, blocks)
			slope := math.Log10(e[1] / e[0])
			t.Logf("%-46v %-11v %.2e %.2e %.2e slope %.2f", fmt.Sprintf("%.46v", c.k), s, e[0], e[1], e[2], slope)
			for i, bound := range []float64{c.rmse, c.rmse / math.Sqrt(10), c.rmse / 10} {
				if e[i] > 2*bound {
					t.Errorf("%v, %v: rmse %.2e in run of 10^%d blocks", c.k, s, e[i], i)
				}
			}
			// With few runs the slope is not informative.
			if blocks >= 300 && (slope < -0.65 || slope > -0.38) {
				t.Errorf("%v, %v: slope %.2f", c.k, s, slope)
			}
		}
	}
}
