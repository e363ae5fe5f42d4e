package doublysgd

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// VarianceOptions configures FitVarianceOperator. The zero value of each field but
// Noise means its default.
type VarianceOptions struct {
	// Kernel is the prior covariance. Default: kernel.Gaussian of the median distance.
	Kernel kernel.Kernel
	// Noise is the variance s² of the noise, in the unit of Kernel. It must be given.
	Noise float64
	// Features is the number D of features of either kind, rounded up to whole blocks
	// of Columns, one a step. Default: 4096, and 256.
	Features, Columns int
	// Batch is the number of rows of a step. Default: 256, or all if they are fewer.
	Batch int
	// Sampler says how the parameters of a block are drawn.
	Sampler features.Sampler
	// MemoryLimit bounds the bytes that a fit may allocate. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: features, and the rows of steps.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit: Iteration counts steps,
	// ModelOrder is the number of blocks; Objective and Gap are NaN.
	Recorder rkhs.Recorder
}

func (o *VarianceOptions) check() error {
	return checkRanges([]ranged{
		{"Noise", o.Noise, o.Noise > 0 && finite(o.Noise)},
		{"Features", float64(o.Features), inSize(o.Features)},
		{"Columns", float64(o.Columns), inSize(o.Columns) && o.Columns%2 == 0},
		{"Batch", float64(o.Batch), inSize(o.Batch)},
		{"MemoryLimit", float64(o.MemoryLimit), o.MemoryLimit >= 0},
		{"Workers", float64(o.Workers), o.Workers >= 0},
	})
}

// VarianceOperator is the posterior variance of a Gaussian process at any point. It is
// immutable and safe for concurrent use.
//
// It is experimental: its form, and the numbers it gives, may change.
type VarianceOperator struct {
	left, right *cache         // of the features of w and of w', which are independent
	theta       compute.Matrix // Θ, whose blocks below the diagonal are zero
	steps       int
	workers     int
}

// FitVarianceOperator estimates the posterior variance of a Gaussian process given
// values with noise of variance s² at rows x (n×d), for points that are not known yet,
//
//	variance(x*) = k(x*, x*) − k(x*, X)·(K + s²I)⁻¹·k(X, x*) = k(x*, x*) − <k(x*, ·), A k(x*, ·)>,
//
// by doubly stochastic gradients for the operator A = C·(C + s²/n·I)⁻¹ of
// C = 1/n·Σ_i k(x_i, ·)⊗k(x_i, ·): with blocks of features φ_t and φ'_t of independent
// parameters, and a batch X_t of B rows,
//
//	A = Σ_{i≤j} φ_i·Θ_ij·φ'_jᵀ,   Θ_it = −g/B·[Σ_{j<t} Θ_ij·φ'_j(X_t)ᵀ]·φ'_t(X_t),  i < t,
//	Θ_tt = g/B·φ_t(X_t)ᵀ·φ'_t(X_t),   Θ_ij *= 1 − g·s²/n,  i, j < t.
//
// The estimate has no bias but that of a finite number of steps, and much variance: it
// is of use where the noise is high, s²/n not far below the largest eigenvalue of C.
// For points that are known FitGP finds the variance itself, far more exactly.
//
// O(D²·B) time a step and O(D²) memory for D features. A fit that is cancelled or
// stopped returns what it has together with the error. Source: Dai, Xie, He, Liang,
// Raj, Balcan and Song, "Scalable kernel methods via doubly stochastic gradients", NIPS
// 2014, section 4; one set of features in place of two, as there, has a bias.
//
// FitVarianceOperator is experimental.
func FitVarianceOperator(ctx context.Context, x mat.Matrix, opts VarianceOptions) (*VarianceOperator, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	rows, err := door.View("doublysgd", "x", x)
	if err != nil {
		return nil, err
	}
	v, err := opts.newOperator(rows)
	if err != nil {
		return nil, err
	}
	r := monitor.New(ctx, opts.Recorder, "doublysgd")
	defer r.Close()
	return v, opts.run(v, rows, r)
}

// newOperator returns A = 0.
func (o *VarianceOptions) newOperator(x compute.Matrix) (*VarianceOperator, error) {
	s := settings{Options: Options{Kernel: o.Kernel, Seed: o.Seed}}
	k, err := s.kernel(x)
	if err != nil {
		return nil, err
	}
	v := &VarianceOperator{workers: o.Workers}
	f := features.Options{Seed: o.Seed, Columns: cmp.Or(o.Columns, 256), Sampler: o.Sampler, Workers: o.Workers}
	for _, side := range []**cache{&v.left, &v.right} {
		m, err := features.New(k, x.Cols, f)
		if err != nil {
			return nil, fmt.Errorf("doublysgd: %w", err)
		}
		*side = newCache(m, defaultCache)
		f.Seed = rng.Hash(o.Seed, "doublysgd variance", 1)
	}
	d := roundUp(cmp.Or(o.Features, 4096), v.left.m.Columns())
	need, limit := 8*float64(d)*float64(d), cmp.Or(o.MemoryLimit, defaultMemory)
	if need > float64(limit) {
		return nil, fmt.Errorf("doublysgd: the square of %d features takes %.3g bytes, MemoryLimit is %d: %w", d, need, limit, rkhs.ErrMemory)
	}
	v.theta = compute.NewMatrix(d, d)
	return v, nil
}

// run takes the steps, of length g_0/(1 + g_0·nu·t/1.5): with g_0 no step makes the
// expected distance of two operators grow.
func (o *VarianceOptions) run(v *VarianceOperator, x compute.Matrix, r *monitor.Monitor) error {
	nu := o.Noise / float64(x.Rows)
	batch := min(cmp.Or(o.Batch, 256), x.Rows)
	top, diagonal := largestEigenvalue(v.left.m.Kernel(), x, o.Workers)
	first := firstRate(top+nu, diagonal, v.left.m.Columns(), batch)
	stream := rng.New(o.Seed, "doublysgd variance rows", 0)
	for steps := v.theta.Rows / v.left.m.Columns(); v.steps < steps && !r.Stopped(); {
		rows := gather(x, stream.Sample(x.Rows, batch))
		v.step(rows, first/(1+first*nu*float64(v.steps)/1.5), nu)
		r.Report(rkhs.Progress{Iteration: v.steps, Objective: math.NaN(), ModelOrder: v.steps, Gap: math.NaN()})
	}
	for _, a := range v.theta.Data {
		if !finite(a) {
			return fmt.Errorf("doublysgd: a coefficient of the operator is %v: %w", a, rkhs.ErrDiverged)
		}
	}
	return r.Err()
}

// step takes the step t of length g.
func (v *VarianceOperator) step(x compute.Matrix, g, nu float64) {
	m := v.left.m.Columns()
	from, to := v.steps*m, (v.steps+1)*m
	known := v.at(v.right, x, v.steps+1)
	old, latest := columnsOf(known, 0, from), columnsOf(known, from, to)
	if from > 0 {
		above := compute.Rows(v.theta, 0, from)
		explained := compute.NewMatrix(from, x.Rows)
		compute.MulNT(explained, columnsOf(above, 0, from), old, v.workers)
		blas64.Scal(-g/float64(x.Rows), vector(explained.Data))
		compute.MulNN(columnsOf(above, from, to), explained, latest, v.workers)
		for i := range from {
			blas64.Scal(1-g*nu, vector(row(v.theta, i)[:from]))
		}
	}
	z := compute.NewMatrix(x.Rows, m)
	v.left.block(uint64(v.steps)).TransformTo(z, x)
	blas64.Scal(g/float64(x.Rows), vector(z.Data))
	compute.MulTN(columnsOf(compute.Rows(v.theta, from, to), from, to), z, latest, v.workers)
	v.steps++
}

// at returns so many blocks of features at the rows of x.
func (v *VarianceOperator) at(of *cache, x compute.Matrix, blocks int) compute.Matrix {
	m := of.m.Columns()
	z := compute.NewMatrix(x.Rows, blocks*m)
	for b := range blocks {
		of.block(uint64(b)).TransformTo(columnsOf(z, b*m, (b+1)*m), x)
	}
	return z
}

// columnsOf returns columns [from, to) of m; it shares the data of m.
func columnsOf(m compute.Matrix, from, to int) compute.Matrix {
	if from == to || m.Rows == 0 {
		return compute.Matrix{Rows: m.Rows, Cols: to - from, Stride: m.Stride}
	}
	return compute.Matrix{Rows: m.Rows, Cols: to - from, Stride: m.Stride, Data: m.Data[from : (m.Rows-1)*m.Stride+to]}
}

// Kernel returns the prior covariance.
func (v *VarianceOperator) Kernel() kernel.Kernel { return v.left.m.Kernel() }

// Variance returns estimates of the posterior variance of the function at the rows of
// x, n×1 for n rows. An estimate may be below zero. O(n·D·(d + D)). Errors wrap
// rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
func (v *VarianceOperator) Variance(x mat.Matrix) (*mat.Dense, error) {
	rows, err := rowsFor(v.left.m.Kernel(), v.left.m.Dim(), "x", x)
	if err != nil {
		return nil, err
	}
	s := make([]float64, rows.Rows)
	kernel.Evaluator{Kernel: v.left.m.Kernel(), Workers: v.workers}.Diag(s, rows)
	if v.steps == 0 { // A is 0
		return mat.NewDense(rows.Rows, 1, s), nil
	}
	d := v.steps * v.left.m.Columns()
	eachChunk(rows.Rows, chunkRows, func(from, to int) {
		part := compute.Rows(rows, from, to)
		weighted := compute.NewMatrix(part.Rows, d)
		compute.MulNN(weighted, v.at(v.left, part, v.steps), columnsOf(compute.Rows(v.theta, 0, d), 0, d), v.workers)
		right := v.at(v.right, part, v.steps)
		for i := range part.Rows {
			s[from+i] -= blas64.Dot(vector(row(weighted, i)), vector(row(right, i)))
		}
	})
	return mat.NewDense(rows.Rows, 1, s), nil
}
