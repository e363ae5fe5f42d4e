package features

import (
	"math"
	"math/bits"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// A transform is the discrete Fourier transform of n complex numbers, n a power of two. It does not fuse
// products with sums, so that results have the same bits on every processor.
type transform struct {
	cos, sin []float64 // of 2πk/n, k < n/2
	reversed []int
}

func newTransform(n int) *transform {
	t := &transform{make([]float64, n/2), make([]float64, n/2), make([]int, n)}
	for k := range t.cos {
		t.cos[k] = 2 * math.Pi / float64(n) * float64(k)
	}
	compute.Sin(t.sin, t.cos)
	compute.Cos(t.cos, t.cos)
	for i := range t.reversed {
		t.reversed[i] = int(bits.Reverse64(uint64(i)) >> (64 - bits.Len(uint(n-1))))
	}
	return t
}

// forward overwrites re + i·im by Σ_j (re_j + i·im_j)·exp(−2πi·jk/n).
func (t *transform) forward(re, im []float64) {
	for i, j := range t.reversed {
		if i < j {
			re[i], re[j] = re[j], re[i]
			im[i], im[j] = im[j], im[i]
		}
	}
	n := len(re)
	for h, step := 1, n/2; h < n; h, step = 2*h, step/2 {
		for i := 0; i < n; i += 2 * h {
			t.butterflies(re[i:i+2*h], im[i:i+2*h], step)
		}
	}
}

// butterflies combines the transforms of two halves.
func (t *transform) butterflies(re, im []float64, step int) {
	h := len(re) / 2
	ar, ai := re[:h], im[:h]
	br, bi := re[h:][:h], im[h:][:h]
	for j := range ar {
		c, s := t.cos[j*step], t.sin[j*step]
		p := float64(br[j]*c) + float64(bi[j]*s)
		q := float64(bi[j]*c) - float64(br[j]*s)
		br[j], bi[j] = ar[j]-p, ai[j]-q
		ar[j], ai[j] = ar[j]+p, ai[j]+q
	}
}

// An inverse is the inverse transform to n real numbers, by a transform of half the length.
type inverse struct {
	half     *transform
	cos, sin []float64 // of 2πk/n, k < n/2
}

func newInverse(n int) *inverse {
	full := newTransform(n)
	return &inverse{newTransform(n / 2), full.cos, full.sin}
}

// inverseReal sets dst to the real numbers with spectrum re + i·im at 0 … n/2. dst may be im; a and b are
// scratch. With Y the spectrum, the even and the odd elements have the spectra
//
//	E_k = (Y_k + conj Y_{n/2−k})/2,  O_k = (Y_k − conj Y_{n/2−k})/2·exp(2πi·k/n),
//
// and are the real and imaginary parts of the inverse transform of E + i·O.
func (t *inverse) inverseReal(dst, re, im, a, b []float64) {
	h := len(t.cos)
	a, b = a[:h], b[:h]
	for k := range a {
		eRe, eIm := (re[k]+re[h-k])/2, (im[k]-im[h-k])/2
		o := times(number{(re[k] - re[h-k]) / 2, (im[k] + im[h-k]) / 2}, number{t.cos[k], t.sin[k]})
		a[k], b[k] = eRe-o.im, eIm+o.re
	}
	// The inverse transform is the forward one with the parts exchanged.
	t.half.forward(b, a)
	for k := range a {
		dst[2*k], dst[2*k+1] = a[k]/float64(h), b[k]/float64(h)
	}
}
