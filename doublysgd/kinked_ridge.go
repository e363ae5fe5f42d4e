package doublysgd

import (
	"slices"

	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/loss"
)

// The ridge of a loss of numbers with kinks is sought around the one that the search found, on
// so many of the rows, with one block of so many features, by the loss of each half where the
// other is trained on.
const kinkedRows, kinkedColumns = 6000, 512

// seeksKinkedRidge reports whether the ridge is left open for a loss of numbers with kinks.
func seeksKinkedRidge(t *task) bool {
	return t.options.Ridge == 0 && t.risk.Class == nil && loss.Kinked(t.loss) && t.x.Rows >= 10
}

// kinkedRidge returns the best ridge around the one that was found.
func (r *run) kinkedRidge(c hyperparameters) float64 {
	halves, err := r.halves(c)
	if err != nil {
		return c.ridge
	}
	visited := func(v *revisit.Solver) { r.visited("ridge", v) }
	return revisit.CrossValidated(halves, c.ridge, visited, r.monitor.Stopped)
}

// halves returns fits to the first half of some rows and to the second, each with the
// other half held out.
func (r *run) halves(c hyperparameters) (list []*revisit.Solver, err error) {
	order := r.permutation(0)[:min(kinkedRows, r.x.Rows)]
	half := len(order) / 2
	for _, o := range [][]int{order, slices.Concat(order[half:], order[:half])} {
		v, err := r.newSolver(c, o, half, min(kinkedColumns, r.columns))
		if err != nil {
			return nil, err
		}
		v.Grow(1)
		list = append(list, v)
	}
	return list, nil
}
