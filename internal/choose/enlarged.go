package choose

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// The more rows, the narrower the kernel that does best. Where there are many more rows
// than the sample of the search holds, the choice is compared with narrower kernels, and
// other noises, on a larger sample of some rows to learn from and others to predict.
const (
	enlargedRows   = 4000 // to learn from, at most
	enlargedHeld   = 3000 // to predict, at most
	enlargedRounds = 8    // of moves
	enlargedErrors = 1    // standard errors by which a place must be better
)

// enlargedMoves are those of a round, of which the best is taken: to half the square of
// the bandwidth, with more noise or the same, and to more or less noise.
var enlargedMoves = [][2]int{{-1, 1}, {-1, 0}, {0, 1}, {0, -1}}

// enlarged is a sample that places are compared on without leaving rows out one by one.
type enlarged struct {
	*search
	x, test compute.Points
	y       compute.Matrix
	weights compute.Weights // of the rows to learn from, or nil
	judge   criterion       // of the rows to predict
	known   map[place]*rating
}

// newEnlarged returns nil where there are not many more rows than a search took, the kernel
// is given, or nobody asks.
func newEnlarged(t *search, x compute.Points, y compute.Matrix, labels []int, searched int, o *Options) *enlarged {
	learn := min(enlargedRows, 2*x.Rows/3)
	held := min(enlargedHeld, x.Rows-learn)
	if !o.Enlarge || o.Kernel != nil || learn < 3*searched/2 {
		return nil
	}
	order := SampleOrder(x.Rows, learn+held, labels, o.Seed+1)
	c, rows := newCriterion(y, labels, o.Weights, order), x.Pick(order)
	e := &enlarged{search: t, known: map[place]*rating{}, x: rows.Between(0, learn), y: compute.Rows(c.y, 0, learn), test: rows.Between(learn, learn+held)}
	e.judge.y = compute.Rows(c.y, learn, learn+held)
	if c.weights != nil {
		e.weights, e.judge.weights = c.weights[:learn], c.weights[learn:]
	}
	if labels != nil {
		e.judge.labels = c.labels[learn:]
	}
	return e
}

// improve returns the place that does best near the one that was chosen.
func (e *enlarged) improve(chosen place) place {
	base := e.rate(chosen)
	best := base
	for range enlargedRounds {
		from := best
		for _, move := range enlargedMoves {
			if from == nil || !e.problem.allowed(from.moved(move[0], move[1])) || e.watch.stopped() {
				continue
			}
			if next := e.rate(from.moved(move[0], move[1])); better(next, best) {
				best = next
			}
		}
		if best == from {
			break
		}
	}
	if base == nil || base.loss == nil || best.error+enlargedErrors*standardError(base.loss, best.loss) > base.error {
		return chosen
	}
	return best.place
}

// rate returns the error of a place on the rows to predict, or nil where there is none.
func (e *enlarged) rate(at place) *rating {
	if rated, known := e.known[at]; known {
		return rated
	}
	var rated *rating
	if f, ok := e.predict(e.problem.kernel(at), e.problem.noise(at)); ok {
		loss, judge := e.judge.judge(f, 0)
		rated = &rating{place: at, loss: loss, error: mean(loss), wrong: judge.wrong}
		rated.score = scoreOf(rated.error, 1)
	}
	e.known[at] = rated
	return rated
}

// predict returns kernel ridge regression with an unpenalised constant.
func (e *enlarged) predict(k kernel.Kernel, noise float64) (f compute.Matrix, ok bool) {
	n, q := e.x.Rows, e.y.Cols
	of := kernel.Evaluator{Kernel: k, Workers: e.workers}
	u := centres.NewFactor(of, e.x, noise, e.weights, func(int) bool { return !e.watch.stopped() })
	if u == nil || u.Noise > noise {
		return f, false
	}
	b := compute.NewMatrix(n, q+1)
	for i := range n {
		copy(compute.Row(b, i), compute.Row(e.y, i))
		b.Data[i*b.Stride+q] = 1
	}
	u.SolveTo(b, b)
	one := compute.Clone(compute.Columns(b, q, q+1))
	total, constant := sum(one.Data), make([]float64, q)
	a := compute.Clone(compute.Columns(b, 0, q))
	for j := range q {
		column := 0.0
		for i := range n {
			column += float64(e.y.Data[i*e.y.Stride+j] * one.Data[i])
		}
		constant[j] = column / total
		blas64.Axpy(-constant[j], compute.Column(one, 0), compute.Column(a, j))
	}
	f = compute.NewMatrix(e.test.Rows, q)
	of.MulOf(f, e.test, e.x, a)
	compute.AddRow(f, constant)
	return f, compute.AllFinite(f)
}
