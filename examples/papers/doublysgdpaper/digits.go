package doublysgdpaper

import (
	"errors"
	"path/filepath"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
)

// mnist reads all images, or a part of them in a short run.
func mnist(s *settings) (train, test *dataset.Set, err error) {
	if train, err = dataset.Load(filepath.Join(s.Data, "train-images-idx3-ubyte.gz"), dataset.Options{}); err != nil {
		return nil, nil, err
	}
	if test, err = dataset.Load(filepath.Join(s.Data, "t10k-images-idx3-ubyte.gz"), dataset.Options{}); err != nil {
		return nil, nil, err
	}
	return head(train, s.rows(60000, 2000)), head(test, s.rows(10000, 1000)), nil
}

// components is the number of principal components.
const components = 50

func eightAgainstSixTask(s *settings) (*task, error) {
	train, test, err := mnist(s)
	if err != nil {
		return nil, err
	}
	train, test = only(train, 8, 6), only(test, 8, 6)
	if err := reduce(components, train, test); err != nil {
		return nil, err
	}
	t, err := newTask(s, "7.3, MNIST 8 against 6", train, test, 2)
	if err == nil {
		t.passes = 5
	}
	return t, err
}

// digitsTask is the task of the ten digits, with rows scaled to length 1.
func digitsTask(s *settings) (*task, error) {
	train, test, err := mnist(s)
	if err != nil {
		return nil, err
	}
	for _, set := range []*dataset.Set{train, test} {
		for i := range set.Y {
			row := set.X.RawRowView(i)
			floats.Scale(1/floats.Norm(row, 2), row)
		}
	}
	if err := reduce(components, train, test); err != nil {
		return nil, err
	}
	t, err := newTask(s, "7.4, MNIST", train, test, 10)
	if err == nil {
		t.dualRows = 10000
	}
	return t, err
}

// only returns the rows with two labels, relabelled 1 and −1.
func only(s *dataset.Set, plus, minus float64) *dataset.Set {
	var rows []int
	for i, y := range s.Y {
		if y == plus || y == minus {
			rows = append(rows, i)
		}
	}
	out := s.Select(rows)
	for i, y := range out.Y {
		out.Y[i] = -1
		if y == plus {
			out.Y[i] = 1
		}
	}
	return out
}

// reduce projects the rows of both sets onto the leading principal components of up to 10000
// training rows, after subtracting their mean.
func reduce(columns int, train, test *dataset.Set) error {
	sample := head(train, 10000).X
	n, d := sample.Dims()
	mean := make([]float64, d)
	for i := range n {
		floats.AddScaled(mean, 1/float64(n), sample.RawRowView(i))
	}
	for _, s := range []*dataset.Set{train, test} {
		for i := range s.Y {
			floats.Sub(s.X.RawRowView(i), mean)
		}
	}
	covariance := mat.NewSymDense(d, nil)
	covariance.SymOuterK(1/float64(n), sample.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		return errors.New("the eigendecomposition of the covariance did not converge")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	leading := vectors.Slice(0, d, d-columns, d)
	for _, s := range []*dataset.Set{train, test} {
		var x mat.Dense
		x.Mul(s.X, leading)
		s.X = &x
	}
	return nil
}
