package compute

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestShiftedData shifts data by 10⁸. Without centring, ‖x‖² + ‖z‖² − 2<x,z> would lose all
// digits of squared distances of order 1. The error bound is the same as for data near zero.
func TestShiftedData(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	for _, d := range []int{3, 10, 300} {
		x, z := random[float64](rnd, 60, d, 0), random[float64](rnd, 70, d, 0)
		for _, m := range []matrix[float64]{x, z} {
			for i := range m.data {
				m.data[i] += 1e8
			}
		}
		checkDistances(t, use64, x, z, 1e-14)
	}
}

// TestCloseRows tests equal rows and clusters that are much narrower than their distance. The
// error bound is the bound for differences.
func TestCloseRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 4))
	x, z := random[float64](rnd, 40, 20, 0), random[float64](rnd, 50, 20, 0)
	for i := range z.rows {
		for k := range z.cols {
			z.data[i*20+k] = x.data[i%8*20+k] + 1e-6*rnd.NormFloat64()*float64(i%3)
		}
	}
	checkDistances(t, use64, x, z, 1e-12)
	single := func(m matrix[float64]) matrix[float32] {
		s := matrix[float32]{m.rows, m.cols, m.stride, make([]float32, len(m.data))}
		for i, v := range m.data {
			s.data[i] = float32(v)
		}
		return s
	}
	// Single precision cannot represent differences of 1e-6, so use wider clusters.
	for i := range z.data {
		z.data[i] += 0.03 * rnd.NormFloat64()
	}
	checkDistances(t, use32, single(x), single(z), 1e-5)
}

// checkDistances compares squared distances with sums of squared differences, within a
// relative tolerance.
func checkDistances[T float](t *testing.T, e *engine[T], x, z matrix[T], tol float64) {
	t.Helper()
	k := random[T](rand.New(rand.NewPCG(0, 0)), x.rows, z.rows, 0)
	e.kernel(k, x, z, Func{Family: SquaredDistance}, false, 1)
	worst := 0.0
	for i := range x.rows {
		for j := range z.rows {
			want, _ := pairSums(x.row(i, 0, x.cols), z.row(j, 0, z.cols))
			if got := float64(k.data[i*k.stride+j]); got != want {
				worst = max(worst, math.Abs(got-want)/want)
			}
		}
	}
	t.Logf("%T d=%d: relative error %.2g", k.data[0], x.cols, worst)
	if !(worst <= tol) {
		t.Errorf("d=%d: relative error %v", x.cols, worst)
	}
}

func TestKernelSymDiagonal(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 4))
	for _, d := range []int{2, 9, 300} {
		x := random[float64](rnd, 210, d, 0)
		for i := range x.data {
			x.data[i] += 1e3
		}
		k := random[float64](rnd, 210, 210, 0)
		use64.kernel(k, x, x, Func{Family: SquaredDistance}, true, 1)
		for i := range 210 {
			if v := k.data[i*210+i]; v != 0 {
				t.Fatalf("d=%d: distance of row %d to itself is %v", d, i, v)
			}
			for j := range i {
				if k.data[i*210+j] != k.data[j*210+i] {
					t.Fatalf("d=%d: not symmetric at %d, %d", d, i, j)
				}
			}
		}
		block := random[float64](rnd, 210, 210, 0)
		use64.kernel(block, x, x, Func{Family: SquaredDistance}, false, 1)
		same(t, "Kernel and KernelSym", k.data, block.data)
	}
}
