package testutil

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	trainRows = 120
	testRows  = 80
)

// task is something to learn.
type task struct {
	x, y         *mat.Dense
	testX, testY *mat.Dense
}

// newTask draws a task for a learner of numbers, or of labels if there are any.
func newTask(outputs int, labels []int) task { return taskOf(Inputs, outputs, labels) }

func taskOf(d, outputs int, labels []int) task { return taskOfRows(trainRows, d, outputs, labels) }

// taskOfRows draws d independent standard normal inputs. The targets are smooth
// functions of the first inputs, with an offset and a little noise.
func taskOfRows(train, d, outputs int, labels []int) task {
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
	return task{x: rowsFrom(x, 0, train), y: rowsFrom(y, 0, train), testX: rowsFrom(x, train, n), testY: rowsFrom(y, train, n)}
}

// classify replaces targets by labels, cutting their range into classes of equal
// size.
func classify(y *mat.Dense, labels []int) {
	v := y.RawMatrix().Data
	sorted := slices.Sorted(slices.Values(v))
	for i := range v {
		rank, _ := slices.BinarySearch(sorted, v[i])
		v[i] = float64(labels[rank*len(labels)/len(v)])
	}
}

func rowsFrom(m *mat.Dense, from, to int) *mat.Dense {
	_, c := m.Dims()
	return mat.DenseCopyOf(m.Slice(from, to, 0, c))
}

// lossOf returns the mean squared error, or the fraction of wrong labels.
func lossOf(p, y *mat.Dense, labels []int) float64 {
	sum := 0.0
	for i, v := range p.RawMatrix().Data {
		e := v - y.RawMatrix().Data[i]
		switch {
		case labels == nil:
			sum += e * e
		case e != 0:
			sum++
		}
	}
	return sum / float64(len(y.RawMatrix().Data))
}

// baseline returns the loss of the mean of the training targets, or of the best
// guess among the labels.
func (k task) baseline(labels []int) float64 {
	n, q := k.testY.Dims()
	p := mat.NewDense(n, q, nil)
	if labels == nil {
		for o := range q {
			col := mat.Col(nil, o, k.y)
			mean := 0.0
			for _, v := range col {
				mean += v / float64(len(col))
			}
			for i := range n {
				p.Set(i, o, mean)
			}
		}
		return lossOf(p, k.testY, nil)
	}
	best := 1.0
	for _, l := range labels {
		p.Apply(func(int, int, float64) float64 { return float64(l) }, p)
		best = min(best, lossOf(p, k.testY, labels))
	}
	return best
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
