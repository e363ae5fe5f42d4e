package choose

import (
	"math"
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// rating is a place and what leave-one-out says of it.
type rating struct {
	place
	loss  []float64 // of each row that is predicted; nil where there is no prediction
	error float64   // their mean
	rim   float64   // that of rows left out together; see rim
	score float64   // by which places are compared; see scoreOf
	wrong float64
}

// gain is what a step of a walk must gain of the score, a thousandth of the error: where
// nothing depends on the noise it stays where it is, and does not run to its smallest.
const gain = 1e-3

// better reports whether a gains on b. Nil is the worst.
func better(a, b *rating) bool { return a != nil && (b == nil || a.score < b.score-gain) }

// stage rates places on the first n rows of the sample.
type stage struct {
	problem *problem
	watch   *watch
	n, held int // rows, and how many of them, the last, are predicted
	workers int
	// together says that the rows are predicted by those before all of them.
	together bool

	mu        sync.Mutex
	known     map[place]*rating
	distances []func() compute.Matrix // absolute, by scale without a metric, where many places share them
	pool      *pool
	sets      [][]int // of the rim
}

// pool holds the raters that are free, of as many rows.
type pool struct {
	mu   sync.Mutex
	idle []*rater
}

// give takes a rater back.
func (p *pool) give(r *rater) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, r)
}

// keep forgets all but so many.
func (p *pool) keep(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.idle[min(n, len(p.idle)):])
	p.idle = p.idle[:min(n, len(p.idle))]
}

// take returns a rater that is free, or nil.
func (p *pool) take() *rater {
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

func newStage(p *problem, w *watch, n, held, workers int) *stage {
	return &stage{problem: p, watch: w, n: n, held: held, workers: workers, known: map[place]*rating{}, pool: new(pool),
		sets: rim(p.rows[0].Between(0, n), n-held, p.seed)}
}

// predicting returns a stage that predicts so many of the same rows, in the same memory.
func (s *stage) predicting(held int) *stage {
	other := newStage(s.problem, s.watch, s.n, held, s.workers)
	other.pool = s.pool
	return other
}

// shareDistances lets all bandwidths share the absolute distances of a scale.
func (s *stage) shareDistances() *stage {
	for _, rows := range s.problem.rows {
		s.distances = append(s.distances, sync.OnceValue(func() compute.Matrix {
			d := compute.NewMatrix(s.n, s.n)
			absoluteDistances(d, compute.Rows(rows.Matrix, 0, s.n), s.workers)
			return d
		}))
	}
	return s
}

// release forgets the memory of a stage that is over, but not its ratings.
func (s *stage) release() {
	s.distances = nil
	s.pool.keep(0)
}

// settle leaves the memory of one rater to what follows.
func (s *stage) settle() {
	s.distances = nil
	s.pool.keep(1)
}

// work returns the floating-point operations of a rating.
func (s *stage) work() float64 { return work(s.n, s.held, s.problem.rows[0].PerRow()) }

func work(n, held, d int) float64 {
	m, h := float64(n), float64(held)
	return 2./3*m*m*m + h*h*h + m*m*float64(d+20)
}

// rater is the memory of one worker: a matrix of n×n and one of the rows that are predicted.
type rater struct {
	*stage
	workers int
	gram    compute.Matrix // above its diagonal it may be factorised
	of      place          // of gram, with no noise
	full    bool
	factor  bool // whether gram is factorised
	left    *leaveOneOut
	f       compute.Matrix // predictions
}

// parallel does the tasks, so many side by side and each in its own order.
func (s *stage) parallel(tasks, side int, do func(r *rater, i int) *rating) []*rating {
	list := make([]*rating, tasks)
	compute.Parallel(tasks, side, func(i int) {
		r := s.take(max(1, s.workers/side))
		list[i] = do(r, i)
		s.pool.give(r)
	})
	return list
}

// take returns a rater that is free, or a new one.
func (s *stage) take(workers int) *rater {
	r := s.pool.take()
	if r == nil {
		r = &rater{gram: compute.NewMatrix(s.n, s.n), left: newLeaveOneOut(s.problem.weights.Between(0, s.n), workers)}
	}
	r.stage, r.workers, r.left.workers = s, workers, workers
	if r.f.Rows != s.held {
		r.f = compute.NewMatrix(s.held, s.problem.y.Cols)
	}
	return r
}

// rate returns the rating of a place, or nil outside of the grid and after the search
// was stopped.
func (r *rater) rate(at place) *rating {
	if !r.problem.allowed(at) {
		return nil
	}
	r.mu.Lock()
	known := r.known[at]
	r.mu.Unlock()
	if known != nil || r.watch.stopped() {
		return known
	}
	rated := r.compute(at)
	r.watch.add(r.work())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[at] = rated
	return rated
}

func (r *rater) compute(at place) *rating {
	r.fill(at)
	return r.judged(at)
}

// judged returns the rating of a place whose Gram matrix is set.
func (r *rater) judged(at place) *rating {
	rated := &rating{place: at, error: math.Inf(1), score: math.Inf(1)}
	y := compute.Rows(r.problem.y, 0, r.n)
	if !r.factorise(at, y) {
		return rated
	}
	first := r.n - r.held
	if r.together {
		rows := compute.Indices(r.n)[first:]
		if !r.left.predictSet(r.f, y, rows) {
			return rated
		}
	} else if r.left.predict(r.f, y); !compute.AllFinite(r.f) {
		return rated
	}
	loss, judge := r.problem.judge(r.f, first)
	rimError := r.rimError(judge, y)
	if e := mean(loss); compute.Finite(e) && compute.Finite(rimError) {
		rated.loss, rated.error, rated.wrong, rated.rim = loss, e, judge.wrong, rimError
		rated.score = scoreOf(e, rimError)
	}
	return rated
}

// factorise adds the noise of a place to its Gram matrix, which is set, and factorises that.
func (r *rater) factorise(at place, y compute.Matrix) bool {
	if r.factor {
		r.left.restore()
	}
	r.factor = true
	return r.left.factorise(r.gram, r.problem.noise(at), y, r.held)
}

// rimError returns the mean loss at the rim, +Inf where there is no prediction.
func (r *rater) rimError(j judge, y compute.Matrix) float64 {
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

// fill sets the Gram matrix, which all noises share.
func (r *rater) fill(at place) {
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

// absolute returns the absolute distances in a scale, where they are not shared in the memory of
// the Gram matrix.
func (r *rater) absolute(scale int) compute.Matrix {
	if r.distances != nil {
		return r.distances[scale]()
	}
	absoluteDistances(r.gram, compute.Rows(r.problem.rows[scale].Matrix, 0, r.n), r.workers)
	return r.gram
}

// exponential sets dst to exp(−d/bandwidth), which may be the memory of d.
func exponential(dst, d compute.Matrix, bandwidth float64, workers int) {
	compute.Parallel(d.Rows, workers, func(i int) {
		row := compute.Row(dst, i)
		for j, v := range compute.Row(d, i) {
			row[j] = -v / bandwidth
		}
		compute.Exp(row, row)
	})
}

// watch counts work, reports it, and tells when to stop.
type watch struct {
	mu          sync.Mutex
	done, total float64
	stop        func() bool
	progress    func(done, total float64)
}

func (w *watch) stopped() bool { return w.stop != nil && w.stop() }

// add tells that so much was done.
func (w *watch) add(work float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = min(w.done+work, w.total)
	w.tell()
}

// reach tells that a part of the search is over, which may have taken less.
func (w *watch) reach(done float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = max(w.done, done)
	w.tell()
}

func (w *watch) tell() {
	if w.progress != nil {
		w.progress(w.done, w.total)
	}
}
