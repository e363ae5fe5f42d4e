package gram

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// combined returns the engine of the sum or the product of kernels. All functions of the squared distance share one
// engine, and so do all functions of the inner product. These two follow the other kernels.
func combined(kernels []Kernel, product bool) Engine {
	b := combinedBlocks{combine: floats.Add}
	if product {
		b.combine = floats.Mul
	}
	inner, radial := group{of: compute.InnerProduct}, group{of: compute.SquaredDistance}
	for _, k := range kernels {
		e := engineOf(k)
		switch of, p := profileOf(e); {
		case p == nil:
			b.parts = append(b.parts, e)
		case of == radial.of:
			radial.add(e, p)
		default:
			inner.add(e, p)
		}
	}
	for _, g := range []group{inner, radial} {
		switch len(g.profiles) {
		case 0:
		case len(kernels):
			return g.together(b.combine)
		case 1:
			b.parts = append(b.parts, g.first)
		default:
			b.parts = append(b.parts, g.together(b.combine))
		}
	}
	if product {
		return tiled{b}
	}
	return sumEngine{tiled{b}, b}
}

// group holds the kernels that are profiles of the same number.
type group struct {
	of       compute.Family
	first    Engine
	profiles []Profile
}

func (g *group) add(e Engine, p Profile) {
	if g.first == nil {
		g.first = e
	}
	g.profiles = append(g.profiles, p)
}

func (g *group) together(combine func(dst, v []float64)) Engine {
	return WithProfile(g.of, combinedProfile{g.profiles, combine})
}

// combinedBlocks is a sum or a product of engines.
type combinedBlocks struct {
	parts   []Engine
	combine func(dst, v []float64)
}

func (b combinedBlocks) prepare(x compute.Matrix, workers int) side {
	s := side{parts: make([]side, len(b.parts))}
	for i, p := range b.parts {
		s.parts[i] = p.prepare(x, workers)
	}
	return s
}

func (b combinedBlocks) block(dst compute.Matrix, x, z side) {
	t, free := compute.Allocate(dst.Rows, dst.Cols)
	defer free()
	b.parts[0].block(dst, x.parts[0], z.parts[0])
	for i, p := range b.parts[1:] {
		p.block(t, x.parts[i+1], z.parts[i+1])
		b.combineRows(dst, t)
	}
}

func (b combinedBlocks) combineRows(dst, m compute.Matrix) {
	for i := range dst.Rows {
		b.combine(compute.Row(dst, i), compute.Row(m, i))
	}
}

// diagonal sets dst to the combination of the diagonals that part sets.
func (b combinedBlocks) diagonal(dst []float64, part func(e Engine, dst []float64)) {
	part(b.parts[0], dst)
	t := make([]float64, len(dst))
	for _, p := range b.parts[1:] {
		part(p, t)
		b.combine(dst, t)
	}
}

func (b combinedBlocks) diag(dst []float64, x compute.Matrix) {
	b.diagonal(dst, func(e Engine, dst []float64) { e.diag(dst, x) })
}

// sumEngine multiplies each of its parts separately.
type sumEngine struct {
	tiled
	sum combinedBlocks
}

func (e sumEngine) mul(dst, x, z, w compute.Matrix, workers int) {
	t := compute.NewMatrix(dst.Rows, dst.Cols)
	e.sum.parts[0].mul(dst, x, z, w, workers)
	for _, p := range e.sum.parts[1:] {
		p.mul(t, x, z, w, workers)
		e.sum.combineRows(dst, t)
	}
}

func (e sumEngine) single() Engine { return e }

// combinationOf returns the parts of a sum or a product of engines.
func combinationOf(e Engine) (b combinedBlocks, ok bool) {
	switch e := e.(type) {
	case sumEngine:
		return e.sum, true
	case tiled:
		b, ok = e.blocks.(combinedBlocks)
	}
	return b, ok
}

// scaleEngine is by times an engine.
type scaleEngine struct {
	by float64
	of Engine
}

func (e scaleEngine) prepare(x compute.Matrix, workers int) side { return e.of.prepare(x, workers) }
func (e scaleEngine) single() Engine                             { return scaleEngine{e.by, e.of.single()} }

func (e scaleEngine) block(dst compute.Matrix, x, z side) {
	e.of.block(dst, x, z)
	scaleRows(dst, e.by, 1)
}

func (e scaleEngine) diag(dst []float64, x compute.Matrix) {
	e.of.diag(dst, x)
	floats.Scale(e.by, dst)
}

func (e scaleEngine) gram(dst, x compute.Matrix, workers int) {
	e.of.gram(dst, x, workers)
	scaleRows(dst, e.by, workers)
}

func (e scaleEngine) cross(dst, x, z compute.Matrix, workers int) {
	e.of.cross(dst, x, z, workers)
	scaleRows(dst, e.by, workers)
}

func (e scaleEngine) mul(dst, x, z, w compute.Matrix, workers int) {
	e.of.mul(dst, x, z, w, workers)
	scaleRows(dst, e.by, workers)
}

func (e scaleEngine) asProfile() (compute.Family, Profile) {
	of, p := profileOf(e.of)
	if p == nil {
		return of, nil
	}
	return of, scaledProfile{e.by, p}
}

func scaleRows(m compute.Matrix, by float64, workers int) {
	eachTile(m.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			floats.Scale(by, compute.Row(m, i))
		}
	})
}
