package doublysgd

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// run is a fit by revisiting: the number of features is chosen on rows held out while
// the blocks are visited.
type run struct {
	passes
	choice kernel.Choice
	exact  bool // whether one step leads to the minimum, with as many features as there may be
}

// fit chooses what is open, grows, and goes on with all rows.
func (r *run) fit() (*Model, error) {
	unit, err := choose.MeanDiagonal(pkg, gram.Evaluator{Kernel: r.kernel, Workers: r.options.Workers}, r.x)
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
	if train < len(order) && choosesLoss(r.task) {
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
		r.held = sampleOf(r.units, risk, scores)
		r.held.X = r.rowsOf(risk, order[train:])
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

// isExact reports whether nothing is chosen on rows held out, since one step with all features takes less.
func (r *run) isExact() (bool, error) {
	if !loss.Quadratic(r.loss) || choosesLoss(r.task) || !r.joint(r.x.Rows) {
		return false, nil
	}
	p, err := r.problem(hyperparameters{kernel: r.kernel}, compute.Indices(r.x.Rows), r.x.Rows, r.columns)
	return err == nil && p.IsJoint(), err
}

// leaveOut takes what the others predict of each row, which are in an order, if the solver knows, for what is said
// of rows to come.
func (r *run) leaveOut(order []int) {
	if r.monitor.Stopped() || r.options.Uncalibrated && !r.exact {
		return
	}
	risk, others, all, ok := r.solver.LeftOut()
	if !ok {
		return
	}
	r.held = sampleOf(r.units, risk, others)
	r.held.X, r.held.At = r.rowsOf(risk, order[:risk.Count()]), compute.Clone(all)
	r.units.Restore(r.held.At)
	if r.exact {
		r.criterion = risk.Criterion(others)
	}
}

// rowsOf returns rows whose intervals follow a column; those of labels have none.
func (r *run) rowsOf(risk *descent.Risk, list []int) compute.Points {
	if risk.Class != nil {
		return compute.Points{}
	}
	return r.x.Pick(list)
}

// checkMemory returns rkhs.ErrMemory, before the search, where no kernel that it may find would fit.
func (r *run) checkMemory(order []int, train int) error {
	p, err := r.problem(hyperparameters{kernel: r.kernel, single: true}, order, train, r.columns)
	if err != nil {
		return err
	}
	return p.CheckMemory()
}

// start makes the solver, and grows.
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

// What a fit that is stopped before its first step learns from, in less than a second.
const fewRows, fewColumns = 1000, 512

// fitFew is a fit of one block to few rows.
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

// hyperparameters returns those that are given, and searches for the others. The unit is
// the mean of k(x, x).
func (r *run) hyperparameters(unit float64) (h hyperparameters, err error) {
	o := r.options
	if o.Kernel != nil && o.Ridge > 0 {
		return hyperparameters{o.Kernel, o.Ridge, o.Precision == Single}, nil
	}
	if r.choice, err = r.search(r.mostBlocks()*r.columns, o.Ridge); err != nil {
		return h, err
	}
	single := o.Precision == Single || o.Precision == AutoPrecision && r.choice.Noise*r.choice.Error >= singleNoise*unit
	return hyperparameters{r.choice.Kernel, r.ridge(r.choice), single}, nil
}

// singleNoise is the least product of the noise, in units of the kernel, and of the
// error, in those of the targets, at which single precision serves a regression. Features
// are off by some 1e-6/√D, what that makes of f is at most about
// 1e-6·√(n/(Noise·D)), and a hundredth of √Error is allowed, for n of about D: a product of 1e-8.
// What normal equations in single precision hold the solution back by within a few passes is
// more: of 2500 rows of four scaled columns errors were 7 % larger at 2e-8, 1.7 % at 8e-8, and as in
// double precision to a thousandth from 1e-6 on.
const singleNoise = 1e-6

// choosesOnRows reports whether anything is left to be chosen on rows held out.
func (r *run) choosesOnRows() bool {
	o := r.options
	return o.Features == 0 || o.Passes == 0 && o.Tolerance == 0 || choosesLoss(r.task) && (o.Kernel == nil || o.Ridge == 0)
}

// The rows held out are a tenth of all, of few up to a third, and some thousand at most.
const (
	leastHeldOut = 2000
	mostHeldOut  = 5000
)

// split returns an order of the rows and how many of them, from the first, are
// trained on before the others are.
func (r *run) split() (order []int, train int) {
	n := r.x.Rows
	if !r.exact && r.choosesOnRows() && n >= 10 {
		return r.permutation(0), n - min(max(n/10, min(n/3, leastHeldOut)), mostHeldOut)
	}
	if n > revisit.NormalRows(r.columns) { // normal equations take the first rows for all
		return r.permutation(0), n
	}
	return compute.Indices(n), n
}

// report measures the solution, at the cost of computing all features once.
func (r *run) report() Report {
	report, v := unknown(), r.solver
	report.Choice = r.choice
	report.Ridge, report.Rows, report.Passes, report.HeldOutLoss = v.Ridge, v.Train(), r.taken, r.criterion
	report.Objective = v.Objective()
	if !r.monitor.Stopped() {
		report.Gradient, report.Gap = v.Certificate()
	}
	return report
}

const (
	// growthGain is the fraction of the loss on rows held out that doubling the
	// features must gain.
	growthGain = 0.005
	// passGain is the fraction that a pass must gain.
	passGain = 0.01
	// mostGrowth is how often features may be as many as to begin with.
	mostGrowth = 4
	// There are at most so many features for each row. Of few rows, where random features
	// are what errors come from and rows held out tell too little to stop at fewer, as many
	// as cost little are taken at once.
	featuresPerRow    = 4
	fewFeatures       = 8192
	mostFeaturesOfFew = 64 // for each row
)

// mostBlocks returns the largest number of blocks.
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

// grow doubles the number of blocks while that lowers the criterion on rows held out.
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

// sampleRows is the number of rows from which on features are added, and most passes taken,
// on so many of them: they tell how many features pay as well as all do, and what Work
// leaves then goes into more rows. By passes over all of them Work would end at features too
// few for any number of rows.
const sampleRows = 100000

// begin returns with how many of the rows to train on a fit begins.
func (r *run) begin(train int) int {
	o := r.options
	r.rows, r.bound = r.x.Rows, o.Work
	if o.Features > 0 || o.Passes > 0 || o.Tolerance > 0 || train <= sampleRows {
		return train
	}
	r.rows -= train - sampleRows
	return sampleRows
}

// part returns the first rows of an order, and those held out.
func part(order []int, rows, train int) []int {
	return slices.Concat(order[:rows], order[train:])
}

// on returns the hyperparameters of a fit to so many rows: what the ridge adds to the
// normal equations is the same for any number, unless a ridge is given.
func (r *run) on(rows int, c hyperparameters) hyperparameters {
	if r.options.Ridge == 0 {
		c.ridge *= float64(r.x.Rows) / float64(rows)
	}
	return c
}

// widen goes on with as many of the rows to train on as what is left of Work allows.
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
