package polk

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

const (
	// searchRows is the number of rows among which the kernel and the ridge are searched for,
	// sampleRows that from which the steps are set.
	searchRows = 2000
	sampleRows = 1000
)

// defaults are what the options leave open, derived from rows of the data.
type defaults struct {
	kernel   kernel.Kernel
	choice   kernel.Choice
	noise    float64 // n times the ridge, in the unit of the loss; 0 where the ridge is fixed
	ridge    float64
	gain     float64 // a of the default step size
	top      float64 // lam_1
	kappa    float64 // the mean of k(x, x)
	constant float64 // the first step size of the constant
	unit     float64 // of the targets, for a loss in it; known at the beginning alone
}

// newDefaults derives them from a sample of the rows, of n that are to come, as far as r
// lets it come.
func newDefaults(s *settings, sample batch, n int, r *monitor.Monitor) (*defaults, error) {
	x := sample.x
	if s.Kernel == nil {
		if err := checkDistances(x); err != nil {
			return nil, err
		}
	}
	columns := sortedColumns(sample.y)
	unit := 1.0
	if loss.InTargetUnit(s.Loss) {
		unit = spread(columns)
	}
	d := &defaults{unit: unit, kernel: s.Kernel, ridge: ridgeOf(s, unit), constant: min(loss.Rate(s.Loss), 4) * unit}
	if s.Kernel == nil || s.Ridge == 0 && s.Rate == 0 {
		d.choose(s, sample, n, unit, r)
	}
	e := gram.Evaluator{Kernel: d.kernel, Workers: s.Workers}
	kappa := meanDiagonal(e, x)
	if err := checkScale(kappa); err != nil {
		return nil, err
	}
	d.kappa = positive(kappa)
	if s.Rate == 0 {
		d.gain, d.top = loss.Rate(s.Loss)*unit, topEigenvalue(e, x.Between(0, min(x.Rows, sampleRows)))
	}
	return d, nil
}

// leastRidge is the smallest that is chosen, in units of k(x, x), for a loss that steps alone
// minimise: a tenth of what a metric damps directions to. What a wide kernel has of the function in directions
// of less variance is not learned in a few passes, and a narrower kernel is better then.
const leastRidge = leastDamping / sampleRows / 10

// choose searches for the kernel and the ridge, as far as they are not given.
func (d *defaults) choose(s *settings, sample batch, n int, unit float64, r *monitor.Monitor) {
	o := choose.Options{Kernel: s.Kernel, Weights: door.MeanOne(sample.weights), Metric: s.Metric, Noise: s.Ridge * unit * float64(n), Spread: true, MemoryLimit: s.MemoryLimit, Seed: s.Seed, Workers: s.Workers}
	if sample.x.Sparse != nil {
		o.Rows = choose.SparseRows
	}
	if n > s.MaxPoints {
		of := &choose.Landmarks{Jitter: relativeJitter, Workers: s.Workers, Stopped: r.Stopped}
		o.Basis = func(dst compute.Matrix, k kernel.Kernel, _ float64, x compute.Points) bool {
			return of.Gram(dst, k, x.Between(0, pointsOf(x.Rows, n, s.MaxPoints)), x)
		}
	}
	least := 0.0
	if o.Noise == 0 && !s.codes && !loss.Quadratic(s.Loss) {
		least = leastRidge * float64(n)
	}
	d.choice = tuneFrom(least, sample, &o, r)
	d.kernel = d.choice.Kernel
	if s.Ridge == 0 {
		noise := max(d.choice.Noise, least)
		d.ridge = noise / float64(n) / unit
		if s.Horizon == 0 {
			d.noise = noise / unit
		}
		if s.Rate > 0 {
			d.ridge = min(d.ridge, 0.5/s.Rate)
		}
	}
}

// tuneFrom searches for a kernel that goes with a noise of at least so much. A bandwidth belongs to
// its noise, and is searched for again with the least where that of the first search is less. A map of
// the rows that was learned is kept: which directions count does not change, and at the larger noise, where a
// map gains less, a second search often finds none better beyond chance.
func tuneFrom(least float64, sample batch, o *choose.Options, r *monitor.Monitor) kernel.Choice {
	c, mapped := choose.TuneMetric(sample.x, sample.y, sample.class, o.Watched(r))
	if mapped || c.Noise >= least || r.Stopped() {
		return c
	}
	o.Noise = least
	return choose.Tune(sample.x, sample.y, sample.class, o.Watched(r))
}

// pointsOf returns how many rows of a sample carry what so many points do of n rows: as large a
// share, but a tenth of the sample where there are points for it, because points that a descent
// chose carry more than the first rows.
func pointsOf(sample, n, points int) int {
	const least = 10
	return max(1, sample*points/n, min(points, sample/least))
}

// checkDistances refuses rows whose squared distances could leave the range of
// numbers.
func checkDistances(x compute.Points) error {
	for i := range x.Rows {
		if beyond(x.Values(i)) {
			return fmt.Errorf("polk: row %d of x is too large for the default kernel: %w", i, rkhs.ErrDiverged)
		}
	}
	return nil
}

// checkKernel checks a kernel that is given on rows, with errors that begin with
// this package.
func checkKernel(k kernel.Kernel, x compute.Points) error {
	if k == nil {
		return nil
	}
	if err := gram.Check(k, x); err != nil {
		return fmt.Errorf("polk: %w", err)
	}
	return nil
}

// checkScale refuses values of the kernel that are too large to work with.
func checkScale(kappa float64) error {
	if !(kappa < outOfRange) {
		return fmt.Errorf("polk: k(x, x) is %v: %w", kappa, rkhs.ErrDiverged)
	}
	return nil
}

// positive returns v, or 1 where it is no scale.
func positive(v float64) float64 {
	if v > 0 {
		return v
	}
	return 1
}

// meanDiagonal returns the mean of k(x, x) over rows.
func meanDiagonal(e gram.Evaluator, x compute.Points) float64 {
	d := make([]float64, x.Rows)
	e.DiagOf(d, x)
	return floats.Sum(d) / float64(len(d))
}

// topEigenvalue returns the largest eigenvalue of K/n by power iteration, to
// about a thousandth, from below.
func topEigenvalue(e gram.Evaluator, x compute.Points) float64 {
	k := compute.NewMatrix(x.Rows, x.Rows)
	e.GramOf(k, x)
	return topOf(k)
}

// ridgeOf returns the ridge that is given, or the default for the unit of the targets.
func ridgeOf(s *settings, unit float64) float64 {
	switch {
	case s.Ridge > 0:
		return s.Ridge
	case s.Rate > 0:
		return min(defaultRidge/unit, 0.5/s.Rate)
	}
	return defaultRidge / unit
}

// sortedColumns returns the columns of targets as rows, each in ascending order.
func sortedColumns(y compute.Matrix) compute.Matrix {
	columns := compute.Transpose(y)
	for c := range columns.Rows {
		slices.Sort(compute.Row(columns, c))
	}
	return columns
}

// spread returns the mean absolute deviation of targets from the median of their
// column, or 1 if it is zero.
func spread(columns compute.Matrix) float64 {
	sum := 0.0
	for c := range columns.Rows {
		v := compute.Row(columns, c)
		for _, u := range v {
			sum += math.Abs(u-v[len(v)/2]) / float64(len(columns.Data))
		}
	}
	if sum == 0 {
		return 1
	}
	return sum
}
