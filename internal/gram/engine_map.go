package gram

import "github.com/rkhs-go/rkhs/internal/compute"

// mapEngine is a kernel of mapped points: k(x, z) = of(φ(x), φ(z)).
type mapEngine struct {
	phi Embedding
	of  Engine
	// wide means that φ may have more columns than the result. Images are then computed for one tile of rows at a time.
	wide bool
}

// Mapped returns the engine of a kernel of mapped points, of(phi(x), phi(z)).
func Mapped(phi Embedding, of Engine) Engine {
	_, wide := phi.(lowRankMap)
	return mapEngine{phi, of, wide}
}

func (e mapEngine) prepare(x compute.Matrix, workers int) side {
	return e.of.prepare(embed(e.phi, x, workers), workers)
}

func (e mapEngine) diag(dst []float64, x compute.Matrix) { e.of.diag(dst, embed(e.phi, x, 1)) }
func (e mapEngine) block(dst compute.Matrix, x, z side)  { e.of.block(dst, x, z) }

func (e mapEngine) gram(dst, x compute.Matrix, workers int) {
	e.of.gram(dst, embed(e.phi, x, workers), workers)
}

func (e mapEngine) cross(dst, x, z compute.Matrix, workers int) {
	if e.wide {
		tiled{e}.cross(dst, x, z, workers)
		return
	}
	e.of.cross(dst, embed(e.phi, x, workers), embed(e.phi, z, workers), workers)
}

func (e mapEngine) mul(dst, x, z, w compute.Matrix, workers int) {
	if phi, ok := e.explicit(); ok && mulExplicit(phi, dst, x, z, w, workers) {
		return
	}
	if e.wide {
		tiled{e}.mul(dst, x, z, w, workers)
		return
	}
	e.of.mul(dst, embed(e.phi, x, workers), embed(e.phi, z, workers), w, workers)
}

func (e mapEngine) single() Engine {
	if e.wide {
		return e
	}
	return mapEngine{phi: e.phi, of: e.of.single()}
}

// explicit returns φ with k(x, z) = <φ(x), φ(z)>, nil for the identity, if the engine has this form.
func (e mapEngine) explicit() (phi Embedding, ok bool) {
	of, is := e.of.(interface{ explicit() (Embedding, bool) })
	if !is {
		return nil, false
	}
	phi, ok = of.explicit()
	return Compose(e.phi, phi), ok
}

// mulExplicit sets dst = Φ(X)·(Φ(Z)ᵀ·W) for the kernel <φ(x), φ(z)> if this costs less than (Φ(X)·Φ(Z)ᵀ)·W. It
// reports whether it set dst. The decision does not depend on the number of rows of X, so a result does not either.
func mulExplicit(phi Embedding, dst, x, z, w compute.Matrix, workers int) bool {
	width := x.Cols
	if phi != nil {
		width = phi.Width(x.Cols)
	}
	if width*w.Cols > z.Rows*(width+w.Cols) {
		return false
	}
	right := embed(phi, z, workers)
	t := compute.NewMatrix(right.Cols, w.Cols)
	compute.MulTN(t, right, w, workers)
	eachTile(x.Rows, workers, func(from, to int) {
		out := compute.Rows(dst, from, to)
		compute.Zero(out)
		compute.MulNN(out, embed(phi, compute.Rows(x, from, to), 1), t, 1)
	})
	return true
}
