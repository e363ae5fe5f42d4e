package features

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// sketches draws features of the kernel (slope·<x, z> + offset)^degree by
// TensorSketch: the circular convolution of count sketches of [√slope·x, √offset],
// one a degree, taken by Fourier transforms (Pham and Pagh, "Fast and scalable
// polynomial kernels via explicit feature maps", KDD 2013). A number of columns
// that is no power of two is made of sketches of the powers of two it is the sum
// of, each weighted by its share. O(d·degree + m·degree·log m) a row.
type sketches struct {
	d, degree, m  int
	slope, offset float64
}

func (f sketches) columns() int { return f.m }

func (f sketches) draw(s *source, workers int) Block {
	b := &sketchBlock{sketches: f, workers: workers}
	for rest := f.m; rest > 0; {
		n := 1 << (bits.Len(uint(rest)) - 1)
		part := sketch{transform: newTransform(n), scale: math.Sqrt(float64(n) / float64(f.m))}
		for range f.degree {
			part.counts = append(part.counts, newCountSketch(f.d+1, n, s))
		}
		b.parts = append(b.parts, part)
		rest -= n
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
	transform *transform
	counts    []countSketch
	scale     float64
}

type sketchBlock struct {
	sketches
	parts   []sketch
	workers int
}

func (b *sketchBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.d, b.m)
	eachRows(x.Rows, b.workers, func(from, to int) {
		memory := borrow(2*(b.d+1) + 4*b.m)
		defer giveBack(memory)
		y, z := (*memory)[:b.d+1], (*memory)[b.d+1:2*(b.d+1)]
		rest := (*memory)[2*(b.d+1):]
		// Two rows at a time are the real and the imaginary part of one transform.
		for i := from; i < to; i += 2 {
			j := min(i+1, to-1)
			b.augment(y, rowOf(x, i))
			b.augment(z, rowOf(x, j))
			b.pair(rowOf(dst, i), rowOf(dst, j), y, z, rest)
		}
	})
}

// augment sets dst to [√slope·x, √offset].
func (b *sketchBlock) augment(dst, x []float64) {
	floats.ScaleTo(dst[:len(x)], math.Sqrt(b.slope), x)
	dst[len(x)] = math.Sqrt(b.offset)
}

func (b *sketchBlock) pair(first, second, y, z, memory []float64) {
	for _, p := range b.parts {
		n := len(p.transform.reversed)
		p.pair(first[:n], second[:n], y, z, memory)
		first, second = first[n:], second[n:]
	}
}

// pair sets first and second to the sketches of y and z.
func (p sketch) pair(first, second, y, z, memory []float64) {
	n := len(first)
	re, im, productRe, productIm := memory[:n], memory[n:2*n], memory[2*n:3*n], memory[3*n:4*n]
	for i, c := range p.counts {
		c.apply(re, y)
		c.apply(im, z)
		p.transform.forward(re, im)
		if i == 0 {
			copy(productRe, re)
			copy(productIm, im)
		} else {
			multiplySpectra(productRe, productIm, re, im)
		}
	}
	// The inverse transform is the forward one with the parts exchanged.
	p.transform.forward(productIm, productRe)
	floats.ScaleTo(first, p.scale/float64(n), productRe)
	floats.ScaleTo(second, p.scale/float64(n), productIm)
}

// multiplySpectra multiplies the spectra A of two real sequences by those, B, of
// two others, each pair held as A₁ + i·A₂: A₁(k) is half of the sum of A(k) and the
// conjugate of A(−k), and i·A₂(k) half of the difference.
func multiplySpectra(aRe, aIm, bRe, bIm []float64) {
	n := len(aRe)
	for k := range n/2 + 1 {
		l := (n - k) % n
		a1, a2 := split(aRe[k], aIm[k], aRe[l], aIm[l])
		b1, b2 := split(bRe[k], bIm[k], bRe[l], bIm[l])
		c1, c2 := times(a1, b1), times(a2, b2)
		aRe[k], aIm[k] = c1.re-c2.im, c1.im+c2.re
		aRe[l], aIm[l] = c1.re+c2.im, c2.re-c1.im
	}
}

type number struct{ re, im float64 }

// split returns the values at k of the spectra of both sequences.
func split(re, im, mirrorRe, mirrorIm float64) (first, second number) {
	return number{(re + mirrorRe) / 2, (im - mirrorIm) / 2}, number{(im + mirrorIm) / 2, (mirrorRe - re) / 2}
}

func times(a, b number) number {
	return number{float64(a.re*b.re) - float64(a.im*b.im), float64(a.re*b.im) + float64(a.im*b.re)}
}

func (b *sketchBlock) Bytes() int {
	n := 0
	for _, p := range b.parts {
		n += 12*len(p.counts)*(b.d+1) + 16*len(p.transform.reversed)
	}
	return n
}
