package polk

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/model"
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
// Errors wrap rkhs.ErrEmpty for no models, rkhs.ErrUnfitted for one that is nil or
// zero, rkhs.ErrShape for models of different inputs or outputs, rkhs.ErrOption for
// different kernels or losses and for a bad eps, and rkhs.ErrMemory beyond 4 GiB.
// O(M³) for M points in all.
func Merge(models []*Model, eps float64) (merged *Model, distance float64, err error) {
	return mergeModels(models, compression{eps, math.MaxInt})
}

// MergeTo is Merge with at most so many points, one at least, in place of a distance: whenever
// there are more, those go that cost least, and the weights of the others are fitted again. Models
// are added one after the other, so that the memory does not depend on their number. O(M·P²) for M
// points in all.
func MergeTo(models []*Model, points int) (merged *Model, distance float64, err error) {
	return mergeModels(models, compression{0, points})
}

// compression says what a merged model may give up, and how many points it may have.
type compression struct {
	eps    float64
	points int
}

func mergeModels(models []*Model, to compression) (merged *Model, distance float64, err error) {
	if err := checkMerge(models, to); err != nil {
		return nil, 0, err
	}
	_, q := models[0].Dims()
	for _, m := range models {
		if _, other := m.Dims(); other != q {
			return nil, 0, fmt.Errorf("polk: models of %d and of %d outputs cannot merge: %w", q, other, rkhs.ErrShape)
		}
	}
	return merge(models, to)
}

// MergeClassifiers merges classifiers as Merge does models. A class that a
// classifier does not know has the score zero there or, where the weights are those of the least
// squares from 1 and −1 (the Report.Loss of FitClassifier by default), the −1 that these give a
// class without rows. With a loss of labels ±1 all must have the same labels, else the error wraps
// rkhs.ErrLabels.
func MergeClassifiers(list []*Classifier, eps float64) (merged *Classifier, distance float64, err error) {
	return mergeClassifiers(list, compression{eps, math.MaxInt})
}

// MergeClassifiersTo merges classifiers as MergeTo does models.
func MergeClassifiersTo(list []*Classifier, points int) (merged *Classifier, distance float64, err error) {
	return mergeClassifiers(list, compression{0, points})
}

func mergeClassifiers(list []*Classifier, to compression) (merged *Classifier, distance float64, err error) {
	models := make([]*Model, len(list))
	for i, c := range list {
		models[i] = c.Model()
	}
	if err := checkMerge(models, to); err != nil {
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
	if err := checkLabels(labels, models[0].report.Loss); err != nil {
		return nil, 0, err
	}
	for i, c := range list {
		models[i] = c.arrange(labels)
	}
	m, distance, err := merge(models, to)
	return newClassifier(m, labels, calibrate.Sample{}), distance, err
}

// arrange returns the model with its columns in the order of labels.
func (c *Classifier) arrange(labels []int) *Model {
	points, from := c.model.matrices()
	q := outputsFor(len(labels), c.model.report.Loss)
	weights, constants := compute.NewMatrix(from.Rows, q), make([]float64, q)
	if loss.Quadratic(c.model.report.Loss) {
		for k := range constants {
			constants[k] = -1
		}
	}
	for j := range weights.Rows {
		c.arrangeRow(compute.Row(weights, j), compute.Row(from, j), labels)
	}
	c.arrangeRow(constants, c.model.f.Intercept, labels)
	m := *c.model
	m.f = newSum(&c.model.f, constants, points, weights)
	return &m
}

// arrangeRow sets to, of the classes of labels, to the numbers of from, one for each class of
// c, and leaves those that c does not know.
func (c *Classifier) arrangeRow(to, from []float64, labels []int) {
	if loss.Margin(c.model.report.Loss) {
		// A classifier of one label has seen its first only.
		if to[0] = from[0]; c.labels[0] != labels[0] {
			to[0] = -from[0]
		}
		return
	}
	for k, l := range c.labels {
		to[slices.Index(labels, l)] = from[k]
	}
}

// newSum returns another function of the inputs, the kernel and the workers of a
// function.
func newSum(like *model.Sum, intercept []float64, points compute.Points, weights compute.Matrix) model.Sum {
	return model.NewSum(like.Inputs, intercept, []kernel.Expansion{expansion.Of(like.Terms[0].Kernel, points, weights)}, like.Workers)
}

// matrices returns the points, M×d, and the weights, M×q.
func (m *Model) matrices() (points compute.Points, weights compute.Matrix) {
	if f := m.f.Term(); f.Points != nil {
		return expansion.Points(f), f.Weights.RawMatrix()
	}
	return points, weights
}

func checkMerge(models []*Model, to compression) error {
	if len(models) == 0 {
		return fmt.Errorf("polk: no models to merge: %w", rkhs.ErrEmpty)
	}
	if !(to.eps >= 0 && to.eps < outOfRange) || to.points < 1 {
		return fmt.Errorf("polk: eps = %v or points = %d is out of range: %w", to.eps, to.points, rkhs.ErrOption)
	}
	points := 0.0
	for _, m := range models {
		if err := door.Fitted(pkg, "Merge", m.fitted()); err != nil {
			return err
		}
		if err := models[0].checkKind(m); err != nil {
			return err
		}
		points += float64(m.ModelOrder())
	}
	points = min(points, float64(to.points))
	if need := 4 * points * points; need > door.DefaultMemory {
		return fmt.Errorf("polk: the factor of %v points needs %.3g GiB, Merge has 4 GiB: %w", points, need/(1<<30), rkhs.ErrMemory)
	}
	return nil
}

// checkKind refuses to merge m with a model of other inputs, another kernel or another
// loss.
func (m *Model) checkKind(other *Model) error {
	a, b := m.report, other.report
	switch {
	case m.f.Inputs != other.f.Inputs:
		return fmt.Errorf("polk: models of %d and of %d inputs cannot merge: %w", m.f.Inputs, other.f.Inputs, rkhs.ErrShape)
	case !kernel.Equal(a.Kernel, b.Kernel):
		return fmt.Errorf("polk: kernels %v and %v cannot merge: %w", a.Kernel, b.Kernel, rkhs.ErrOption)
	case !reflect.DeepEqual(a.Loss, b.Loss):
		return fmt.Errorf("polk: losses %v and %v cannot merge: %w", a.Loss, b.Loss, rkhs.ErrOption)
	}
	return nil
}

// merge is for models that fit together.
func merge(models []*Model, to compression) (*Model, float64, error) {
	first := models[0]
	intercept := make([]float64, len(first.f.Intercept))
	report := Report{Kernel: first.report.Kernel, Loss: first.report.Loss, Ridge: first.report.Ridge, Rate: first.report.Rate}
	for i, share := range shares(models) {
		report.Totals.merge(models[i].report.Totals)
		floats.AddScaled(intercept, share, models[i].f.Intercept)
	}
	p, folded := mean(models, to.points)
	var c change
	left := max(to.eps-folded, 0)
	p.compress(left*left, &c)
	points, weights := p.export()
	if beyond(weights.Data) {
		return nil, 0, fmt.Errorf("polk: a weight of the merged model is out of range: %w", rkhs.ErrDiverged)
	}
	m := &Model{f: newSum(&first.f, intercept, points, weights), seed: first.seed, report: report}
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

// mean adds up the models, each by its share. Points in the span of others are folded, and those
// beyond a number go; the sum of the distances that this takes, each from another span, is
// returned too.
func mean(models []*Model, most int) (p *pursuit, folded float64) {
	const chunk = 64
	e := gram.Evaluator{Kernel: models[0].report.Kernel, Workers: models[0].f.Workers}
	d, q := models[0].Dims()
	sparse := slices.ContainsFunc(models, func(m *Model) bool { return expansion.Points(m.f.Term()).Sparse != nil })
	p = newPursuit(newDictionary(e, points{inputs: d, sparse: sparse}, q, q, scaleOf(e, models)))
	var k compute.Matrix
	for i, share := range shares(models) {
		centres, weights := models[i].matrices()
		for from := 0; from < centres.Rows; from += chunk {
			to := min(from+chunk, centres.Rows)
			x, w := centres.Between(from, to), compute.NewMatrix(to-from, q)
			floats.AddScaled(w.Data, share, compute.Contiguous(compute.Rows(weights, from, to)))
			p.cross(compute.Reshape(&k, x.Rows, p.order()), x)
			p.eval.GramOf(compute.Reshape(&p.kk, x.Rows, x.Rows), x)
			p.prepare(k)
			folded += math.Sqrt(p.extend(x, w, 0, most).spent)
		}
	}
	return p, folded
}

// scaleOf returns the mean of k(x, x) over the points of the first model that has
// any.
func scaleOf(e gram.Evaluator, models []*Model) float64 {
	for _, m := range models {
		if points, _ := m.matrices(); points.Rows > 0 {
			return positive(meanDiagonal(e, points))
		}
	}
	return 1
}
