package gram

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Combined returns the engine of the sum or the product of kernels. Those that are
// functions of the squared distance share one engine, and so do those of the inner
// product; these stand behind the rest.
func Combined[K Kernel](kernels []K, product bool) Engine {
	b := combinedBlocks{product: product}
	inner, radial := group{of: compute.InnerProduct}, group{of: compute.SquaredDistance}
	for _, k := range kernels {
		e := EngineOf(k)
		switch of, p := profileOf(e); {
		case p == nil:
			b.parts = append(b.parts, e)
		case of == radial.of:
			radial.add(k, e, p)
		default:
			inner.add(k, e, p)
		}
	}
	for _, g := range []group{inner, radial} {
		switch len(g.kernels) {
		case 0:
		case len(kernels):
			return g.together(product)
		case 1:
			b.parts = append(b.parts, g.first)
		default:
			b.parts = append(b.parts, g.together(product))
		}
	}
	if product {
		return tiled{b}
	}
	return sumEngine{tiled{b}, b.parts}
}

// group is kernels that are profiles of one number.
type group struct {
	of       compute.Family
	kernels  []Kernel
	first    Engine
	profiles []Profile
}

func (g *group) add(k Kernel, e Engine, p Profile) {
	if g.first == nil {
		g.first = e
	}
	g.kernels, g.profiles = append(g.kernels, k), append(g.profiles, p)
}

func (g *group) together(product bool) Engine {
	return tiled{profileEngine{plain{combination{g.kernels, product}}, g.of, combinedProfile{g.profiles, product}}}
}

// combinedBlocks is a sum or a product of engines.
type combinedBlocks struct {
	parts   []Engine
	product bool
}

func (b combinedBlocks) prepare(x compute.Matrix, workers int) side {
	s := side{parts: make([]side, len(b.parts))}
	for i, p := range b.parts {
		s.parts[i] = p.prepare(x, workers)
	}
	return s
}

func (b combinedBlocks) block(dst compute.Matrix, x, z side) {
	t, free := newTile(dst.Rows, dst.Cols)
	defer free()
	for i, p := range b.parts {
		if i == 0 {
			p.block(dst, x.parts[i], z.parts[i])
			continue
		}
		p.block(t, x.parts[i], z.parts[i])
		for r := range dst.Rows {
			b.accumulate(compute.Row(dst, r), compute.Row(t, r))
		}
	}
}

func (b combinedBlocks) diag(dst []float64, x compute.Matrix) {
	b.parts[0].diag(dst, x)
	t := make([]float64, len(dst))
	for _, p := range b.parts[1:] {
		p.diag(t, x)
		b.accumulate(dst, t)
	}
}

func (b combinedBlocks) accumulate(dst, v []float64) {
	if b.product {
		floats.Mul(dst, v)
	} else {
		floats.Add(dst, v)
	}
}

// sumEngine multiplies each of its parts by itself.
type sumEngine struct {
	tiled
	parts []Engine
}

func (e sumEngine) mul(dst, x, z, w compute.Matrix, workers int) {
	t := compute.NewMatrix(dst.Rows, dst.Cols)
	e.parts[0].mul(dst, x, z, w, workers)
	for _, p := range e.parts[1:] {
		p.mul(t, x, z, w, workers)
		for i := range dst.Rows {
			floats.Add(compute.Row(dst, i), compute.Row(t, i))
		}
	}
}

func (e sumEngine) single() Engine { return e }

// combination is the sum or the product of kernels.
type combination struct {
	of      []Kernel
	product bool
}

// Eval returns the value in the order of the kernels.
func (c combination) Eval(x, y []float64) float64 {
	if c.product {
		p := 1.0
		for _, f := range c.of {
			p *= f.Eval(x, y)
		}
		return p
	}
	s := 0.0
	for _, t := range c.of {
		s += t.Eval(x, y)
	}
	return s
}
