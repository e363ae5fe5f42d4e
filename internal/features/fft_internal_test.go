package features

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// TestTransform compares with the defining sum.
func TestTransform(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 4, 32, 256} {
		re, im, x := make([]float64, n), make([]float64, n), make([]complex128, n)
		for i := range x {
			re[i], im[i] = rnd.NormFloat64(), rnd.NormFloat64()
			x[i] = complex(re[i], im[i])
		}
		newTransform(n).forward(re, im)
		for k := range n {
			want := complex128(0)
			for j, v := range x {
				want += v * cmplx.Rect(1, -2*math.Pi*float64(j*k%n)/float64(n))
			}
			if cmplx.Abs(want-complex(re[k], im[k])) > 1e-13*float64(n) {
				t.Fatalf("n = %d: element %d is %v + %vi, want %v", n, k, re[k], im[k], want)
			}
		}
	}
}

// TestInverse transforms real numbers and back.
func TestInverse(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 4, 8, 64} {
		re, im, x := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			re[i] = rnd.NormFloat64()
			x[i] = re[i]
		}
		newTransform(n).forward(re, im)
		newInverse(n).inverseReal(im, re[:n/2+1], im[:n/2+1], make([]float64, n), make([]float64, n))
		for i, v := range x {
			if math.Abs(v-im[i]) > 1e-14 {
				t.Fatalf("n = %d: element %d is %v, want %v", n, i, im[i], v)
			}
		}
	}
}
