package polk_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// cut returns rows [from, to) of s.
func cut(s *dataset.Set, from, to int) *dataset.Set {
	_, d := s.X.Dims()
	return &dataset.Set{X: mat.DenseCopyOf(s.X.Slice(from, to, 0, d)), Y: s.Y[from:to]}
}

func column(v []float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// errorRate returns the fraction of wrong labels.
func errorRate(tb testing.TB, c *polk.Classifier, s *dataset.Set) float64 {
	tb.Helper()
	p, err := c.Predict(s.X)
	if err != nil {
		tb.Fatal(err)
	}
	wrong := 0.0
	for i, v := range s.Y {
		if p.At(i, 0) != v {
			wrong++
		}
	}
	return wrong / float64(len(s.Y))
}

func classify(tb testing.TB, s *dataset.Set, opts *polk.Options) *polk.Classifier {
	tb.Helper()
	o := *opts
	o.NoCalibration = true // only errors are measured
	c, err := polk.FitClassifier(context.Background(), s.X, column(s.Y), &o)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// multidist returns the mean over draws of the modes of the error in excess of the Bayes error,
// and the mean and the maximum number of points.
func multidist(t *testing.T, opts polk.Options) (excess, order float64, most int) {
	const draws, train, rows = 20, 5000, 7500
	for seed := range uint64(draws) {
		all, bayes := synthetic.Multidist(rows, seed)
		test := cut(all, train, rows)
		c := classify(t, cut(all, 0, train), &opts)
		unavoidable := 0.0
		for i, v := range test.Y {
			if bayes[train+i] != v {
				unavoidable++
			}
		}
		excess += (errorRate(t, c, test) - unavoidable/float64(len(test.Y))) / draws
		order += float64(c.Model().ModelOrder()) / draws
		most = max(most, c.Model().ModelOrder())
	}
	t.Logf("excess %.2f %%, %.1f points, at most %d", 100*excess, order, most)
	return excess, order, most
}

// The setting of the paper in one pass: constant step size and budget.
func TestMultidistPaper(t *testing.T) {
	for _, l := range []loss.Loss{loss.MulticlassHinge{}, loss.Softmax{}} {
		if !testutil.LongTests() && l != (loss.MulticlassHinge{}) {
			continue
		}
		excess, order, _ := multidist(t, polk.Options{Loss: l, Kernel: kernel.Gaussian{Sigma: 0.6}, Passes: 1, Paper: polk.Paper{Rate: 6, BudgetConstant: 0.04, Schedule: polk.Constant}})
		if excess > 0.045 || order < 10 || order > 20 {
			t.Errorf("%v: excess %.2f %% with %.1f points, want 4.5 %% with 10 to 20", l, 100*excess, order)
		}
	}
}

// Steps of the paper with a relative budget, decreasing to the horizon, keep few points. The
// default also selects the kernel and may keep more. Without RKHS_PAPERS it runs one pass with a
// given kernel.
func TestMultidistDefault(t *testing.T) {
	given := kernel.Gaussian{Sigma: 0.6}
	for _, c := range []struct {
		opts   polk.Options
		limit  float64
		points int
	}{
		{polk.Options{Kernel: given, Passes: 1, Paper: polk.Paper{Rate: 12}}, 0.012, 30},
		{polk.Options{Kernel: given, Passes: 3, Paper: polk.Paper{Rate: 12}}, 0.007, 30},
		{polk.Options{Kernel: given, Passes: 1, Loss: loss.Softmax{}, Paper: polk.Paper{Rate: 12}}, 0.012, 30},
		{polk.Options{Kernel: given, Passes: 3, Loss: loss.Softmax{}, Paper: polk.Paper{Rate: 12}}, 0.007, 30},
		{polk.Options{Passes: 1}, 0.012, 500},
	} {
		if !testutil.LongTests() && c.opts != (polk.Options{Kernel: given, Passes: 1, Paper: polk.Paper{Rate: 12}}) {
			continue
		}
		if !papers() && c.opts.Kernel == nil {
			t.Logf("%+v: slow, skipped: RKHS_PAPERS is not set", c.opts)
			continue
		}
		if excess, _, most := multidist(t, c.opts); excess > c.limit || most > c.points {
			t.Errorf("%+v: excess %.2f %% with up to %d points, want %.2f %% with %d", c.opts, 100*excess, most, 100*c.limit, c.points)
		}
	}
}

// One-step-ahead prediction of the Mackey-Glass series, trained on single noisy values and tested
// on noise-free values.
func TestMackeyGlass(t *testing.T) {
	testutil.Long(t, "takes seconds")
	const length, train, test = 7, 5000, 1000
	noisy, clean := synthetic.MackeyGlass(train+test+2*length, 1)
	past := synthetic.Embed(noisy[:train+length], noisy[:train+length], length)
	next := synthetic.Embed(clean[train+length:], clean[train+length:], length)
	for _, c := range []struct {
		opts   polk.Options
		nmse   float64
		points int
	}{
		{polk.Options{Paper: polk.Paper{Rate: 1}}, 0.04, 40}, // the steps of the paper
		{polk.Options{}, 0.01, 400},
	} {
		c.opts.Kernel, c.opts.Batch, c.opts.Passes = kernel.Gaussian{Sigma: math.Sqrt(0.5)}, 1, 1
		m, err := polk.Fit(context.Background(), past.X, column(past.Y), &c.opts)
		if err != nil {
			t.Fatal(err)
		}
		nmse := meanSquare(t, m, next) / power(next.Y)
		t.Logf("normalised mean squared error %.4f with %d points", nmse, m.ModelOrder())
		if nmse > c.nmse || m.ModelOrder() > c.points {
			t.Errorf("normalised mean squared error %.4f with %d points, want %g with %d", nmse, m.ModelOrder(), c.nmse, c.points)
		}
	}
}

func power(v []float64) (mean float64) {
	for _, x := range v {
		mean += x * x / float64(len(v))
	}
	return mean
}

func meanSquare(tb testing.TB, m *polk.Model, s *dataset.Set) (mean float64) {
	tb.Helper()
	p, err := m.Predict(s.X)
	if err != nil {
		tb.Fatal(err)
	}
	for i, v := range s.Y {
		e := p.At(i, 0) - v
		mean += e * e / float64(len(s.Y))
	}
	return mean
}

func load(tb testing.TB, name string) *dataset.Set {
	tb.Helper()
	s, err := dataset.Load(filepath.Join(folder(tb), name), dataset.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func folder(tb testing.TB) string {
	tb.Helper()
	dir, ok := testutil.DataDir()
	if !ok {
		tb.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	return dir
}

// papers reports whether to run the long cases.
func papers() bool { return os.Getenv("RKHS_PAPERS") != "" }

// TestAbalone averages five splits with RKHS_PAPERS, otherwise two.
func TestAbalone(t *testing.T) {
	testutil.Long(t, "takes seconds")
	s := load(t, "abalone.csv.gz")
	total, points := 0.0, 0
	const train = 3133
	splits := 5
	if !papers() {
		splits = 2
		t.Log("two splits: RKHS_PAPERS is not set")
	}
	for seed := range uint64(splits) {
		all := cut(s, 0, len(s.Y))
		all.Y = append([]float64(nil), s.Y...)
		all.Shuffle(seed)
		past, next := cut(all, 0, train), cut(all, train, len(s.Y))
		if _, err := dataset.Standardize(past.X, next.X); err != nil {
			t.Fatal(err)
		}
		m, err := polk.Fit(context.Background(), past.X, column(past.Y), nil)
		if err != nil {
			t.Fatal(err)
		}
		rmse := math.Sqrt(meanSquare(t, m, next))
		t.Logf("RMSE %.3f with %d points", rmse, m.ModelOrder())
		total += rmse
		points += m.ModelOrder()
	}
	if mean := total / float64(splits); mean > 2.20 || points/splits > 600 {
		t.Errorf("RMSE %.3f with %d points, want 2.20 with 600", mean, points/splits)
	}
}

func TestLetter(t *testing.T) {
	testutil.Long(t, "takes seconds")
	s := load(t, "letter.csv.gz")
	train, test := cut(s, 0, 16000), cut(s, 16000, 20000)
	if _, err := dataset.Standardize(train.X, test.X); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		passes int
		limit  float64
	}{{1, 0.09}, {3, 0.06}} {
		if c.passes > 1 && !papers() {
			t.Logf("%d passes: slow, skipped: RKHS_PAPERS is not set", c.passes)
			continue
		}
		m := classify(t, train, &polk.Options{Passes: c.passes})
		e := errorRate(t, m, test)
		t.Logf("%d passes: %.2f %% with %d points", c.passes, 100*e, m.Model().ModelOrder())
		if e > c.limit || m.Model().ModelOrder() > 1000 {
			t.Errorf("%d passes: %.2f %% with %d points, want %.2f %% with 1000", c.passes, 100*e, m.Model().ModelOrder(), 100*c.limit)
		}
	}
}

func loadMNIST(tb testing.TB, part string) *dataset.Set {
	tb.Helper()
	dir := folder(tb)
	s, err := dataset.LoadIDXPair(filepath.Join(dir, part+"-images-idx3-ubyte.gz"), filepath.Join(dir, part+"-labels-idx1-ubyte.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	s.X.Scale(1./255, s.X)
	return s
}

func TestMNIST(t *testing.T) {
	if os.Getenv("RKHS_PAPERS") == "" {
		t.Skip("takes a minute; RKHS_PAPERS is not set")
	}
	train, test := loadMNIST(t, "train"), loadMNIST(t, "t10k")
	for _, c := range []struct {
		name  string
		opts  polk.Options
		limit float64
	}{
		{"hinge, one pass", polk.Options{Passes: 1}, 0.033},
		{"hinge, three passes", polk.Options{Passes: 3}, 0.027},
		{"softmax, one pass", polk.Options{Passes: 1, Loss: loss.Softmax{}}, 0.042},
	} {
		m := classify(t, train, &c.opts)
		e := errorRate(t, m, test)
		t.Logf("%s: %.2f %% with %d points", c.name, 100*e, m.Model().ModelOrder())
		if e > c.limit || m.Model().ModelOrder() > 1000 {
			t.Errorf("%s: %.2f %% with %d points, want %.2f %% with 1000", c.name, 100*e, m.Model().ModelOrder(), 100*c.limit)
		}
	}
}
