package doublysgd

import (
	"math"

	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// The search finds the ridge of the squared loss. How much of a quantile the rows tell
// depends on where it lies among the targets, and no formula knows that: the ridge of a
// loss of numbers with kinks is sought around the one that the search found, on some of
// the rows, with one block of features, by the loss of each half where the other is
// trained on.
const (
	kinkedRows    = 6000
	kinkedColumns = 512
	kinkedPasses  = 60  // at most, for each ridge
	kinkedRest    = .01 // of the residuals of the splitting
	kinkedReach   = 1e3 // the largest ridge, in terms of the one that was found
	kinkedSteps   = 13
	kinkedIdle    = 2 // ridges without gain
)

// seeksKinkedRidge reports whether the ridge is left open for a loss of numbers with kinks.
func seeksKinkedRidge(t *task) bool {
	return t.options.Ridge == 0 && t.risk.Class == nil && loss.Kinked(t.loss) && t.x.Rows >= 10
}

// kinkedRidge returns the best of falling ridges around the one that was found.
func (r *run) kinkedRidge(c hyperparameters) float64 {
	halves, err := r.halves(c)
	if err != nil {
		return c.ridge
	}
	var curve kinkedCurve
	for k := range kinkedSteps {
		t := kinkedTrial{ridge: kinkedReach * c.ridge * math.Pow(10, -float64(k)/2)}
		for _, v := range halves {
			v.Ridge = t.ridge
			for p := 0; p < kinkedPasses && (p < 3 || v.Residual() > kinkedRest) && !r.monitor.Stopped(); p++ {
				v.Visit(0)
				v.Advance()
				r.visited("ridge", v)
			}
			v.FitConstant()
			t.add(v)
		}
		if r.monitor.Stopped() {
			return c.ridge
		}
		if curve = append(curve, t); k-curve.least() > kinkedIdle {
			break
		}
	}
	return curve.best()
}

// halves returns fits to the first half of some rows and to the second, each with the
// other half held out.
func (r *run) halves(c hyperparameters) (list []*revisit.Solver, err error) {
	order := r.permutation(0)[:min(kinkedRows, r.x.Rows)]
	half := len(order) / 2
	for _, o := range [][]int{order, append(append([]int(nil), order[half:]...), order[:half]...)} {
		v, err := r.newSolver(c, o, half, min(kinkedColumns, r.columns))
		if err != nil {
			return nil, err
		}
		v.Grow(1)
		list = append(list, v)
	}
	return list, nil
}

// kinkedTrial is what a ridge does to each row while it is held out.
type kinkedTrial struct {
	ridge          float64
	losses, slopes []float64
}

// add takes in the rows that v is not trained on.
func (t *kinkedTrial) add(v *revisit.Solver) {
	risk, scores := v.HeldOut()
	for i := range scores.Rows {
		value, slope := 0.0, 0.0
		for o, y := range compute.Row(risk.Y, i) {
			f, l := compute.Row(scores, i)[o], risk.Of(o)
			value += l.Value(f, y)
			slope += l.Derivative(f, y)
		}
		w := risk.Weights.At(i)
		t.losses, t.slopes = append(t.losses, w*value), append(t.slopes, w*slope)
	}
}

// fair reports whether the constant, which is right for the rows trained on, is right for
// those held out as well, by twice the standard error: whether a quantile covers as many.
func (t *kinkedTrial) fair() bool {
	mean, noise := meanOf(t.slopes)
	return math.Abs(mean) <= 2*noise
}

type kinkedCurve []kinkedTrial

// least returns the trial of the least loss.
func (c kinkedCurve) least() int {
	best := 0
	for k := range c {
		if compute.Mean(c[k].losses) < compute.Mean(c[best].losses) {
			best = k
		}
	}
	return best
}

// best returns the largest ridge whose loss is above the least, of ridges that are fair,
// by less than the standard error of the difference.
func (c kinkedCurve) best() float64 {
	var fair kinkedCurve
	for _, t := range c {
		if t.fair() {
			fair = append(fair, t)
		}
	}
	if fair == nil {
		fair = c
	}
	least := fair[fair.least()]
	for _, t := range fair {
		difference := make([]float64, len(t.losses))
		for i := range difference {
			difference[i] = t.losses[i] - least.losses[i]
		}
		if mean, noise := meanOf(difference); mean <= noise {
			return t.ridge
		}
	}
	return least.ridge
}

// meanOf returns the mean of v and its standard error.
func meanOf(v []float64) (mean, noise float64) {
	mean = compute.Mean(v)
	square := 0.0
	for _, x := range v {
		square += float64((x - mean) * (x - mean))
	}
	return mean, math.Sqrt(square) / float64(len(v))
}
