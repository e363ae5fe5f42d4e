package kernel

import "github.com/rkhs-go/rkhs/internal/compute"

// profileEngine applies a profile to squared distances or inner products.
type profileEngine struct {
	plain
	of      compute.Family
	profile profile
}

func (e profileEngine) block(dst compute.Matrix, x, z side) {
	compute.Kernel(dst, x.rows, z.rows, compute.Func{Family: e.of}, 1)
	applyRows(e.profile, dst)
}

func (e profileEngine) number() (compute.Family, profile) { return e.of, e.profile }

func radialEngine(self Kernel, k Radial) engine {
	return tiled{profileEngine{plain{self}, compute.SquaredDistance, radialProfile(k)}}
}

func innerEngine(self Kernel, k InnerProduct) engine {
	return tiled{profileEngine{plain{self}, compute.InnerProduct, leafProfile(k.OfInnerProduct)}}
}

// radialProfile spares a Matern the work that is the same for all rows.
func radialProfile(k Radial) profile {
	if m, ok := k.(interface{ profile() maternProfile }); ok {
		return m.profile()
	}
	return leafProfile(k.OfSquaredDistance)
}

// numbered is an engine, or its blocks, whose values may be a profile of one
// number, the squared distance or the inner product.
type numbered interface {
	// number returns which number that is, and no profile if there is none.
	number() (compute.Family, profile)
}

func numberOf(e blocks) (compute.Family, profile) {
	if n, ok := e.(numbered); ok {
		return n.number()
	}
	return 0, nil
}
