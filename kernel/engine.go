package kernel

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// engine computes blocks of the Gram matrix of one kernel.
type engine interface {
	// prepare brings rows into the form that block wants, once for all blocks.
	prepare(x compute.Matrix, workers int) side
	// block sets dst_ij = k(x_i, z_j); dst is a tile at most. A value does not
	// depend on which rows stand beside its own.
	block(dst compute.Matrix, x, z side)
	// diag sets dst_i = k(x_i, x_i).
	diag(dst []float64, x compute.Matrix)
}

// side is the rows of one argument as an engine wants them.
type side struct {
	rows  compute.Matrix
	norms []float64
	parts []side
}

// slice returns rows [from, to) of s.
func (s side) slice(from, to int) side {
	var t side
	if s.rows.Data != nil {
		t.rows = compute.Rows(s.rows, from, to)
	}
	if s.norms != nil {
		t.norms = s.norms[from:to]
	}
	for _, p := range s.parts {
		t.parts = append(t.parts, p.slice(from, to))
	}
	return t
}

// engineOf returns the fastest engine for k.
func engineOf(k Kernel) engine {
	own := isBuiltin(k)
	if own {
		if f, ok := fusedFunc(k); ok {
			return fusedEngine{plain{k}, f}
		}
		if s, ok := k.(Scale); ok {
			return scaleEngine{s.By, engineOf(s.Of)}
		}
	}
	if p := radialProfile(k); p != nil {
		return profileEngine{plain{k}, compute.Func{Family: compute.SquaredDistance}, p}
	}
	if p := innerProfile(k); p != nil {
		return profileEngine{plain{k}, compute.Func{Family: compute.InnerProduct}, p}
	}
	if own {
		return builtinEngine(k)
	}
	if b, ok := k.(Blocker); ok {
		return blockEngine{plain{k}, b}
	}
	return evalEngine{plain{k}}
}

// builtinEngine is for the kernels of this package that are no function of one
// number. A type outside that embeds one of them has the methods asked for here
// too and may mean another kernel: it must not come here.
func builtinEngine(k Kernel) engine {
	switch k := k.(type) {
	case interface{ engine() engine }:
		return k.engine()
	case interface {
		row(dst, x []float64, z blas64.General)
	}:
		return loopEngine{k.row}
	}
	return evalEngine{plain{k}}
}

func fusedFunc(k Kernel) (compute.Func, bool) {
	if f, ok := k.(interface{ fused() (compute.Func, bool) }); ok {
		return f.fused()
	}
	return compute.Func{}, false
}

// plain is the part of engines that take rows as they are.
type plain struct{ k Kernel }

func (plain) prepare(x compute.Matrix, _ int) side { return side{rows: x} }

func (p plain) diag(dst []float64, x compute.Matrix) {
	switch k := p.k.(type) {
	case Diagonal:
		k.Diag(dst, x)
	case Radial:
		clear(dst)
		k.OfSquaredDistance(dst)
	default:
		for i := range dst {
			dst[i] = k.Eval(rowOf(x, i), rowOf(x, i))
		}
	}
}

// fusedEngine is a kernel that package compute knows.
type fusedEngine struct {
	plain
	f compute.Func
}

func (e fusedEngine) block(dst compute.Matrix, x, z side) {
	compute.Kernel(dst, x.rows, z.rows, e.f, 1)
}

// profileEngine applies a function to squared distances or inner products.
type profileEngine struct {
	plain
	of      compute.Func
	profile profile
}

func (e profileEngine) block(dst compute.Matrix, x, z side) {
	compute.Kernel(dst, x.rows, z.rows, e.of, 1)
	applyRows(e.profile, dst)
}

// blockEngine is a kernel that computes its own blocks.
type blockEngine struct {
	plain
	blocker Blocker
}

func (e blockEngine) block(dst compute.Matrix, x, z side) { e.blocker.Block(dst, x.rows, z.rows) }

// evalEngine is a kernel that offers no more than Eval.
type evalEngine struct{ plain }

func (e evalEngine) block(dst compute.Matrix, x, z side) {
	for i := range dst.Rows {
		row, xi := rowOf(dst, i), rowOf(x.rows, i)
		for j := range row {
			row[j] = e.k.Eval(xi, rowOf(z.rows, j))
		}
	}
}

// loopEngine is a kernel with a loop over the rows of z of its own.
type loopEngine struct {
	row func(dst, x []float64, z blas64.General)
}

func (loopEngine) prepare(x compute.Matrix, _ int) side { return side{rows: x} }

func (e loopEngine) diag(dst []float64, x compute.Matrix) {
	for i := range dst {
		e.row(dst[i:i+1], rowOf(x, i), compute.Rows(x, i, i+1))
	}
}

// block takes as many rows of z at once as stay in the first level cache while
// all rows of x pass over them.
func (e loopEngine) block(dst compute.Matrix, x, z side) {
	const cached = 2048
	step := max(8, cached/max(1, z.rows.Cols))
	for j := 0; j < dst.Cols; j += step {
		to := min(j+step, dst.Cols)
		rows := compute.Rows(z.rows, j, to)
		for i := range dst.Rows {
			e.row(rowOf(dst, i)[j:to], rowOf(x.rows, i), rows)
		}
	}
}
