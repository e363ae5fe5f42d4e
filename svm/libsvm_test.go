package svm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/svm"
)

// libsvm finds the programs of LIBSVM, or skips the test.
func libsvm(t testing.TB) {
	t.Helper()
	for _, name := range []string{"svm-train", "svm-predict"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s of LIBSVM is not on this machine", name)
		}
	}
}

// rounded rounds the values of a kernel to single precision, like LIBSVM. For large C this rounding
// changes the objective by more than a millionth.
type rounded struct{ of kernel.Kernel }

func (k rounded) Eval(x, y []float64) float64 { return float64(float32(k.of.Eval(x, y))) }

// table returns at most the given number of rows of a table, in random order, with columns of mean
// zero and unit deviation.
func table(t testing.TB, name string, rows int) (x, y *mat.Dense) {
	t.Helper()
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	set, err := dataset.Load(filepath.Join(dir, name+".csv.gz"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n, d := set.X.Dims()
	order := rand.New(rand.NewPCG(1, 2)).Perm(n)
	set = set.Select(order[:min(n, rows)])
	x = set.X
	n, _ = x.Dims()
	for j := range d {
		column := mat.Col(nil, j, x)
		mean, deviation := stat.PopMeanStdDev(column, nil)
		for i, v := range column {
			x.Set(i, j, (v-mean)/max(deviation, 1e-12))
		}
	}
	return x, mat.NewDense(n, 1, slices.Clone(set.Y))
}

// write writes rows in the format of LIBSVM, with all digits.
func write(t testing.TB, path string, x, y mat.Matrix, precomputed bool) {
	t.Helper()
	var b strings.Builder
	n, d := x.Dims()
	for i := range n {
		fmt.Fprint(&b, y.At(i, 0))
		if precomputed {
			fmt.Fprintf(&b, " 0:%d", i+1)
		}
		for j := range d {
			if v := x.At(i, j); v != 0 || precomputed {
				fmt.Fprintf(&b, " %d:%v", j+1, v)
			}
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// train runs svm-train and returns the sum of the objectives that it prints, over pairs of
// labels.
func train(t testing.TB, data, model string, args ...string) float64 {
	t.Helper()
	out, err := exec.Command("svm-train", append(args, data, model)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for line := range strings.Lines(string(out)) {
		var obj, rho float64
		if n, _ := fmt.Sscanf(line, "obj = %g, rho = %g", &obj, &rho); n == 2 {
			sum += obj
		}
	}
	return sum
}

// predicted returns the predictions of svm-predict.
func predicted(t testing.TB, data, model string) (v []float64) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	if text, err := exec.Command("svm-predict", data, model, out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range strings.Fields(string(text)) {
		p, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		v = append(v, p)
	}
	return v
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// near checks an objective against LIBSVM, which prints six decimals for each pair, up to a millionth.
func near(t testing.TB, name string, got, want float64, pairs int) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= 1e-6*math.Abs(want)+5e-7*float64(pairs)) {
		t.Errorf("%s: objective %.9g, LIBSVM's %.9g: relative difference %.2g", name, got, want, d/math.Abs(want))
	}
}

// gammaOf returns a power of two near 1/(2d), because LIBSVM 3.24 of Debian rounds its argument to
// single precision.
func gammaOf(d int) float64 { return math.Exp2(-math.Round(math.Log2(float64(2 * d)))) }

var tables = []struct {
	name    string
	rows, q int
}{{"heart", 270, 1}, {"diabetes", 768, 1}, {"german", 1000, 1}, {"banana", 1500, 1}, {"waveform3", 1500, 3}, {"image", 1500, 21}}

// The objectives equal the printed objectives of LIBSVM on four tables, or on six with RKHS_PAPERS.
func TestObjectives(t *testing.T) {
	libsvm(t)
	for _, s := range tables {
		t.Run(s.name, func(t *testing.T) {
			if s.name != "heart" && s.name != "german" {
				testutil.Long(t, "heart and german are of each kind")
			}
			if os.Getenv("RKHS_PAPERS") == "" && (s.name == "diabetes" || s.name == "image") {
				t.Skip("takes long: RKHS_PAPERS is not set")
			}
			x, y := table(t, s.name, s.rows)
			_, d := x.Dims()
			dir := t.TempDir()
			data, model := filepath.Join(dir, "data"), filepath.Join(dir, "model")
			write(t, data, x, y, false)
			gamma := gammaOf(d)
			k := kernel.Gaussian{Sigma: math.Sqrt(0.5 / gamma)}
			for _, c := range []float64{1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4} {
				name := fmt.Sprintf("C = %v", c)
				want := -train(t, data, model, "-g", fmt.Sprint(gamma), "-c", fmt.Sprint(c), "-e", "1e-6")
				m, err := svm.FitClassifier(context.Background(), x, y, &svm.Options{Kernel: rounded{k}, C: c, Tolerance: 1e-7})
				if err != nil {
					t.Fatal(name, err)
				}
				near(t, name, sum(m.Report().Dual), want, s.q)
				m, err = svm.FitClassifier(context.Background(), x, y, &svm.Options{Kernel: k, C: c})
				if err != nil {
					t.Fatal(name, err)
				}
				for p, gap := range m.Report().Gap {
					if !(gap <= 1e-3) {
						t.Errorf("%s: relative gap %.3g of pair %d", name, gap, p)
					}
				}
				t.Logf("%s: LIBSVM %.9g, ours/LIBSVM − 1 = %.2g by default, largest gap %.2g, violation %.2g", name, want, sum(m.Report().Dual)/want-1, slices.Max(m.Report().Gap), slices.Max(m.Report().Violation))
			}
		})
	}
}

// Regressions have the objectives of LIBSVM.
func TestRegressionObjectives(t *testing.T) {
	libsvm(t)
	for _, name := range []string{"boston", "concrete", "abalone"} {
		t.Run(name, func(t *testing.T) {
			x, y := table(t, name, 1000)
			_, d := x.Dims()
			dir := t.TempDir()
			data, model := filepath.Join(dir, "data"), filepath.Join(dir, "model")
			write(t, data, x, y, false)
			k := kernel.Gaussian{Sigma: math.Sqrt(0.5 / gammaOf(d))}
			for _, c := range []float64{1e-3, 0.1, 1, 10, 100} {
				name := fmt.Sprintf("C = %v", c)
				want := -train(t, data, model, "-s", "3", "-p", "0.5", "-g", fmt.Sprint(gammaOf(d)), "-c", fmt.Sprint(c), "-e", "1e-6")
				m, err := svm.Fit(context.Background(), x, y, &svm.Options{Kernel: rounded{k}, C: c, Epsilon: 0.5, Tolerance: 1e-7})
				if err != nil {
					t.Fatal(name, err)
				}
				near(t, name, m.Report().Dual[0], want, 1)
				m, err = svm.Fit(context.Background(), x, y, &svm.Options{Kernel: k, C: c, Epsilon: 0.5})
				if err != nil {
					t.Fatal(name, err)
				}
				if gap := m.Report().Gap[0]; !(gap <= 1e-3) {
					t.Errorf("%s: relative gap %.3g", name, gap)
				}
				t.Logf("%s: LIBSVM %.9g, ours/LIBSVM − 1 = %.2g by default, gap %.2g", name, want, m.Report().Dual[0]/want-1, m.Report().Gap[0])
			}
		})
	}
}

// One-class machines have the objectives of LIBSVM. Its coefficients have the sum nu·n instead of one.
func TestNoveltyObjectives(t *testing.T) {
	libsvm(t)
	for _, s := range tables {
		x, y := table(t, s.name, s.rows)
		n, d := x.Dims()
		dir := t.TempDir()
		data, model := filepath.Join(dir, "data"), filepath.Join(dir, "model")
		write(t, data, x, y, false)
		k := kernel.Gaussian{Sigma: math.Sqrt(0.5 / gammaOf(d))}
		for _, nu := range []float64{1. / 64, 0.125, 0.5} {
			name := fmt.Sprintf("%s, nu = %v", s.name, nu)
			want := train(t, data, model, "-s", "2", "-n", fmt.Sprint(nu), "-g", fmt.Sprint(gammaOf(d)), "-e", "1e-6")
			m, err := svm.FitNovelty(context.Background(), x, &svm.Options{Kernel: rounded{k}, Nu: nu, Tolerance: 1e-7})
			if err != nil {
				t.Fatal(name, err)
			}
			near(t, name, -m.Report().Dual[0]*math.Pow(nu*float64(n), 2), want, 1)
			m, err = svm.FitNovelty(context.Background(), x, &svm.Options{Kernel: k, Nu: nu})
			if err != nil {
				t.Fatal(name, err)
			}
			if gap := m.Report().Gap[0]; !(gap <= 1e-3) {
				t.Errorf("%s: relative gap %.3g", name, gap)
			}
			p, err := m.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			novel := float64(n)/2 - mat.Sum(p)/2
			if least := 0.9*nu*float64(n) - 3; novel > nu*float64(n) || novel < least {
				t.Errorf("%s: %v of %d rows are novel", name, novel, n)
			}
			t.Logf("%s: LIBSVM %.9g, gap %.2g, %v of %d novel", name, want, m.Report().Gap[0], novel, n)
		}
	}
}

// some returns the names, or the first of them if the test is not long.
func some(names ...string) []string {
	if !testutil.LongTests() {
		return names[:1]
	}
	return names
}

// halves returns the rows of a table in two parts.
func halves(t testing.TB, name string, rows int) (x, y, testX, testY *mat.Dense) {
	x, y = table(t, name, rows)
	n, d := x.Dims()
	return x.Slice(0, n/2, 0, d).(*mat.Dense), y.Slice(0, n/2, 0, 1).(*mat.Dense), x.Slice(n/2, n, 0, d).(*mat.Dense), y.Slice(n/2, n, 0, 1).(*mat.Dense)
}

func predict(t testing.TB, m rkhs.Model, x mat.Matrix) []float64 {
	t.Helper()
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	return p.RawMatrix().Data
}

type libsvmWriter interface {
	rkhs.Model
	WriteLIBSVM(w io.Writer) error
}

// save writes a model file.
func save(t testing.TB, m libsvmWriter, path string) {
	t.Helper()
	var b bytes.Buffer
	if err := m.WriteLIBSVM(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// open reads a model file.
func open(t testing.TB, path string, cols int) libsvmWriter {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := svm.ReadLIBSVM(f, cols)
	if err != nil {
		t.Fatal(err)
	}
	return m.(libsvmWriter)
}

// gram returns the values of a kernel, of x with z.
func gram(k kernel.Kernel, x, z *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	m, _ := z.Dims()
	g := mat.NewDense(n, m, nil)
	g.Apply(func(i, j int, _ float64) float64 { return k.Eval(x.RawRowView(i), z.RawRowView(j)) }, g)
	return g
}

// Written files have the same predictions by svm-predict and by a model that reads them.
func TestWrittenModels(t *testing.T) {
	libsvm(t)
	for _, s := range some("heart", "waveform3", "image") {
		x, y, testX, testY := halves(t, s, 1000)
		dir := t.TempDir()
		data, model := filepath.Join(dir, "data"), filepath.Join(dir, "model")
		_, d := x.Dims()
		for name, k := range map[string]kernel.Kernel{
			"linear": kernel.Linear{}, "polynomial": kernel.Polynomial{Degree: 3, Scale: 0.1, Offset: 1}, "rbf": kernel.Gaussian{Sigma: 2},
			"multiple": kernel.Scale{By: 3, Of: kernel.Gaussian{Sigma: 2}}, "embedded": struct{ kernel.Gaussian }{kernel.Gaussian{Sigma: 3}},
			"precomputed": nil,
		} {
			z, o, rows, cols := testX, svm.Options{Kernel: k, C: 3}, x, d
			if k == nil {
				o.Precomputed = true
				rows, z = gram(kernel.Laplacian{Sigma: 5}, x, x), gram(kernel.Laplacian{Sigma: 5}, testX, x)
				cols, _ = x.Dims()
			}
			write(t, data, z, testY, k == nil)
			c, err := svm.FitClassifier(context.Background(), rows, y, &o)
			if err != nil {
				t.Fatal(err)
			}
			m, err := svm.Fit(context.Background(), rows, y, &o)
			if err != nil {
				t.Fatal(err)
			}
			one := svm.Options{Kernel: k, Precomputed: k == nil}
			v, err := svm.FitNovelty(context.Background(), rows, &one)
			if err != nil {
				t.Fatal(err)
			}
			for kind, f := range map[string]libsvmWriter{"classifier": c, "regression": m, "novelty": v} {
				name := fmt.Sprintf("%s, %s, %s", s, name, kind)
				save(t, f, model)
				own := predict(t, f, z)
				compare(t, name, own, predicted(t, data, model), kind == "regression")
				compare(t, name+", read", own, predict(t, open(t, model, cols), z), kind == "regression")
			}
		}
	}
}

// compare checks that labels are equal, and values up to rounding.
func compare(t testing.TB, name string, got, want []float64, values bool) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d predictions, want %d", name, len(got), len(want))
	}
	for i, v := range got {
		if v != want[i] && !(values && math.Abs(v-want[i]) <= 1e-9*(1+math.Abs(want[i]))) {
			t.Fatalf("%s: row %d is predicted as %v, want %v", name, i, v, want[i])
		}
	}
}

func TestReadNothing(t *testing.T) {
	if m, err := svm.ReadLIBSVM(nil, 0); m != nil || !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no reader: %v, %v", m, err)
	}
}

// Invalid files return an error that wraps a sentinel and names the line, and no model.
func TestReadInvalid(t *testing.T) {
	const valid = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 3\ntotal_sv 3\nrho 0 0.1 0.2\nlabel 5 1 3\nnr_sv 1 1 1\nSV\n" +
		"1 1 1:1 2:0.5\n-1 1 1:-1\n-1 -1 2:2\n"
	m, err := svm.ReadLIBSVM(strings.NewReader(valid), 2)
	if err != nil {
		t.Fatal(err)
	}
	if p := predict(t, m, mat.NewDense(3, 2, []float64{2, 0, -2, 0, 0, 3})); !slices.Equal(p, []float64{5, 1, 3}) {
		t.Errorf("labels %v", p)
	}
	for _, c := range []struct {
		old, new string
		want     error
	}{
		{"c_svc", "svc", rkhs.ErrFormat}, {"rbf", "sigmoid", rkhs.ErrOption}, {"gamma 0.5", "gamma -1", rkhs.ErrOption}, {"0.5\nnr", "x\nnr", rkhs.ErrFormat},
		{"gamma", "gammas", rkhs.ErrFormat}, {"rho 0 ", "rho ", rkhs.ErrFormat}, {"rho 0 ", "rho NaN ", rkhs.ErrFormat}, {"5 1 3", "5 1 5", rkhs.ErrLabels},
		{"5 1 3", "5 1", rkhs.ErrFormat}, {"1 1 1\nSV", "1 2 1\nSV", rkhs.ErrFormat}, {"1 1 1\nSV", "-1 3 1\nSV", rkhs.ErrFormat}, {"total_sv 3", "total_sv 4", rkhs.ErrFormat},
		{"-1 -1 2:2\n", "", rkhs.ErrFormat}, {"-1 -1 2:2", "-1", rkhs.ErrFormat}, {"2:2", "2;2", rkhs.ErrFormat}, {"2:2", "2:inf", rkhs.ErrFormat},
		{"2:2", "0:2", rkhs.ErrFormat}, {"1:1 2:0.5", "2:1 1:0.5", rkhs.ErrFormat}, {"2:2", "3:2", rkhs.ErrShape}, {"\nSV", "\n\nSV", rkhs.ErrFormat}, {"rbf", "precomputed", rkhs.ErrFormat},
	} {
		text := strings.Replace(valid, c.old, c.new, 1)
		if m, err := svm.ReadLIBSVM(strings.NewReader(text), 2); m != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q for %q: %v, error %v, want %v", c.new, c.old, m, err, c.want)
		}
	}
}

// Files of svm-train have the predictions of svm-predict, before and after they are written again.
func TestReadModels(t *testing.T) {
	libsvm(t)
	for _, s := range some("heart", "waveform3", "image") {
		x, y, testX, testY := halves(t, s, 1000)
		dir := t.TempDir()
		data, test, model := filepath.Join(dir, "data"), filepath.Join(dir, "test"), filepath.Join(dir, "model")
		_, d := x.Dims()
		for _, kernels := range [][]string{{"-t", "0"}, {"-t", "1", "-r", "1", "-g", "0.125"}, {"-t", "2"}, {"-t", "4"}} {
			z, cols, given := testX, d, kernels[1] == "4"
			write(t, data, x, y, false)
			if given {
				z, cols = gram(kernel.Laplacian{Sigma: 5}, testX, x), x.RawMatrix().Rows
				write(t, data, gram(kernel.Laplacian{Sigma: 5}, x, x), y, true)
			}
			write(t, test, z, testY, given)
			for _, kind := range [][]string{{"-s", "0"}, {"-s", "0", "-b", "1"}, {"-s", "1", "-n", "0.1"}, {"-s", "2", "-n", "0.1"}, {"-s", "3"}, {"-s", "4"}} {
				name := fmt.Sprint(s, kernels, kind)
				train(t, data, model, slices.Concat(kernels, kind)...)
				want, m := predicted(t, test, model), open(t, model, cols)
				values := kind[1] >= "3"
				compare(t, name, predict(t, m, z), want, values)
				save(t, m, model)
				compare(t, name+", written", predicted(t, test, model), want, values)
			}
		}
	}
}
