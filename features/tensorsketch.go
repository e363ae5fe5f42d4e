package features

import (
	"math"
	"math/bits"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// tensorSketch is the basis of the kernel (slope·<x, z> + offset)^degree by TensorSketch:
// the circular convolution of count sketches of [√slope·x, √offset], one a degree, taken
// by Fourier transforms (Pham and Pagh, "Fast and scalable polynomial kernels via
// explicit feature maps", KDD 2013). A number of columns
// that is no power of two is made of sketches of the powers of two it is the sum
// of, each weighted by its share. O(d·degree + m·degree·log m) a row.
type tensorSketch struct {
	d, degree, m  int
	slope, offset float64
	sizes         []sketchSize
}

// sketchSize is what all sketches of n columns share. The tables are made when they
// are needed: a map alone takes no memory.
type sketchSize struct {
	n         int
	transform func() *transform
	inverse   func() *inverse
}

func newTensorSketch(d, m int, k kernel.Polynomial) basis {
	f := tensorSketch{d: d, degree: k.Degree, m: m, slope: k.Scale, offset: k.Offset}
	for rest := m; rest > 0; {
		n := 1 << (bits.Len(uint(rest)) - 1)
		f.sizes = append(f.sizes, sketchSize{
			n:         n,
			transform: sync.OnceValue(func() *transform { return newTransform(n) }),
			inverse:   sync.OnceValue(func() *inverse { return newInverse(n) }),
		})
		rest -= n
	}
	return basis{columns: m, draw: f.draw}
}

func (f tensorSketch) draw(s *source, workers int) Block {
	b := &tensorSketchBlock{tensorSketch: f, workers: workers}
	for _, size := range f.sizes {
		one := sketch{sketchSize: size, scale: math.Sqrt(float64(size.n) / float64(f.m))}
		for range f.degree {
			one.counts = append(one.counts, newCountSketch(f.d+1, size.n, s))
		}
		b.sketches = append(b.sketches, one)
	}
	return b
}

// A countSketch adds coordinate i, with a random sign, to the random column of i.
type countSketch struct {
	column []int32
	sign   []float64
}

func newCountSketch(d, n int, s *source) countSketch {
	c := countSketch{make([]int32, d), make([]float64, d)}
	randomSigns(c.sign, s)
	u := make([]float64, d)
	compute.Uniforms(u, s.next(), 0)
	for i, v := range u {
		c.column[i] = int32(v * float64(n))
	}
	return c
}

func (c countSketch) apply(dst, x []float64) {
	clear(dst)
	for i, v := range x {
		dst[c.column[i]] += float64(c.sign[i] * v)
	}
}

// A sketch is a TensorSketch of n columns.
type sketch struct {
	sketchSize
	counts []countSketch
	scale  float64
}

type tensorSketchBlock struct {
	tensorSketch
	sketches []sketch
	workers  int
}

func (b *tensorSketchBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.d, b.m)
	eachRows(x.Rows, b.workers, func(from, to int) {
		memory := borrow(b.d + 1 + 3*b.m + 2)
		defer giveBack(memory)
		y, rest := (*memory)[:b.d+1], (*memory)[b.d+1:]
		for i := from; i < to; i++ {
			b.augment(y, compute.Row(x, i))
			dst := compute.Row(dst, i)
			for _, p := range b.sketches {
				p.apply(dst[:p.n], y, rest)
				dst = dst[p.n:]
			}
		}
	})
}

// augment sets dst to [√slope·x, √offset].
func (b *tensorSketchBlock) augment(dst, x []float64) {
	floats.ScaleTo(dst[:len(x)], math.Sqrt(b.slope), x)
	dst[len(x)] = math.Sqrt(b.offset)
}

// apply sets dst to the sketch of y. Two count sketches at a time are the real and
// the imaginary part of one transform.
func (p sketch) apply(dst, y, memory []float64) {
	n := p.n
	re, im, memory := memory[:n], memory[n:2*n], memory[2*n:]
	product := spectrumOf{memory[:n/2+1], dst[:n/2+1]}
	for i := 0; i < len(p.counts); i += 2 {
		p.counts[i].apply(re, y)
		clear(im)
		if i+1 < len(p.counts) {
			p.counts[i+1].apply(im, y)
		}
		p.transform().forward(re, im)
		product.multiply(re, im, i == 0, i+1 < len(p.counts))
	}
	p.inverse().inverseReal(dst, product.re, product.im, re, im)
	floats.Scale(p.scale, dst)
}

// spectrumOf holds the spectrum of n real numbers, which is symmetric, at 0 … n/2.
type spectrumOf struct{ re, im []float64 }

// multiply multiplies s, or sets it if it is the first, by the spectra of the real
// sequences of which re + i·im is the transform of the first plus i times the
// second.
func (s spectrumOf) multiply(re, im []float64, first, two bool) {
	n := len(re)
	for k := range s.re {
		l := (n - k) % n
		f, g := split(re[k], im[k], re[l], im[l])
		if two {
			f = times(f, g)
		}
		if !first {
			f = times(f, number{s.re[k], s.im[k]})
		}
		s.re[k], s.im[k] = f.re, f.im
	}
}

// A number is complex.
type number struct{ re, im float64 }

// split returns the values at k of the spectra A₁ and A₂ of two real sequences, given
// those of A₁ + i·A₂ at k and −k: A₁ is half of the sum of the first and the conjugate
// of the second, and i·A₂ half of the difference.
func split(re, im, mirrorRe, mirrorIm float64) (first, second number) {
	return number{(re + mirrorRe) / 2, (im - mirrorIm) / 2}, number{(im + mirrorIm) / 2, (mirrorRe - re) / 2}
}

func times(a, b number) number {
	return number{float64(a.re*b.re) - float64(a.im*b.im), float64(a.re*b.im) + float64(a.im*b.re)}
}

func (b *tensorSketchBlock) Bytes() int {
	const headers = 56 // of two slices, and what is left over of their memory
	n := 0
	for _, p := range b.sketches {
		n += headers + len(p.counts)*(headers+12*(b.d+1))
	}
	return n
}
