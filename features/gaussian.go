package features

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// orthogonalFrom is the number of columns of x from which on orthogonal
// frequencies are the default.
const orthogonalFrom = 8

// gaussian draws frequencies from N(0, I/sigma²).
type gaussian struct {
	d, pairs int
	sigma    float64
	sampler  Sampler
}

func (g gaussian) draw(s *source, workers int) Block {
	w := compute.NewMatrix(g.pairs, g.d)
	if g.sampler == Orthogonal || g.sampler == Auto && g.d >= orthogonalFrom {
		orthogonalNormals(w, s, workers)
	} else {
		compute.Normals(w.Data, s.next(), 0)
	}
	floats.Scale(1/g.sigma, w.Data)
	return &fourier{w: w, gain: 1, workers: workers}
}
