package kernel

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// combinedEngine is a sum or a product of engines.
type combinedEngine struct {
	parts   []engine
	product bool
}

func (k Sum) engine() engine { return combine(k, false) }

func (k Product) engine() engine { return combine(k, true) }

// combine puts the kernels that share the squared distance, and those that share
// the inner product, into one engine each.
func combine(kernels []Kernel, product bool) engine {
	var radial, inner, rest []Kernel
	for _, k := range kernels {
		switch {
		case radialProfile(k) != nil:
			radial = append(radial, k)
		case innerProfile(k) != nil:
			inner = append(inner, k)
		default:
			rest = append(rest, k)
		}
	}
	for _, group := range [][]Kernel{inner, radial} {
		switch len(group) {
		case 0:
		case 1:
			rest = append(rest, group[0])
		default:
			rest = append(rest, together(group, product))
		}
	}
	e := combinedEngine{product: product}
	for _, k := range rest {
		e.parts = append(e.parts, engineOf(k))
	}
	return e
}

func together(kernels []Kernel, product bool) Kernel {
	if product {
		return Product(kernels)
	}
	return Sum(kernels)
}

func (e combinedEngine) prepare(x compute.Matrix, workers int) side {
	s := side{parts: make([]side, len(e.parts))}
	for i, p := range e.parts {
		s.parts[i] = p.prepare(x, workers)
	}
	return s
}

func (e combinedEngine) block(dst compute.Matrix, x, z side) {
	t, free := newTile(dst.Rows, dst.Cols)
	defer free()
	for i, p := range e.parts {
		if i == 0 {
			p.block(dst, x.parts[i], z.parts[i])
			continue
		}
		p.block(t, x.parts[i], z.parts[i])
		for r := range dst.Rows {
			e.accumulate(rowOf(dst, r), rowOf(t, r))
		}
	}
}

func (e combinedEngine) diag(dst []float64, x compute.Matrix) {
	e.parts[0].diag(dst, x)
	t := make([]float64, len(dst))
	for _, p := range e.parts[1:] {
		p.diag(t, x)
		e.accumulate(dst, t)
	}
}

func (e combinedEngine) accumulate(dst, v []float64) {
	if e.product {
		floats.Mul(dst, v)
	} else {
		floats.Add(dst, v)
	}
}

// scaleEngine is by times an engine.
type scaleEngine struct {
	by float64
	of engine
}

func (e scaleEngine) prepare(x compute.Matrix, workers int) side { return e.of.prepare(x, workers) }

func (e scaleEngine) block(dst compute.Matrix, x, z side) {
	e.of.block(dst, x, z)
	scaleRows(dst, e.by, 1)
}

func (e scaleEngine) diag(dst []float64, x compute.Matrix) {
	e.of.diag(dst, x)
	floats.Scale(e.by, dst)
}

func scaleRows(m compute.Matrix, by float64, workers int) {
	eachTile(m.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			floats.Scale(by, rowOf(m, i))
		}
	})
}
