package compute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

func testFourierValues[T float](t *testing.T, engines []*engine[T], tol float64) {
	rnd := rand.New(rand.NewPCG(9, 9))
	for _, s := range [][3]int{{1, 1, 1}, {13, 17, 5}, {98, 192, 20}, {30, 200, 300}} {
		n, m, d := s[0], s[1], s[2]
		x, w := random[T](rnd, n, d, 1), random[T](rnd, m, d, 2)
		x.data[0] = 1e30 // one row with angles too large for the fast reduction
		for _, workers := range []int{1, 2, 8} {
			var pairs matrix[T]
			for i := range engines {
				e := engines[len(engines)-1-i]
				p := random[T](rnd, n, 2*m, 0)
				e.fourierPairs(p, x, w, 0.5, workers)
				if i == 0 {
					pairs = p
				}
				same(t, fmt.Sprint("pairs ", e.name, s), p.data, pairs.data)
			}
			for i := 1; i < n; i++ {
				for j := range m {
					_, angle := pairSums(x.row(i, 0, d), w.row(j, 0, d))
					got := [2]float64{float64(pairs.data[i*2*m+j]), float64(pairs.data[i*2*m+m+j])}
					want := [2]float64{0.5 * math.Cos(angle), 0.5 * math.Sin(angle)}
					for k := range got {
						if math.Abs(got[k]-want[k]) > tol*math.Sqrt(float64(d)) {
							t.Fatalf("%v: feature %d of row %d, frequency %d is %v, want %v", s, k, i, j, got[k], want[k])
						}
					}
				}
			}
		}
	}
}

func TestFourier(t *testing.T)   { testFourierValues(t, engines64, 3e-15) }
func TestFourier32(t *testing.T) { testFourierValues(t, engines32, 2e-6) }

// testFourierPast compares blocks written with non-temporal stores, at any alignment, with
// single rows.
func testFourierPast[T float](t *testing.T, engines []*engine[T]) {
	rnd := rand.New(rand.NewPCG(3, 5))
	const m, d = 272, 3
	var element T
	n := pastBytes/int(unsafe.Sizeof(element))/(2*m) + 1
	x, w := random[T](rnd, n, d, 1), random[T](rnd, m, d, 2)
	x.data[n/2*d] = 1e30
	for _, e := range engines {
		for _, stride := range []int{2 * m, 2*m + 1} {
			past := matrix[T]{n, 2 * m, stride, make([]T, n*stride)}
			e.fourierPairs(past, x, w, 0.5, 2)
			for from := 0; from < n; from += 700 {
				to := min(from+100, n)
				few := random[T](rnd, to-from, 2*m, 0)
				e.fourierPairs(few, x.block(from, to, 0, d), w, 0.5, 1)
				for i := range few.rows {
					same(t, fmt.Sprint(e.name, " row ", from+i), past.row(from+i, 0, 2*m), few.row(i, 0, 2*m))
				}
			}
		}
	}
}

func TestFourierPast(t *testing.T) {
	testFourierPast(t, engines64)
	const m, d = 640, 5
	n := pastBytes/(8*2*m) + 1
	x, w, past := NewMatrix(n, d), normals(m, d, 2), NewMatrix(n, 2*m)
	for i := range x.Rows {
		x.Data[i*d+i%d] = float64(i + 1)
	}
	rows := DensePoints(x).Thin()
	FourierPairsSparse(past, rows, w, .5, 2)
	for i := range n {
		one := NewMatrix(1, 2*m)
		FourierPairsSparse(one, SparsePoints(rows).Between(i, i+1).Sparse, w, .5, 1)
		same(t, fmt.Sprint("sparse row ", i), Row(past, i), one.Data)
	}
}

func TestFourierPast32(t *testing.T) { testFourierPast(t, engines32) }
