package doublysgd

import (
	"cmp"

	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// hyperparameters are what is found from data.
type hyperparameters struct {
	kernel kernel.Kernel
	ridge  float64
	single bool // whether features may be in single precision
}

// jointRows is the number of rows up to which all blocks are solved for at once under any loss, and
// in double precision.
const jointRows = 2048

// joint reports whether all blocks are solved for at once, unless passes over them are asked for: of few
// rows, and where one step is all that it takes, as many as that takes less work for than two fits by
// blocks, the least that there are as long as the rows held out are too few to calibrate by.
func (t *task) joint(rows int) bool {
	switch {
	case t.options.Passes > 0:
		return false
	case rows <= jointRows:
		return true
	}
	w, features := t.work(rows), cmp.Or(t.options.Features, featuresPerRow*rows)
	return t.oneStep() && rows < manyRows && w.joint(features) <= 2*w.fit((features+t.columns-1)/t.columns)
}

// oneStep reports whether the loss has one step to its minimum, or begins with that of one that has.
func (t *task) oneStep() bool { return loss.Quadratic(t.loss) || sharesNormalEquations(t.loss) }

// problem returns what is minimised over the rows of an order, of which the first are
// trained on.
func (t *task) problem(c hyperparameters, order []int, train, columns int) (revisit.Problem, error) {
	f, err := t.zero(c.kernel, columns)
	if err != nil {
		return revisit.Problem{}, err
	}
	o, joint := t.options, t.joint(len(order))
	return revisit.Problem{
		Package: pkg, X: t.x, Risk: t.risk, Order: order, Train: train, Function: f, Ridge: c.ridge,
		Joint: joint, Single: c.single && !(joint && len(order) <= jointRows), Converge: o.Tolerance > 0,
		Features: o.Features, CacheSize: o.CacheSize, MemoryLimit: o.MemoryLimit, Workers: o.Workers, Stopped: t.monitor.Stopped,
	}, nil
}

// newSolver returns the fit of f = 0 to such a problem.
func (t *task) newSolver(c hyperparameters, order []int, train, columns int) (*revisit.Solver, error) {
	p, err := t.problem(c, order, train, columns)
	if err != nil {
		return nil, err
	}
	return revisit.New(p)
}
