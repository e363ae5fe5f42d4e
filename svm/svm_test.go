package svm_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/svm"
)

// task draws rows with targets, and labels that depend on the targets.
func task(n int, seed uint64) (x, y, labels *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 0))
	x, y, labels = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := r.NormFloat64(), r.NormFloat64()
		v := math.Sin(2*a) + b + 0.3*r.NormFloat64()
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, v)
		labels.Set(i, 0, math.Max(-1, math.Min(1, math.Round(v)))+3) // 2, 3 and 4
	}
	return x, y, labels
}

var gaussian = kernel.Gaussian{Sigma: 1.5}

// fits has the three fit functions with a common signature.
var fits = map[string]func(ctx context.Context, x, y, labels mat.Matrix, o svm.Options) (libsvmWriter, error){
	"classifier": func(ctx context.Context, x, _, labels mat.Matrix, o svm.Options) (libsvmWriter, error) {
		return orNil(svm.FitClassifier(ctx, x, labels, &o))
	},
	"regression": func(ctx context.Context, x, y, _ mat.Matrix, o svm.Options) (libsvmWriter, error) {
		return orNil(svm.Fit(ctx, x, y, &o))
	},
	"novelty": func(ctx context.Context, x, _, _ mat.Matrix, o svm.Options) (libsvmWriter, error) {
		return orNil(svm.FitNovelty(ctx, x, &o))
	},
}

// orNil returns a nil interface for a nil pointer.
func orNil[M any, P interface {
	*M
	libsvmWriter
}](m P, err error) (libsvmWriter, error) {
	if m == nil {
		return nil, err
	}
	return m, err
}

// scores returns the scores of a model.
func scores(t testing.TB, m libsvmWriter, x mat.Matrix) *mat.Dense {
	t.Helper()
	f := m.Predict
	if s, ok := m.(interface {
		Scores(x mat.Matrix) (*mat.Dense, error)
	}); ok {
		f = s.Scores
	}
	v, err := f(x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func distance(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2) / mat.Norm(b, 2)
}

// Rows with integer weights equal repeated rows, up to the scale of C.
func TestWholeWeights(t *testing.T) {
	x, y, labels := task(150, 3)
	w, where, total := make([]float64, 150), []int(nil), 0.0
	for i := range w {
		w[i] = float64(i * i % 4)
		for range int(w[i]) {
			where = append(where, i)
		}
		if w[i] > 0 {
			total++
		}
	}
	many := func(m *mat.Dense) *mat.Dense {
		_, d := m.Dims()
		r := mat.NewDense(len(where), d, nil)
		for k, i := range where {
			r.SetRow(k, m.RawRowView(i))
		}
		return r
	}
	mean := float64(len(where)) / total
	for name, fit := range fits {
		o, repeated := svm.Options{Kernel: gaussian, C: 2, Epsilon: 0.1, Tolerance: 1e-9}, svm.Options{Kernel: gaussian, C: 2 / mean, Epsilon: 0.1, Tolerance: 1e-9}
		for _, o := range []*svm.Options{&o, &repeated} {
			if name != "regression" {
				o.Epsilon = 0
			}
			if name == "novelty" {
				o.C, o.Nu = 0, 0.2
			}
		}
		a, err := fit(context.Background(), rkhs.Weighted{Matrix: x, Weights: w}, y, labels, o)
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := fit(context.Background(), many(x), many(y), many(labels), repeated)
		if err != nil {
			t.Fatal(name, err)
		}
		if d := distance(scores(t, a, x), scores(t, b, x)); !(d < 1e-6) {
			t.Errorf("%s: rows of whole weights differ from rows repeated by %.3g", name, d)
		}
	}
}

// Balanced weights find rare rows.
func TestBalanced(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 600
	x, y := mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		x.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
		if i%20 == 0 {
			x.Set(i, 0, x.At(i, 0)+1.5)
			y.Set(i, 0, 1)
		}
	}
	rows, err := dataset.Balanced(x, y)
	if err != nil {
		t.Fatal(err)
	}
	found := func(x mat.Matrix) (rare float64) {
		c, err := svm.FitClassifier(context.Background(), x, y, &svm.Options{Kernel: kernel.Gaussian{Sigma: 3}, C: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range predict(t, c, x) {
			rare += p * y.At(i, 0) / (n / 20)
		}
		return rare
	}
	if plain, balanced := found(x), found(rows); !(plain < 0.3 && balanced > 0.7) {
		t.Errorf("of the rare rows %.2f are found, with weights %.2f", plain, balanced)
	}
}

// Precomputed kernel values give the same function as the kernel, with weights and with zero weights too.
func TestPrecomputed(t *testing.T) {
	x, y, labels := task(120, 4)
	z, _, _ := task(50, 5)
	w := make([]float64, 120)
	for i := range w {
		w[i] = float64(i % 3)
	}
	g, cross := gram(gaussian, x, x), gram(gaussian, z, x)
	for name, fit := range fits {
		for _, weights := range [][]float64{nil, w} {
			rows, values := mat.Matrix(x), mat.Matrix(g)
			if weights != nil {
				rows, values = rkhs.Weighted{Matrix: x, Weights: w}, rkhs.Weighted{Matrix: g, Weights: w}
			}
			a, err := fit(context.Background(), rows, y, labels, svm.Options{Kernel: gaussian, Tolerance: 1e-9})
			if err != nil {
				t.Fatal(name, err)
			}
			b, err := fit(context.Background(), values, y, labels, svm.Options{Precomputed: true, Tolerance: 1e-9})
			if err != nil {
				t.Fatal(name, err)
			}
			if d := distance(scores(t, b, cross), scores(t, a, z)); !(d < 1e-6) {
				t.Errorf("%s: values of the kernel give another function, by %.3g", name, d)
			}
			m := modelOf(b)
			if m.Kernel() != nil || len(m.Support()) != m.ModelOrder() {
				t.Errorf("%s: kernel %v, %d numbers of %d support vectors", name, m.Kernel(), len(m.Support()), m.ModelOrder())
			}
			for k, i := range m.Support() {
				if weights != nil && weights[i] == 0 || m.Expansion().Points.At(k, i) != 1 {
					t.Errorf("%s: row %d is a support vector", name, i)
				}
			}
			again(t, b.(testutil.File), cross)
		}
	}
}

// modelOf returns the function of a model.
func modelOf(m rkhs.Model) *svm.Model {
	switch m := m.(type) {
	case *svm.Classifier:
		return m.Model()
	case *svm.Novelty:
		return m.Model()
	}
	return m.(*svm.Model)
}

// again checks that a saved and loaded model has the same predictions.
func again(t testing.TB, m testutil.File, x mat.Matrix) {
	t.Helper()
	var file bytes.Buffer
	if err := rkhs.Write(&file, m); err != nil {
		t.Fatal(err)
	}
	back, err := rkhs.Read[libsvmWriter](&file)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(predict(t, back, x), predict(t, m.(libsvmWriter), x)) {
		t.Errorf("%T: the loaded model predicts something else", m)
	}
}

// The support vectors are training rows, and satisfy the optimality conditions.
func TestSupport(t *testing.T) {
	x, y, _ := task(200, 6)
	m, err := svm.Fit(context.Background(), x, y, &svm.Options{Kernel: gaussian, C: 1, Epsilon: 0.4, Tolerance: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	e, r, p := m.Expansion(), m.Report(), predict(t, m, x)
	bounded := 0
	for k, i := range m.Support() {
		if !slices.Equal(mat.Row(nil, k, e.Points), x.RawRowView(i)) {
			t.Fatalf("support vector %d is not row %d", k, i)
		}
		off := math.Abs(p[i] - y.At(i, 0))
		if off < 0.4-1e-6 {
			t.Errorf("row %d is a support vector with an error of %v", i, off)
		}
		if math.Abs(e.Weights.At(k, 0)) == 1 {
			bounded++
		}
	}
	for i, v := range p {
		if !slices.Contains(m.Support(), i) && math.Abs(v-y.At(i, 0)) > 0.4+1e-6 {
			t.Errorf("row %d is no support vector with an error of %v", i, math.Abs(v-y.At(i, 0)))
		}
	}
	if r.ModelOrder != len(m.Support()) || r.SupportVectors[0] != r.ModelOrder || r.Bounded[0] != bounded || r.Rows != 200 {
		t.Errorf("report %+v of %d support vectors, %d bounded", r, len(m.Support()), bounded)
	}
}

// The distance between solutions of a large and a small tolerance is at most √(2·(Primal − Dual)).
func TestCertificate(t *testing.T) {
	x, y, labels := task(300, 7)
	for name, fit := range fits {
		o := svm.Options{Kernel: gaussian, Tolerance: 1e-10}
		if name != "novelty" {
			o.C = 100
		}
		exact, err := fit(context.Background(), x, y, labels, o)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, tolerance := range []float64{0.1, 1e-3} {
			o.Tolerance = tolerance
			rough, err := fit(context.Background(), x, y, labels, o)
			if err != nil {
				t.Fatal(name, err)
			}
			apart, err := modelOf(rough).Expansion().Distance(modelOf(exact).Expansion())
			if err != nil {
				t.Fatal(err)
			}
			r, best := modelOf(rough).Report(), modelOf(exact).Report()
			for q, d := range apart {
				if bound := math.Sqrt(2 * (r.Primal[q] - r.Dual[q])); d > bound*(1+1e-6) {
					t.Errorf("%s, tolerance %v: the function is %.3g from the best, the bound %.3g", name, tolerance, d, bound)
				}
				if slack := 1e-9 * math.Abs(best.Dual[q]); r.Dual[q] > best.Primal[q]+slack || r.Primal[q] < best.Dual[q]-slack || r.Gap[q] > tolerance {
					t.Errorf("%s, tolerance %v: between %v and %v, the minimum is between %v and %v", name, tolerance, r.Dual[q], r.Primal[q], best.Dual[q], best.Primal[q])
				}
			}
		}
	}
}

// C has the lowest error of the curve in the report.
func TestCurve(t *testing.T) {
	x, y, labels := task(300, 8)
	for _, name := range []string{"classifier", "regression"} {
		m, err := fits[name](context.Background(), x, y, labels, svm.Options{Kernel: gaussian})
		if err != nil {
			t.Fatal(err)
		}
		r := modelOf(m).Report()
		if len(r.C) != 1 || len(r.Curve) != 1 || r.Search.Kernel != nil {
			t.Fatalf("%s: C %v, curves %v", name, r.C, r.Curve)
		}
		best := slices.MinFunc(r.Curve[0], func(a, b svm.Trial) int { return cmp.Compare(a.Error, b.Error) })
		if len(r.Curve[0]) != 11 || best.C != r.C[0] {
			t.Errorf("%s: C = %v of %v", name, r.C, r.Curve)
		}
	}
}

// Invalid data and options return an error with the prefix svm, and no model.
func TestRefused(t *testing.T) {
	x, y, labels := task(30, 9)
	skewed, negative := gram(gaussian, x, x), gram(gaussian, x, x)
	skewed.Set(3, 4, 0.9*skewed.At(3, 4))
	negative.Set(5, 5, -1)
	for name, c := range map[string]struct {
		fit     string
		x       mat.Matrix
		o       svm.Options
		want    error
		message string
	}{
		"a negative C":            {"classifier", x, svm.Options{C: -1}, rkhs.ErrOption, "C = -1"},
		"a C that is NaN":         {"regression", x, svm.Options{C: math.NaN()}, rkhs.ErrOption, "C = NaN"},
		"an infinite epsilon":     {"regression", x, svm.Options{Epsilon: math.Inf(1)}, rkhs.ErrOption, "Epsilon"},
		"a fraction of 1":         {"novelty", x, svm.Options{Nu: 1}, rkhs.ErrOption, "Nu"},
		"a tolerance of 1":        {"novelty", x, svm.Options{Tolerance: 1}, rkhs.ErrOption, "Tolerance"},
		"negative iterations":     {"classifier", x, svm.Options{Iterations: -1}, rkhs.ErrOption, "Iterations"},
		"negative memory":         {"classifier", x, svm.Options{MemoryLimit: -1}, rkhs.ErrOption, "MemoryLimit"},
		"negative workers":        {"classifier", x, svm.Options{Workers: -1}, rkhs.ErrOption, "Workers"},
		"a metric that is none":   {"classifier", x, svm.Options{Metric: 99}, rkhs.ErrOption, "Metric"},
		"epsilon of labels":       {"classifier", x, svm.Options{Epsilon: 1}, rkhs.ErrOption, "FitClassifier does not use Epsilon"},
		"a fraction of targets":   {"regression", x, svm.Options{Nu: 0.1}, rkhs.ErrOption, "Fit does not use Nu"},
		"C of one class":          {"novelty", x, svm.Options{C: 1}, rkhs.ErrOption, "FitNovelty does not use C"},
		"a metric of one class":   {"novelty", x, svm.Options{Metric: kernel.NoMetric}, rkhs.ErrOption, "Metric"},
		"a metric and a kernel":   {"classifier", x, svm.Options{Metric: kernel.NoMetric, Kernel: gaussian}, rkhs.ErrOption, "Metric"},
		"a kernel and its values": {"novelty", x, svm.Options{Precomputed: true, Kernel: gaussian}, rkhs.ErrOption, "Kernel"},
		"a kernel at fault":       {"novelty", x, svm.Options{Kernel: kernel.Gaussian{}}, rkhs.ErrOption, "Sigma"},
		"a kernel of histograms":  {"regression", x, svm.Options{Kernel: kernel.Hellinger{}}, rkhs.ErrDomain, "negative"},
		"a Gram matrix of rows":   {"regression", x, svm.Options{Precomputed: true}, rkhs.ErrShape, "30×2"},
		"an asymmetric one":       {"classifier", skewed, svm.Options{Precomputed: true}, rkhs.ErrDomain, "not symmetric"},
		"a negative diagonal":     {"classifier", negative, svm.Options{Precomputed: true}, rkhs.ErrDomain, "row 5"},
		"too little memory":       {"classifier", x, svm.Options{MemoryLimit: 1000}, rkhs.ErrMemory, "30 rows"},
		"no rows":                 {"novelty", nil, svm.Options{}, rkhs.ErrEmpty, "x"},
		"an infinite row":         {"novelty", mat.NewDense(2, 1, []float64{1, math.Inf(1)}), svm.Options{}, rkhs.ErrNotFinite, "row 1"},
	} {
		m, err := fits[c.fit](context.Background(), c.x, y, labels, c.o)
		if !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), "svm: ") || !strings.Contains(err.Error(), c.message) || m != nil {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", name, err, c.want, c.message)
		}
	}
	for name, fit := range fits {
		var none context.Context
		if m, err := fit(none, x, y, labels, svm.Options{}); !errors.Is(err, rkhs.ErrOption) || m != nil {
			t.Errorf("%s: error %v without a context", name, err)
		}
	}
}
