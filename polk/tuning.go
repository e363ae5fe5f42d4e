package polk

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

const (
	tuningRows = 1000
	// bandwidth is the default Sigma in units of the median distance, and
	// bandwidthFlat that in few dimensions, where the median is the distance
	// between clusters and not within.
	bandwidth     = 0.375
	bandwidthFlat = 0.3
	flat          = 3
)

// tuning is what is derived from the first rows of the data.
type tuning struct {
	kernel kernel.Kernel
	gain   float64 // a of the default step size
	top    float64 // lam_1
	kappa  float64 // the mean of k(x, x)
	// intercept is added to the scores of a regression; a classification has none.
	intercept []float64
}

// regularised returns the settings with the default Lambda where none is given.
func (s *settings) regularised(y compute.Matrix) *settings {
	if s.Lambda > 0 {
		return s
	}
	own := *s
	own.Lambda = defaultLambda
	if inUnits(s.Loss) {
		own.Lambda /= spread(y)
	}
	if s.Step > 0 {
		own.Lambda = min(own.Lambda, 0.5/s.Step)
	}
	return &own
}

// inUnits reports whether l counts targets in their own unit and has no curvature.
func inUnits(l loss.Loss) bool {
	_, scalar := l.(loss.Scalar)
	return scalar && loss.Kinked(l) && !loss.Margin(l)
}

// tune derives what the options leave open from rows and their targets, of which
// class indices need none.
func (s *settings) tune(x, y compute.Matrix) (*tuning, error) {
	t := &tuning{kernel: s.Kernel}
	if s.Kernel == nil {
		sigma, err := s.bandwidth(x)
		if err != nil {
			return nil, err
		}
		t.kernel = kernel.Gaussian{Sigma: sigma}
	}
	if err := checkKernel(t.kernel, x); err != nil {
		return nil, err
	}
	e := kernel.Evaluator{Kernel: t.kernel, Workers: s.Workers}
	t.kappa = meanDiagonal(e, x)
	if err := checkScale(t.kappa); err != nil {
		return nil, err
	}
	t.kappa = positive(t.kappa)
	if y.Cols > 0 {
		t.intercept = make([]float64, y.Cols)
		if l, ok := s.Loss.(loss.Scalar); ok && !s.NoIntercept {
			copy(t.intercept, intercept(l, y))
		}
	}
	if s.Step == 0 {
		t.gain = gain(s.Loss, y)
		t.top = topEigenvalue(e, x)
	}
	return t, nil
}

// bandwidth returns the Sigma of the default kernel.
func (s *settings) bandwidth(x compute.Matrix) (float64, error) {
	if err := checkDistances(x); err != nil {
		return 0, err
	}
	d, err := kernel.MedianDistance(mat.NewDense(x.Rows, x.Cols, x.Data), s.Seed)
	if err != nil {
		return 0, fmt.Errorf("polk: bandwidth: %w", err)
	}
	if x.Cols <= flat {
		return bandwidthFlat * d, nil
	}
	return bandwidth * d, nil
}

// checkDistances refuses rows whose squared distances could leave the range of
// numbers.
func checkDistances(x compute.Matrix) error {
	for i := range x.Rows {
		if beyond(row(x, i)) {
			return fmt.Errorf("polk: row %d of x is too large for the default kernel: %w", i, rkhs.ErrDiverged)
		}
	}
	return nil
}

// checkKernel checks kernel and rows, with errors that begin with this package.
func checkKernel(k kernel.Kernel, x compute.Matrix) error {
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
		blas64.Gemv(blas.NoTrans, 1, k, vector(v), 0, vector(kv))
		before := lam
		lam = floats.Norm(kv, 2)
		if lam == 0 || lam-before <= enough*lam {
			break
		}
		floats.ScaleTo(v, 1/lam, kv)
	}
	return lam / float64(n)
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }

// gain returns a, in units of the spread of the targets where the loss counts in these.
func gain(l loss.Loss, y compute.Matrix) float64 {
	if inUnits(l) {
		return loss.Rate(l) * spread(y)
	}
	return loss.Rate(l)
}

// spread returns the mean absolute deviation of targets from the median of their
// column, or 1 if it is zero.
func spread(y compute.Matrix) float64 {
	sum := 0.0
	for c := range y.Cols {
		v := sorted(y, c)
		for _, u := range v {
			sum += math.Abs(u-v[len(v)/2]) / float64(len(y.Data))
		}
	}
	if sum == 0 {
		return 1
	}
	return sum
}

func sorted(y compute.Matrix, c int) []float64 {
	v := make([]float64, y.Rows)
	for i := range v {
		v[i] = row(y, i)[c]
	}
	slices.Sort(v)
	return v
}

// intercept returns the constant of least loss for each column of targets.
func intercept(l loss.Scalar, y compute.Matrix) []float64 {
	b := make([]float64, y.Cols)
	for c := range b {
		b[c] = loss.Constant(l, sorted(y, c))
	}
	return b
}

// rate returns the step size for a batch of so many rows after others.
func (s *settings) rate(t *tuning, batch, rows, steps int) float64 {
	eta := s.Step
	if eta == 0 {
		eta = min(t.gain/(t.top+t.kappa/float64(batch)), 0.5/s.Lambda)
	}
	switch s.Schedule {
	case LinearDecay:
		const last = 0.02
		eta *= max(last, 1-(1-last)*float64(rows)/float64(s.Horizon))
	case Diminishing:
		eta /= 1 + s.Lambda*eta*float64(steps)
	}
	return eta
}

// budget returns eps² for a step of size eta that adds weights of the squared
// norm added.
func (s *settings) budget(eta, added float64) float64 {
	eps := s.K * eta * math.Sqrt(eta)
	if s.Schedule == Diminishing {
		eps = s.K * eta * eta
	}
	return max(eps*eps, s.Nu*added)
}
