package search

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// columnMap is a nonlinear function of each column: one-hot encoding, a warping or, if it
// is empty, the identity.
type columnMap struct {
	levels   [][]float64 // kernel.OneHot.Levels
	from, to [][]float64 // knots of kernel.Warped
}

func (m columnMap) set() bool { return m.levels != nil || m.from != nil }

func (m columnMap) embedding() gram.Embedding {
	if m.levels != nil {
		return gram.Encoding(m.levels)
	}
	return gram.Warping{From: m.from, To: m.to}
}

// apply returns the images of rows x.
func (m columnMap) apply(x compute.Matrix, workers int) compute.Matrix {
	if !m.set() {
		return x
	}
	e := m.embedding()
	y := compute.NewMatrix(x.Rows, e.Width(x.Cols))
	e.EmbedTo(y, x, workers)
	return y
}

// kernel returns the kernel of(m(x), m(z)).
func (m columnMap) kernel(of kernel.Kernel) kernel.Kernel {
	if m.levels != nil {
		return kernel.OneHot{Levels: m.levels, Of: of}
	}
	return kernel.Warped{From: m.from, To: m.to, Of: of}
}
