package polk

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// This file holds version 1 of the payloads of models.

func (m *Model) encode(e *codec.Encoder) error {
	if err := e.Nested(kernel.Marshal(m.report.Kernel)); err != nil {
		return err
	}
	if err := e.Nested(loss.Marshal(m.report.Loss)); err != nil {
		return err
	}
	e.Float64(m.report.Lambda)
	e.Float64(m.report.Step)
	e.Int(int(m.report.Status))
	m.report.Totals.encode(e)
	e.Uint64(m.seed)
	e.Float64s(m.intercept)
	e.Matrix(m.points)
	e.Matrix(m.weights)
	return nil
}

func decodeModel(d *codec.Decoder) Model {
	m := Model{report: Report{Kernel: codec.Nested(d, kernel.Unmarshal), Loss: codec.Nested(d, loss.Unmarshal), Lambda: d.Finite(), Step: d.Finite()}}
	status := d.Int()
	if status < 0 || status > int(rkhs.Stalled) {
		d.Fail("status %d", status)
	}
	m.report.Status = rkhs.Status(status)
	m.report.Totals = decodeTotals(d)
	m.seed, m.intercept, m.points, m.weights = d.Uint64(), d.Float64s(), d.Matrix(), d.Matrix()
	m.check(d)
	return m
}

// check compares the parts of a model with one another.
func (m *Model) check(d *codec.Decoder) {
	if d.Err() != nil {
		return
	}
	q := m.weights.Cols
	if m.points.Cols < 1 || q < 1 || m.points.Rows != m.weights.Rows || len(m.intercept) != q {
		d.Fail("%d×%d points, %d×%d weights and %d intercepts", m.points.Rows, m.points.Cols, m.weights.Rows, q, len(m.intercept))
	} else if err := kernel.Check(m.report.Kernel, m.points); err != nil {
		d.Fail("%v", err)
	}
}

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	return c.model.encode(e)
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels := decodeLabels(d)
	m := decodeModel(d)
	if d.Err() == nil {
		margin := loss.Margin(m.report.Loss)
		if _, multi := m.report.Loss.(loss.Multiclass); !multi && !margin {
			d.Fail("a classifier with the loss %v", m.report.Loss)
		}
		if len(labels) < 1 || margin && len(labels) > 2 || m.weights.Cols != outputsFor(len(labels), margin) {
			d.Fail("%d labels for %d outputs", len(labels), m.weights.Cols)
		}
	}
	return Classifier{model: &m, labels: labels}
}

// decodeLabels reads labels that are all different.
func decodeLabels(d *codec.Decoder) []int {
	labels := d.Ints()
	seen := map[int]bool{}
	for _, l := range labels {
		if seen[l] {
			d.Fail("label %d comes twice", l)
		}
		seen[l] = true
	}
	return labels
}

func (t *Totals) encode(e *codec.Encoder) {
	for _, v := range t.counts() {
		e.Int(*v)
	}
	for _, v := range t.numbers() {
		e.Float64(*v)
	}
}

func decodeTotals(d *codec.Decoder) (t Totals) {
	for _, v := range t.counts() {
		if *v = d.Int(); *v < 0 || *v > math.MaxInt/2 {
			d.Fail("count %d", *v)
		}
	}
	for _, v := range t.numbers() {
		*v = d.Finite()
	}
	return t
}

func (t *Totals) counts() []*int {
	return []*int{&t.Steps, &t.Rows, &t.Mistakes, &t.Active, &t.Added, &t.Folded, &t.Pruned, &t.Forced, &t.Stalled}
}

func (t *Totals) numbers() []*float64 {
	return []*float64{&t.Loss, &t.Norm, &t.Error, &t.IdleLoss, &t.ZeroLoss}
}
