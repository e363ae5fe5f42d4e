package kernel

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// computed is a kernel of this package, or one that embeds it and so is the same
// function by another name.
type computed interface {
	// engine returns the engine of self, which is the kernel that was asked.
	engine(self Kernel) gram.Engine
}

// described is a kernel of this package of which the engine knows more.
type described interface{ describe() gram.Description }

// looped is a kernel of this package with a loop over rows.
type looped interface {
	row(dst, x []float64, z blas64.General)
}

func init() {
	gram.Install(gram.Source{
		Engine:     engineOf,
		Describe:   descriptionOf,
		Check:      func(k gram.Kernel, x compute.Points) error { return check(k, "x", x) },
		Outside:    func(k gram.Kernel, x []float64) (int, string) { return outside(k, x) },
		Restricted: func(k gram.Kernel) bool { return restricted(k) },
	})
}

func engineOf(k gram.Kernel) (gram.Engine, bool) {
	if c, ok := k.(computed); ok {
		return c.engine(k), true
	}
	return nil, false
}

func descriptionOf(k gram.Kernel) gram.Description {
	switch k := k.(type) {
	case described:
		return k.describe()
	case looped:
		return gram.Description{Row: k.row}
	}
	return gram.Description{}
}
