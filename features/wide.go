package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/quantile"
	"github.com/rkhs-go/rkhs/kernel"
)

// wideColumns is the number of columns of x up to which a block holds all that it draws. In
// more of them a row is sparse, or should be: parameters are drawn for the columns that rows
// have, each time anew.
const wideColumns = 1 << 14

// A columnwise distribution makes single columns of its vectors.
type columnwise interface {
	// column returns a function that sets dst to coordinate j of vectors first, first+1, … of m.
	column(m int, s *source) func(dst []float64, j int32, first int)
}

// drawsColumns reports whether of is columnwise, as a whole.
func drawsColumns(of distribution) bool {
	switch of := of.(type) {
	case divided:
		return drawsColumns(of.distribution)
	case convolution:
		for _, p := range of {
			if !drawsColumns(p) {
				return false
			}
		}
		return true
	case transformed:
		_, ok := of.of.(kernel.Separable)
		return ok
	}
	_, ok := of.(columnwise)
	return ok
}

// columnOf returns the function of a distribution for which drawsColumns holds.
func columnOf(of distribution, m int, s *source) func(dst []float64, j int32, first int) {
	return of.(columnwise).column(m, s)
}

// place returns the number of element i of column j of m vectors in a sequence, in which
// columns begin at even numbers.
func place(m int, j int32, i int) uint64 { return uint64(j)*uint64(m+m%2) + uint64(i) }

func (p isotropic) column(m int, s *source) func(dst []float64, j int32, first int) {
	at, radii := s.next(), p.radii(m, s)
	return func(dst []float64, j int32, first int) {
		compute.Normals(dst, at, place(m, j, first))
		floats.Mul(dst, radii[first:first+len(dst)])
	}
}

func (p transformed) column(m int, s *source) func(dst []float64, j int32, first int) {
	at, of := s.next(), p.of.(kernel.Separable)
	return func(dst []float64, j int32, first int) {
		compute.Uniforms(dst, at, place(m, j, first))
		for i, v := range dst {
			dst[i] = max(v, quantile.Least)
		}
		of.Quantile(dst)
	}
}

func (p divided) column(m int, s *source) func(dst []float64, j int32, first int) {
	of := columnOf(p.distribution, m, s)
	return func(dst []float64, j int32, first int) {
		of(dst, j, first)
		for i := range dst {
			dst[i] /= p.scales[j]
		}
	}
}

func (c convolution) column(m int, s *source) func(dst []float64, j int32, first int) {
	parts := make([]func([]float64, int32, int), len(c))
	for i, p := range c {
		parts[i] = columnOf(p, m, s)
	}
	return func(dst []float64, j int32, first int) {
		parts[0](dst, j, first)
		t := make([]float64, len(dst))
		for _, p := range parts[1:] {
			p(t, j, first)
			floats.Add(dst, t)
		}
	}
}

// wideFourierBlock is a fourierBlock of so many columns that its frequencies are drawn when
// they are needed.
type wideFourierBlock struct {
	d, draws int
	column   func(dst []float64, j int32, first int)
	gain     float64
	workers  int
}

func (f *wideFourierBlock) TransformTo(dst, x blas64.General) {
	f.transformPoints(dst, compute.DensePoints(x))
}

func (f *wideFourierBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	checkSizes(dst, x.Matrix, f.d, 2*f.draws)
	compute.FourierPairsDrawn(dst, x.Thin(), f.draws, f.column, math.Sqrt(f.gain/float64(f.draws)), f.workers)
}

func (f *wideFourierBlock) Bytes() int { return 8 * f.draws }
