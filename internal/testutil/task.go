package testutil

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

const (
	trainRows = 120
	testRows  = 80
)

// task holds training and test rows of a regression, or of a classification if labels is not nil.
type task struct {
	x, y         *mat.Dense
	testX, testY *mat.Dense
	labels       []int
}

// newTask draws d independent standard normal inputs. The targets are smooth functions of the first
// and the last input with an offset and a little noise. Classes are ranges of the target.
func newTask(train, d, outputs int, labels []int) task {
	r := rand.New(rand.NewPCG(1, uint64(d)))
	n := train + testRows
	x, y := mat.NewDense(n, d, nil), mat.NewDense(n, max(outputs, 1), nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		for o := range y.RawRowView(i) {
			y.Set(i, o, 1+math.Sin(2*row[0]+float64(o))+row[d-1]+0.05*r.NormFloat64())
		}
	}
	if labels != nil {
		classify(y, labels)
	}
	return task{between(x, 0, train), between(y, 0, train), between(x, train, n), between(y, train, n), labels}
}

// rows draws n rows of d columns. The function draw fills a row and returns its target.
func rows(n, d int, draw func(i int, x []float64) float64) (x, y *mat.Dense) {
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		y.Set(i, 0, draw(i, x.RawRowView(i)))
	}
	return x, y
}

// classify replaces targets by labels of classes of equal size.
func classify(y *mat.Dense, labels []int) {
	v := y.RawMatrix().Data
	sorted := slices.Sorted(slices.Values(v))
	for i := range v {
		rank, _ := slices.BinarySearch(sorted, v[i])
		v[i] = float64(labels[rank*len(labels)/len(v)])
	}
}

// beatsConstant checks that the test loss is much smaller than the loss of a constant.
func (k task) beatsConstant(t testing.TB, m Model) {
	p := predict(t, m, k.testX)
	n, q := k.testY.Dims()
	r, c := p.Dims()
	require(t, r == n && c == q, "prediction is %d×%d, want %d×%d", r, c, n, q)
	constant := k.constantLoss()
	limit := constant / 2
	if k.labels != nil {
		limit = constant * 2 / 3 // the noise decides the labels of more rows
	}
	got := k.loss(p)
	expect(t, got < limit, "test loss %.4g, want less than %.4g; a constant has %.4g", got, limit, constant)
}

// loss returns the mean squared error of predictions of the test rows, or the share of wrong labels.
func (k task) loss(p *mat.Dense) float64 {
	y, sum := k.testY.RawMatrix().Data, 0.0
	for i, v := range p.RawMatrix().Data {
		e := v - y[i]
		switch {
		case k.labels == nil:
			sum += e * e
		case e != 0:
			sum++
		}
	}
	return sum / float64(len(y))
}

// constantLoss returns the loss of the mean of the training targets, or of the best label.
func (k task) constantLoss() float64 {
	n, q := k.testY.Dims()
	if k.labels == nil {
		p := mat.NewDense(n, q, nil)
		for o := range q {
			mean := stat.Mean(mat.Col(nil, o, k.y), nil)
			p.SetCol(o, mat.Col(nil, 0, constant(n, 1, mean)))
		}
		return k.loss(p)
	}
	best := 1.0
	for _, l := range k.labels {
		best = min(best, k.loss(constant(n, q, float64(l))))
	}
	return best
}

// between returns a copy of the rows [from, to).
func between(m *mat.Dense, from, to int) *mat.Dense {
	_, c := m.Dims()
	return mat.DenseCopyOf(m.Slice(from, to, 0, c))
}

// constant returns an n×c matrix with all elements v.
func constant(n, c int, v float64) *mat.Dense {
	m := mat.NewDense(n, c, nil)
	m.Apply(func(int, int, float64) float64 { return v }, m)
	return m
}

// scaled returns s·m.
func scaled(s float64, m mat.Matrix) *mat.Dense {
	var d mat.Dense
	d.Scale(s, m)
	return &d
}

// stacked returns the rows of a above the rows of b.
func stacked(a, b mat.Matrix) *mat.Dense {
	var d mat.Dense
	d.Stack(a, b)
	return &d
}

// reversed returns the rows of m in reverse order.
func reversed(m *mat.Dense) *mat.Dense {
	b := mat.DenseCopyOf(m)
	n, _ := m.Dims()
	for i := range n {
		b.SetRow(i, m.RawRowView(n-1-i))
	}
	return b
}

// identical reports whether a and b have the same shape and bits.
func identical(a, b *mat.Dense) bool {
	n, c := a.Dims()
	if r, k := b.Dims(); r != n || k != c {
		return false
	}
	for i := range n {
		for j := range c {
			if math.Float64bits(a.At(i, j)) != math.Float64bits(b.At(i, j)) {
				return false
			}
		}
	}
	return true
}

// matrixTypes are types of matrices with the same elements.
var matrixTypes = []struct {
	name string
	of   func(*mat.Dense) mat.Matrix
}{
	{"Dense", func(m *mat.Dense) mat.Matrix { return m }},
	{"strided", strided},
	{"Transpose", func(m *mat.Dense) mat.Matrix { return mat.DenseCopyOf(m.T()).T() }},
	{"transposed slice", func(m *mat.Dense) mat.Matrix { return strided(mat.DenseCopyOf(m.T())).T() }},
	{"VecDense", vector},
	{"no raw access", func(m *mat.Dense) mat.Matrix { return opaque{m} }},
}

// strided returns a slice of a larger matrix that is NaN elsewhere.
func strided(m *mat.Dense) mat.Matrix {
	r, c := m.Dims()
	s := constant(r+3, c+5, math.NaN()).Slice(2, 2+r, 3, 3+c).(*mat.Dense)
	s.Copy(m)
	return s
}

// vector returns a vector with gaps, or m if m has several columns.
func vector(m *mat.Dense) mat.Matrix {
	n, c := m.Dims()
	if c > 1 {
		return m
	}
	wide := constant(n, 3, math.NaN())
	wide.SetCol(1, mat.Col(nil, 0, m))
	return wide.ColView(1)
}

// opaque is a matrix with the required methods only.
type opaque struct{ m *mat.Dense }

func (o opaque) Dims() (r, c int)    { return o.m.Dims() }
func (o opaque) At(i, j int) float64 { return o.m.At(i, j) }
func (o opaque) T() mat.Matrix       { return mat.Transpose{Matrix: o} }
