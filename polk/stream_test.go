package polk_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/polk"
)

// sample draws n rows of two columns with the target x_0² + x_1.
func sample(n int, seed uint64) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 3))
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := r.NormFloat64(), r.NormFloat64()
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, a*a+b)
	}
	return x, y
}

// batches splits rows into batches of a size.
func batches(x, y *mat.Dense, size int) iter.Seq2[polk.Batch, error] {
	return func(yield func(polk.Batch, error) bool) {
		n, d := x.Dims()
		for from := 0; from < n; from += size {
			to := min(from+size, n)
			if !yield(polk.Batch{X: x.Slice(from, to, 0, d), Y: y.Slice(from, to, 0, 1)}, nil) {
				return
			}
		}
	}
}

// Learn equals Update on mini-batches of Options.Batch rows that do not cross batch boundaries of
// the stream.
func TestLearnIsUpdate(t *testing.T) {
	x, y := sample(230, 1)
	l, u := newLearner(t, polk.Options{Paper: polk.Paper{Batch: 8}}), newLearner(t, polk.Options{Paper: polk.Paper{Batch: 8}})
	if err := l.Learn(context.Background(), batches(x, y, 50)); err != nil {
		t.Fatal(err)
	}
	for b := range batches(x, y, 50) {
		n, _ := b.X.Dims()
		for from := 0; from < n; from += 8 {
			to := min(from+8, n)
			update(t, u, b.X.(*mat.Dense).Slice(from, to, 0, 2).(*mat.Dense), b.Y.(*mat.Dense).Slice(from, to, 0, 1).(*mat.Dense))
		}
	}
	if !bytes.Equal(marshal(t, l), marshal(t, u)) {
		t.Error("Learn goes another way than Update")
	}
}

// An error of the stream, the recorder or the context preserves earlier updates.
func TestLearnStops(t *testing.T) {
	x, y := sample(400, 2)
	broken, stop := errors.New("broken"), errors.New("stop")
	for name, c := range map[string]struct {
		want error
		rows int
		run  func(l *polk.Learner) error
	}{
		"stream": {want: broken, rows: 300, run: func(l *polk.Learner) error {
			return l.Learn(context.Background(), func(yield func(polk.Batch, error) bool) {
				for b := range batches(x.Slice(0, 300, 0, 2).(*mat.Dense), y, 100) {
					if !yield(b, nil) {
						return
					}
				}
				yield(polk.Batch{}, broken)
			})
		}},
		"bad batch": {want: rkhs.ErrEmpty, rows: 100, run: func(l *polk.Learner) error {
			return l.Learn(context.Background(), func(yield func(polk.Batch, error) bool) {
				_ = yield(polk.Batch{X: x.Slice(0, 100, 0, 2), Y: y.Slice(0, 100, 0, 1)}, nil) && yield(polk.Batch{}, nil)
			})
		}},
		"nil stream": {want: rkhs.ErrEmpty, run: func(l *polk.Learner) error {
			if err := l.Update(x, y); err != nil {
				return err
			}
			return l.Learn(context.Background(), nil)
		}, rows: 400},
		"context": {want: context.Canceled, rows: 200, run: func(l *polk.Learner) error {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			return l.Learn(ctx, func(yield func(polk.Batch, error) bool) {
				for b := range batches(x, y, 100) {
					if l.Report().Totals.Rows >= 200 {
						cancel()
					}
					if !yield(b, nil) {
						return
					}
				}
			})
		}},
	} {
		l := newLearner(t, polk.Options{Warmup: 50, Paper: polk.Paper{Batch: 20}})
		if err := c.run(l); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v", name, err)
		}
		if got := l.Report().Totals.Rows; got != c.rows {
			t.Errorf("%s: %d rows learned, want %d", name, got, c.rows)
		}
		if _, err := l.Model(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	reports := 0
	l := newLearner(t, polk.Options{Warmup: 50, Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if p.Phase != "rows" || p.Done != p.Iteration || p.Total != 0 {
			t.Errorf("progress %+v of a stream of unknown length", p)
		}
		if reports++; p.Iteration >= 100 {
			return stop
		}
		return nil
	}), Paper: polk.Paper{Batch: 20}})
	if err := l.Learn(context.Background(), batches(x, y, 100)); !errors.Is(err, stop) || l.Report().Totals.Rows != 100 || reports != 3 {
		t.Errorf("Recorder: error %v after %d rows and %d reports", err, l.Report().Totals.Rows, reports)
	}
}

// Streams can contain labels.
func TestLearnLabels(t *testing.T) {
	x, y := sample(300, 3)
	y.Apply(func(i, _ int, v float64) float64 {
		if v > 1 {
			return 7
		}
		return -2
	}, y)
	l := newClassLearner(t, polk.Options{})
	if err := l.Learn(context.Background(), batches(x, y, 64)); err != nil {
		t.Fatal(err)
	}
	c, err := l.Model(context.Background())
	if err != nil || len(l.Labels()) != 2 || l.Rows() != 300 {
		t.Fatalf("labels %v, %d rows, error %v", l.Labels(), l.Report().Totals.Rows, err)
	}
	p, err := c.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i := range 300 {
		if p.At(i, 0) != y.At(i, 0) {
			wrong++
		}
	}
	if wrong > 30 {
		t.Errorf("%d of 300 rows are wrong", wrong)
	}
	r := newLearner(t, polk.Options{})
	for _, f := range []func() error{
		func() error { _, err := r.Model(context.Background()); return err },
		func() error { _, err := newClassLearner(t, polk.Options{}).Model(context.Background()); return err },
	} {
		if err := f(); !errors.Is(err, rkhs.ErrEmpty) {
			t.Errorf("a model of nothing: error %v", err)
		}
	}
	if r.Report().Totals != (polk.Totals{}) {
		t.Errorf("totals of nothing: %+v", r.Report().Totals)
	}
}

// The mean loss of the totals matches the steps. A step reports the loss before its update
// (progressive validation).
func TestProgressiveValidation(t *testing.T) {
	x, y := sample(500, 4)
	l := newLearner(t, polk.Options{Warmup: 1, Paper: polk.Paper{Schedule: polk.Constant}})
	update(t, l, x.Slice(0, 100, 0, 2).(*mat.Dense), y.Slice(0, 100, 0, 1).(*mat.Dense))
	sum := l.Report().Totals.Loss * 100
	for from := 100; from < 500; from += 10 {
		m, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		bx, by := x.Slice(from, from+10, 0, 2).(*mat.Dense), y.Slice(from, from+10, 0, 1).(*mat.Dense)
		s := update(t, l, bx, by)
		p, err := m.Predict(bx)
		if err != nil {
			t.Fatal(err)
		}
		var diff mat.Dense
		diff.Sub(p, by)
		if want := mat.Norm(&diff, 2) * mat.Norm(&diff, 2) / 20; abs(s.Loss-want) > 1e-12*want {
			t.Fatalf("step %+v, but the model before it has the loss %v", s, want)
		}
		sum += 10 * s.Loss
	}
	if got := l.Report().Totals; got.Rows != 500 || got.Steps != 41 || abs(got.Loss-sum/500) > 1e-12*sum {
		t.Errorf("totals %+v, want a mean loss of %v", got, sum/500)
	}
}

// With constant steps the model tracks a target function that changes sign, and the dictionary
// drops obsolete points.
func TestDrift(t *testing.T) {
	testutil.Long(t, "takes seconds")
	const rows = 4000
	x, y := sample(2*rows, 5)
	l := newLearner(t, polk.Options{Paper: polk.Paper{Schedule: polk.Constant}})
	var recent [2]float64
	order := 0
	for i := range 2 * rows {
		sign := 1.0
		if i >= rows {
			sign = -1
		}
		s := update(t, l, mat.NewDense(1, 2, x.RawRowView(i)), scalar(sign*y.At(i, 0)))
		if i%rows >= rows-1000 {
			recent[i/rows] += s.Loss / 1000
		}
		if i == rows-1 {
			order = s.ModelOrder
		} else if i == 2*rows-1 && float64(s.ModelOrder) > 1.5*float64(order) {
			t.Errorf("%d points after the change, %d before", s.ModelOrder, order)
		}
	}
	zero := power(mat.Col(nil, 0, y)) / 2
	if max(recent[0], recent[1]) > zero/100 {
		t.Errorf("loss %v before and %v after the change, that of zero is %v", recent[0], recent[1], zero)
	}
}

func abs(v float64) float64 { return max(v, -v) }
