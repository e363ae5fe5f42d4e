package gram

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// scaleEngine is by times an engine.
type scaleEngine struct {
	by float64
	of Engine
}

func (e scaleEngine) prepare(x compute.Matrix, workers int) side { return e.of.prepare(x, workers) }

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

func (e scaleEngine) single() Engine { return scaleEngine{e.by, e.of.single()} }

func (e scaleEngine) asProfile() (compute.Family, Profile) {
	of, p := profileOf(e.of)
	if p == nil {
		return of, nil
	}
	return of, scaleProfile{e.by, p}
}

func scaleRows(m compute.Matrix, by float64, workers int) {
	eachTile(m.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			floats.Scale(by, compute.Row(m, i))
		}
	})
}
