package polk

import (
	"bytes"
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// learnerMachine applies random operations to a classifying learner and to a copy that is saved
// and loaded repeatedly.
type learnerMachine struct {
	l, copied *ClassLearner
	earlier   []*Classifier
	rows      int
}

func newLearnerMachine(t *rapid.T) *learnerMachine {
	opts := Options{Loss: rapid.SampledFrom([]loss.Loss{loss.MulticlassHinge{}, loss.Softmax{}}).Draw(t, "loss"), MaxPoints: rapid.SampledFrom([]int{0, 1, 7}).Draw(t, "bound"), Warmup: rapid.SampledFrom([]int{1, 10, 40}).Draw(t, "warmup"), Workers: 1, Paper: Paper{Schedule: rapid.SampledFrom([]Schedule{Automatic, Constant, Diminishing, Averaged}).Draw(t, "schedule")}}
	switch rapid.IntRange(0, 3).Draw(t, "budget") {
	case 0:
		opts.Lossless = true
	case 1:
		opts.BudgetConstant = math.Pow(10, rapid.Float64Range(-3, 4).Draw(t, "K"))
	}
	if rapid.Bool().Draw(t, "given") {
		opts.Kernel, opts.Rate = kernel.Gaussian{Sigma: 0.5}, 3
	}
	l, err := NewClassLearner(nil, &opts)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := NewClassLearner(nil, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return &learnerMachine{l: l, copied: copied}
}

// drawBatch draws points on a grid, so that many are equal or close.
func drawBatch(t *rapid.T) (x, labels *mat.Dense) {
	n := rapid.IntRange(1, 12).Draw(t, "rows")
	x, labels = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range 2 {
			x.Set(i, j, float64(rapid.IntRange(-3, 3).Draw(t, "x"))/2+rapid.SampledFrom([]float64{0, 0, 1e-9, 1e-4}).Draw(t, "offset"))
		}
		labels.Set(i, 0, float64(rapid.IntRange(-1, 2).Draw(t, "label")))
	}
	return x, labels
}

func (m *learnerMachine) Update(t *rapid.T) {
	x, y := drawBatch(t)
	if err := m.l.Update(x, y); err != nil {
		t.Fatal(err)
	}
	err := m.copied.Update(x, y)
	s, copied := m.l.Last(), m.copied.Last()
	if err != nil || s != copied {
		t.Fatalf("steps %+v and %+v, error %v", s, copied, err)
	}
	m.rows += s.Rows
	if s.Waiting {
		return
	}
	if s.Active != s.Added+s.Folded || s.Forced > s.Pruned || s.Error > s.Budget*(1+1e-9)+1e-3*s.Rate && s.Forced == 0 {
		t.Fatalf("step %+v", s)
	}
}

func (m *learnerMachine) Refuse(t *rapid.T) {
	x, y := drawBatch(t)
	n, _ := x.Dims()
	before, err := m.l.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	switch rapid.IntRange(0, 3).Draw(t, "fault") {
	case 0:
		x.Set(n-1, 1, math.NaN())
	case 1:
		y.Set(n-1, 0, math.Inf(1))
	case 2:
		y.Set(n-1, 0, 0.5)
	case 3:
		y = mat.NewDense(n+1, 1, nil)
	}
	if err := m.l.Update(x, y); err == nil {
		t.Fatal("a bad batch was accepted")
	}
	if after, err := m.l.MarshalBinary(); err != nil || !bytes.Equal(after, before) {
		t.Fatalf("a batch with an error changed the learner, error %v", err)
	}
}

func (m *learnerMachine) SaveAndLoad(t *rapid.T) {
	data, err := m.copied.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	loaded := new(ClassLearner)
	if err := loaded.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	loaded.stream.set.Workers = 1
	m.copied = loaded
}

func (m *learnerMachine) Snapshot(t *rapid.T) {
	c, err := m.l.Model(context.Background())
	if err != nil {
		if m.rows == 0 {
			return
		}
		t.Fatal(err)
	}
	if _, err := c.Predict(mat.NewDense(1, 2, []float64{0.3, -0.2})); err != nil {
		t.Fatal(err)
	}
	if m.earlier = append(m.earlier, c); len(m.earlier) > 3 {
		m.earlier = m.earlier[1:]
	}
}

func (m *learnerMachine) Merge(t *rapid.T) {
	if len(m.earlier) == 0 {
		t.Skip("no models")
	}
	list := m.earlier
	for _, c := range list {
		if !kernel.Equal(c.model.report.Kernel, list[0].model.report.Kernel) {
			t.Skip("models from before the wait was over have other kernels")
		}
	}
	eps := rapid.Float64Range(0, 2).Draw(t, "eps")
	merged, distance, err := MergeClassifiers(list, eps)
	if err != nil {
		t.Fatal(err)
	}
	// Points in the span of other points have an error that dictionary admission neglects.
	folding := 1e-2
	for _, c := range list {
		_, w := c.model.matrices()
		for j := range w.Rows {
			folding += math.Sqrt(relativeAdmission*squaredNorm(compute.Row(w, j))) / float64(len(list))
		}
	}
	if distance > eps+folding || len(merged.labels) < len(list[0].labels) {
		t.Fatalf("merged to within %v, at a distance of %v, with labels %v", eps, distance, merged.labels)
	}
}

func (m *learnerMachine) Check(t *rapid.T) {
	a, err := m.l.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.copied.MarshalBinary()
	if err != nil || !bytes.Equal(a, b) {
		t.Fatalf("the learner that is saved and loaded has other bits, error %v", err)
	}
	if m.l.Rows() != m.rows {
		t.Fatalf("%d rows of %d", m.l.Rows(), m.rows)
	}
	c := m.l.stream.descent
	if c == nil {
		return
	}
	if c.f.order() != c.totals.Added-c.totals.Pruned || c.f.order() > c.set.MaxPoints {
		t.Fatalf("%d points, totals %+v", c.f.order(), c.totals)
	}
	if err := c.f.consistent(); err != nil {
		t.Fatal(err)
	}
	checkExpansion(t, c.f.dictionary, 1e-10, 1e-4)
}

func TestLearnerMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newLearnerMachine(t)
		t.Repeat(map[string]func(*rapid.T){
			"update": m.Update, "refuse": m.Refuse, "save and load": m.SaveAndLoad,
			"snapshot": m.Snapshot, "merge": m.Merge, "": m.Check,
		})
	})
}
