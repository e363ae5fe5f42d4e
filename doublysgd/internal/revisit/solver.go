package revisit

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// Solver holds the current solution of a Problem. Ridge may change between visits.
type Solver struct {
	Function *blocks.Function
	Constant []float64 // b of each output
	Ridge    float64

	scores compute.Matrix // n×q, f at all rows, updated by every step
	change *change        // the sum of the steps of this pass, or nil

	design  *blocks.Design
	risk    *descent.Risk
	kink    *splitting // nil for losses without kinks
	joint   *joint     // nil where there are no joint steps
	history *history   // nil for losses with kinks
	normals normals
	r       compute.Matrix // n×q, R at the rows that are trained on
	across  compute.Matrix // q×m, and
	step    compute.Matrix // m×q, memory of correlations
	train   int            // rows [0, train) are trained on
	weight  float64        // the sum of their weights

	most     int // largest number of blocks with coefficients in memory
	converge bool
	workers  int
	stopped  func() bool
}

// refreshEvery is the number of passes between refreshes, which remove rounding errors from the
// scores and clear the history.
const refreshEvery = 40

// New returns a solver at f = 0 without blocks, or rkhs.ErrMemory.
func New(p Problem) (*Solver, error) {
	single := p.single()
	spare, err := p.spare(single)
	if err != nil {
		return nil, err
	}
	joint := p.Joint && p.jointBytes() <= spare
	if joint {
		spare -= p.jointBytes()
	}
	columns, n, q := int64(p.Function.Map.Columns()), len(p.Order), p.Function.Outputs
	capacity := spare // for coefficients
	if p.X.Sparse != nil {
		spare, capacity = spare-spare/4, spare/2
	}
	s := &Solver{
		Function: p.Function, Constant: make([]float64, q), Ridge: p.Ridge, scores: compute.NewMatrix(n, q),
		design: p.design(single), risk: p.Risk.Ordered(p.Order), r: compute.NewMatrix(n, q), train: p.Train,
		normals: newNormals(int(columns), p.X.Sparse != nil && !joint, single, spare), most: 1 + int(capacity/(8*columns*int64(q)*copies)),
		converge: p.Converge, workers: p.Workers, stopped: p.Stopped,
	}
	s.weight = s.trained().Total()
	if joint {
		s.joint = newJoint(&p, single)
	}
	if loss.Kinked(s.risk.Loss()) {
		s.kink = newSplitting(s.risk, n, q)
		s.kink.include(s.scores, 0, s.train)
	}
	s.forget()
	return s, nil
}

// Continue adopts the function of a solver that trained on the first of these rows with the same
// features. If it is stopped it returns false, and s is invalid.
func (s *Solver) Continue(from *Solver) bool {
	s.Function, s.Constant = from.Function, from.Constant
	s.normals.inherit(&from.normals, s.Function.Map.Columns())
	if !s.refresh() {
		return false
	}
	if s.kink != nil {
		s.kink.include(s.scores, 0, s.train)
	}
	return true
}

// Grow appends zero blocks until there are n.
func (s *Solver) Grow(n int) {
	s.Function.Grow(n)
	s.forget()
}

// MostBlocks returns the number of blocks that fit the memory.
func (s *Solver) MostBlocks() int { return s.most }

// Include extends the training rows to [0, train).
func (s *Solver) Include(train int) {
	if s.kink != nil {
		s.kink.include(s.scores, s.train, train)
	}
	s.train = train
	s.weight = s.trained().Total()
	s.forget()
}

// Minimise sets a loss without kinks.
func (s *Solver) Minimise(l loss.Scalar) {
	k := *s.risk
	k.Scalar = l
	s.risk = &k
	s.forget()
}

// forget clears the history, because the problem has changed.
func (s *Solver) forget() { s.history = newHistory(s) }

// Train returns the number of training rows.
func (s *Solver) Train() int { return s.train }

// Rows returns the number of training and held-out rows.
func (s *Solver) Rows() int { return s.risk.Count() }

// HeldOut returns the risk and the scores of the held-out rows.
func (s *Solver) HeldOut() (*descent.Risk, compute.Matrix) {
	n := s.risk.Count()
	return s.risk.Part(s.train, n), compute.Rows(s.scores, s.train, n)
}

// LeaveOneOut returns the risk of the training rows, their leave-one-out predictions, and their scores.
// It returns false unless steps are joint, the loss is quadratic and the solver is not stopped. The
// solution must be the minimum. O(n³/3).
func (s *Solver) LeaveOneOut() (risk *descent.Risk, others, all compute.Matrix, ok bool) {
	if s.joint == nil || !loss.Quadratic(s.risk.Loss()) {
		return nil, others, all, false
	}
	others, ok = s.joint.leaveOneOut(s)
	return s.trained(), others, compute.Rows(s.scores, 0, s.train), ok
}

// trained returns the risk of the training rows.
func (s *Solver) trained() *descent.Risk { return s.risk.Part(0, s.train) }

// lam returns lam/c, the ridge of Z_bᵀZ_b. The kernel is the mean over the blocks, so lam includes
// their number.
func (s *Solver) lam() float64 {
	return s.Ridge * s.weight * float64(s.Function.Count()) / s.curvature()
}

// curvature returns c.
func (s *Solver) curvature() float64 {
	if s.kink != nil {
		return s.kink.rho
	}
	return loss.StepCurvature(s.risk.Loss())
}

// Pass performs pass number (from zero) and returns the norm of the right-hand sides of its visits,
// or infinity for a joint step. It calls visited with a number of blocks after each step.
func (s *Solver) Pass(number int, visited func(blocks int)) (norm float64) {
	if number > 0 && number%refreshEvery == 0 {
		s.refresh()
		s.forget()
	}
	s.history.begin(s)
	if s.joint != nil && s.Function.Count() > 1 && (!s.converge || number%3 == 0) {
		s.joint.step(s)
		visited(s.Function.Count())
		norm = math.Inf(1)
	} else {
		norm = s.visits(s.converge && number%2 == 1, visited)
	}
	if !s.stopped() {
		s.history.end(s)
		s.Advance()
	}
	return norm
}

// visits visits all blocks forwards or backwards. Forward passes gain more at first, alternating
// passes in the long run.
func (s *Solver) visits(back bool, visited func(blocks int)) float64 {
	norm, count := 0.0, s.Function.Count()
	for b := 0; b < count && !s.stopped(); b++ {
		at := b
		if back {
			at = count - 1 - b
		}
		norm += s.Visit(at)
		visited(1)
	}
	return math.Sqrt(norm)
}

// Visit performs the step of block b and returns the squared norm of its right-hand side. A stopped
// visit changes nothing.
func (s *Solver) Visit(b int) float64 {
	s.design.Use(b, s.Function.Block(b))
	n := s.normals.of(s, b)
	if s.stopped() {
		return 0
	}
	// n covers a share of the rows; the equations of all rows are 1/share times larger.
	share := n.Total / s.weight
	n.Factor(share*s.lam(), s.workers)
	s.residual()
	means := s.trained().Centre(compute.Rows(s.r, 0, s.train))
	step := s.gradient(b)
	if s.stopped() {
		return 0
	}
	norm := blas64.Nrm2(compute.Vector(step.Data))
	n.Solve(step, s.workers)
	if share < 1 {
		blas64.Scal(share, compute.Vector(step.Data))
	}
	s.take(b, step, n.Shift(means, step))
	return norm * norm
}

// Advance ends a pass with the step of the multipliers, if any.
func (s *Solver) Advance() {
	if s.kink != nil {
		s.kink.advance(s.scores, s.train)
	}
}

// FitConstant minimises F over the constant.
func (s *Solver) FitConstant() {
	s.shift(s.trained().Shift(compute.Rows(s.scores, 0, s.train)))
}

// residual sets R for the current scores.
func (s *Solver) residual() {
	f, r := compute.Rows(s.scores, 0, s.train), compute.Rows(s.r, 0, s.train)
	if s.kink != nil {
		s.kink.residual(r, f)
		return
	}
	s.trained().Descent(r, f, 1/s.curvature())
}

// gradient returns Z_bᵀWR − lam/c·A_b, m×q, for the current block and a centred R.
func (s *Solver) gradient(b int) compute.Matrix {
	g := s.correlations(s.r)
	a := s.Function.Blocks[b]
	blas64.Axpy(-s.lam()*s.Function.Scale, compute.Vector(a.Data), compute.Vector(g.Data))
	return g
}

// correlations returns Z_bᵀWR over the training rows for the current block and weights W. The result
// is valid until the next call.
func (s *Solver) correlations(r compute.Matrix) compute.Matrix {
	if s.risk.Weights != nil {
		r = compute.Clone(compute.Rows(r, 0, s.train))
		s.trained().Weights.Scale(r)
	}
	t := compute.Reshape(&s.across, r.Cols, s.Function.Map.Columns())
	compute.Zero(t)
	for c := range s.design.Ends {
		if from, to := s.design.Span(c); to <= s.train && !s.stopped() {
			s.design.Chunk(c).AddTransposed(t, compute.Rows(r, from, to))
		}
	}
	g := compute.Reshape(&s.step, t.Cols, t.Rows)
	for o := range t.Rows {
		blas64.Copy(compute.Vector(compute.Row(t, o)), compute.Column(g, o))
	}
	return g
}

// take adds a step to the current block b and to the constant. A stopped solver adds nothing.
func (s *Solver) take(b int, step compute.Matrix, shift []float64) {
	// R is done with until the next visit.
	clear(s.r.Data)
	if !s.addScores(s.r, step) {
		return
	}
	compute.AddRow(s.r, shift)
	s.add(b, step, shift, s.r)
}

// addScores adds the scores of coefficients of the current block to f. It returns false if the
// solver is stopped.
func (s *Solver) addScores(f, a compute.Matrix) bool {
	for c := range s.design.Ends {
		if s.stopped() {
			return false
		}
		from, to := s.design.Span(c)
		s.design.Chunk(c).AddTo(compute.Rows(f, from, to), a)
	}
	return true
}

// refresh computes the scores anew to remove rounding errors. If it is stopped it returns false and
// keeps the scores.
func (s *Solver) refresh() bool {
	f := s.r // done with until the next visit
	clear(f.Data)
	compute.AddRow(f, s.Constant)
	for b := range s.Function.Count() {
		s.design.Use(b, s.Function.Block(b))
		if !s.addScores(f, s.Function.Coefficients(b)) {
			return false
		}
	}
	s.scores, s.r = f, s.scores
	return true
}
