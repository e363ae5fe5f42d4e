package gram

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// fusedEngine is a kernel that package compute evaluates by itself.
type fusedEngine struct {
	k Kernel // Radial or InnerProduct
	f compute.Func
}

// Fused returns the engine of a Radial or InnerProduct kernel that package compute evaluates by itself.
func Fused(k Kernel, f compute.Func) Engine { return fusedEngine{k, f} }

func (fusedEngine) prepare(x compute.Matrix, _ int) side  { return side{rows: x} }
func (e fusedEngine) block(dst compute.Matrix, x, z side) { e.cross(dst, x.rows, z.rows, 1) }
func (e fusedEngine) single() Engine                      { return singleEngine{e} }
func (e fusedEngine) explicit() (Embedding, bool)         { return nil, e.f.Family == compute.InnerProduct }

func (e fusedEngine) diag(dst []float64, x compute.Matrix) {
	of, p := e.asProfile()
	profileEngine{of, p}.diag(dst, x)
}

func (e fusedEngine) gram(dst, x compute.Matrix, workers int) {
	compute.KernelSym(dst, x, e.f, workers)
}

func (e fusedEngine) cross(dst, x, z compute.Matrix, workers int) {
	compute.Kernel(dst, x, z, e.f, workers)
}

func (e fusedEngine) mul(dst, x, z, w compute.Matrix, workers int) {
	if phi, ok := e.explicit(); ok && mulExplicit(phi, dst, x, z, w, workers) {
		return
	}
	compute.KernelMul(dst, x, z, w, e.f, workers)
}

func (e fusedEngine) asProfile() (compute.Family, Profile) {
	if k, ok := e.k.(Radial); ok {
		return compute.SquaredDistance, profileFunc(k.OfSquaredDistance)
	}
	return compute.InnerProduct, profileFunc(e.k.(InnerProduct).OfInnerProduct)
}

// profileEngine applies a profile to squared distances or inner products.
type profileEngine struct {
	of      compute.Family
	profile Profile
}

// WithProfile returns the engine of a profile of squared distances or inner products.
func WithProfile(of compute.Family, p Profile) Engine { return tiled{profileEngine{of, p}} }

// OfDistance returns the engine of a function of the squared distance.
func OfDistance(k Radial) Engine {
	return WithProfile(compute.SquaredDistance, profileFunc(k.OfSquaredDistance))
}

func (profileEngine) prepare(x compute.Matrix, _ int) side { return side{rows: x} }

func (e profileEngine) block(dst compute.Matrix, x, z side) {
	compute.Kernel(dst, x.rows, z.rows, compute.Func{Family: e.of}, 1)
	applyRows(e.profile, dst)
}

func (e profileEngine) diag(dst []float64, x compute.Matrix) {
	clear(dst)
	if e.of == compute.InnerProduct {
		for i := range dst {
			dst[i] = compute.RowDot(compute.Row(x, i), compute.Row(x, i))
		}
	}
	ApplyAll(e.profile, dst)
}

func (e profileEngine) asProfile() (compute.Family, Profile) { return e.of, e.profile }

// profiled is an engine that may be a profile of the squared distance or of the inner product.
type profiled interface {
	// asProfile returns the argument and the profile, nil if the engine has no such form.
	asProfile() (compute.Family, Profile)
}

func profileOf(e blocks) (compute.Family, Profile) {
	if p, ok := e.(profiled); ok {
		return p.asProfile()
	}
	return 0, nil
}

// Profile is a function of one number, the squared distance or the inner product of two points. Sums and products
// of profiles of the same number are profiles, which compute the number once.
type Profile interface {
	// Apply replaces each number by the value. scratch holds Depth()·profileChunk numbers, and v at most
	// profileChunk.
	Apply(v, scratch []float64)
	Depth() int
}

// profileChunk is the number of elements that a profile processes at a time, in the first-level cache.
const profileChunk = 512

// applyRows applies p to all elements of m.
func applyRows(p Profile, m compute.Matrix) {
	scratch := make([]float64, p.Depth()*profileChunk)
	for i := range m.Rows {
		applyChunks(p, compute.Row(m, i), scratch)
	}
}

// ApplyAll applies p to all elements of v.
func ApplyAll(p Profile, v []float64) {
	applyChunks(p, v, make([]float64, p.Depth()*profileChunk))
}

func applyChunks(p Profile, v, scratch []float64) {
	for i := 0; i < len(v); i += profileChunk {
		p.Apply(v[i:min(i+profileChunk, len(v))], scratch)
	}
}

type profileFunc func(v []float64)

func (f profileFunc) Apply(v, _ []float64) { f(v) }
func (profileFunc) Depth() int             { return 0 }

type scaledProfile struct {
	by float64
	of Profile
}

func (s scaledProfile) Apply(v, scratch []float64) {
	s.of.Apply(v, scratch)
	floats.Scale(s.by, v)
}

func (s scaledProfile) Depth() int { return s.of.Depth() }

// combinedProfile is a sum or a product of profiles.
type combinedProfile struct {
	parts   []Profile
	combine func(dst, v []float64)
}

func (c combinedProfile) Apply(v, scratch []float64) {
	from, part := scratch[:len(v)], scratch[profileChunk:profileChunk+len(v)]
	scratch = scratch[2*profileChunk:]
	copy(from, v)
	c.parts[0].Apply(v, scratch)
	for _, p := range c.parts[1:] {
		copy(part, from)
		p.Apply(part, scratch)
		c.combine(v, part)
	}
}

func (c combinedProfile) Depth() int {
	d := 0
	for _, p := range c.parts {
		d = max(d, p.Depth())
	}
	return 2 + d
}
