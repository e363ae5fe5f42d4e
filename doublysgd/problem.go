package doublysgd

import (
	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/kernel"
)

// hyperparameters are what is found from data.
type hyperparameters struct {
	kernel kernel.Kernel
	ridge  float64
	single bool // whether features may be in single precision
}

// jointRows is the number of rows up to which all blocks are solved for at once, unless
// passes over them are asked for.
const jointRows = 2048

// problem returns what is minimised over the rows of an order, of which the first are
// trained on.
func (t *task) problem(c hyperparameters, order []int, train, columns int) (revisit.Problem, error) {
	f, err := t.zero(c.kernel, columns)
	if err != nil {
		return revisit.Problem{}, err
	}
	o := t.options
	return revisit.Problem{
		Package: pkg, X: t.x, Risk: t.risk, Order: order, Train: train, Function: f, Ridge: c.ridge,
		Joint: o.Passes == 0 && len(order) <= jointRows, Single: c.single, Converge: o.Tolerance > 0,
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
