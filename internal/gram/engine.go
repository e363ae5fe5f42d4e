package gram

import "github.com/rkhs-go/rkhs/internal/compute"

// engine computes with the matrix K of one kernel: k(x_i, z_j) over the rows of x
// and z. A value does not depend on which rows stand beside its own, and no result
// on the number of workers.
type Engine interface {
	blocks
	// gram sets dst = K of x with itself, exactly symmetric.
	gram(dst, x compute.Matrix, workers int)
	// cross sets dst = K.
	cross(dst, x, z compute.Matrix, workers int)
	// mul sets dst = K·w.
	mul(dst, x, z, w compute.Matrix, workers int)
	// single returns the engine of the same kernel in single precision, and itself
	// where package compute has none.
	single() Engine
}

// blocks is the least that makes an engine; tiled adds the rest.
type blocks interface {
	// prepare brings rows into the form that block wants, once for all blocks.
	prepare(x compute.Matrix, workers int) side
	// block sets dst_ij = k(x_i, z_j); dst is a tile at most.
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
func EngineOf(k Kernel) Engine {
	if e, ok := source.Engine(k); ok {
		return e
	}
	switch k := k.(type) {
	case Radial:
		return OfDistance(k, k)
	case InnerProduct:
		return OfProduct(k, k)
	}
	return tiled{evalEngine{plain{k}}}
}

// plain is the part of engines that take rows as they are.
type plain struct{ k Kernel }

func (plain) prepare(x compute.Matrix, _ int) side { return side{rows: x} }

func (p plain) diag(dst []float64, x compute.Matrix) {
	switch k := p.k.(type) {
	case Radial:
		clear(dst)
		k.OfSquaredDistance(dst)
	default:
		for i := range dst {
			dst[i] = k.Eval(compute.Row(x, i), compute.Row(x, i))
		}
	}
}

// evalEngine is a kernel that offers no more than Eval.
type evalEngine struct{ plain }

func (e evalEngine) block(dst compute.Matrix, x, z side) {
	for i := range dst.Rows {
		row, xi := compute.Row(dst, i), compute.Row(x.rows, i)
		for j := range row {
			row[j] = e.k.Eval(xi, compute.Row(z.rows, j))
		}
	}
}
