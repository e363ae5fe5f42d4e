package doublysgd

import (
	"cmp"
	"math"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// What is not given is searched for on a part of the rows, with one block of
// features: the bandwidth, and for each bandwidth the ridge, from the largest down
// while the loss on rows held out falls.
const (
	searchRows    = 8000 // at most, to train on
	coarseRows    = 4000 // the same, for the coarse steps
	searchHeldOut = 5000 // at most, to compare by
	searchColumns = 2048
	largestTried  = 1e-1 // ridges, in units of the mean of k(x, x)
	smallestTried = 1e-10
	coarseStep    = 2 // factors between bandwidths
	fineStep      = math.Sqrt2
	mostSteps     = 6 // of one size, in one direction
)

// search returns the kernel and the ridge that do best. If the fit is stopped it
// returns the best so far.
func (j *job) search(order []int) choice {
	fine := j.trial(order, searchRows)
	if j.Kernel != nil {
		return fine.answer(fine.at(1, largestTried*j.size))
	}
	coarse := j.trial(order, coarseRows)
	best := coarse.walk(coarse.at(1, largestTried*j.size), coarseStep)
	return fine.answer(fine.walk(fine.at(best.factor, min(100*best.ridge, largestTried*j.size)), fineStep))
}

// trial compares kernels on a sample of the rows.
type trial struct {
	*job
	order   []int
	train   int
	columns int
	// substitute says that a smooth loss stands for one with kinks, whose ridge is
	// to be chosen.
	substitute bool
}

// trial takes its sample: so many rows to train on, and rows held out.
func (j *job) trial(order []int, rows int) *trial {
	t := &trial{job: j.smooth(), train: min(rows, 2*len(order)/3), substitute: loss.Kinked(j.Loss) && j.Ridge == 0}
	t.order = order[:min(t.train+searchHeldOut, len(order))]
	t.columns = min(searchColumns, roundUp(2*t.train, 64))
	if j.Features > 0 {
		t.columns = min(t.columns, roundUp(j.Features, 2))
	}
	return t
}

// smooth returns the job with a smooth loss in the place of one with kinks, whose
// minimum few sweeps come near to.
func (j *job) smooth() *job {
	if !loss.Kinked(j.Loss) {
		return j
	}
	c, s, k := *j, *j.settings, *j.risk
	k.scalar = loss.Huber{Delta: 1}
	if loss.Margin(j.Loss) {
		k.scalar = loss.SquaredHinge{}
	}
	s.Loss = k.scalar
	c.settings, c.risk = &s, &k
	return &c
}

// tried is the loss of a choice on the rows held out.
type tried struct {
	choice
	factor, loss float64
	derivative   float64 // about the size of that of the loss
}

// answer returns the choice for the loss that is asked for: one with kinks has
// derivatives of about 1 where the smooth one in its place has small ones, and the
// ridge weighs against these.
func (t *trial) answer(best tried) choice {
	if best.derivative > 0 && t.substitute {
		best.ridge /= min(1, max(best.derivative, 1e-3))
	}
	return best.choice
}

// walk divides the bandwidth by a factor as long as that helps or, if it does not,
// multiplies it.
func (t *trial) walk(from tried, step float64) tried {
	best := from
	for _, factor := range []float64{1 / step, step} {
		for range mostSteps {
			next := t.at(best.factor*factor, min(100*best.ridge, largestTried*t.size))
			if !(next.loss < best.loss) || t.r.Stopped() {
				break
			}
			best = next
		}
		if best.factor != from.factor {
			break
		}
	}
	return best
}

// at returns the best ridge, of those up to the first, for a multiple of the
// bandwidth.
func (t *trial) at(factor, first float64) tried {
	k := t.kernel
	if g, ok := k.(kernel.Gaussian); ok && t.Kernel == nil {
		k = kernel.Gaussian{Sigma: factor * g.Sigma}
	}
	best := tried{choice: choice{k, cmp.Or(t.Ridge, 1e-6*t.size)}, factor: factor, loss: math.Inf(1)}
	v, err := t.newRevisit(best.choice, t.order, t.train, t.columns)
	if err != nil {
		return best
	}
	v.e.grow(1)
	last := smallestTried * t.size
	if t.Ridge > 0 {
		first, last = t.Ridge, t.Ridge
	}
	worse := 0
	for nu := first; nu > last*0.99 && worse < 2 && !t.r.Stopped(); nu /= 10 {
		v.ridge = nu
		for range t.sweeps() {
			v.visit(0)
			v.advance()
		}
		worse++
		if l := v.heldOut(); l < best.loss {
			best.loss, best.ridge, best.derivative, worse = l, nu, math.Sqrt(2*v.meanLoss()), 0
		}
	}
	return best
}

// sweeps is the number of visits for each ridge: for the squared loss one is
// exact.
func (t *trial) sweeps() int {
	if loss.Quadratic(t.Loss) {
		return 1
	}
	return 5
}
