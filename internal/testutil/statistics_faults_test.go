package testutil

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// probableToy is a classifier of two labels with probabilities.
type probableToy struct {
	*toyModel
	fault
}

func (m probableToy) Labels() []int { return m.labels }

func (m probableToy) Proba(x mat.Matrix) (*mat.Dense, error) {
	if _, d := x.Dims(); d != Inputs && m.fault != "any columns" {
		return nil, fmt.Errorf("toy: %w", rkhs.ErrShape)
	}
	n, _ := x.Dims()
	p := mat.NewDense(n, 2, nil)
	labels, err := m.Predict(x)
	if err != nil {
		return p, nil
	}
	for i := range n {
		likely := sign(labels.At(i, 0))
		switch m.fault {
		case "too much":
			p.Set(i, likely, 0.2)
		case "the other label":
			likely = 1 - likely
		case "impossible":
			p.Set(i, likely, 0.4)
			p.Set(i, 1-likely, -0.4)
		}
		p.Set(i, likely, p.At(i, likely)+0.8)
		p.Set(i, 1-likely, p.At(i, 1-likely)+0.2)
	}
	return p, nil
}

// intervalToy is a regression with intervals.
type intervalToy struct {
	*toyModel
	fault
}

func (m intervalToy) Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error) {
	if !(coverage > 0 && coverage < 1) && m.fault != "any coverage" {
		return nil, nil, fmt.Errorf("toy: %w", rkhs.ErrOption)
	}
	p, err := m.Predict(x)
	if err != nil && m.fault != "any columns" {
		return nil, nil, err
	} else if err != nil {
		p = new(mat.Dense)
	}
	width, middle := coverage, 0.0
	switch m.fault {
	case "narrower":
		width = 1 - coverage
	case "off the prediction":
		middle = 2
	}
	lower, upper = new(mat.Dense), new(mat.Dense)
	if !p.IsEmpty() {
		lower.Apply(func(_, _ int, v float64) float64 { return v + middle - width }, p)
		upper.Apply(func(_, _ int, v float64) float64 { return v + middle + width }, p)
	}
	return lower, upper, nil
}

// rowToy predicts single rows.
type rowToy struct {
	*toyModel
	fault
}

func (m rowToy) PredictRow(dst, x []float64) error {
	_, d := m.x.Dims()
	if (len(x) != d || len(dst) != 1) && m.fault != "any size" {
		return fmt.Errorf("toy: %w", rkhs.ErrShape)
	}
	sum := m.mean[0]
	for _, v := range x {
		if v-v != 0 && m.fault != "any number" {
			return fmt.Errorf("toy: %w", rkhs.ErrNotFinite)
		}
	}
	for i := range m.a.RawMatrix().Rows {
		if len(x) == d {
			sum += m.a.At(i, 0) * m.eval(x, m.x.RawRowView(i))
		}
	}
	switch m.fault {
	case "another value":
		sum++
	case "allocates":
		allocated = make([]float64, 100)
	}
	for o := range dst {
		dst[o] = sum
	}
	return nil
}

var allocated []float64

func TestChecksOfCalibrationAndRowsFindFaults(t *testing.T) {
	fitted := func(labels []int) (*toyModel, task) {
		k := newTask(trainRows, Inputs, 1, labels)
		return must(toy{labels: labels}.fit(context.Background(), k.x, k.y, nil))(t), k
	}
	classifier, labels := fitted([]int{-3, 8})
	regression, numbers := fitted(nil)
	for _, f := range []struct{ model, fault, message string }{
		{"probabilities", "", ""},
		{"probabilities", "too much", "has the probabilities"},
		{"probabilities", "impossible", "has the probabilities"},
		{"probabilities", "the other label", "has the label"},
		{"probabilities", "any columns", "with a column more"},
		{"intervals", "", ""},
		{"intervals", "narrower", "are narrower than"},
		{"intervals", "off the prediction", "is not between"},
		{"intervals", "any coverage", "coverage 2: error <nil>"},
		{"intervals", "any columns", "with a column more"},
		{"rows", "", ""},
		{"rows", "another value", "PredictRow gives"},
		{"rows", "allocates", "allocates 1 times"},
		{"rows", "any size", "2 numbers of x and 1 of dst: error <nil>"},
		{"rows", "any number", "3 numbers of x and 1 of dst: error <nil>"},
	} {
		if f.fault == "allocates" && raceDetector {
			continue // the race detector allocates too
		}
		found := strings.Join(failures(func(t testing.TB) {
			switch f.model {
			case "probabilities":
				checkCalibrated(t, probableToy{classifier, fault(f.fault)}, labels.testX, true)
			case "intervals":
				checkCalibrated(t, intervalToy{regression, fault(f.fault)}, numbers.testX, false)
			case "rows":
				checkRows(t, rowToy{regression, fault(f.fault)}, numbers)
			}
		}), "\n")
		if !strings.Contains(found, f.message) || f.fault == "" && found != "" {
			t.Errorf("%s, %s: found %q, want %q", f.model, f.fault, found, f.message)
		}
	}
}
