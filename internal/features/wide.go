package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/quantile"
	"github.com/rkhs-go/rkhs/kernel"
)

// wideColumns is the largest number of columns of x for which a block stores its parameters. For more
// columns, parameters are drawn on demand for the nonzero columns of rows.
const wideColumns = 1 << 14

// wideDraws are m vectors with single columns drawn on demand.
type wideDraws struct {
	// column sets dst to coordinate j of vectors first, first+1, …
	column func(dst []float64, j int32, first int)
	// factors multiply the vectors; nil means 1.
	factors []float64
	// normals is the sequence of normals that column divides by scales, if not nil. It is zero for
	// other distributions.
	normals compute.Address
	scales  []float64
}

// A columnwise distribution draws single columns of its vectors.
type columnwise interface {
	columns(m int, s *source) wideDraws
}

// drawsColumns reports whether all parts of a distribution are columnwise.
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

// position returns the position in a sequence of element i of column j of m vectors. Columns begin at even
// positions.
func position(m int, j int32, i int) uint64 { return uint64(j)*uint64(m+m%2) + uint64(i) }

func (p isotropic) columns(m int, s *source) wideDraws {
	at := s.next()
	return wideDraws{normals: at, factors: p.radii(m, s), column: func(dst []float64, j int32, first int) {
		compute.Normals(dst, at, position(m, j, first))
	}}
}

func (p transformed) columns(m int, s *source) wideDraws {
	at, of := s.next(), p.of.(kernel.Separable)
	return wideDraws{column: func(dst []float64, j int32, first int) {
		compute.Uniforms(dst, at, position(m, j, first))
		for i, v := range dst {
			dst[i] = max(v, quantile.Least)
		}
		of.Quantile(dst)
	}}
}

func (p divided) columns(m int, s *source) wideDraws {
	of := p.distribution.(columnwise).columns(m, s)
	w := wideDraws{factors: of.factors, column: func(dst []float64, j int32, first int) {
		of.column(dst, j, first)
		for i := range dst {
			dst[i] /= p.scales[j]
		}
	}}
	if of.scales == nil {
		w.normals, w.scales = of.normals, p.scales
	}
	return w
}

func (c convolution) columns(m int, s *source) wideDraws {
	parts := make([]wideDraws, len(c))
	for i, p := range c {
		parts[i] = p.(columnwise).columns(m, s)
	}
	return wideDraws{column: func(dst []float64, j int32, first int) {
		clear(dst)
		t := make([]float64, len(dst))
		for _, p := range parts {
			p.column(t, j, first)
			if p.factors != nil {
				floats.Mul(t, p.factors[first:first+len(t)])
			}
			floats.Add(dst, t)
		}
	}}
}

// wideFourierBlock is a fourierBlock with frequencies drawn on demand.
type wideFourierBlock struct {
	d, draws int
	w        wideDraws
	gain     float64
	workers  int
}

func (f *wideFourierBlock) TransformTo(dst, x blas64.General) {
	f.transformPoints(dst, compute.DensePoints(x))
}

func (f *wideFourierBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	checkSizes(dst, x.Matrix, f.d, 2*f.draws)
	of, thin := f.drawing(), x.Thin()
	if of.Scales != nil {
		thin = thin.Map(func(values []float64, columns []int32) {
			for k, j := range columns {
				values[k] *= 1 / of.Scales[j]
			}
		})
	}
	compute.FourierPairsDrawn(dst, thin, f.draws, of.Column, of.Factors, f.scale(), f.workers)
}

// drawing returns the frequencies. If it returns scales, the elements of rows are divided by them instead
// of the frequencies, which is faster.
func (f *wideFourierBlock) drawing() compute.Drawing {
	if f.w.scales == nil {
		return compute.Drawing{Column: f.w.column, Factors: f.w.factors}
	}
	return compute.Drawing{Scales: f.w.scales, Factors: f.w.factors, Column: func(dst []float64, j int32, first int) {
		compute.Normals(dst, f.w.normals, position(f.draws, j, first))
	}}
}

func (f *wideFourierBlock) scale() float64 { return math.Sqrt(f.gain / float64(f.draws)) }

func (f *wideFourierBlock) Bytes() int { return 8 * len(f.w.factors) }
