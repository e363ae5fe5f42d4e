package doublysgd

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// run is a fit in Revisit mode.
type run struct {
	passes
	found kernel.SearchResult
	exact bool // whether one step with the largest number of features reaches the minimum
}

// fit selects the hyperparameters, grows the model and includes the held-out rows.
func (r *run) fit() (*Model, error) {
	unit, err := search.MeanDiagonal(pkg, gram.Evaluator{Kernel: r.kernel, Workers: r.options.Workers}, r.x)
	if err != nil {
		return nil, err
	}
	r.criterion = math.NaN()
	if r.exact, err = r.isExact(); err != nil {
		return nil, err
	}
	order, train := r.split()
	sample := r.begin(train)
	if err := r.checkMemory(part(order, sample, train), sample); err != nil {
		return nil, err
	}
	c, err := r.hyperparameters(unit)
	if err != nil {
		return nil, err
	}
	r.single = c.single
	if seeksKinkedRidge(r.task) {
		c.ridge = r.kinkedRidge(c)
	}
	var hinge loss.Scalar
	if train < len(order) && selectsLoss(r.task) {
		hinge = hingeLoss(r.task)
		r.minimise(loss.Squared{})
	}
	if err := r.start(r.on(r.rows, c), part(order, sample, train), sample); err != nil {
		return nil, err
	}
	if hinge != nil && !r.monitor.Stopped() {
		continueUnder(&r.passes, hinge)
	}
	if sample < train && !r.monitor.Stopped() {
		r.widen(c, order, train)
	}
	if train < len(order) && !r.monitor.Stopped() {
		risk, scores := r.solver.HeldOut()
		r.unseen = sampleOf(r.units, risk, scores)
		r.unseen.X = r.rowsOf(risk, order[train:])
		r.solver.Include(r.solver.Rows())
		r.finish()
	}
	err = r.converge()
	r.leaveOut(order)
	r.solver.FitConstant()
	r.units = r.units.Shifted(r.solver.Constant)
	m, stopped := r.model(r.solver.Function, r.report())
	if stopped != nil || m == nil {
		return m, stopped
	}
	if err != nil {
		m.report.Status = rkhs.IterationLimit
	}
	return m, err
}

// isExact reports whether one joint step with all features replaces the selection on held-out rows.
func (r *run) isExact() (bool, error) {
	if !loss.Quadratic(r.loss) || selectsLoss(r.task) || !r.joint(r.x.Rows) {
		return false, nil
	}
	p, err := r.problem(hyperparameters{kernel: r.kernel}, compute.Indices(r.x.Rows), r.x.Rows, r.columns)
	return err == nil && p.IsJoint(), err
}

// leaveOut stores leave-one-out predictions for the calibration if the solver has them.
func (r *run) leaveOut(order []int) {
	if r.monitor.Stopped() || r.options.NoCalibration && !r.exact {
		return
	}
	risk, others, all, ok := r.solver.LeaveOneOut()
	if !ok {
		return
	}
	r.unseen = sampleOf(r.units, risk, others)
	r.unseen.X, r.unseen.At = r.rowsOf(risk, order[:risk.Count()]), compute.Clone(all)
	r.units.Restore(r.unseen.At)
	if r.exact {
		r.criterion = risk.Criterion(others)
	}
}

// rowsOf returns the rows for intervals of varying width, or no rows for labels.
func (r *run) rowsOf(risk *descent.Risk, list []int) compute.Points {
	if risk.Class != nil {
		return compute.Points{}
	}
	return r.x.Pick(list)
}

// checkMemory returns rkhs.ErrMemory before the search if no kernel fits the memory.
func (r *run) checkMemory(order []int, train int) error {
	p, err := r.problem(hyperparameters{kernel: r.kernel, single: true}, order, train, r.columns)
	if err != nil {
		return err
	}
	return p.CheckMemory()
}

// start creates the solver and grows the model.
func (r *run) start(c hyperparameters, order []int, train int) (err error) {
	if !r.monitor.Stopped() {
		if r.solver, err = r.newSolver(c, order, train, r.columns); err != nil {
			return err
		}
		r.grow()
	}
	if r.monitor.Stopped() && (r.solver == nil || r.solver.Function.SquaredNorm() == 0) {
		return r.fitFew(c, order)
	}
	return nil
}

// A fit that is stopped before its first step uses this many rows and features, for less than a
// second.
const fewRows, fewColumns = 1000, 512

// fitFew fits one block to few rows.
func (r *run) fitFew(c hyperparameters, order []int) (err error) {
	n := min(fewRows, len(order))
	p, err := r.problem(c, order[:n], n, min(fewColumns, r.columns))
	if err != nil {
		return err
	}
	p.Stopped = func() bool { return false }
	if r.solver, err = revisit.New(p); err != nil {
		return err
	}
	r.solver.Grow(1)
	r.solver.Visit(0)
	return nil
}

// hyperparameters returns the given hyperparameters and searches for missing ones. Unit is the mean
// of k(x, x).
func (r *run) hyperparameters(unit float64) (h hyperparameters, err error) {
	o := r.options
	if o.Kernel != nil && o.Ridge > 0 {
		return hyperparameters{o.Kernel, o.Ridge, o.Precision == Single}, nil
	}
	if r.found, err = r.search(r.mostBlocks()*r.columns, o.Ridge); err != nil {
		return h, err
	}
	single := o.Precision == Single || o.Precision == AutoPrecision && r.found.Noise*r.found.Error >= singleNoise*unit
	return hyperparameters{r.found.Kernel, r.ridge(r.found), single}, nil
}

// singleNoise is the least product of the noise, in units of the kernel, and the error, in units of
// the targets, for single precision in a regression. Features have errors of about 1e-6/√D, so f has
// errors of at most 1e-6·√(n/(Noise·D)). On 2500 rows the held-out error grew by 7 % at a product of
// 2e-8, by 1.7 % at 8e-8 and by less than .1 % from 1e-6 on, because rounding slows the passes down.
const singleNoise = 1e-6

// selectsOnRows reports whether held-out rows select anything.
func (r *run) selectsOnRows() bool {
	o := r.options
	return o.Features == 0 || o.Passes == 0 && o.Tolerance == 0 || selectsLoss(r.task) && (o.Kernel == nil || o.Ridge == 0)
}

// The fit holds out a tenth of the rows. It holds out at least leastHeldOut rows, but at most a
// third, and at most mostHeldOut rows.
const (
	leastHeldOut = 2000
	mostHeldOut  = 5000
)

// split returns an order of the rows and the number of training rows at its start.
func (r *run) split() (order []int, train int) {
	n := r.x.Rows
	if !r.exact && r.selectsOnRows() && n >= 10 {
		return r.permutation(0), n - min(max(n/10, min(n/3, leastHeldOut)), mostHeldOut)
	}
	if n > revisit.NormalRows(r.columns) { // normal equations use the first rows as a sample
		return r.permutation(0), n
	}
	return compute.Indices(n), n
}

// report certifies the solution, which computes all features once.
func (r *run) report() Report {
	report, v := unknown(), r.solver
	report.Search = r.found
	report.Ridge, report.Rows, report.Passes, report.HeldOutLoss = v.Ridge, v.Train(), r.done, r.criterion
	report.Objective = v.Objective()
	if !r.monitor.Stopped() {
		report.Gradient, report.Gap = v.Certificate()
	}
	return report
}

const (
	// growthGain is the fraction of the held-out loss that doubling the features must gain.
	growthGain = 0.005
	// passGain is the fraction that a pass must gain.
	passGain = 0.01
	// mostGrowth is the largest ratio of the final to the initial number of features.
	mostGrowth = 4
	// featuresPerRow bounds the features for each row. With few rows, random features dominate
	// the error and held-out rows are too few to select their number, so the fit uses up to
	// fewFeatures at once.
	featuresPerRow    = 4
	fewFeatures       = 8192
	mostFeaturesOfFew = 64 // for each row
)

// mostBlocks returns the largest number of blocks within the bound on the work.
func (r *run) mostBlocks() int {
	c := r.columns
	if r.options.Features > 0 {
		return (r.options.Features + c - 1) / c
	}
	n := r.rows
	most := max(1, max(featuresPerRow*n, min(mostFeaturesOfFew*n, fewFeatures))/c)
	for most > 1 && r.work(r.rows).fit(most) > r.bound {
		most -= (most + 15) / 16
	}
	return most
}

// grow doubles the number of blocks while the held-out criterion falls.
func (r *run) grow() {
	last := max(1, min(r.mostBlocks(), r.solver.MostBlocks()))
	first := max(1, last/mostGrowth)
	switch {
	case r.options.Features > 0:
		first, last = r.mostBlocks(), r.mostBlocks()
	case r.exact || r.rows <= jointRows:
		first = last
	case r.x.Sparse != nil:
		last = min(last, mostGrowth*first) // where doubling leads, without passes for a few blocks more
	}
	for n := first; ; n = min(2*n, last) {
		r.spent += float64(n-r.solver.Function.Count()) * r.work(r.rows).normal()
		r.solver.Grow(n)
		before := r.criterion
		r.settle()
		next := min(2*n, last)
		if r.monitor.Stopped() || n == last || r.criterion > (1-growthGain)*before || !r.allows(2, next, next-n) {
			return
		}
	}
}

// sampleRows is the number of rows that select the number of features. The remaining Work pays for
// more rows.
const sampleRows = 100000

// begin returns the number of training rows to start with.
func (r *run) begin(train int) int {
	o := r.options
	r.rows, r.bound = r.x.Rows, o.Work
	if o.Features > 0 || o.Passes > 0 || o.Tolerance > 0 || train <= sampleRows {
		return train
	}
	r.rows -= train - sampleRows
	return sampleRows
}

// part returns the first rows of an order and the held-out rows.
func part(order []int, rows, train int) []int {
	return slices.Concat(order[:rows], order[train:])
}

// on returns the hyperparameters for a number of rows. A selected ridge adds the same amount to the
// normal equations for any number of rows.
func (r *run) on(rows int, c hyperparameters) hyperparameters {
	if r.options.Ridge == 0 {
		c.ridge *= float64(r.x.Rows) / float64(rows)
	}
	return c
}

// widen continues with the largest number of training rows that the remaining Work allows.
func (r *run) widen(c hyperparameters, order []int, train int) {
	const passes = 2
	old := r.solver
	visits := float64(old.Function.Count()) * (passes + lastVisits)
	rows := min(train, int((r.bound-r.spent)/(visits*r.work(1).visit()))-len(order)+train)
	if rows <= old.Train() {
		return
	}
	next, err := r.newSolver(r.on(rows+len(order)-train, c), part(order, rows, train), rows, old.Function.Map.Columns())
	if err != nil {
		return // the memory is for no more rows
	}
	if !next.Continue(old) {
		return
	}
	r.rows, r.solver = next.Rows(), next
	r.settle()
}

// The cross-validation uses two halves of this many rows and one block of this many features.
const kinkedRows, kinkedColumns = 6000, 512

// seeksKinkedRidge reports whether the ridge of a kinked loss of numbers is selected by
// cross-validation.
func seeksKinkedRidge(t *task) bool {
	return t.options.Ridge == 0 && t.risk.Class == nil && loss.Kinked(t.loss) && t.x.Rows >= 10
}

// kinkedRidge returns the best ridge around the result of the search.
func (r *run) kinkedRidge(c hyperparameters) float64 {
	halves, err := r.halves(c)
	if err != nil {
		return c.ridge
	}
	visited := func(v *revisit.Solver) { r.visited("ridge", v) }
	return revisit.CrossValidated(halves, c.ridge, visited, r.monitor.Stopped)
}

// halves returns solvers that train on one half of some rows and hold out the other.
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
