package polk

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

const (
	// sampleRows is the number of rows from which defaults are taken.
	sampleRows = 1000
	// bandwidth is the default Sigma in units of the median distance, and
	// bandwidthFlat that in few dimensions, where the median is the distance
	// between clusters and not within.
	bandwidth     = 0.375
	bandwidthFlat = 0.3
	flat          = 3
)

// defaults are what the options leave open, derived from rows of the data.
type defaults struct {
	kernel kernel.Kernel
	ridge  float64
	gain   float64 // a of the default step size
	top    float64 // lam_1
	kappa  float64 // the mean of k(x, x)
	// intercept is added to the scores of a regression; a classification has none.
	intercept []float64
}

// newDefaults derives them from rows and their targets, of which class indices need
// none.
func newDefaults(s *settings, x, y compute.Matrix) (*defaults, error) {
	k, err := kernelOf(s, x)
	if err != nil {
		return nil, err
	}
	e := kernel.Evaluator{Kernel: k, Workers: s.Workers}
	kappa := meanDiagonal(e, x)
	if err := checkScale(kappa); err != nil {
		return nil, err
	}
	columns := sortedColumns(y)
	unit := 1.0
	if loss.InTargetUnit(s.Loss) {
		unit = spread(columns)
	}
	d := &defaults{kernel: k, ridge: ridgeOf(s, unit), kappa: positive(kappa), intercept: interceptOf(s, columns)}
	if s.Rate == 0 {
		d.gain, d.top = loss.Rate(s.Loss)*unit, topEigenvalue(e, x)
	}
	return d, nil
}

// kernelOf returns the kernel that is given, or that for the scale of the rows.
func kernelOf(s *settings, x compute.Matrix) (kernel.Kernel, error) {
	if s.Kernel == nil {
		if err := checkDistances(x); err != nil {
			return nil, err
		}
	}
	multiple := bandwidth
	if x.Cols <= flat {
		multiple = bandwidthFlat
	}
	return choose.Kernel(pkg, s.Kernel, x, multiple, s.Seed)
}

// checkDistances refuses rows whose squared distances could leave the range of
// numbers.
func checkDistances(x compute.Matrix) error {
	for i := range x.Rows {
		if beyond(compute.Row(x, i)) {
			return fmt.Errorf("polk: row %d of x is too large for the default kernel: %w", i, rkhs.ErrDiverged)
		}
	}
	return nil
}

// checkKernel checks a kernel that is given on rows, with errors that begin with
// this package.
func checkKernel(k kernel.Kernel, x compute.Matrix) error {
	if k == nil {
		return nil
	}
	if err := kernel.Check(k, x); err != nil {
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
func meanDiagonal(e kernel.Evaluator, x compute.Matrix) float64 {
	d := make([]float64, x.Rows)
	e.Diag(d, x)
	return floats.Sum(d) / float64(len(d))
}

// topEigenvalue returns the largest eigenvalue of K/n by power iteration, to
// about a thousandth, from below.
func topEigenvalue(e kernel.Evaluator, x compute.Matrix) float64 {
	const steps, enough = 100, 1e-4
	n := x.Rows
	k := compute.NewMatrix(n, n)
	e.Gram(k, x)
	v, kv := make([]float64, n), make([]float64, n)
	for i := range v {
		v[i] = 1 / math.Sqrt(float64(n))
	}
	lam := 0.0
	for range steps {
		blas64.Gemv(blas.NoTrans, 1, k, compute.Vector(v), 0, compute.Vector(kv))
		before := lam
		lam = floats.Norm(kv, 2)
		if lam == 0 || lam-before <= enough*lam {
			break
		}
		floats.ScaleTo(v, 1/lam, kv)
	}
	return lam / float64(n)
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

// interceptOf returns the constant of least loss for each column of targets, zeros
// for NoIntercept; nil for classes.
func interceptOf(s *settings, columns compute.Matrix) (b []float64) {
	l, scalar := s.Loss.(loss.Scalar)
	for c := range columns.Rows {
		b = append(b, 0)
		if scalar && !s.NoIntercept {
			b[c] = loss.Constant(l, compute.Row(columns, c))
		}
	}
	return b
}
