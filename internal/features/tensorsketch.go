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

// tensorSketch is the basis of the kernel (slope·<x, z> + offset)^degree by TensorSketch: the circular
// convolution, by Fourier transforms, of degree count sketches of [√slope·x, √offset]. Other numbers of
// columns than powers of two are sums of these, each weighted by its share.
// O(d·degree + m·degree·log m) per row. Source: Pham and Pagh, "Fast and scalable polynomial kernels via
// explicit feature maps", KDD 2013.
type tensorSketch struct {
	d, degree, m  int
	slope, offset float64
	sizes         []sketchSize
}

// sketchSize holds the tables of sketches of n columns, which are computed at first use.
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
	n            int
	signs, words compute.Address // random sequences of signs and columns
	// column and sign of all coordinates, or nil if they are drawn on demand.
	column []int32
	sign   []float64
}

func newCountSketch(d, n int, s *source) countSketch {
	c := countSketch{n: n, signs: s.next(), words: s.next()}
	if d > wideColumns {
		return c
	}
	c.column, c.sign = make([]int32, d), make([]float64, d)
	compute.Uniforms(c.sign, c.signs, 0)
	u := make([]float64, d)
	compute.Uniforms(u, c.words, 0)
	for i, v := range u {
		c.sign[i], c.column[i] = math.Copysign(1, c.sign[i]-0.5), int32(v*float64(n))
	}
	return c
}

// apply sets dst to the sketch of the row with values y in the given columns, or in all if columns is nil.
func (c countSketch) apply(dst []float64, columns []int32, y []float64) {
	clear(dst)
	switch {
	case c.column == nil:
		c.applyWide(dst, columns, y)
	case columns == nil:
		for i, v := range y {
			dst[c.column[i]] += float64(c.sign[i] * v)
		}
	default:
		for k, i := range columns {
			dst[c.column[i]] += float64(c.sign[i] * y[k])
		}
	}
}

func (c countSketch) applyWide(dst []float64, columns []int32, y []float64) {
	var sign, word [1]float64
	for k, v := range y {
		i := uint64(k)
		if columns != nil {
			i = uint64(columns[k])
		}
		if v == 0 {
			continue
		}
		compute.Uniforms(sign[:], c.signs, i)
		compute.Uniforms(word[:], c.words, i)
		dst[int(word[0]*float64(c.n))] += float64(math.Copysign(1, sign[0]-0.5) * v)
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
	b.transformPoints(dst, compute.DensePoints(x))
}

func (b *tensorSketchBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	checkSizes(dst, x.Matrix, b.d, b.m)
	if x.Sparse == nil && b.d > wideColumns {
		x = compute.SparsePoints(x.Thin())
	}
	eachRows(x.Rows, b.workers, func(from, to int) {
		capacity := 0 // for a dense row
		if x.Sparse == nil {
			capacity = b.d + 1
		}
		memory := allocate(capacity + 3*b.m + 2)
		defer release(memory)
		y, rest := (*memory)[:0:capacity], (*memory)[capacity:]
		var columns []int32
		for i := from; i < to; i++ {
			columns, y = b.augment(columns[:0], y[:0], x, i)
			dst := compute.Row(dst, i)
			for _, p := range b.sketches {
				p.apply(dst[:p.n], columns, y, rest)
				dst = dst[p.n:]
			}
		}
	})
}

// augment appends [√slope·x, √offset] for row i of x, with columns if it is sparse.
func (b *tensorSketchBlock) augment(columns []int32, y []float64, x compute.Points, i int) ([]int32, []float64) {
	var row []float64
	if x.Sparse == nil {
		row, columns = compute.Row(x.Matrix, i), nil
	} else {
		var list []int32
		list, row = x.Sparse.Row(i)
		columns = append(append(columns, list...), int32(b.d))
	}
	y = append(y, row...)
	floats.Scale(math.Sqrt(b.slope), y)
	return columns, append(y, math.Sqrt(b.offset))
}

// apply sets dst to the sketch of y. Each transform has two count sketches as its real and imaginary parts.
func (p sketch) apply(dst []float64, columns []int32, y, memory []float64) {
	n := p.n
	re, im, memory := memory[:n], memory[n:2*n], memory[2*n:]
	product := spectrumOf{memory[:n/2+1], dst[:n/2+1]}
	for i := 0; i < len(p.counts); i += 2 {
		p.counts[i].apply(re, columns, y)
		clear(im)
		if i+1 < len(p.counts) {
			p.counts[i+1].apply(im, columns, y)
		}
		p.transform().forward(re, im)
		product.multiply(re, im, i == 0, i+1 < len(p.counts))
	}
	p.inverse().inverseReal(dst, product.re, product.im, re, im)
	floats.Scale(p.scale, dst)
}

// spectrumOf holds the spectrum of n real numbers, which is symmetric, at 0 … n/2.
type spectrumOf struct{ re, im []float64 }

// multiply multiplies s by the spectra of two real sequences, or of one, where re + i·im is the transform
// of the first plus i times the second. If first is set, s is assigned.
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

// split returns the spectra A₁ and A₂ of two real sequences at k, given B = A₁ + i·A₂ at k and −k:
// A₁ = (B_k + conj B_{−k})/2 and i·A₂ = (B_k − conj B_{−k})/2.
func split(re, im, mirrorRe, mirrorIm float64) (first, second number) {
	return number{(re + mirrorRe) / 2, (im - mirrorIm) / 2}, number{(im + mirrorIm) / 2, (mirrorRe - re) / 2}
}

func times(a, b number) number {
	return number{float64(a.re*b.re) - float64(a.im*b.im), float64(a.re*b.im) + float64(a.im*b.re)}
}

func (b *tensorSketchBlock) Bytes() int {
	const headers = 96 // of a countSketch and its slices
	n := 0
	for _, p := range b.sketches {
		n += headers + len(p.counts)*(headers+12*(b.d+1))
	}
	return n
}
