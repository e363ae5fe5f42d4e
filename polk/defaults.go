package polk

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

const (
	// searchRows is the number of rows of the search for kernel and ridge, sampleRows of the
	// measurement of the step size.
	searchRows = 2000
	sampleRows = 1000
)

// defaults holds the settings derived from the data.
type defaults struct {
	kernel   kernel.Kernel
	found    kernel.SearchResult
	noise    float64 // n times the ridge in the unit of the loss, or 0 if the ridge is fixed
	ridge    float64
	gain     float64 // a of the default step size
	top      float64 // lam_1
	kappa    float64 // the mean of k(x, x)
	constant float64 // the first step size of the constant
	unit     float64 // of the targets for a loss in their unit, else 1; not in files
}

// newDefaults derives the defaults from a sample of n rows. It returns early if r is stopped.
func newDefaults(s *settings, sample batch, n int, r *progress.Monitor) (*defaults, error) {
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
		d.search(s, sample, n, unit, r)
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

// leastRidge is the smallest selected ridge, in units of k(x, x), for a loss without an exact
// solution: a tenth of the damping of a metric. A few passes do not learn directions of smaller
// variance, and a narrower kernel is better there.
const leastRidge = leastDamping / sampleRows / 10

// search selects the kernel and the ridge that are not given.
func (d *defaults) search(s *settings, sample batch, n int, unit float64, r *progress.Monitor) {
	o := search.Options{Kernel: s.Kernel, Metric: s.Metric, Noise: s.Ridge * unit * float64(n), Spread: true,
		Weights: input.MeanOne(sample.weights), MemoryLimit: s.MemoryLimit, Seed: s.Seed, Workers: s.Workers}
	if sample.x.Sparse != nil {
		o.Rows = search.SparseRows
	}
	if n > s.MaxPoints {
		of := &search.Landmarks{Jitter: relativeJitter, Workers: s.Workers, Stopped: r.Stopped}
		o.Basis = func(dst compute.Matrix, k kernel.Kernel, _ float64, x compute.Points) bool {
			return of.Gram(dst, k, x.Between(0, pointsOf(x.Rows, n, s.MaxPoints)), x)
		}
	}
	least := 0.0
	if o.Noise == 0 && !s.codes && !loss.Quadratic(s.Loss) {
		least = leastRidge * float64(n)
	}
	d.found = tuneFrom(least, sample, &o, r)
	d.kernel = d.found.Kernel
	if s.Ridge == 0 {
		noise := max(d.found.Noise, least)
		d.ridge = noise / float64(n) / unit
		if s.Horizon == 0 {
			d.noise = noise / unit
		}
		if s.Rate > 0 {
			d.ridge = min(d.ridge, 0.5/s.Rate)
		}
	}
}

// tuneFrom selects a kernel for at least the noise least. If the selected noise is lower, it
// repeats the search with least. It does not repeat a search that learned a map: the
// directions remain valid, and a second search often finds no significant improvement.
func tuneFrom(least float64, sample batch, o *search.Options, r *progress.Monitor) kernel.SearchResult {
	c, mapped := search.TuneMetric(sample.x, sample.y, sample.class, o.WithMonitor(r))
	if mapped || c.Noise >= least || r.Stopped() {
		return c
	}
	o.Noise = least
	return search.Tune(sample.x, sample.y, sample.class, o.WithMonitor(r))
}

// pointsOf returns the number of sample rows that represent the points of a fit on n rows. It is
// the same fraction of the rows, or more up to a tenth of the sample, because selected points are
// better than the first rows.
func pointsOf(sample, n, points int) int {
	const least = 10
	return max(1, sample*points/n, min(points, sample/least))
}

// checkDistances returns an error for rows with squared distances that could overflow.
func checkDistances(x compute.Points) error {
	for i := range x.Rows {
		if exceeds(x.Values(i)) {
			return fmt.Errorf("polk: row %d of x is too large for the default kernel: %w", i, rkhs.ErrDiverged)
		}
	}
	return nil
}

// checkKernel returns an error if a given kernel rejects rows.
func checkKernel(k kernel.Kernel, x compute.Points) error {
	if k == nil {
		return nil
	}
	if err := gram.Check(k, x); err != nil {
		return fmt.Errorf("polk: %w", err)
	}
	return nil
}

// checkScale returns an error for excessive kernel values.
func checkScale(kappa float64) error {
	if !(kappa < outOfRange) {
		return fmt.Errorf("polk: k(x, x) is %v: %w", kappa, rkhs.ErrDiverged)
	}
	return nil
}

// positive returns v, or 1 if v is not positive.
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

// topEigenvalue returns the largest eigenvalue of K/n; see topOf.
func topEigenvalue(e gram.Evaluator, x compute.Points) float64 {
	k := compute.NewMatrix(x.Rows, x.Rows)
	e.GramOf(k, x)
	return topOf(k)
}

// ridgeOf returns the given ridge, or the default for the unit of the targets.
func ridgeOf(s *settings, unit float64) float64 {
	switch {
	case s.Ridge > 0:
		return s.Ridge
	case s.Rate > 0:
		return min(defaultRidge/unit, 0.5/s.Rate)
	}
	return defaultRidge / unit
}

// sortedColumns returns the columns of targets as sorted rows.
func sortedColumns(y compute.Matrix) compute.Matrix {
	columns := compute.Transpose(y)
	for c := range columns.Rows {
		slices.Sort(compute.Row(columns, c))
	}
	return columns
}

// spread returns the mean absolute deviation from the median of each column, or 1 if it is zero.
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
