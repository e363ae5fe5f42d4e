package doublysgd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// GPOptions configures FitGP. The zero value of each field means its default; nil
// means all defaults.
type GPOptions struct {
	// Kernel is the prior covariance, up to a factor unless Literal is set. It needs no
	// features.
	// Default: kernel.Gaussian of the Sigma, among multiples of the median
	// distance, that makes the targets of up to 512 rows most likely.
	Kernel kernel.Kernel
	// Literal makes the prior one of mean zero and of covariance Kernel itself.
	// Otherwise its mean is that of the targets, and its covariance a multiple of
	// Kernel that is found as Noise is.
	Literal bool
	// Noise is the variance of the noise of the targets, in their unit squared.
	// Default: what makes the targets of up to 512 rows most likely, to within a
	// factor of 1.8 and at least 1e-8 of the prior variance. Several columns of
	// targets share one ratio of noise to prior variance, and a Noise that is given
	// needs Literal.
	Noise float64

	// Tolerance is the relative error, by the bound that the report gives, at which a
	// solution ends: of the mean in the root mean square over the rows, and of the
	// variance at each row of xTest. Default: 0.001.
	Tolerance float64
	// Iterations bounds the iterations of one solution. If they do not reach
	// Tolerance, the error is rkhs.ErrNotConverged. Default: 1000.
	Iterations int
	// Centres is the largest number of centres: the more, the fewer iterations.
	// Default: 1000.
	Centres int

	// CacheSize bounds the bytes of the Gram matrix of the rows up to which it is
	// kept; kernel values are computed at each iteration otherwise. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that a fit may allocate. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: centres, and rows that noise is judged by.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit: Iteration counts
	// those of all solutions, ModelOrder is the number of centres, Gap is the bound of
	// the relative error, Objective is NaN.
	Recorder rkhs.Recorder
}

func (o *GPOptions) common() (preconditionOptions, error) {
	c := preconditionOptions{
		kernel: o.Kernel, centres: o.Centres, cache: o.CacheSize, memory: o.MemoryLimit,
		seed: o.Seed, workers: o.Workers, recorder: o.Recorder,
	}
	if !(o.Noise >= 0) || math.IsInf(o.Noise, 1) {
		return c, fmt.Errorf("doublysgd: Noise = %v is out of range: %w", o.Noise, rkhs.ErrOption)
	}
	if !(o.Tolerance >= 0 && o.Tolerance < 1) {
		return c, fmt.Errorf("doublysgd: Tolerance = %v is out of range: %w", o.Tolerance, rkhs.ErrOption)
	}
	if o.Iterations < 0 {
		return c, fmt.Errorf("doublysgd: Iterations = %v is out of range: %w", o.Iterations, rkhs.ErrOption)
	}
	return c, c.check()
}

// GP is the posterior of a Gaussian process: its mean at any point, and its
// variance at points that were given with the data. It is immutable and safe for
// concurrent use. Its file holds the rows that were trained on.
type GP struct {
	f        kernelSum
	seed     uint64
	prior    prior
	variance compute.Matrix // of the correlation, n*×1
	report   PreconditionReport
}

// FitGP finds the posterior of a function with a Gaussian process prior, from its
// values y (n×q) with independent noise of variance s² at rows x (n×d):
//
//	mean(x*) = k(x*, X)·(K + s²I)⁻¹·y,   variance(x*) = k(x*, x*) − k(x*, X)·(K + s²I)⁻¹·k(X, x*),
//
// the variance at the rows of xTest (t×d), which may be nil. The mean is the
// minimiser of 1/(2n)·Σ_i (f(x_i) − y_i)² + (nu/2)·‖f‖² for nu = s²/n, so that FitGP
// with Literal is kernel ridge regression as well; and the reduction of the variance
// at x* is f(x*) for the minimiser with targets k(x_i, x*) in place of y_i.
//
// Both are solved for by conjugate gradients on kernel values that are computed at
// each iteration, with a preconditioner of centres, rows drawn by what their
// predecessors leave of k(x, x). They bound the error at no cost: that of the mean by
// the residual, that of a variance by the residual in the norm of the preconditioner.
// The number of iterations goes by the root of what the centres leave of K over s².
// Fit in Preconditioned mode with Ridge = s²/n finds such a mean by stochastic
// gradients, which do not look at all pairs of rows and take far longer to be exact.
// FitVarianceOperator estimates the variance where xTest is not known.
//
// O(n²·(d + k)) an iteration for k right sides, the rows of xTest in groups of 128, and
// O(n·q·(q + d)) before for q centres. Memory O(n·(d + q + k)). A fit that is cancelled,
// stopped or not converged returns its best model together with the error, in which
// rows of xTest that were not reached have the prior variance. Source: Dai, Xie, He,
// Liang, Raj, Balcan and Song, "Scalable kernel methods via doubly stochastic
// gradients", NIPS 2014, section 4, for the regressions that mean and variance are;
// Wang, Pleiss, Gardner, Tyree, Weinberger and Wilson, "Exact Gaussian processes on a
// million data points", NeurIPS 2019, for their solution.
func FitGP(ctx context.Context, x, y, xTest mat.Matrix, opts *GPOptions) (*GP, error) {
	if opts == nil {
		opts = new(GPOptions)
	}
	o, err := opts.common()
	if err != nil {
		return nil, err
	}
	rows, targets, err := pairOf(x, y)
	if err != nil {
		return nil, err
	}
	if opts.Noise > 0 && targets.Cols > 1 && !opts.Literal {
		return nil, fmt.Errorf("doublysgd: Noise = %v of %d columns of targets needs Literal: %w", opts.Noise, targets.Cols, rkhs.ErrOption)
	}
	prior, err := opts.prior(rows, targets)
	if err != nil {
		return nil, err
	}
	var test compute.Matrix
	if xTest != nil {
		if test, err = rowsFor(prior.kernel, rows.Cols, "xTest", xTest); err != nil {
			return nil, err
		}
	}
	fit := &gpFit{o: o, prior: prior, tolerance: cmp.Or(opts.Tolerance, 0.001), iterations: cmp.Or(opts.Iterations, 1000)}
	fit.r = monitor.New(ctx, opts.Recorder, "doublysgd")
	defer fit.r.Close()
	return fit.run(rows, targets, test)
}

// pairOf lets rows and targets pass the door.
func pairOf(x, y mat.Matrix) (rows, targets compute.Matrix, err error) {
	if rows, err = door.View("doublysgd", "x", x); err != nil {
		return rows, targets, err
	}
	if targets, err = door.Rows("doublysgd", "y", y); err != nil {
		return rows, targets, err
	}
	if rows.Rows != targets.Rows {
		return rows, targets, fmt.Errorf("doublysgd: x has %d rows, y has %d: %w", rows.Rows, targets.Rows, rkhs.ErrShape)
	}
	return rows, targets, nil
}

// Dims returns the number of inputs d and of outputs q.
func (g *GP) Dims() (inputs, outputs int) { return g.f.points.Cols, g.f.weights.Cols }

// Kernel returns the kernel, whose multiple by Amplitude is the prior covariance.
func (g *GP) Kernel() kernel.Kernel { return g.f.of.Kernel }

// Seed returns the seed of the fit.
func (g *GP) Seed() uint64 { return g.seed }

// Amplitude returns, for each output, the factor of the kernel in the prior
// covariance.
func (g *GP) Amplitude() []float64 { return slices.Clone(g.prior.amplitude) }

// Noise returns the variance of the noise of each output.
func (g *GP) Noise() []float64 {
	noise := g.Amplitude()
	for o := range noise {
		noise[o] *= g.prior.ratio
	}
	return noise
}

// Report says how the posterior was found.
func (g *GP) Report() PreconditionReport { return g.report }

// Variance returns the posterior variance of the function at the rows of xTest, t×q,
// or nil if there were none. That of a noisy value there is larger by Noise.
func (g *GP) Variance() *mat.Dense {
	if g.variance.Rows == 0 {
		return nil
	}
	v := mat.NewDense(g.variance.Rows, len(g.prior.amplitude), nil)
	v.Apply(func(i, o int, _ float64) float64 { return g.prior.amplitude[o] * g.variance.Data[i] }, v)
	return v
}

// Predict returns the posterior mean at the rows of x, n×q for n rows.
// O(n·N·(d + q)) for the N rows that were trained on, which the model keeps.
func (g *GP) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := g.PredictTo(&dst, x); err != nil {
		return nil, err
	}
	return &dst, nil
}

// PredictTo stores the posterior mean in dst, which must be n×q or empty. Errors wrap
// rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
func (g *GP) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	f, err := g.f.predict(x)
	if err != nil {
		return err
	}
	g.prior.units.restore(f)
	return store(dst, f)
}

var gpFormat = codec.Format[GP]{Kind: "doublysgd gp", Versions: []func(*codec.Decoder) GP{decodeGP}}

// MarshalBinary returns the posterior as a file. It fails if the kernel cannot be
// written.
func (g *GP) MarshalBinary() ([]byte, error) { return gpFormat.Marshal(g.encode) }

// UnmarshalBinary replaces g by the posterior in data. On an error, which wraps
// rkhs.ErrFormat, g is left as it was.
func (g *GP) UnmarshalBinary(data []byte) error { return gpFormat.Unmarshal(g, data) }

// WriteTo writes the posterior to w.
func (g *GP) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, g) }

// ReadFrom replaces g by the posterior that r holds next, and reads no further. On an
// error g is left as it was.
func (g *GP) ReadFrom(r io.Reader) (int64, error) { return gpFormat.Read(g, r) }

func (g *GP) encode(c *codec.Encoder) error {
	c.Uint64(g.seed)
	c.Float64s(g.prior.units.offset)
	c.Float64s(g.prior.units.unit)
	c.Float64s(g.prior.amplitude)
	c.Float64(g.prior.ratio)
	c.Float64s(g.variance.Data)
	g.report.encode(c)
	return g.f.encode(c)
}

func decodeGP(d *codec.Decoder) GP {
	g := GP{seed: d.Uint64(), prior: prior{units: decodeUnits(d), amplitude: d.Float64s(), ratio: d.Finite()}}
	v := d.Float64s()
	g.variance = compute.Matrix{Rows: len(v), Cols: 1, Stride: 1, Data: v}
	g.report = decodePreconditionReport(d)
	g.f = decodeKernelSum(d)
	if d.Err() != nil {
		return g
	}
	g.prior.kernel = g.f.of.Kernel
	if q := g.f.weights.Cols; len(g.prior.units.offset) != q || len(g.prior.amplitude) != q {
		d.Fail("%d units and %d amplitudes for %d outputs", len(g.prior.units.offset), len(g.prior.amplitude), q)
	}
	if slices.ContainsFunc(append(v, g.prior.ratio), func(v float64) bool { return v < 0 }) {
		d.Fail("a variance is negative")
	}
	return g
}
