package slkl_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/slkl"
)

// numbered adds the listed rows by their numbers to several learners and merges them.
func numbered(t *testing.T, x, y *mat.Dense, list []int, parts int, o slkl.Options) *slkl.Learner {
	t.Helper()
	var all *slkl.Learner
	for part := range slices.Chunk(list, (len(list)+parts-1)/parts) {
		l, err := slkl.LearnerFrom(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		numbers := make([]uint64, len(part))
		for i, r := range part {
			numbers[i] = uint64(r)
		}
		if err := l.UpdateNumbered(numbers, rowsOf(x, part), rowsOf(y, part)); err != nil {
			t.Fatal(err)
		}
		if all == nil {
			all = l
		} else if err := all.Merge(l); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestNumberedRowsMakeTheFit distributes shuffled rows to learners that are merged. With the row numbers of
// Fit they must select the same defaults.
func TestNumberedRowsMakeTheFit(t *testing.T) {
	x, y := sample(rows, 3, 2, 1)
	test, _ := sample(60, 3, 1, 2)
	o := slkl.Options{MaxPoints: 120, Seed: 5}
	want := fit(t, x, y, o)
	got, err := numbered(t, x, y, rand.New(rand.NewPCG(1, 2)).Perm(rows), 3, o).Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if d := far(predict(t, got, test), predict(t, want, test)); !(d <= 1e-6) {
		t.Errorf("predictions differ by %v", d)
	}
	for i, r := range got.Report().Outputs {
		w := want.Report().Outputs[i]
		if !near(r.Penalty, w.Penalty, 1e-9) {
			t.Errorf("penalty %v of output %d, want %v", r.Penalty, i, w.Penalty)
		}
		// Both are within a gap of the optimum, which is flat at such a small penalty.
		if math.Abs(r.Objective-w.Objective) > max(r.Gap, w.Gap) {
			t.Errorf("objective %v of output %d, want %v", r.Objective, i, w.Objective)
		}
	}
	one, err := numbered(t, x, y, compute.Indices(rows), 1, o).Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	lower, upper := interval(t, got, test)
	otherLower, otherUpper := interval(t, one, test)
	if d := max(far(lower, otherLower), far(upper, otherUpper)); !(d <= 1e-6) {
		t.Errorf("ends of intervals differ by %v", d)
	}
}

func interval(t *testing.T, m *slkl.Model, x mat.Matrix) (lower, upper *mat.Dense) {
	t.Helper()
	lower, upper, err := m.Interval(x, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	return lower, upper
}

// TestClassLearnerFrom does not need each label in the sample.
func TestClassLearnerFrom(t *testing.T) {
	x, y := sample(rows, 3, 1, 1)
	labels := mat.NewDense(rows, 1, nil)
	for i := range rows {
		labels.Set(i, 0, math.Copysign(1, y.At(i, 0)))
	}
	labels.Set(rows-1, 0, 7)
	o := slkl.Options{MaxPoints: 40, Penalty: 1e-3, NoCalibration: true}
	few := rows / 2
	l, err := slkl.ClassLearnerFrom(context.Background(), []int{7, 1, -1}, x.Slice(0, few, 0, 3), labels.Slice(0, few, 0, 1), &o)
	if err != nil {
		t.Fatal(err)
	}
	numbers := make([]uint64, rows)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	if err := l.UpdateNumbered(numbers, x, labels); err != nil {
		t.Fatal(err)
	}
	c, err := l.Model(context.Background())
	if err != nil || !slices.Equal(c.Labels(), []int{-1, 1, 7}) || l.Rows() != rows {
		t.Errorf("labels %v of %d rows, %v", c.Labels(), l.Rows(), err)
	}
}

// TestNumberedWeights drops the number of a row of weight zero.
func TestNumberedWeights(t *testing.T) {
	x, y := sample(rows, 3, 1, 1)
	weights := slices.Repeat([]float64{1}, rows)
	weights[3] = 0
	o := slkl.Options{MaxPoints: 30, Seed: 5}
	numbers, others := make([]uint64, rows), []int{}
	for i := range numbers {
		numbers[i] = uint64(2*i + 1)
		if i != 3 {
			others = append(others, i)
		}
	}
	of := func(numbers []uint64, x, y mat.Matrix) *slkl.Model {
		t.Helper()
		l, err := slkl.LearnerFrom(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.UpdateNumbered(numbers, x, y); err != nil {
			t.Fatal(err)
		}
		m, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	with := of(numbers, rkhs.Weighted{Matrix: x, Weights: weights}, y)
	without := of(slices.Delete(slices.Clone(numbers), 3, 4), rowsOf(x, others), rowsOf(y, others))
	agree(t, "weights", with, without, x, 0)
}

func TestLearnerFromErrors(t *testing.T) {
	x, y := sample(50, 3, 1, 1)
	ctx := context.Background()
	for name, c := range map[string]struct {
		x, y mat.Matrix
		o    *slkl.Options
		want error
	}{
		"no rows":    {nil, y, nil, rkhs.ErrEmpty},
		"shape":      {x, y.Slice(0, 9, 0, 1), nil, rkhs.ErrShape},
		"low memory": {x, y, &slkl.Options{Penalty: 1, Paper: slkl.Paper{LowMemory: true}}, rkhs.ErrOption},
		"option":     {x, y, &slkl.Options{Paper: slkl.Paper{Folds: 1}}, rkhs.ErrOption},
	} {
		if l, err := slkl.LearnerFrom(ctx, c.x, c.y, c.o); l != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, l, err)
		}
	}
	var none context.Context
	if _, err := slkl.LearnerFrom(none, x, y, nil); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("nil context: %v", err)
	}
	if _, err := slkl.ClassLearnerFrom(ctx, []int{1}, x, y, nil); !errors.Is(err, rkhs.ErrLabels) {
		t.Errorf("one label: %v", err)
	}
	l, err := slkl.LearnerFrom(ctx, x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.UpdateNumbered(make([]uint64, 3), x, y); !errors.Is(err, rkhs.ErrShape) || l.Rows() != 0 {
		t.Errorf("3 numbers: %v", err)
	}
	var zero *slkl.Learner
	if err := zero.UpdateNumbered(nil, x, y); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("nil learner: %v", err)
	}
	var classes *slkl.ClassLearner
	if err := classes.UpdateNumbered(nil, x, y); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("nil class learner: %v", err)
	}
}
