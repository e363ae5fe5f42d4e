package search

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Compare scores kernels like Tune, but predicts the last held rows of x at once from the rows
// before. Callers put training rows first. Leave-one-out would be too optimistic for rows that
// occur twice. If held is the number of rows, each row is predicted from all other rows. A
// trial with a noise keeps it; other trials get the best noise. StandardError is relative to
// the first trial. Of opts, Compare uses Seed, Workers and Stopped. Trials that were not
// scored before Stopped returned true have the error +Inf.
func Compare(trials []kernel.Trial, x, y compute.Matrix, labels []int, held int, opts Options) []kernel.Trial {
	var list []kernel.Trial
	var first []float64
	for i, t := range trials {
		opts.Kernel, opts.Noise = t.Kernel, t.Noise
		p := newProblem(compute.DensePoints(x), y, labels, compute.Indices(x.Rows), &opts)
		st := newRung(p, &counter{stop: opts.Stopped}, x.Rows, held, compute.Workers(opts.Workers))
		st.together = held < x.Rows
		r := st.acquire(st.workers)
		scored := r.bestNoise(p.start(candidate{}))
		for _, step := range []int{-1, 1} {
			if scored == nil {
				break
			}
			if next := r.score(scored.step(0, step)); better(next, scored) {
				scored = next
			}
		}
		t.Rows, t.Error, t.StandardError = held, math.Inf(1), math.Inf(1)
		if scored != nil && scored.loss != nil {
			t.Noise, t.Error, t.Wrong, t.AtEdge = p.noise(scored.candidate), scored.error, scored.wrong, p.edge(scored.candidate)
			if i == 0 {
				first = scored.loss
			}
			if first != nil {
				t.StandardError = standardError(scored.loss, first)
			}
		}
		list = append(list, t)
	}
	return list
}
