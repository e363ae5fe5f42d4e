package polk

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Merge makes one model of several that were learned apart, with the same kernel:
// the mean of the functions, weighted by the rows that each has learned from,
// with as few points as stay within the distance eps ≥ 0 of it in the norm of the
// space, beyond what points that others span to working precision cost, which are
// folded into those. It returns a bound of the distance from both. The Totals are
// summed up.
//
// Errors wrap rkhs.ErrEmpty for no models, rkhs.ErrShape for models of different
// inputs or outputs, rkhs.ErrOption for different kernels or losses and for a bad
// eps, and rkhs.ErrMemory beyond 4 GiB. O(M³) for M points in all.
func Merge(models []*Model, eps float64) (merged *Model, distance float64, err error) {
	if err := checkMerge(models, eps); err != nil {
		return nil, 0, err
	}
	for _, m := range models[1:] {
		if m.weights.Cols != models[0].weights.Cols {
			return nil, 0, fmt.Errorf("polk: models of %d and of %d outputs cannot merge: %w", models[0].weights.Cols, m.weights.Cols, rkhs.ErrShape)
		}
	}
	return merge(models, eps)
}

// MergeClassifiers merges classifiers as Merge does models. A class that a
// classifier does not know has the score zero there. With a loss of labels ±1 all
// must have the same labels, else the error wraps rkhs.ErrLabels.
func MergeClassifiers(list []*Classifier, eps float64) (merged *Classifier, distance float64, err error) {
	models := make([]*Model, len(list))
	for i, c := range list {
		models[i] = c.model
	}
	if err := checkMerge(models, eps); err != nil {
		return nil, 0, err
	}
	var labels []int
	for _, c := range list {
		for _, l := range c.labels {
			if !slices.Contains(labels, l) {
				labels = append(labels, l)
			}
		}
	}
	margin := loss.Margin(models[0].report.Loss)
	if margin && len(labels) > 2 {
		return nil, 0, tooManyLabels(labels, models[0].report.Loss)
	}
	for i, c := range list {
		models[i] = c.arrange(labels, margin)
	}
	m, distance, err := merge(models, eps)
	if err != nil {
		return nil, 0, err
	}
	return &Classifier{model: m, labels: labels}, distance, nil
}

// arrange returns the model with its columns in the order of labels.
func (c *Classifier) arrange(labels []int, margin bool) *Model {
	m := *c.model
	m.weights = compute.NewMatrix(m.points.Rows, outputsFor(len(labels), margin))
	m.intercept = make([]float64, m.weights.Cols)
	for j := range m.points.Rows {
		to, from := row(m.weights, j), row(c.model.weights, j)
		if margin {
			// A classifier of one label has seen its first only.
			if to[0] = from[0]; c.labels[0] != labels[0] {
				to[0] = -from[0]
			}
			continue
		}
		for k, l := range c.labels {
			to[slices.Index(labels, l)] = from[k]
		}
	}
	return &m
}

func checkMerge(models []*Model, eps float64) error {
	if len(models) == 0 {
		return fmt.Errorf("polk: no models to merge: %w", rkhs.ErrEmpty)
	}
	if !(eps >= 0 && eps < outOfRange) {
		return fmt.Errorf("polk: eps = %v is out of range: %w", eps, rkhs.ErrOption)
	}
	first, points := models[0], 0.0
	for _, m := range models {
		points += float64(m.points.Rows)
		switch {
		case m.points.Cols != first.points.Cols:
			return fmt.Errorf("polk: models of %d and of %d inputs cannot merge: %w", first.points.Cols, m.points.Cols, rkhs.ErrShape)
		case !reflect.DeepEqual(m.report.Kernel, first.report.Kernel):
			return fmt.Errorf("polk: kernels %v and %v cannot merge: %w", first.report.Kernel, m.report.Kernel, rkhs.ErrOption)
		case !reflect.DeepEqual(m.report.Loss, first.report.Loss):
			return fmt.Errorf("polk: losses %v and %v cannot merge: %w", first.report.Loss, m.report.Loss, rkhs.ErrOption)
		}
	}
	const limit = 4 << 30
	if bytes := 4 * points * points; bytes > limit {
		return fmt.Errorf("polk: the factor of %g points takes %.3g MiB: %w", points, bytes/(1<<20), rkhs.ErrMemory)
	}
	return nil
}

// merge is for models that fit together.
func merge(models []*Model, eps float64) (*Model, float64, error) {
	first := models[0]
	m := &Model{seed: first.seed, workers: first.workers, intercept: make([]float64, first.weights.Cols)}
	m.report = Report{Kernel: first.report.Kernel, Loss: first.report.Loss, Lambda: first.report.Lambda, Step: first.report.Step}
	for i, share := range shares(models) {
		m.report.Totals.merge(models[i].report.Totals)
		floats.AddScaled(m.intercept, share, models[i].intercept)
	}
	p, folded := joined(models)
	var c change
	left := max(eps-folded, 0)
	p.compress(left*left, &c)
	m.points, m.weights = p.export()
	if beyond(m.weights.Data) {
		return nil, 0, fmt.Errorf("polk: a weight of the merged model is out of range: %w", rkhs.ErrDiverged)
	}
	return m, folded + math.Sqrt(c.spent), nil
}

// shares returns the weight of each model in the mean.
func shares(models []*Model) []float64 {
	s := make([]float64, len(models))
	for i, m := range models {
		s[i] = float64(m.report.Rows)
	}
	if total := floats.Sum(s); total > 0 {
		floats.Scale(1/total, s)
		return s
	}
	for i := range s {
		s[i] = 1 / float64(len(s))
	}
	return s
}

// joined adds up the models. Points in the span of others are folded; the sum of
// the distances that this takes, each from another span, is returned too.
func joined(models []*Model) (p *komp, folded float64) {
	const chunk = 64
	first := models[0]
	e := kernel.Evaluator{Kernel: first.report.Kernel, Workers: first.workers}
	q := first.weights.Cols
	p = newKomp(newExpansion(e, first.points.Cols, q, q, scaleOf(e, models)))
	var k compute.Matrix
	for i, share := range shares(models) {
		m := models[i]
		for from := 0; from < m.points.Rows; from += chunk {
			to := min(from+chunk, m.points.Rows)
			x, w := compute.Rows(m.points, from, to), compute.NewMatrix(to-from, q)
			floats.AddScaled(w.Data, share, compute.Rows(m.weights, from, to).Data)
			p.cross(reshape(&k, x.Rows, p.order()), x)
			gram(e, reshape(&p.kk, x.Rows, x.Rows), x)
			folded += math.Sqrt(p.extend(x, k, w, 0, math.MaxInt).spent)
		}
	}
	return p, folded
}

// scaleOf returns the mean of k(x, x) over the points of the first model that has
// any.
func scaleOf(e kernel.Evaluator, models []*Model) float64 {
	for _, m := range models {
		if m.points.Rows > 0 {
			return positive(meanDiagonal(e, m.points))
		}
	}
	return 1
}

// merge adds the totals of another learner.
func (t *Totals) merge(o Totals) {
	mean := func(a float64, n int, b float64, m int) float64 {
		if n+m == 0 {
			return 0
		}
		return (a*float64(n) + b*float64(m)) / float64(n+m)
	}
	t.Loss = mean(t.Loss, t.Rows, o.Loss, o.Rows)
	t.IdleLoss = mean(t.IdleLoss, t.Stalled, o.IdleLoss, o.Stalled)
	t.ZeroLoss = mean(t.ZeroLoss, t.Stalled, o.ZeroLoss, o.Stalled)
	t.Norm += o.Norm
	t.Error += o.Error
	counts := o.counts()
	for i, c := range t.counts() {
		*c += *counts[i]
	}
}
