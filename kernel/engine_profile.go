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

func (e profileEngine) asProfile() (compute.Family, profile) { return e.of, e.profile }

func radialEngine(self Kernel, k Radial) engine {
	return tiled{profileEngine{plain{self}, compute.SquaredDistance, radialProfile(k)}}
}

func innerEngine(self Kernel, k InnerProduct) engine {
	return tiled{profileEngine{plain{self}, compute.InnerProduct, profileFunc(k.OfInnerProduct)}}
}

// radialProfile spares a Matern the work that is the same for all rows.
func radialProfile(k Radial) profile {
	if m, ok := k.(interface{ profile() maternProfile }); ok {
		return m.profile()
	}
	return profileFunc(k.OfSquaredDistance)
}

// profiled is an engine, or its blocks, whose values may be a profile of the squared
// distance or of the inner product.
type profiled interface {
	// asProfile returns which of the two and the profile, nil if there is none.
	asProfile() (compute.Family, profile)
}

func profileOf(e blocks) (compute.Family, profile) {
	if p, ok := e.(profiled); ok {
		return p.asProfile()
	}
	return 0, nil
}
