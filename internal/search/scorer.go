package search

import (
	"math"
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// trial is the leave-one-out result of a candidate.
type trial struct {
	candidate
	loss          []float64 // by predicted row; nil without a prediction
	error         float64   // mean loss
	extrapolation float64   // mean loss on the extrapolation sets; see extrapolation
	score         float64   // criterion that compares candidates; see scoreOf
	wrong         float64
}

// gain is the smallest decrease of the score that counts as better, a thousandth of the
// error. It keeps the noise where the score does not depend on it.
const gain = 1e-3

// better reports whether a is better than b by more than gain. Nil is the worst.
func better(a, b *trial) bool { return a != nil && (b == nil || a.score < b.score-gain) }

// rung scores candidates on the first n rows of the sample.
type rung struct {
	problem *problem
	counter *counter
	n, held int // rows, and the number of predicted rows at their end
	workers int
	// together predicts all held rows at once from the rows before.
	together bool

	mu        sync.Mutex
	known     map[candidate]*trial
	distances []func() compute.Matrix // absolute, by scale without a metric; nil if not shared
	pool      *pool
	sets      [][]int // extrapolation sets
}

// pool holds idle scorers for one number of rows.
type pool struct {
	mu   sync.Mutex
	idle []*scorer
}

// put returns a scorer to the pool.
func (p *pool) put(r *scorer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, r)
}

// keep drops all but n idle scorers.
func (p *pool) keep(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.idle[min(n, len(p.idle)):])
	p.idle = p.idle[:min(n, len(p.idle))]
}

// get returns an idle scorer, or nil.
func (p *pool) get() *scorer {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	r := p.idle[last]
	p.idle[last], p.idle = nil, p.idle[:last]
	return r
}

func newRung(p *problem, w *counter, n, held, workers int) *rung {
	return &rung{problem: p, counter: w, n: n, held: held, workers: workers, known: map[candidate]*trial{}, pool: new(pool),
		sets: extrapolation(p.rows[0].Between(0, n), n-held, p.seed)}
}

// predicting returns a rung on the same rows that predicts held of them and shares the scorers.
func (s *rung) predicting(held int) *rung {
	other := newRung(s.problem, s.counter, s.n, held, s.workers)
	other.pool = s.pool
	return other
}

// shareDistances shares the absolute distances of a scale among all bandwidths.
func (s *rung) shareDistances() *rung {
	for _, rows := range s.problem.rows {
		s.distances = append(s.distances, sync.OnceValue(func() compute.Matrix {
			d := compute.NewMatrix(s.n, s.n)
			absoluteDistances(d, compute.Rows(rows.Matrix, 0, s.n), s.workers)
			return d
		}))
	}
	return s
}

// release drops the memory of a finished rung but keeps its trials.
func (s *rung) release() {
	s.distances = nil
	s.pool.keep(0)
}

// settle drops all memory but one scorer.
func (s *rung) settle() {
	s.distances = nil
	s.pool.keep(1)
}

// work returns the floating-point operations of one trial.
func (s *rung) work() float64 { return work(s.n, s.held, s.problem.rows[0].PerRow()) }

func work(n, held, d int) float64 {
	m, h := float64(n), float64(held)
	return 2./3*m*m*m + h*h*h + m*m*float64(d+20)
}

// scorer is the scratch memory of one worker: an n×n matrix and the predictions.
type scorer struct {
	*rung
	workers int
	gram    compute.Matrix // factorised above the diagonal if factor
	of      candidate      // candidate of gram, with noise 0
	full    bool
	factor  bool // whether gram is factorised
	left    *leaveOneOut
	f       compute.Matrix // predictions
}

// parallel runs the tasks, side of them concurrently, and returns their results in order.
func (s *rung) parallel(tasks, side int, do func(r *scorer, i int) *trial) []*trial {
	list := make([]*trial, tasks)
	compute.Parallel(tasks, side, func(i int) {
		r := s.acquire(max(1, s.workers/side))
		list[i] = do(r, i)
		s.pool.put(r)
	})
	return list
}

// acquire returns an idle scorer or a new one.
func (s *rung) acquire(workers int) *scorer {
	r := s.pool.get()
	if r == nil {
		r = &scorer{gram: compute.NewMatrix(s.n, s.n), left: newLeaveOneOut(s.problem.weights.Between(0, s.n), workers)}
	}
	r.rung, r.workers, r.left.workers = s, workers, workers
	if r.f.Rows != s.held {
		r.f = compute.NewMatrix(s.held, s.problem.y.Cols)
	}
	return r
}

// score returns the trial of a candidate, or nil if it is outside of the grid or the search
// was stopped.
func (r *scorer) score(at candidate) *trial {
	if !r.problem.allowed(at) {
		return nil
	}
	r.mu.Lock()
	known := r.known[at]
	r.mu.Unlock()
	if known != nil || r.counter.stopped() {
		return known
	}
	scored := r.compute(at)
	r.counter.add(r.work())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[at] = scored
	return scored
}

func (r *scorer) compute(at candidate) *trial {
	r.fill(at)
	return r.scorePrediction(at)
}

// scorePrediction returns the trial of a candidate after its Gram matrix was set.
func (r *scorer) scorePrediction(at candidate) *trial {
	scored := &trial{candidate: at, error: math.Inf(1), score: math.Inf(1)}
	y := compute.Rows(r.problem.y, 0, r.n)
	if !r.factorise(at, y) {
		return scored
	}
	first := r.n - r.held
	if r.together {
		rows := compute.Indices(r.n)[first:]
		if !r.left.predictSet(r.f, y, rows) {
			return scored
		}
	} else if r.left.predict(r.f, y); !compute.AllFinite(r.f) {
		return scored
	}
	loss, fitted := r.problem.fit(r.f, first)
	extrapolationError := r.extrapolationError(fitted, y)
	if e := mean(loss); compute.Finite(e) && compute.Finite(extrapolationError) {
		scored.loss, scored.error, scored.wrong, scored.extrapolation = loss, e, fitted.wrong, extrapolationError
		scored.score = scoreOf(e, extrapolationError)
	}
	return scored
}

// factorise factorises the Gram matrix plus the noise of a candidate.
func (r *scorer) factorise(at candidate, y compute.Matrix) bool {
	if r.factor {
		r.left.restore()
	}
	r.factor = true
	return r.left.factorise(r.gram, r.problem.noise(at), y, r.held)
}

// extrapolationError returns the mean loss on the extrapolation sets, +Inf without a prediction.
func (r *scorer) extrapolationError(j fittedCriterion, y compute.Matrix) float64 {
	total, count := 0.0, 0
	for _, set := range r.sets {
		f := compute.NewMatrix(len(set), y.Cols)
		if !r.left.predictSet(f, y, set) {
			return math.Inf(1)
		}
		total += sum(j.losses(f, set))
		count += len(set)
	}
	return total / float64(count)
}

// fill sets the Gram matrix. It does not depend on the noise.
func (r *scorer) fill(at candidate) {
	at.noise = 0
	if r.full && r.of == at {
		return
	}
	r.full, r.of, r.factor = true, at, false
	if r.problem.families[at.family] == LaplacianByColumns && !r.problem.scales[at.scale].learned {
		exponential(r.gram, r.absolute(at.scale), r.problem.bandwidth(at), r.workers)
		return
	}
	e := gram.Evaluator{Kernel: r.problem.scaledKernel(at), Workers: r.workers}
	e.GramOf(r.gram, r.problem.rows[at.scale].Between(0, r.n))
}

// absolute returns the absolute distances in a scale. Unless they are shared, it stores
// them in gram.
func (r *scorer) absolute(scale int) compute.Matrix {
	if r.distances != nil {
		return r.distances[scale]()
	}
	absoluteDistances(r.gram, compute.Rows(r.problem.rows[scale].Matrix, 0, r.n), r.workers)
	return r.gram
}

// exponential sets dst to exp(−d/bandwidth). dst and d may share memory.
func exponential(dst, d compute.Matrix, bandwidth float64, workers int) {
	compute.Parallel(d.Rows, workers, func(i int) {
		row := compute.Row(dst, i)
		for j, v := range compute.Row(d, i) {
			row[j] = -v / bandwidth
		}
		compute.Exp(row, row)
	})
}

// counter counts and reports work, and checks for a stop.
type counter struct {
	mu          sync.Mutex
	done, total float64
	stop        func() bool
	progress    func(done, total float64)
}

func (w *counter) stopped() bool { return w.stop != nil && w.stop() }

// add records finished work.
func (w *counter) add(work float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = min(w.done+work, w.total)
	w.tell()
}

// reach records the end of a part of the search, which may have needed less work than planned.
func (w *counter) reach(done float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = max(w.done, done)
	w.tell()
}

func (w *counter) tell() {
	if w.progress != nil {
		w.progress(w.done, w.total)
	}
}
