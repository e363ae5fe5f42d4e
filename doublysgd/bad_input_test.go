package doublysgd_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// sine returns n points of a sine over [0, 10).
func sine(n int) (x, y *mat.Dense) {
	x, y = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		t := 10 * float64(i) / float64(n)
		x.Set(i, 0, t)
		y.Set(i, 0, math.Sin(t))
	}
	return x, y
}

func checkError(t *testing.T, err, want error, names ...string) {
	t.Helper()
	testutil.CheckError(t, "doublysgd", err, want, names...)
}

// TestOptionsOutOfRange sets each field out of its range in turn.
func TestOptionsOutOfRange(t *testing.T) {
	x, y := sine(30)
	nan := math.NaN()
	for _, c := range []struct {
		opts  doublysgd.Options
		names []string
	}{
		{doublysgd.Options{Kernel: kernel.Gaussian{Sigma: -2}}, []string{"Gaussian.Sigma", "-2"}},
		{doublysgd.Options{Kernel: kernel.RationalQuadratic{}}, []string{"RationalQuadratic"}},
		{doublysgd.Options{Metric: -1}, []string{"Metric", "-1"}},
		{doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Metric: kernel.FullMetric}, []string{"Kernel", "Metric"}},
		{doublysgd.Options{Paper: doublysgd.Paper{Sampler: 99}}, []string{"Sampler"}},
		{doublysgd.Options{Loss: loss.Huber{}}, []string{"Loss", "Delta"}},
		{doublysgd.Options{Loss: loss.Hinge{}}, []string{"Loss", "Hinge"}},
		{doublysgd.Options{Loss: loss.Softmax{}}, []string{"Loss", "Softmax"}},
		{doublysgd.Options{Paper: doublysgd.Paper{Mode: 5}}, []string{"Mode", "5"}},
		{doublysgd.Options{Features: -1}, []string{"Features", "-1"}},
		{doublysgd.Options{Features: math.MaxInt}, []string{"Features", "9.2"}},
		{doublysgd.Options{Features: 1<<30 + 1}, []string{"Features", "1.07"}},
		{doublysgd.Options{Paper: doublysgd.Paper{Columns: math.MaxInt - 1}}, []string{"Columns", "9.2"}},
		{doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Newton, Columns: 1 << 30}}, []string{"Columns", "1073741824"}},
		{doublysgd.Options{Paper: doublysgd.Paper{Batch: math.MaxInt}}, []string{"Batch", "9.2"}},
		{doublysgd.Options{Paper: doublysgd.Paper{Columns: 3}}, []string{"Columns", "3"}},
		{doublysgd.Options{Paper: doublysgd.Paper{Batch: -1}}, []string{"Batch", "-1"}},
		{doublysgd.Options{Paper: doublysgd.Paper{Passes: -1}}, []string{"Passes", "-1"}},
		{doublysgd.Options{Ridge: -1}, []string{"Ridge", "-1"}},
		{doublysgd.Options{Ridge: nan}, []string{"Ridge", "NaN"}},
		{doublysgd.Options{Ridge: 1e9}, []string{"Ridge", "1e+09"}},
		{doublysgd.Options{Tolerance: 1}, []string{"Tolerance", "1"}},
		{doublysgd.Options{Tolerance: nan}, []string{"Tolerance", "NaN"}},
		{doublysgd.Options{Paper: doublysgd.Paper{Precision: 3}}, []string{"Precision", "3"}},
		{doublysgd.Options{Paper: doublysgd.Paper{CacheSize: -1}}, []string{"CacheSize", "-1"}},
		{doublysgd.Options{MemoryLimit: -1}, []string{"MemoryLimit", "-1"}},
		{doublysgd.Options{Workers: -1}, []string{"Workers", "-1"}},
	} {
		t.Run(strings.Join(c.names, " "), func(t *testing.T) {
			m, err := doublysgd.Fit(context.Background(), x, y, &c.opts)
			checkError(t, err, rkhs.ErrOption, c.names...)
			if m != nil {
				t.Error("a model in spite of the error")
			}
		})
	}
	_, err := doublysgd.NewLearner(&doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Revisit}})
	checkError(t, err, rkhs.ErrOption, "Revisit")
	for name, o := range map[string]*doublysgd.Options{
		"Metric":         {Metric: kernel.DiagonalMetric},
		"Sampler":        {Paper: doublysgd.Paper{Sampler: 77}},
		"Gaussian.Sigma": {Kernel: kernel.Gaussian{Sigma: -1}},
		"ARD.Scales":     {Kernel: kernel.ARD{Of: kernel.Gaussian{Sigma: 1}}},
		"Columns":        {Paper: doublysgd.Paper{Columns: 1 << 26}},
	} {
		_, err := doublysgd.NewLearner(o)
		checkError(t, err, rkhs.ErrOption, name)
		_, err = doublysgd.NewClassLearner([]int{1, 2}, o)
		checkError(t, err, rkhs.ErrOption, name)
	}
	// Kernels that fix the number of columns are valid before the first rows.
	for _, s := range []features.Sampler{features.Auto, features.Independent, features.Orthogonal, features.Fastfood, features.Sobol, features.Halton} {
		k := kernel.ARD{Of: kernel.Gaussian{Sigma: 1}, Scales: []float64{1, 2, 3}}
		if _, err := doublysgd.NewLearner(&doublysgd.Options{Kernel: k, Paper: doublysgd.Paper{Sampler: s}}); err != nil {
			t.Errorf("%v: %v", s, err)
		}
	}
	_, err = doublysgd.FitClassifier(context.Background(), x, mat.NewDense(30, 1, nil), nil)
	checkError(t, err, rkhs.ErrLabels, "0")
	for _, labels := range [][]int{nil, {1}, {1, 1}} {
		_, err := doublysgd.NewClassLearner(labels, nil)
		checkError(t, err, rkhs.ErrLabels)
	}
}

func TestMemoryLimit(t *testing.T) {
	x, y := sine(3000)
	m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6, MemoryLimit: 1 << 20})
	checkError(t, err, rkhs.ErrMemory, "3000 rows", "1 MiB")
	if m != nil {
		t.Error("a model in spite of the error")
	}
	// The default blocks of 640 features for 300 rows need 12 MB.
	x, y = sine(300)
	m, err = doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6, MemoryLimit: 4 << 20})
	if err != nil {
		t.Fatalf("smaller blocks fit: %v", err)
	}
	if n := m.Report().Features; n == 0 || n%320 != 0 {
		t.Errorf("%d features, want blocks of 320", n)
	}
}

// TestMemoryLimitOfSteps uses sizes that no machine can allocate.
func TestMemoryLimitOfSteps(t *testing.T) {
	x, y := sine(300)
	for _, c := range []struct {
		name  string
		opts  doublysgd.Options
		names []string
	}{
		{"normal equations", doublysgd.Options{Features: 1 << 30, Paper: doublysgd.Paper{Mode: doublysgd.Newton, Columns: 1 << 20}}, []string{"8.39e+06 MiB", "4.1e+03 MiB"}},
		{"features", doublysgd.Options{Features: 1 << 30, Paper: doublysgd.Paper{Mode: doublysgd.Plain, Columns: 1 << 24}}, []string{"16777216 features", "4.1e+03 MiB"}},
		{"small limit", doublysgd.Options{MemoryLimit: 1 << 18, Paper: doublysgd.Paper{Mode: doublysgd.Plain}}, []string{"0.25 MiB"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opts.Kernel = kernel.Gaussian{Sigma: 1}
			_, err := doublysgd.Fit(context.Background(), x, y, &c.opts)
			checkError(t, err, rkhs.ErrMemory, c.names...)
			l, err := doublysgd.NewLearner(&c.opts)
			checkError(t, err, rkhs.ErrMemory)
			k, err := doublysgd.NewClassLearner([]int{1, 2}, &c.opts)
			checkError(t, err, rkhs.ErrMemory)
			if l != nil || k != nil {
				t.Error("a learner in spite of the error")
			}
		})
	}
	// Features that a fit to few rows cannot use do not count. A stream may use them.
	many := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6, Features: 1 << 30, Paper: doublysgd.Paper{Mode: doublysgd.Plain}}
	if _, err := doublysgd.Fit(context.Background(), x, y, many); err != nil {
		t.Error(err)
	}
	_, err := doublysgd.NewLearner(many)
	checkError(t, err, rkhs.ErrMemory)
}

// TestMemoryBeforeSearch checks that a fit too large for any kernel fails before the search.
func TestMemoryBeforeSearch(t *testing.T) {
	x, y := sine(300)
	for _, opts := range []doublysgd.Options{
		{Features: 1 << 28},
		{Paper: doublysgd.Paper{Mode: doublysgd.Newton, Columns: 1 << 20}},
		{MemoryLimit: 1 << 18, Paper: doublysgd.Paper{Mode: doublysgd.Plain}},
	} {
		opts.Recorder = rkhs.RecorderFunc(func(p rkhs.Progress) error {
			t.Errorf("%v mode: %s before the error", opts.Mode, p.Phase)
			return nil
		})
		_, err := doublysgd.Fit(context.Background(), x, y, &opts)
		checkError(t, err, rkhs.ErrMemory)
	}
}

// TestCoefficientsCount checks that the memory of coefficients counts, both for given features
// and while features are added.
func TestCoefficientsCount(t *testing.T) {
	x, y := sine(300)
	_, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6, Features: 1 << 28})
	checkError(t, err, rkhs.ErrMemory, "features", "4.1e+03 MiB")
	many := mat.NewDense(300, 64, nil)
	many.Apply(func(i, _ int, _ float64) float64 { return math.Sin(20 * x.At(i, 0)) }, many)
	grown := func(limit int64) int {
		m, err := doublysgd.Fit(context.Background(), x, many, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.1}, Ridge: 1e-9, MemoryLimit: limit, Paper: doublysgd.Paper{Columns: 64, CacheSize: 1}})
		if err != nil {
			t.Fatal(err)
		}
		return m.Report().Features
	}
	if free, bound := grown(0), grown(3<<20); free <= 192 || bound > 192 {
		t.Errorf("%d features of 64 outputs, %d in 3 MiB, want more than 192 and no more", free, bound)
	}
}

// TestDiverged has one huge target, which the median absolute deviation does not scale down.
func TestDiverged(t *testing.T) {
	x, y := sine(300)
	y.Set(7, 0, 1e300)
	for _, mode := range []doublysgd.Mode{doublysgd.Revisit, doublysgd.Newton, doublysgd.Plain} {
		m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Paper: doublysgd.Paper{Mode: mode}})
		checkError(t, err, rkhs.ErrDiverged, "row 7")
		if m != nil {
			t.Error("a model in spite of the error")
		}
	}
}

// TestDivergedUnits has rows in units for which squares are out of range.
func TestDivergedUnits(t *testing.T) {
	for _, unit := range []float64{1e-300, 1e-160, 1e150, 1e160, 1e300} {
		x, y := sine(300)
		x.Scale(unit, x)
		m, err := doublysgd.Fit(context.Background(), x, y, nil)
		checkError(t, err, rkhs.ErrDiverged, "largest number of x")
		if m != nil {
			t.Error("a model in spite of the error")
		}
	}
}

// TestRefusedUpdate checks that rows for which a step diverges leave the learner unchanged.
func TestRefusedUpdate(t *testing.T) {
	l, err := doublysgd.NewLearner(&doublysgd.Options{Paper: doublysgd.Paper{Columns: 16, Batch: 32}})
	if err != nil {
		t.Fatal(err)
	}
	x, y := sine(300)
	if err := l.Update(x, y); err != nil {
		t.Fatal(err)
	}
	before, err := l.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	far := mat.DenseCopyOf(y)
	far.Apply(func(int, int, float64) float64 { return -1e200 }, far) // too many to be outliers
	checkError(t, l.Update(x, far), rkhs.ErrDiverged)
	after, err := l.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) || l.Rows() != 300 {
		t.Error("a batch with an error changed the learner")
	}
	if err := l.Update(x, y); err != nil {
		t.Error(err)
	}
}

// TestProba compares probabilities with labels and checks the error of an uncalibrated
// classifier.
func TestProba(t *testing.T) {
	x, y := sine(300)
	y.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, y)
	c, err := doublysgd.FitClassifier(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6, Loss: loss.Softmax{}, Paper: doublysgd.Paper{Columns: 64}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Proba(x)
	if err != nil {
		t.Fatal(err)
	}
	labels, err := c.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		r := p.RawRowView(i)
		best, sum := 0, 0.0
		for k, v := range r {
			sum += v
			if v > r[best] {
				best = k
			}
		}
		if math.Abs(sum-1) > 1e-12 || float64(c.Labels()[best]) != labels.At(i, 0) {
			t.Fatalf("row %d: probabilities %v of %v, label %v", i, r, c.Labels(), labels.At(i, 0))
		}
	}
	c, err = doublysgd.FitClassifier(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6, NoCalibration: true, Paper: doublysgd.Paper{Columns: 64}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Proba(x)
	checkError(t, err, rkhs.ErrNoCalibration, "probabilities")
}
