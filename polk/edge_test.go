package polk_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

func newLearner(t *testing.T, opts polk.Options) *polk.Learner {
	t.Helper()
	l, err := polk.NewLearner(&opts)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func newClassLearner(t *testing.T, opts polk.Options) *polk.ClassLearner {
	t.Helper()
	l, err := polk.NewClassLearner(nil, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func update(t *testing.T, l interface {
	Update(x, y mat.Matrix) error
	Last() polk.Step
}, x, y *mat.Dense) polk.Step {
	t.Helper()
	if err := l.Update(x, y); err != nil {
		t.Fatal(err)
	}
	return l.Last()
}

func scalar(v float64) *mat.Dense { return mat.NewDense(1, 1, []float64{v}) }

func predictAt(t *testing.T, m *polk.Model, x *mat.Dense) float64 {
	t.Helper()
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	return p.At(0, 0)
}

// A thousand equal rows give one dictionary point, and the function there tends to y/(1 + lam),
// the minimum of (f−y)²/2 + lam/2·‖f‖².
func TestIdenticalPoints(t *testing.T) {
	const lam = 0.01
	for _, batch := range []int{1, 10} {
		l := newLearner(t, polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: lam, Paper: polk.Paper{Rate: 0.5, NoIntercept: true, Schedule: polk.Constant}})
		x, y := mat.NewDense(batch, 2, nil), mat.NewDense(batch, 1, nil)
		for i := range batch {
			x.SetRow(i, []float64{0.3, -2})
			y.Set(i, 0, 1)
		}
		for range 1000 / batch {
			update(t, l, x, y)
		}
		m, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := predictAt(t, m, mat.NewDense(1, 2, []float64{0.3, -2})), 1/(1+lam); m.ModelOrder() != 1 || math.Abs(got-want) > 1e-7 {
			t.Errorf("batches of %d: %d points and f = %v, want one and %v", batch, m.ModelOrder(), got, want)
		}
	}
}

// With a huge budget the dictionary is empty and the function zero. This is a stall, not an error
// of a step.
func TestStall(t *testing.T) {
	opts := polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Paper: polk.Paper{Rate: 1, BudgetConstant: 1e6, NoIntercept: true}}
	l := newLearner(t, opts)
	x, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), mat.NewDense(4, 1, []float64{1, -1, 2, 0})
	for range 5 {
		if s := update(t, l, x, y); s.ModelOrder != 0 || !s.Stalled || s.Pruned != s.Added || s.Loss != 0.75 {
			t.Errorf("step %+v", s)
		}
	}
	m, err := l.Model(context.Background())
	if err != nil || m.ModelOrder() != 0 || predictAt(t, m, scalar(1)) != 0 || m.Report().Status != rkhs.Stalled || m.Expansion().Points != nil {
		t.Errorf("model of %d points, report %+v, error %v", m.ModelOrder(), m.Report(), err)
	}
	m, err = polk.Fit(context.Background(), x, y, &opts)
	if !errors.Is(err, rkhs.ErrNotConverged) || m == nil || !strings.Contains(err.Error(), "BudgetConstant is too large") {
		t.Errorf("Fit: model %v, error %v", m, err)
	}
	opts.BudgetConstant = 0.1
	if m, err = polk.Fit(context.Background(), x, y, &opts); err != nil || m.Report().Status != rkhs.IterationLimit {
		t.Errorf("Fit with a budget in reason: error %v", err)
	}
}

// With a zero budget the dictionary keeps every point outside the span of other points.
func TestExactKeepsAll(t *testing.T) {
	l := newLearner(t, polk.Options{Kernel: kernel.Gaussian{Sigma: 0.1}, Paper: polk.Paper{Rate: 0.5, Lossless: true, NoIntercept: true}})
	for i := range 50 {
		if s := update(t, l, scalar(float64(i)), scalar(1)); s.ModelOrder != i+1 || s.Error != 0 {
			t.Fatalf("step %+v", s)
		}
	}
	if s := update(t, l, scalar(7), scalar(1)); s.ModelOrder != 50 || s.Folded != 1 {
		t.Errorf("a point that is there already: step %+v", s)
	}
}

// A learner removes and counts points above MaxPoints even if the budget is zero.
func TestForced(t *testing.T) {
	l := newLearner(t, polk.Options{Kernel: kernel.Gaussian{Sigma: 0.1}, MaxPoints: 3, Paper: polk.Paper{Rate: 0.5, Lossless: true, NoIntercept: true}})
	for i := range 6 {
		s := update(t, l, scalar(float64(i)), scalar(float64(1+i)))
		if want := max(0, i-2); i >= 3 && s.Forced != 1 || i < 3 && s.Forced != 0 || s.ModelOrder != min(i+1, 3) || l.Report().Totals.Forced != want {
			t.Errorf("step %+v, totals %+v", s, l.Report().Totals)
		}
	}
	m, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range mat.Col(nil, 0, m.Expansion().Points) {
		if x != float64(3+i) {
			t.Errorf("points %v, want those of the largest weights", mat.Col(nil, 0, m.Expansion().Points))
			break
		}
	}
}

// A rejected batch has no effect: before the first batch, while rows wait, and later. The contract
// check covers all kinds of matrices.
func TestRefusedBatches(t *testing.T) {
	good := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	for _, wait := range []int{1, 3, 100} {
		l := newLearner(t, polk.Options{Warmup: wait, Kernel: kernel.Hellinger{}})
		for range 3 {
			before, err := l.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				x, y *mat.Dense
				want error
			}{
				{mat.NewDense(2, 2, []float64{1, math.NaN(), 3, 4}), mat.NewDense(2, 1, nil), rkhs.ErrNotFinite},
				{good, mat.NewDense(2, 1, []float64{0, math.Inf(-1)}), rkhs.ErrNotFinite},
				{good, mat.NewDense(3, 1, nil), rkhs.ErrShape},
				{mat.NewDense(2, 2, []float64{1, -2, 3, 4}), mat.NewDense(2, 1, nil), rkhs.ErrDomain},
			} {
				if err := l.Update(c.x, c.y); !errors.Is(err, c.want) {
					t.Errorf("error %v, want %v", err, c.want)
				}
			}
			if after, err := l.MarshalBinary(); err != nil || !bytes.Equal(before, after) {
				t.Fatalf("a batch with an error changed the learner, error %v", err)
			}
			update(t, l, good, mat.NewDense(2, 1, []float64{1, 2}))
			if err := l.Update(good, mat.NewDense(2, 2, nil)); !errors.Is(err, rkhs.ErrShape) {
				t.Errorf("two columns of targets in place of one: error %v", err)
			}
			if err := l.Update(mat.NewDense(2, 3, nil), mat.NewDense(2, 1, nil)); !errors.Is(err, rkhs.ErrShape) {
				t.Errorf("three columns in place of two: error %v", err)
			}
		}
	}
}

// A step that is much too large is reported before it corrupts the function.
func TestDiverged(t *testing.T) {
	l := newLearner(t, polk.Options{Kernel: kernel.Linear{}, Ridge: 1e-40, Paper: polk.Paper{Rate: 1e30, NoIntercept: true, Lossless: true}})
	x := mat.NewDense(2, 2, []float64{1e10, 0, 0, 1e10})
	var err error
	steps := 0
	for ; err == nil && steps < 20; steps++ {
		before := marshal(t, l)
		if err = l.Update(x, mat.NewDense(2, 1, []float64{1, 2})); err != nil && !bytes.Equal(before, marshal(t, l)) {
			t.Error("a step with an error changed the learner")
		}
	}
	if !errors.Is(err, rkhs.ErrDiverged) {
		t.Fatalf("error %v after %d steps", err, steps)
	}
	m, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if v := predictAt(t, m, mat.NewDense(1, 2, []float64{1, 1})); v-v != 0 {
		t.Errorf("the model predicts %v", v)
	}
	huge := mat.NewDense(1, 2, []float64{1e160, 1e160})
	for name, fit := range map[string]func() error{
		"waiting": func() error {
			return newLearner(t, polk.Options{Kernel: kernel.Linear{}}).Update(huge, scalar(1))
		},
		"first": func() error {
			return newLearner(t, polk.Options{Kernel: kernel.Linear{}, Warmup: 1}).Update(huge, scalar(1))
		},
		"default kernel": func() error { return newLearner(t, polk.Options{}).Update(huge, scalar(1)) },
		"target":         func() error { return newLearner(t, polk.Options{}).Update(scalar(1), scalar(1e140)) },
		"Fit": func() error {
			_, err := polk.Fit(context.Background(), huge, scalar(1), &polk.Options{Kernel: kernel.Linear{}})
			return err
		},
		"later": func() error { return l.Update(huge, scalar(1)) },
	} {
		if err := fit(); !errors.Is(err, rkhs.ErrDiverged) {
			t.Errorf("numbers beyond the range, %s: error %v", name, err)
		}
	}
}

func marshal(t *testing.T, v interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	data, err := v.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// New labels become classes with initial score zero.
func TestNewLabel(t *testing.T) {
	for _, schedule := range []polk.Schedule{polk.Constant, polk.Averaged} {
		l := newClassLearner(t, polk.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Paper: polk.Paper{Rate: 1, Schedule: schedule}})
		if s := update(t, l, scalar(0), scalar(30)); s.ModelOrder != 0 || s.Loss != 0 {
			t.Errorf("a single class needs no update, but step %+v", s)
		}
		for range 20 {
			update(t, l, scalar(0), scalar(30))
			update(t, l, scalar(3), scalar(-1))
		}
		two, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if _, q := two.Model().Dims(); q != 2 {
			t.Errorf("%d outputs", q)
		}
		update(t, l, scalar(6), scalar(4))
		three, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := three.Labels(); len(got) != 3 || got[0] != 30 || got[1] != -1 || got[2] != 4 {
			t.Errorf("labels %v", got)
		}
		for range 20 {
			update(t, l, scalar(6), scalar(4))
		}
		last, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			m     *polk.Classifier
			x, is float64
		}{{two, 0, 30}, {two, 3, -1}, {three, 0, 30}, {three, 3, -1}, {last, 0, 30}, {last, 3, -1}, {last, 6, 4}} {
			p, err := c.m.Predict(scalar(c.x))
			if err != nil || p.At(0, 0) != c.is {
				t.Errorf("%v at %v, want %v, error %v", p, c.x, c.is, err)
			}
		}
	}
}

// A two-class loss rejects a third label, and the batch has no effect.
func TestThirdLabel(t *testing.T) {
	l := newClassLearner(t, polk.Options{Loss: loss.Hinge{}, Warmup: 2})
	update(t, l, mat.NewDense(3, 1, []float64{1, 2, 3}), mat.NewDense(3, 1, []float64{5, 5, 5}))
	m, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if p, err := m.Predict(scalar(1)); err != nil || p.At(0, 0) != 5 {
		t.Errorf("of one label the prediction is %v, error %v", p, err)
	}
	update(t, l, mat.NewDense(1, 1, []float64{9}), scalar(-2))
	before := marshal(t, l)
	if err := l.Update(mat.NewDense(2, 1, []float64{1, 2}), mat.NewDense(2, 1, []float64{-2, 7})); !errors.Is(err, rkhs.ErrLabels) {
		t.Errorf("error %v", err)
	}
	if !bytes.Equal(before, marshal(t, l)) {
		t.Error("a batch with an error changed the learner")
	}
	if _, err := polk.FitClassifier(context.Background(), mat.NewDense(3, 1, []float64{1, 2, 3}), mat.NewDense(3, 1, []float64{1, 2, 3}), &polk.Options{Loss: loss.Logistic{}}); !errors.Is(err, rkhs.ErrLabels) {
		t.Errorf("FitClassifier: error %v", err)
	}
}

// A learner returns an error before it exceeds the memory limit.
func TestMemoryLimit(t *testing.T) {
	l := newLearner(t, polk.Options{Kernel: kernel.Gaussian{Sigma: 0.01}, MemoryLimit: 1 << 20, Paper: polk.Paper{Rate: 0.5, Lossless: true, NoIntercept: true}})
	var err error
	n := 0
	for ; err == nil; n++ {
		err = l.Update(scalar(float64(n)), scalar(1))
	}
	if !errors.Is(err, rkhs.ErrMemory) || n < 400 || n > 600 {
		t.Errorf("after %d points: %v", n, err)
	}
}

// Probabilities are available only for losses that define them.
func TestProba(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{0, 0.2, 3, 3.2}), mat.NewDense(4, 1, []float64{2, 2, 1, 1})
	for _, l := range []loss.Loss{loss.Softmax{}, loss.Logistic{}, loss.Hinge{}, loss.MulticlassHinge{}} {
		c, err := polk.FitClassifier(context.Background(), x, y, &polk.Options{Loss: l, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6, NoCalibration: true})
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Proba(x)
		if l == (loss.Hinge{}) || l == (loss.MulticlassHinge{}) {
			if !errors.Is(err, rkhs.ErrNoCalibration) {
				t.Errorf("%v: error %v", l, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			a, b := p.At(i, 0), p.At(i, 1)
			if math.Abs(a+b-1) > 1e-15 || (b > a) != (y.At(i, 0) == 2) || max(a, b) < 0.9 {
				t.Errorf("%v: probabilities %v and %v of a row of label %v", l, a, b, y.At(i, 0))
			}
		}
	}
}

// A batch size above the number of rows is a batch of all rows.
func TestBatchOfAll(t *testing.T) {
	x, y := mat.NewDense(300, 2, nil), mat.NewDense(300, 1, nil)
	for i := range 300 {
		x.SetRow(i, []float64{float64(i%17) / 17, float64(i%23) / 23})
		y.Set(i, 0, math.Sin(float64(i)))
	}
	for _, points := range []int{0, 2, 3} {
		for _, batch := range []int{math.MaxInt, 1 << 62} {
			if _, err := polk.Fit(context.Background(), x, y, &polk.Options{MaxPoints: points, Kernel: kernel.Gaussian{Sigma: .2}, Paper: polk.Paper{Batch: batch}}); err != nil {
				t.Errorf("batch %d, %d points: %v", batch, points, err)
			}
		}
	}
}
