package doublysgd_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestNeverWorseThanRidge compares the default fit with ridge regression on the same features.
// The ridge regression uses the best ridge on the test rows. The fit must not be worse by more
// than two standard errors of the difference.
func TestNeverWorseThanRidge(t *testing.T) {
	dir := data(t, true)
	o := doublysgd.Options{Features: 2048, Paper: doublysgd.Paper{Columns: 1024}}
	for name, s := range map[string]split{
		"Adult":   adult(t, dir).first(10000),
		"MNIST":   digits(t, dir).unit().principal(100).first(10000),
		"covtype": covtype(t, dir),
	} {
		c := s.fit(t, &o)
		p, err := c.Predict(s.xt)
		if err != nil {
			t.Fatal(err)
		}
		s.compare(t, name, wrong(p, s.yt), s.ridge(t, c.Model().Kernel(), &o, oneAgainstRest(t, s.y), func(f *mat.Dense) []float64 {
			return wrong(largest(f, c.Labels()), s.yt)
		}))
	}
	s := abalone(t, dir)
	m, err := doublysgd.Fit(context.Background(), s.x, s.y, &o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(s.xt)
	if err != nil {
		t.Fatal(err)
	}
	s.compare(t, "abalone", squares(p, s.yt), s.ridge(t, m.Kernel(), &o, s.y, func(f *mat.Dense) []float64 { return squares(f, s.yt) }))
}

// compare compares the losses of the fit and of ridge regression at the test rows.
func (s split) compare(t *testing.T, name string, fit, ridge []float64) {
	t.Helper()
	n, mean, square := float64(len(fit)), 0.0, 0.0
	for i := range fit {
		mean += (fit[i] - ridge[i]) / n
		square += (fit[i] - ridge[i]) * (fit[i] - ridge[i]) / n
	}
	deviation := math.Sqrt((square - mean*mean) / n)
	t.Logf("%s: mean loss %.4f, of ridge regression %.4f, standard error of the difference %.4f", name, average(fit), average(ridge), deviation)
	if mean > 2*deviation {
		t.Errorf("%s: mean loss %.4f, of ridge regression on the same features %.4f", name, average(fit), average(ridge))
	}
}

func average(v []float64) float64 { return mat.Sum(mat.NewVecDense(len(v), v)) / float64(len(v)) }

// ridge returns the test losses of ridge regression with an intercept, for the best ridge of a
// grid on the test rows.
func (s split) ridge(t *testing.T, k kernel.Kernel, o *doublysgd.Options, y *mat.Dense, losses func(f *mat.Dense) []float64) (best []float64) {
	t.Helper()
	n, q := y.Dims()
	z, zt := transformed(t, k, o, s.x), transformed(t, k, o, s.xt)
	mean := make([]float64, q)
	target := mat.DenseCopyOf(y)
	for j := range q {
		mean[j] = mat.Sum(y.ColView(j)) / float64(n)
	}
	target.Apply(func(_, j int, v float64) float64 { return v - mean[j] }, target)
	gram, right := compute.NewMatrix(z.Cols, z.Cols), compute.NewMatrix(z.Cols, q)
	compute.AddGram(gram, z, 0)
	compute.MulTN(right, z, target.RawMatrix(), 0)
	for alpha := 1e-10; alpha < 1; alpha *= 10 {
		factor, a := mat.NewDense(z.Cols, z.Cols, append([]float64(nil), gram.Data...)), mat.NewDense(z.Cols, q, append([]float64(nil), right.Data...))
		for i := range z.Cols {
			factor.Set(i, i, factor.At(i, i)+alpha*float64(n*o.Features/o.Columns))
		}
		if !compute.Cholesky(factor.RawMatrix(), 0) {
			continue
		}
		compute.SolveUpper(factor.RawMatrix(), a.RawMatrix(), true, 0)
		compute.SolveUpper(factor.RawMatrix(), a.RawMatrix(), false, 0)
		f := mat.NewDense(zt.Rows, q, nil)
		f.Apply(func(_, j int, _ float64) float64 { return mean[j] }, f)
		compute.MulNN(f.RawMatrix(), zt, a.RawMatrix(), 0)
		if l := losses(f); best == nil || average(l) < average(best) {
			best = l
		}
	}
	return best
}

// transformed returns the features of a fit with the given options.
func transformed(t *testing.T, k kernel.Kernel, o *doublysgd.Options, x *mat.Dense) compute.Matrix {
	t.Helper()
	n, d := x.Dims()
	m, err := features.New(k, d, features.Options{Columns: o.Columns, Seed: o.Seed})
	if err != nil {
		t.Fatal(err)
	}
	z := mat.NewDense(n, o.Features, nil)
	for b := range o.Features / o.Columns {
		if err := m.Block(uint64(b)).TransformTo(z.Slice(0, n, b*o.Columns, (b+1)*o.Columns).(*mat.Dense), x); err != nil {
			t.Fatal(err)
		}
	}
	return z.RawMatrix()
}

// oneAgainstRest returns a column of ±1 for each label, or one column for two labels.
func oneAgainstRest(t *testing.T, y *mat.Dense) *mat.Dense {
	t.Helper()
	labels, index, err := input.Labels("test", y.RawMatrix())
	if err != nil {
		t.Fatal(err)
	}
	outputs := len(labels)
	if outputs == 2 {
		outputs = 1
	}
	v := input.Targets(index, outputs)
	return mat.NewDense(v.Rows, v.Cols, v.Data)
}

// largest returns the labels with the largest scores.
func largest(f *mat.Dense, labels []int) *mat.Dense {
	n, _ := f.Dims()
	p := mat.NewDense(n, 1, nil)
	for i := range n {
		p.Set(i, 0, float64(labels[input.Class(f.RawRowView(i))]))
	}
	return p
}

func wrong(p, y *mat.Dense) []float64 {
	w := make([]float64, p.RawMatrix().Rows)
	for i := range w {
		if p.At(i, 0) != y.At(i, 0) {
			w[i] = 1
		}
	}
	return w
}

func squares(p, y *mat.Dense) []float64 {
	w := make([]float64, p.RawMatrix().Rows)
	for i := range w {
		w[i] = (p.At(i, 0) - y.At(i, 0)) * (p.At(i, 0) - y.At(i, 0))
	}
	return w
}

// first returns the set with the first n training rows.
func (s split) first(n int) split {
	_, d := s.x.Dims()
	s.x, s.y = s.x.Slice(0, n, 0, d).(*mat.Dense), s.y.Slice(0, n, 0, 1).(*mat.Dense)
	return s
}

// abalone is a regression with 3000 training rows and standardised columns.
func abalone(t *testing.T, dir string) split {
	t.Helper()
	s, err := dataset.Load(filepath.Join(dir, "abalone.csv.gz"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.Standardize(s.X); err != nil {
		t.Fatal(err)
	}
	n, d := s.X.Dims()
	y := column(s.Y)
	return split{s.X.Slice(0, 3000, 0, d).(*mat.Dense), y.Slice(0, 3000, 0, 1).(*mat.Dense),
		s.X.Slice(3000, n, 0, d).(*mat.Dense), y.Slice(3000, n, 0, 1).(*mat.Dense)}
}
