package dataset_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Two bins by hand: half of the rows with .6 and .7 are correct, and all rows with .9 and .95.
func TestCalibrationErrorByHand(t *testing.T) {
	p := mat.NewDense(4, 2, []float64{.4, .6, .95, .05, .7, .3, .1, .9})
	y := mat.NewDense(4, 1, []float64{7, 3, 7, 7})
	got, err := dataset.CalibrationError(p, y, []int{3, 7}, 2)
	want := (math.Abs(.6+.7-1) + math.Abs(.9+.95-2)) / 4
	if err != nil || math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, want %v, error %v", got, want, err)
	}
	if _, err := dataset.CalibrationError(p, y, []int{3, 7}, 0); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("no bins: error %v", err)
	}
	if _, err := dataset.CalibrationError(p, y, []int{3, 8}, 2); !errors.Is(err, rkhs.ErrLabels) {
		t.Errorf("a label that is not known: error %v", err)
	}
}

// Correct probabilities have the calibration error of chance, and overconfident probabilities a
// larger one.
func TestCalibrationErrorByChance(t *testing.T) {
	const n, bins = 3000, 15
	r := rand.New(rand.NewPCG(1, 1))
	p, sure, y := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	deviation := 0.0
	for i := range n {
		v := 3 * r.NormFloat64()
		set := func(m *mat.Dense, logit float64) {
			m.SetRow(i, []float64{1 / (1 + math.Exp(logit)), 1 / (1 + math.Exp(-logit))})
		}
		set(p, v)
		set(sure, 2*v)
		if r.Float64() < p.At(i, 1) {
			y.Set(i, 0, 1)
		}
		deviation += math.Sqrt(p.At(i, 0)*p.At(i, 1)) / n
	}
	right, err := dataset.CalibrationError(p, y, []int{0, 1}, bins)
	if chance := .8 * math.Sqrt(bins/float64(n)) * deviation; err != nil || right > 2*chance || right < chance/3 {
		t.Errorf("right probabilities: %v, error %v, want about %v", right, err, chance)
	}
	if wrong, err := dataset.CalibrationError(sure, y, []int{0, 1}, bins); err != nil || wrong < 2*right {
		t.Errorf("probabilities that are too sure: %v, error %v, right ones %v", wrong, err, right)
	}
}

// A row of weight zero does not count. A row of weight two counts twice.
func TestCoverage(t *testing.T) {
	lower, upper := mat.NewDense(3, 1, []float64{0, 0, 0}), mat.NewDense(3, 1, []float64{1, 3, 10})
	y := mat.NewDense(3, 1, []float64{.5, 4, 5})
	covered, width, err := dataset.Coverage(lower, upper, y)
	if err != nil || math.Abs(covered-2./3) > 1e-15 || math.Abs(width-14./3) > 1e-14 {
		t.Errorf("%v, %v, error %v", covered, width, err)
	}
	covered, width, err = dataset.Coverage(lower, upper, rkhs.Weighted{Matrix: y, Weights: []float64{2, 1, 0}})
	if err != nil || math.Abs(covered-2./3) > 1e-15 || math.Abs(width-5./3) > 1e-14 {
		t.Errorf("with weights: %v, %v, error %v", covered, width, err)
	}
	for _, wrong := range [][3]mat.Matrix{{lower, upper, mat.NewDense(2, 1, nil)}, {lower, mat.NewDense(3, 2, nil), y}, {mat.NewDense(3, 2, nil), upper, y}} {
		if _, _, err := dataset.Coverage(wrong[0], wrong[1], wrong[2]); !errors.Is(err, rkhs.ErrShape) {
			t.Errorf("error %v", err)
		}
	}
}
