package search

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/kernel"
)

// The best bandwidth shrinks as the number of rows grows. If there are many more rows
// than the search used, improve compares the selected kernel with a full metric,
// narrower kernels and other noises. The comparison uses a larger sample with
// separate held-out rows.
const (
	rescoredRows    = 4000 // maximum number of training rows; for sparse rows also 1.5 times the searched rows
	rescoredHeld    = 3000 // maximum number of held-out rows
	rescoringRounds = 8    // maximum number of rounds
	rescoringErrors = 1    // standard errors by which a candidate must be better

	// usualRounds is the typical number of rounds, used to estimate progress.
	usualRounds = 2
)

// rescoringSteps are the candidate steps of a round: half the squared bandwidth with the same
// or more noise, and more or less noise. The round performs the best one.
var rescoringSteps = [][2]int{{-1, 1}, {-1, 0}, {0, 1}, {0, -1}}

// wider is an extra step after a new metric, since no bandwidth was searched for it.
var wider = [2]int{1, 0}

// rescoring compares candidates on a larger sample with held-out rows instead of leave-one-out.
type rescoring struct {
	*search
	all     compute.Points
	order   []int          // training rows, then held-out rows
	x, part compute.Points // copies of the training rows, and of a chunk of held-out rows
	y       compute.Matrix
	weights compute.Weights // of the training rows, or nil
	heldOut criterion       // of the held-out rows
	full    bool            // whether full metrics are compared too
	factor  nystrom.Panels  // memory shared by successive factors
	known   map[candidate]*trial
}

// mostOfSparse returns the maximum number of sparse training rows, which keeps the factor small
// relative to the search. It is also the minimum number of training rows for any data.
func mostOfSparse(searched int) int { return 3 * searched / 2 }

// SparseRows is the size of the largest sample of sparse rows for learners that would
// otherwise use most of their memory for its Gram matrix.
const SparseRows = 1430

// newRescoring returns nil if Options.Rescore is false, the kernel is given, or there are
// not many more rows than the search used.
func newRescoring(t *search, x compute.Points, y compute.Matrix, labels []int, searched int, o *Options) *rescoring {
	learn := min(rescoredRows, 2*x.Rows/3)
	if x.Sparse != nil {
		learn = min(learn, mostOfSparse(searched))
	}
	held := min(rescoredHeld, x.Rows-learn)
	learn = o.fitting(learn, held, searched, x.PerRow(), OutputsOf(y, labels))
	if !o.Rescore || o.Kernel != nil || learn < mostOfSparse(searched) {
		return nil
	}
	order := SampleOrder(x.Rows, learn+held, labels, o.Seed+1)
	c := newCriterion(y, labels, o.Weights, order)
	e := &rescoring{search: t, known: map[candidate]*trial{}, all: x, order: order, y: compute.Rows(c.y, 0, learn)}
	e.heldOut.y = compute.Rows(c.y, learn, learn+held)
	if c.weights != nil {
		e.weights, e.heldOut.weights = c.weights[:learn], c.weights[learn:]
	}
	if labels != nil {
		e.heldOut.labels = c.labels[learn:]
	}
	d := x.PerRow()
	e.full = o.learnsMetric(learn, d) && o.Metric != kernel.DiagonalMetric && x.Sparse == nil && d <= min(mostMetricColumns, e.outerRows(d))
	return e
}

// work returns the typical floating-point operations of the comparison.
func (e *rescoring) work() float64 {
	places := 1 + usualRounds*len(rescoringSteps)
	if e.full {
		places += rescoringOuterSteps + 2
	}
	return float64(places) * e.solveWork()
}

// solveWork returns the floating-point operations of one candidate.
func (e *rescoring) solveWork() float64 {
	n, m := float64(e.y.Rows), float64(e.heldOut.y.Rows)
	return n*n*n/3 + n*(n+m)*float64(e.all.PerRow()+20)
}

// improve returns the best candidate near the chosen one or near a full metric learned
// from it. It keeps the chosen one unless the improvement is significant.
func (e *rescoring) improve(chosen candidate) candidate {
	e.x = e.all.Pick(e.order[:e.y.Rows])
	base := e.score(chosen)
	best := base
	moves := rescoringSteps
	if e.full {
		if found := e.fullMetric(chosen); better(found, best) {
			best, moves = found, append(slices.Clip(moves), wider)
		}
	}
	for range rescoringRounds {
		from := best
		for _, move := range moves {
			if from == nil || !e.problem.allowed(from.step(move[0], move[1])) || e.counter.stopped() {
				continue
			}
			if next := e.score(from.step(move[0], move[1])); better(next, best) {
				best = next
			}
		}
		if best == from {
			break
		}
	}
	if base == nil || base.loss == nil || best.error+rescoringErrors*standardError(base.loss, best.loss) > base.error {
		return chosen
	}
	return best.candidate
}

// score returns the trial of a candidate on the held-out rows, or nil if it has no prediction.
func (e *rescoring) score(at candidate) *trial {
	if scored, known := e.known[at]; known {
		return scored
	}
	var scored *trial
	if f, ok := e.solve(at); ok {
		scored = e.scorePrediction(f)
	}
	e.known[at] = scored
	return scored
}

// scorePrediction returns nil if predictions are not finite.
func (e *rescoring) scorePrediction(s solution) *trial {
	f := s.predict(e)
	if !compute.AllFinite(f) {
		return nil
	}
	loss, fitted := e.heldOut.fit(f, 0)
	scored := &trial{candidate: s.at, loss: loss, error: mean(loss), wrong: fitted.wrong}
	scored.score = scoreOf(scored.error, 1)
	return scored
}

// solution is a kernel ridge regression with an unpenalised constant, Σ_j k(x, x_j)·a_jq + b_q.
type solution struct {
	at candidate
	a  compute.Matrix
	b  []float64
}

// solve fits the training rows. ok is false if rounding required more noise or the
// search was stopped.
func (e *rescoring) solve(at candidate) (s solution, ok bool) {
	n, q, noise := e.x.Rows, e.y.Cols, e.problem.noise(at)
	if e.factor == nil {
		e.factor = nystrom.NewPanels(n)
	}
	u := nystrom.NewFactorIn(e.factor, e.evaluator(at), e.x, noise, e.weights, func(int) bool { return !e.counter.stopped() })
	e.counter.add(e.solveWork())
	if u == nil || u.Noise > noise {
		return s, false
	}
	b := compute.NewMatrix(n, q+1)
	for i := range n {
		copy(compute.Row(b, i), compute.Row(e.y, i))
		b.Data[i*b.Stride+q] = 1
	}
	u.SolveTo(b, b)
	one := compute.Clone(compute.Columns(b, q, q+1))
	total := sum(one.Data)
	s = solution{at: at, a: compute.Clone(compute.Columns(b, 0, q)), b: make([]float64, q)}
	for j := range q {
		column := 0.0
		for i := range n {
			column += float64(e.y.Data[i*e.y.Stride+j] * one.Data[i])
		}
		s.b[j] = column / total
		blas64.Axpy(-s.b[j], compute.Column(one, 0), compute.Column(s.a, j))
	}
	return s, true
}

func (e *rescoring) evaluator(at candidate) gram.Evaluator {
	return gram.Evaluator{Kernel: e.problem.kernel(at), Workers: e.workers}
}

// predict returns predictions of the held-out rows. It copies the rows in chunks; a
// chunk of sparse rows has at most sparseValues kernel values with the training rows.
func (s solution) predict(e *rescoring) compute.Matrix {
	const sparseValues = 1 << 17
	held, some := e.order[e.y.Rows:], predictRows
	if e.x.Sparse != nil {
		some = max(1, sparseValues/e.x.Rows)
	}
	f := compute.NewMatrix(len(held), s.a.Cols)
	for from, to := range compute.Chunks(len(held), some) {
		e.all.PickTo(&e.part, held[from:to])
		e.evaluator(s.at).MulOf(compute.Rows(f, from, to), e.part, e.x, s.a)
	}
	compute.AddRow(f, s.b)
	return f
}
