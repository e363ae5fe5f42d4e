package polk_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

func fitted(t *testing.T, seed uint64, n int, opts polk.Options) *polk.Model {
	t.Helper()
	x, y := sample(n, seed)
	m, err := polk.Fit(context.Background(), x, y, &opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A merged model is the mean of the functions, weighted by rows, to within the reported distance.
// With k(x, x) = 1 the distance bounds differences of predictions.
func TestMergeIsMean(t *testing.T) {
	opts := polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-2, Passes: 3}
	models := []*polk.Model{fitted(t, 1, 300, opts), fitted(t, 2, 900, opts), fitted(t, 3, 600, opts)}
	x, _ := sample(200, 9)
	var want mat.Dense
	for i, share := range []float64{300.0 / 1800, 900.0 / 1800, 600.0 / 1800} {
		p, err := models[i].Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		p.Scale(share, p)
		if i == 0 {
			want.CloneFrom(p)
		} else {
			want.Add(&want, p)
		}
	}
	before := math.MaxInt
	for _, eps := range []float64{0, 0.01, 0.1, 1} {
		m, distance, err := polk.Merge(models, eps)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		p.Sub(p, &want)
		worst := max(mat.Max(p), -mat.Min(p))
		t.Logf("eps = %g: %d points, distance %.2g, worst difference %.2g", eps, m.ModelOrder(), distance, worst)
		if worst > distance+1e-6 || distance > eps+1e-3 {
			t.Errorf("eps = %g: predictions differ by %v at a distance of %v", eps, worst, distance)
		}
		if m.ModelOrder() > before || eps > 0 && m.ModelOrder() == before {
			t.Errorf("eps = %g leaves %d points, a smaller one %d", eps, m.ModelOrder(), before)
		}
		before = m.ModelOrder()
		if got := m.Report(); got.Rows != 3*1800 || got.Ridge != 1e-2 {
			t.Errorf("report %+v", got)
		}
	}
}

// A merged model respects the bound on points, and its distance from the mean is as reported.
func TestMergeTo(t *testing.T) {
	opts := polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-2, Passes: 3}
	models := []*polk.Model{fitted(t, 1, 300, opts), fitted(t, 2, 900, opts), fitted(t, 3, 600, opts)}
	all, _, err := polk.Merge(models, 0)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := sample(200, 9)
	want, err := all.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	before := 0.0
	for _, points := range []int{all.ModelOrder() - 1, all.ModelOrder() / 2, 3} {
		m, distance, err := polk.MergeTo(models, points)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		p.Sub(p, want)
		if worst := max(mat.Max(p), -mat.Min(p)); m.ModelOrder() > points || worst > distance+1e-3 || distance < before {
			t.Errorf("%d points of %d: predictions differ by %v at a distance of %v", m.ModelOrder(), points, worst, distance)
		}
		before = distance
	}
	if _, _, err := polk.MergeTo(models, 0); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("no points: %v", err)
	}
}

// A single model merges into itself.
func TestMergeOfOne(t *testing.T) {
	m := fitted(t, 1, 200, polk.Options{})
	same, distance, err := polk.Merge([]*polk.Model{m}, 0)
	if err != nil || same.ModelOrder() != m.ModelOrder() || distance > 1e-3 {
		t.Fatalf("%d points of %d at a distance of %v, error %v", same.ModelOrder(), m.ModelOrder(), distance, err)
	}
	x, _ := sample(50, 7)
	a, _ := m.Predict(x)
	b, _ := same.Predict(x)
	if !mat.EqualApprox(a, b, 1e-6) {
		t.Error("a model merged with nothing predicts otherwise")
	}
}

// Classifiers of shards with different labels in different orders.
func TestMergeClassifiers(t *testing.T) {
	testutil.Long(t, "takes seconds")
	all, _ := synthetic.Multidist(6000, 3)
	test := cut(all, 5000, 6000)
	opts := polk.Options{Loss: loss.MulticlassHinge{}, Kernel: kernel.Gaussian{Sigma: 0.6}, Passes: 2} // as for a stream
	var list []*polk.Classifier
	for shard := range 4 {
		s := cut(all, 1250*shard, 1250*(shard+1))
		list = append(list, classify(t, s, &opts))
	}
	m, distance, err := polk.MergeClassifiers(list, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	single, merged := errorRate(t, list[0], test), errorRate(t, m, test)
	t.Logf("error of a shard %.3f, merged %.3f with %d points at a distance of %.2f", single, merged, m.Model().ModelOrder(), distance)
	if merged > single+0.01 {
		t.Errorf("error %v of the merged, %v of a shard", merged, single)
	}
	back := reversed(t, all)
	if m, _, err = polk.MergeClassifiers([]*polk.Classifier{back, list[0]}, 0.1); err != nil {
		t.Fatal(err)
	}
	if e := errorRate(t, m, test); e > errorRate(t, list[0], test)+0.05 {
		t.Errorf("error %v after merging with labels in another order", e)
	}
}

// reversed updates from a stream with labels in descending order.
func reversed(t *testing.T, s *dataset.Set) *polk.Classifier {
	t.Helper()
	l := newClassLearner(t, polk.Options{Kernel: kernel.Gaussian{Sigma: 0.6}})
	for label := 4; label >= 0; label-- {
		for i, y := range s.Y {
			if int(y) == label {
				update(t, l, mat.NewDense(1, 2, s.X.RawRowView(i)), scalar(y))
				break
			}
		}
	}
	if err := l.Learn(context.Background(), batches(s.X.Slice(0, 2000, 0, 2).(*mat.Dense), column(s.Y), 32)); err != nil {
		t.Fatal(err)
	}
	c, err := l.Model(context.Background())
	if err != nil || c.Labels()[0] != 4 {
		t.Fatalf("labels %v, error %v", c.Labels(), err)
	}
	return c
}

// With a loss of labels ±1 the sign matches the labels.
func TestMergeMargin(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 0.2, 3, 3.2})
	opts := polk.Options{Loss: loss.Hinge{}, Kernel: kernel.Gaussian{Sigma: 1}}
	up, down := newClassLearner(t, opts), newClassLearner(t, opts)
	ahead, behind := mat.NewDense(4, 1, []float64{1, 1, 2, 2}), mat.NewDense(4, 1, []float64{2, 2, 1, 1})
	for range 30 {
		update(t, up, x, ahead)
		update(t, down, mat.NewDense(4, 1, []float64{3, 3.2, 0, 0.2}), behind)
	}
	a, err := up.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	b, err := down.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := polk.MergeClassifiers([]*polk.Classifier{a, b}, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(x)
	if err != nil || !mat.Equal(p, ahead) {
		t.Errorf("labels %v, error %v", mat.Col(nil, 0, p), err)
	}
	fa, _ := a.Scores(x)
	fm, _ := m.Scores(x)
	if fa.At(0, 0)*fm.At(0, 0) <= 0 || abs(fm.At(0, 0)) < abs(fa.At(0, 0))/2 {
		t.Errorf("the scores %v and %v cancel", fa.At(0, 0), fm.At(0, 0))
	}
}

func TestMergeRefuses(t *testing.T) {
	g := polk.Options{Kernel: kernel.Gaussian{Sigma: 1}}
	m := fitted(t, 1, 50, g)
	x, y := sample(50, 1)
	other := func(x, y *mat.Dense, opts polk.Options) *polk.Model {
		o, err := polk.Fit(context.Background(), x, y, &opts)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	two := mat.NewDense(50, 2, nil)
	for name, c := range map[string]struct {
		list []*polk.Model
		eps  float64
		want error
	}{
		"no models":     {nil, 0, rkhs.ErrEmpty},
		"nil model":     {[]*polk.Model{m, nil}, 0, rkhs.ErrUnfitted},
		"zero model":    {[]*polk.Model{{}, m}, 0, rkhs.ErrUnfitted},
		"negative eps":  {[]*polk.Model{m}, -1, rkhs.ErrOption},
		"eps NaN":       {[]*polk.Model{m}, math.NaN(), rkhs.ErrOption},
		"other kernels": {[]*polk.Model{m, fitted(t, 1, 50, polk.Options{Kernel: kernel.Gaussian{Sigma: 2}})}, 0, rkhs.ErrOption},
		"other losses":  {[]*polk.Model{m, fitted(t, 1, 50, polk.Options{Kernel: g.Kernel, Loss: loss.Huber{Delta: 1}})}, 0, rkhs.ErrOption},
		"other inputs":  {[]*polk.Model{m, other(y, y, g)}, 0, rkhs.ErrShape},
		"other outputs": {[]*polk.Model{m, other(x, two, g)}, 0, rkhs.ErrShape},
	} {
		if _, _, err := polk.Merge(c.list, c.eps); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, _, err := polk.MergeClassifiers([]*polk.Classifier{nil, {}}, 0); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("nil classifiers: error %v", err)
	}
	if _, _, err := polk.MergeClassifiers(nil, 0); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no classifiers: error %v", err)
	}
}
