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
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Merge returns the mean of models with the same kernel, weighted by their numbers of rows. It
// removes points while the result is within the RKHS distance eps ≥ 0 of the mean. It always
// folds points in the span of other points. It returns a bound of the total distance. The
// Totals are added. O(M³) for M points in all.
//
// Errors wrap rkhs.ErrEmpty for no models, rkhs.ErrUnfitted for a nil or zero one,
// rkhs.ErrShape for different dimensions, rkhs.ErrOption for different kernels or losses or an
// invalid eps, and rkhs.ErrMemory above 4 GiB.
func Merge(models []*Model, eps float64) (merged *Model, distance float64, err error) {
	return merge(models, eps, math.MaxInt)
}

// MergeTo merges models like Merge, but into at most the given number of points, at least one.
// Models are added one by one, so memory is independent of their number. O(M·P²) for M points
// in all and P = points.
func MergeTo(models []*Model, points int) (merged *Model, distance float64, err error) {
	return merge(models, 0, points)
}

// MergeClassifiers merges classifiers like Merge. A classifier scores an unknown class 0, or −1
// if its Report.Loss is loss.Squared, which encodes other classes as −1. The error wraps
// rkhs.ErrLabels if a binary loss meets different labels.
func MergeClassifiers(list []*Classifier, eps float64) (merged *Classifier, distance float64, err error) {
	return mergeClassifiers(list, eps, math.MaxInt)
}

// MergeClassifiersTo merges classifiers like MergeTo.
func MergeClassifiersTo(list []*Classifier, points int) (merged *Classifier, distance float64, err error) {
	return mergeClassifiers(list, 0, points)
}

func mergeClassifiers(list []*Classifier, eps float64, most int) (merged *Classifier, distance float64, err error) {
	models := make([]*Model, len(list))
	for i, c := range list {
		models[i] = c.Model()
	}
	if err := checkMerge(models, eps, most); err != nil {
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
	m, distance, err := merge(models, eps, most)
	return newClassifier(m, labels, calibrate.Sample{}), distance, err
}

// arrange returns the model with one column for each of the labels.
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

// arrangeRow copies one number per class of c from one order of the classes to another. Numbers
// of unknown classes are unchanged.
func (c *Classifier) arrangeRow(to, from []float64, labels []int) {
	if loss.Margin(c.model.report.Loss) {
		// A classifier of a single label has scores of that label as the first.
		if to[0] = from[0]; c.labels[0] != labels[0] {
			to[0] = -from[0]
		}
		return
	}
	for k, l := range c.labels {
		to[slices.Index(labels, l)] = from[k]
	}
}

// newSum returns a function with the inputs, kernel and workers of another.
func newSum(like *model.Sum, intercept []float64, points compute.Points, weights compute.Matrix) model.Sum {
	terms := []kernel.Expansion{expansion.Of(like.Terms[0].Kernel, points, weights)}
	return model.NewSum(like.Inputs, intercept, terms, like.Workers)
}

// matrices returns the points, M×d, and the weights, M×q.
func (m *Model) matrices() (points compute.Points, weights compute.Matrix) {
	if f := m.f.Term(); f.Points != nil {
		return expansion.Points(f), f.Weights.RawMatrix()
	}
	return points, weights
}

func checkMerge(models []*Model, eps float64, most int) error {
	if len(models) == 0 {
		return fmt.Errorf("polk: no models to merge: %w", rkhs.ErrEmpty)
	}
	if !(eps >= 0 && eps < outOfRange) || most < 1 {
		return fmt.Errorf("polk: eps = %v or points = %d is out of range: %w", eps, most, rkhs.ErrOption)
	}
	points := 0.0
	for _, m := range models {
		if err := input.Fitted(pkg, "Merge", m.fitted()); err != nil {
			return err
		}
		if err := models[0].checkKind(m); err != nil {
			return err
		}
		points += float64(m.ModelOrder())
	}
	points = min(points, float64(most))
	if need := 4 * points * points; need > input.DefaultMemory {
		return fmt.Errorf("polk: the factor of %v points needs %.3g GiB, Merge has 4 GiB: %w", points, need/(1<<30), rkhs.ErrMemory)
	}
	return nil
}

// checkKind returns an error if the models differ in inputs, kernel or loss.
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

func merge(models []*Model, eps float64, most int) (*Model, float64, error) {
	if err := checkMerge(models, eps, most); err != nil {
		return nil, 0, err
	}
	first := models[0]
	intercept := make([]float64, len(first.f.Intercept))
	report := Report{Kernel: first.report.Kernel, Loss: first.report.Loss, Ridge: first.report.Ridge, Rate: first.report.Rate}
	list := shares(models)
	for i, m := range models {
		if len(m.f.Intercept) != len(intercept) {
			return nil, 0, fmt.Errorf("polk: models of %d and of %d outputs cannot merge: %w",
				len(intercept), len(m.f.Intercept), rkhs.ErrShape)
		}
		report.Totals.merge(m.report.Totals)
		floats.AddScaled(intercept, list[i], m.f.Intercept)
	}
	p, folded := mean(models, list, most)
	var c change
	left := max(eps-folded, 0)
	p.compress(left*left, &c)
	points, weights := p.export()
	if exceeds(weights.Data) {
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

// mean adds the models with their shares. It folds points in the span of other points and removes
// points above a number. It also returns the sum of the distances of these projections.
func mean(models []*Model, shares []float64, most int) (p *pursuit, folded float64) {
	const chunk = 64
	e := gram.Evaluator{Kernel: models[0].report.Kernel, Workers: models[0].f.Workers}
	d, q := models[0].Dims()
	sparse := slices.ContainsFunc(models, func(m *Model) bool { return expansion.Points(m.f.Term()).Sparse != nil })
	p = newPursuit(newDictionary(e, points{inputs: d, sparse: sparse}, q, q, scaleOf(e, models)))
	var k compute.Matrix
	for i, m := range models {
		centres, weights := m.matrices()
		for from, to := range compute.Chunks(centres.Rows, chunk) {
			x, w := centres.Between(from, to), compute.NewMatrix(to-from, q)
			floats.AddScaled(w.Data, shares[i], compute.Contiguous(compute.Rows(weights, from, to)))
			p.cross(compute.Reshape(&k, x.Rows, p.order()), x)
			p.eval.GramOf(compute.Reshape(&p.kk, x.Rows, x.Rows), x)
			p.prepare(k)
			folded += math.Sqrt(p.extend(x, w, 0, most).spent)
		}
	}
	return p, folded
}

// scaleOf returns the mean of k(x, x) over the points of the first model with points.
func scaleOf(e gram.Evaluator, models []*Model) float64 {
	for _, m := range models {
		if points, _ := m.matrices(); points.Rows > 0 {
			return positive(meanDiagonal(e, points))
		}
	}
	return 1
}
