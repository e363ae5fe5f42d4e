package gram

import "github.com/rkhs-go/rkhs/internal/compute"

// profileEngine applies a profile to squared distances or inner products.
type profileEngine struct {
	plain
	of      compute.Family
	profile Profile
}

func (e profileEngine) block(dst compute.Matrix, x, z side) {
	compute.Kernel(dst, x.rows, z.rows, compute.Func{Family: e.of}, 1)
	applyRows(e.profile, dst)
}

func (e profileEngine) asProfile() (compute.Family, Profile) { return e.of, e.profile }

// profiled is an engine, or its blocks, whose values may be a profile of the squared
// distance or of the inner product.
type profiled interface {
	// asProfile returns which of the two and the profile, nil if there is none.
	asProfile() (compute.Family, Profile)
}

func profileOf(e blocks) (compute.Family, Profile) {
	if p, ok := e.(profiled); ok {
		return p.asProfile()
	}
	return 0, nil
}
