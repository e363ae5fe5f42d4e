package main

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// targets returns the numbers to be predicted: ±1 a class against the rest for labels.
func (t *table) targets() compute.Matrix {
	if t.labels == nil {
		return t.y
	}
	y := compute.NewMatrix(len(t.labels), t.classes)
	for i, l := range t.labels {
		for j := range t.classes {
			y.Data[i*t.classes+j] = -1
		}
		y.Data[i*t.classes+l] = 1
	}
	if t.classes == 2 {
		return compute.Clone(compute.Columns(y, 1, 2))
	}
	return y
}

// score returns the root mean squared error, or the fraction of labels that are wrong.
func (t *table) score(f compute.Matrix) float64 {
	sum := 0.0
	for i := range f.Rows {
		row := compute.Row(f, i)
		switch {
		case t.labels == nil:
			d := row[0] - t.y.Data[i]
			sum += d * d
		case len(row) == 1 && (row[0] > 0) != (t.labels[i] == 1), len(row) > 1 && floats.MaxIdx(row) != t.labels[i]:
			sum++
		}
	}
	mean := sum / float64(f.Rows)
	if t.labels == nil {
		return math.Sqrt(mean)
	}
	return mean
}

// ridge is exact kernel ridge regression with an unpenalised constant: it returns the
// predictions at the columns of cross by the system gram + noise·I, or false.
func ridge(gram compute.Matrix, noise float64, y, cross compute.Matrix) (compute.Matrix, bool) {
	n, q := y.Rows, y.Cols
	u, b := compute.Clone(gram), compute.NewMatrix(n, q+1)
	for i := range n {
		u.Data[i*u.Stride+i] += noise
		copy(compute.Row(b, i), compute.Row(y, i))
		b.Data[i*b.Stride+q] = 1
	}
	if !compute.Cholesky(u, 0) {
		return compute.Matrix{}, false
	}
	compute.SolveUpper(u, b, true, 0)
	compute.SolveUpper(u, b, false, 0)
	one := make([]float64, n)
	sum := 0.0
	for i := range one {
		one[i] = b.Data[i*b.Stride+q]
		sum += one[i]
	}
	a, constant := compute.NewMatrix(n, q), make([]float64, q)
	for j := range q {
		constant[j] = blas64.Dot(compute.Column(y, j), compute.Vector(one)) / sum
		for i := range n {
			a.Data[i*q+j] = b.Data[i*b.Stride+j] - constant[j]*one[i]
		}
	}
	f := compute.NewMatrix(cross.Rows, q)
	compute.MulNN(f, cross, a, 0)
	compute.AddRow(f, constant)
	return f, true
}

// fit returns the test error of exact ridge with a kernel.
func fit(k kernel.Kernel, noise float64, train, test *table) float64 {
	gram := compute.NewMatrix(train.x.Rows, train.x.Rows)
	cross := compute.NewMatrix(test.x.Rows, train.x.Rows)
	e := kernel.Evaluator{Kernel: k}
	e.Gram(gram, train.x)
	e.Cross(cross, test.x, train.x)
	f, ok := ridge(gram, noise, train.targets(), cross)
	if !ok {
		return math.Inf(1)
	}
	return test.score(f)
}

// peer is the practice with other libraries: a Gaussian on standardised columns, its
// bandwidth and ridge from a grid by the error of five folds.
func peer(train, test *table) float64 {
	scales := make([]float64, train.x.Cols)
	for j := range scales {
		scales[j] = deviation(compute.Column(train.x, j))
	}
	n := train.x.Rows
	fold := rng.New(1, "bench folds", 0).Perm(n)
	best, sigma, noise := math.Inf(1), 0.0, 0.0
	for _, multiple := range []float64{0.125, 0.25, 0.5, 1, 2, 4} {
		s := multiple * math.Sqrt(2*float64(len(scales)))
		gram := compute.NewMatrix(n, n)
		kernel.Evaluator{Kernel: kernel.ARD{Scales: scales, Of: kernel.Gaussian{Sigma: s}}}.Gram(gram, train.x)
		for _, r := range []float64{10, 1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5} {
			if e := folds(gram, r, train, fold); e < best {
				best, sigma, noise = e, s, r
			}
		}
	}
	return fit(kernel.ARD{Scales: scales, Of: kernel.Gaussian{Sigma: sigma}}, noise, train, test)
}

// folds returns the mean over five folds of the squared error, or that of labels.
func folds(gram compute.Matrix, noise float64, train *table, fold []int) float64 {
	sum := 0.0
	for k := range 5 {
		var in, out []int
		for i, f := range fold {
			if f%5 == k {
				out = append(out, i)
			} else {
				in = append(in, i)
			}
		}
		part := train.pick(in)
		f, ok := ridge(block(gram, in, in), noise, part.targets(), block(gram, out, in))
		if !ok {
			return math.Inf(1)
		}
		e := train.pick(out).score(f)
		if train.labels == nil {
			e *= e
		}
		sum += e
	}
	return sum
}

func block(m compute.Matrix, rows, columns []int) compute.Matrix {
	b := compute.NewMatrix(len(rows), len(columns))
	for i, r := range rows {
		from := compute.Row(m, r)
		to := compute.Row(b, i)
		for j, c := range columns {
			to[j] = from[c]
		}
	}
	return b
}

// deviation returns that of a column, or 1 for a constant one.
func deviation(v blas64.Vector) float64 {
	mean, square := 0.0, 0.0
	for i := range v.N {
		mean += v.Data[i*v.Inc] / float64(v.N)
	}
	for i := range v.N {
		d := v.Data[i*v.Inc] - mean
		square += d * d / float64(v.N)
	}
	if square == 0 {
		return 1
	}
	return math.Sqrt(square)
}
