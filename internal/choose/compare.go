package choose

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Compare rates kernels as Tune does, but by predictions of the last rows of x, held of
// them, by the rows before: those that a kernel was learned from come first. Rows that are
// there twice would tell nothing of each other, each left out by itself. If all rows are
// held, each is predicted by all others. A
// trial with a noise is rated with that one, others with the noise that suits them best.
// StandardError is that of the difference to the first trial. Of options it uses the seed,
// the workers and Stopped; what was not rated when that said so has the error +Inf.
func Compare(trials []kernel.Trial, x, y compute.Matrix, labels []int, held int, opts Options) []kernel.Trial {
	var list []kernel.Trial
	var first []float64
	for i, t := range trials {
		opts.Kernel, opts.Noise = t.Kernel, t.Noise
		p := newProblem(compute.DensePoints(x), y, labels, compute.Indices(x.Rows), &opts)
		st := newStage(p, &watch{stop: opts.Stopped}, x.Rows, held, compute.Workers(opts.Workers))
		st.together = held < x.Rows
		r := st.take(st.workers)
		rated := r.bestNoise(p.start(place{}))
		for _, step := range []int{-1, 1} {
			if rated == nil {
				break
			}
			if next := r.rate(rated.moved(0, step)); better(next, rated) {
				rated = next
			}
		}
		t.Rows, t.Error, t.StandardError = held, math.Inf(1), math.Inf(1)
		if rated != nil && rated.loss != nil {
			t.Noise, t.Error, t.Wrong, t.AtEdge = p.noise(rated.place), rated.error, rated.wrong, p.edge(rated.place)
			if i == 0 {
				first = rated.loss
			}
			if first != nil {
				t.StandardError = standardError(rated.loss, first)
			}
		}
		list = append(list, t)
	}
	return list
}
