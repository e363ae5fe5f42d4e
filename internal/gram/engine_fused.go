package gram

import "github.com/rkhs-go/rkhs/internal/compute"

// fusedEngine is a kernel that package compute knows.
type fusedEngine struct {
	plain
	f compute.Func
}

func (e fusedEngine) block(dst compute.Matrix, x, z side) { e.cross(dst, x.rows, z.rows, 1) }

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

func (e fusedEngine) single() Engine              { return singleEngine(e) }
func (e fusedEngine) explicit() (Embedding, bool) { return nil, e.f.Family == compute.InnerProduct }

func (e fusedEngine) asProfile() (compute.Family, Profile) {
	switch k := e.k.(type) {
	case Radial:
		return compute.SquaredDistance, profileFunc(k.OfSquaredDistance)
	case InnerProduct:
		return compute.InnerProduct, profileFunc(k.OfInnerProduct)
	}
	return 0, nil
}
