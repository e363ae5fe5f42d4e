package doublysgd_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// data returns the folder of the data sets. Long tests also need the variable RKHS_PAPERS.
func data(t *testing.T, long bool) string {
	t.Helper()
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	testutil.Long(t, "it is about figures")
	if long && os.Getenv("RKHS_PAPERS") == "" {
		t.Skip("takes long: only with RKHS_PAPERS set")
	}
	return dir
}

// split is a data set in training and test parts.
type split struct{ x, y, xt, yt *mat.Dense }

func column(y []float64) *mat.Dense { return mat.NewDense(len(y), 1, y) }

func digits(t *testing.T, dir string, only ...float64) split {
	t.Helper()
	var parts []*mat.Dense
	for _, name := range []string{"train", "t10k"} {
		s, err := dataset.LoadIDXPair(filepath.Join(dir, name+"-images-idx3-ubyte.gz"), filepath.Join(dir, name+"-labels-idx1-ubyte.gz"))
		if err != nil {
			t.Fatal(err)
		}
		var rows []int
		for i, y := range s.Y {
			if len(only) == 0 || y == only[0] || y == only[1] {
				rows = append(rows, i)
			}
		}
		s = s.Select(rows)
		s.X.Scale(1./255, s.X)
		parts = append(parts, s.X, column(s.Y))
	}
	return split{parts[0], parts[1], parts[2], parts[3]}
}

// unit scales rows to unit norm.
func (s split) unit() split {
	for _, m := range []*mat.Dense{s.x, s.xt} {
		n, _ := m.Dims()
		for i := range n {
			r := m.RawRowView(i)
			v := mat.NewVecDense(len(r), r)
			v.ScaleVec(1/mat.Norm(v, 2), v)
		}
	}
	return s
}

// principal projects on the first k principal axes of the training rows.
func (s split) principal(k int) split {
	n, d := s.x.Dims()
	mean := make([]float64, d)
	for i := range n {
		for j, v := range s.x.RawRowView(i) {
			mean[j] += v / float64(n)
		}
	}
	for _, m := range []*mat.Dense{s.x, s.xt} {
		m.Apply(func(_, j int, v float64) float64 { return v - mean[j] }, m)
	}
	c := compute.NewMatrix(d, d)
	compute.AddGram(c, s.x.RawMatrix(), 0)
	var e mat.EigenSym
	e.Factorize(mat.NewSymDense(d, c.Data), true)
	var v, a, b mat.Dense
	e.VectorsTo(&v)
	a.Mul(s.x, v.Slice(0, d, d-k, d))
	b.Mul(s.xt, v.Slice(0, d, d-k, d))
	return split{&a, s.y, &b, s.yt}
}

func adult(t *testing.T, dir string) split {
	t.Helper()
	var sets []*dataset.Set
	for _, name := range []string{"a9a.train.svm.gz", "a9a.test.svm.gz"} {
		s, err := dataset.Load(filepath.Join(dir, name), dataset.Options{Cols: 123})
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s)
	}
	return split{sets[0].X, column(sets[0].Y), sets[1].X, column(sets[1].Y)}
}

// covtype is class 2 against the rest, with columns scaled to [0, 1].
func covtype(t *testing.T, dir string) split {
	t.Helper()
	s, err := dataset.Load(filepath.Join(dir, "covtype-sample15k.csv.gz"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, d := s.X.Dims()
	for j := range d {
		c := mat.Col(nil, j, s.X.Slice(0, 12000, 0, d))
		low, high := c[0], c[0]
		for _, v := range c {
			low, high = min(low, v), max(high, v)
		}
		for i := range s.Y {
			s.X.Set(i, j, (s.X.At(i, j)-low)/max(high-low, math.SmallestNonzeroFloat64))
			if high == low {
				s.X.Set(i, j, 0)
			}
		}
	}
	y := column(s.Y)
	y.Apply(func(_, _ int, v float64) float64 { return min(math.Abs(v-2), 1) }, y)
	return split{s.X.Slice(0, 12000, 0, d).(*mat.Dense), y.Slice(0, 12000, 0, 1).(*mat.Dense),
		s.X.Slice(12000, 15000, 0, d).(*mat.Dense), y.Slice(12000, 15000, 0, 1).(*mat.Dense)}
}

// errs checks that at most limit percent of the test labels are wrong.
func (s split) errs(t *testing.T, name string, limit float64, c *doublysgd.Classifier) {
	t.Helper()
	p, err := c.Predict(s.xt)
	if err != nil {
		t.Fatal(err)
	}
	wrong, n := 0, p.RawMatrix().Rows
	for i := range n {
		if p.At(i, 0) != s.yt.At(i, 0) {
			wrong++
		}
	}
	e, r := 100*float64(wrong)/float64(n), c.Report()
	t.Logf("%s: %.2f %% wrong with %d features, %v, ridge %.1g, %d passes", name, e, r.Features, c.Model().Kernel(), r.Ridge, r.Passes)
	if e > limit {
		t.Errorf("%s: %.2f %% wrong, want at most %.2f", name, e, limit)
	}
}

func (s split) fit(t *testing.T, o *doublysgd.Options) *doublysgd.Classifier {
	t.Helper()
	c, err := doublysgd.FitClassifier(context.Background(), s.x, s.y, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// stream updates a learner with batches for the given number of passes.
func (s split) stream(t *testing.T, passes int, labels ...int) *doublysgd.Classifier {
	t.Helper()
	l, err := doublysgd.NewClassLearner(labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	n, d := s.x.Dims()
	for range passes {
		for from := 0; from < n; from += 1000 {
			to := min(from+1000, n)
			if err := l.Update(s.x.Slice(from, to, 0, d), s.y.Slice(from, to, 0, 1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	c, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s split) gaussian(t *testing.T, times float64) kernel.Kernel {
	t.Helper()
	sigma, err := kernel.MedianDistance(s.x, 0)
	if err != nil {
		t.Fatal(err)
	}
	return kernel.Gaussian{Sigma: times * sigma}
}

func TestEightAgainstSix(t *testing.T) {
	s := digits(t, data(t, false), 6, 8).principal(50)
	s.errs(t, "one pass of a stream", 0.9, s.stream(t, 1, 6, 8))
	s.errs(t, "five passes of a stream", 0.6, s.stream(t, 5, 6, 8))
}

func TestCovtype(t *testing.T) {
	s := covtype(t, data(t, true))
	s.errs(t, "block-Newton, one pass", 22.5, s.fit(t, &doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Newton}}))
	s.errs(t, "hinge", 16.4, s.fit(t, &doublysgd.Options{Kernel: s.gaussian(t, 0.25), Loss: loss.Hinge{}, Ridge: 1e-6, Features: 16384, Paper: doublysgd.Paper{Passes: 12}}))
	// A bandwidth selected on all 12000 rows gives 16.4 %. The search uses 4000 rows, which favour
	// a wider kernel.
	s.errs(t, "default", 18.5, s.fit(t, nil))
}

func TestAdult(t *testing.T) {
	s := adult(t, data(t, true))
	s.errs(t, "one pass of a stream", 15.7, s.stream(t, 1, -1, 1))
	s.errs(t, "default", 15, s.fit(t, nil))
}

func TestDigits(t *testing.T) {
	s := digits(t, data(t, true)).unit().principal(50)
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	s.errs(t, "one pass of a stream", 2.6, s.stream(t, 1, all...))
	s.errs(t, "three passes of a stream", 2, s.stream(t, 3, all...))
}

// TestDigitsRevisited uses one seed. Errors of different seeds differ by about .06.
func TestDigitsRevisited(t *testing.T) {
	s := digits(t, data(t, true)).unit().principal(100)
	s.errs(t, "4096 features", 2.3, s.fit(t, &doublysgd.Options{Kernel: s.gaussian(t, 1), Ridge: 1e-7, Features: 4096, Paper: doublysgd.Paper{Passes: 4}}))
	s.errs(t, "16384 features", 1.55, s.fit(t, &doublysgd.Options{Kernel: s.gaussian(t, 0.8), Ridge: 1e-7, Features: 16384, Seed: 1, Paper: doublysgd.Paper{Passes: 5}}))
}

// TestCosine is the regression of section 7.1 of the paper: y = cos(π‖x‖/2)·exp(−π‖x‖/10) with
// noise of standard deviation .1, in a square of side 10.
func TestCosine(t *testing.T) {
	testutil.Long(t, "takes seconds")
	draw := func(n int, seed uint64, noise float64) (x, y *mat.Dense) {
		r := rand.New(rand.NewPCG(seed, 0))
		x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
		for i := range n {
			a, b := 10*r.Float64()-5, 10*r.Float64()-5
			l := math.Hypot(a, b)
			x.SetRow(i, []float64{a, b})
			y.Set(i, 0, math.Cos(math.Pi/2*l)*math.Exp(-math.Pi/10*l)+noise*r.NormFloat64())
		}
		return x, y
	}
	x, y := draw(1<<15, 1, 0.1)
	xt, yt := draw(4000, 2, 0)
	sigma, err := kernel.MedianDistance(x, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.1 * sigma}, Paper: doublysgd.Paper{Mode: doublysgd.Newton}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(xt)
	if err != nil {
		t.Fatal(err)
	}
	p.Sub(p, yt)
	if rmse := mat.Norm(p, 2) / math.Sqrt(4000); rmse > 0.025 {
		t.Errorf("one pass of block-Newton: rmse %.4f", rmse)
	} else {
		t.Logf("one pass of block-Newton: rmse %.4f", rmse)
	}
}
