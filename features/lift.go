package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// A lift maps points before their features are taken.
type lift interface {
	columns(d int) int
	// apply maps the rows of x.
	apply(dst, x blas64.General, workers int)
}

// lifted draws features of a lift.
type lifted struct {
	atomic
	by lift
	d  int
}

func (l lifted) draw(atoms int, gain float64, s *source, workers int) Block {
	return &liftedBlock{l.by, l.d, columnsFor(atoms, l.paired()), atoms, l.atomic.draw(atoms, gain, s, workers), workers}
}

type liftedBlock struct {
	by                lift
	d, columns, atoms int // atoms of a basis that has none count for nothing
	of                Block
	workers           int
}

func (b *liftedBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.d, b.columns)
	y, memory := borrowMatrix(x.Rows, b.by.columns(b.d))
	defer giveBack(memory)
	b.by.apply(y, x, b.workers)
	b.of.TransformTo(dst, y)
}

func (b *liftedBlock) Bytes() int { return b.of.Bytes() }

// rowLift maps a row to one of the same length.
type rowLift func(dst, x []float64)

func (f rowLift) columns(d int) int { return d }

func (f rowLift) apply(dst, x blas64.General, workers int) {
	eachRows(x.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			f(rowOf(dst, i), rowOf(x, i))
		}
	})
}

// logarithms maps x to log(x + c).
func logarithms(c float64) rowLift {
	return func(dst, x []float64) {
		for i, v := range x {
			dst[i] = v + c
		}
		compute.Log(dst, dst)
	}
}

func roots(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Sqrt(v)
	}
}

// dividing maps x to x/scales.
func dividing(scales []float64) rowLift {
	return func(dst, x []float64) { floats.DivTo(dst, x, scales) }
}

// liftTwice maps by the first and then by the second.
type liftTwice struct{ first, second lift }

func (l liftTwice) columns(d int) int { return l.second.columns(l.first.columns(d)) }

func (l liftTwice) apply(dst, x blas64.General, workers int) {
	y, memory := borrowMatrix(x.Rows, l.first.columns(x.Cols))
	defer giveBack(memory)
	l.first.apply(y, x, workers)
	l.second.apply(dst, y, workers)
}

// lowRank maps x to the vector of √(w_m/k(p_m, p_m))·k(x, p_m), whose inner
// product is the kernel.
type lowRank struct {
	of      kernel.LowRank
	factors []float64
}

func newLowRank(k kernel.LowRank) lowRank {
	p := k.Points.RawMatrix()
	f := make([]float64, p.Rows)
	kernel.Evaluator{Kernel: k.Base}.Diag(f, p)
	for m, v := range f {
		f[m] = math.Sqrt(k.Weights[m] / v)
	}
	return lowRank{k, f}
}

func (l lowRank) columns(int) int { return len(l.factors) }

func (l lowRank) apply(dst, x blas64.General, workers int) {
	kernel.Evaluator{Kernel: l.of.Base, Workers: workers}.Cross(dst, x, l.of.Points.RawMatrix())
	for i := range dst.Rows {
		floats.Mul(rowOf(dst, i), l.factors)
	}
}
