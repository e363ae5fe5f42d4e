package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// CalibrationError returns the expected calibration error of probabilities, n×K of labels in
// this order, for labels y, n×1: the rows are put in order of their largest probability and cut
// into so many bins of as many rows; it is the mean over rows of the distance, in their
// bin, between the mean of that probability and the fraction of rows whose label it is of
// (Guo and others, "On calibration of modern neural networks", 2017; with bins of equal mass
// as Nguyen and O'Connor, 2015, have them). 0 is best. Of probabilities p that are right chance
// alone makes it about .8·√(bins/n) times the mean of √(p·(1 − p)).
//
// The errors are those of LogLoss, and rkhs.ErrOption for less than one bin. O(n·(log n + K)).
func CalibrationError(probabilities, y mat.Matrix, labels []int, bins int) (float64, error) {
	const task = "calibration error"
	if bins < 1 {
		return 0, fmt.Errorf("dataset: %s: %d bins: %w", task, bins, rkhs.ErrOption)
	}
	p, targets, w, err := namedPair(task, "probabilities", probabilities, y)
	if err != nil {
		return 0, err
	}
	t, err := labelColumn(task, "y", targets)
	if err != nil {
		return 0, err
	}
	if _, err := logLoss(p, t, w, labels); err != nil {
		return 0, fmt.Errorf("dataset: %s: %w", task, err)
	}
	most, off := make([]float64, len(t)), make([]float64, len(t))
	for i, l := range t {
		best := floats.MaxIdx(p.RawRowView(i))
		most[i] = p.At(i, best)
		off[i] = most[i]
		if labels[best] == l {
			off[i]--
		}
	}
	order := compute.Indices(len(t))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(most[i], most[j]) })
	sum := 0.0
	for b := range bins {
		bin := 0.0
		for _, i := range order[b*len(t)/bins : (b+1)*len(t)/bins] {
			bin += float64(w.At(i) * off[i])
		}
		sum += math.Abs(bin)
	}
	return sum / w.Total(len(t)), nil
}

// Coverage returns the fraction of the targets y, n×q, from lower to upper, n×q, and the mean of
// upper − lower: what intervals hold, and what they cost.
//
// The errors are rkhs.ErrShape, rkhs.ErrEmpty and rkhs.ErrNotFinite. O(n·q).
func Coverage(lower, upper, y mat.Matrix) (covered, width float64, err error) {
	const task = "coverage"
	low, t, w, err := namedPair(task, "lower", lower, y)
	if err != nil {
		return 0, 0, err
	}
	high, _, _, err := namedPair(task, "upper", upper, y)
	if err != nil {
		return 0, 0, err
	}
	n, q := t.Dims()
	if r, c := low.Dims(); r != n || c != q {
		return 0, 0, fmt.Errorf("dataset: %s: lower is %d×%d, y is %d×%d: %w", task, r, c, n, q, rkhs.ErrShape)
	}
	if r, c := high.Dims(); r != n || c != q {
		return 0, 0, fmt.Errorf("dataset: %s: upper is %d×%d, y is %d×%d: %w", task, r, c, n, q, rkhs.ErrShape)
	}
	total := w.Total(n) * float64(q)
	for i := range n {
		for o := range q {
			a, b := low.At(i, o), high.At(i, o)
			width += float64(w.At(i)*(b-a)) / total
			if v := t.At(i, o); a <= v && v <= b {
				covered += w.At(i) / total
			}
		}
	}
	return covered, width, nil
}
