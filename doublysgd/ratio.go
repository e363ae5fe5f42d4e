package doublysgd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// RatioForm says which function is learned of a ratio of densities w = p/q.
type RatioForm uint8

const (
	// LogRatio learns f = log w, by E_q[exp f] − E_p[f] + (nu/2)·‖f‖²: w is positive
	// everywhere.
	LogRatio RatioForm = iota
	// PlainRatio learns w itself, by E_q[w] − E_p[log w] + (nu/2)·‖w‖², where the
	// logarithm goes on straight below w = 0.1: w may be negative, which Predict
	// reports as 0.
	PlainRatio
)

// RatioOptions configures FitRatio and NewRatioLearner. The zero value of each field
// means its default; nil means all defaults.
type RatioOptions struct {
	// Form is the function that is learned. Default: LogRatio.
	Form RatioForm
	// Kernel is the kernel. Default: kernel.Gaussian, whose Sigma is a multiple of the
	// median distance.
	Kernel kernel.Kernel
	// Ridge is nu, at most 1e6. Default: together with the multiple of the median
	// distance, the largest power of ten that is within one standard error of the best
	// when one row at a time is left out.
	Ridge float64

	// Centres is the largest number of centres; a learner has none. Default: 1000.
	Centres int
	// Features bounds the number of random features, in FitRatio of what the centres
	// leave of the kernel, and Columns is that of one block. Later steps of a learner
	// go back to the blocks from the first on. Default: 32768, and 1024 or, in a
	// learner, 256.
	Features, Columns int
	// Batch is the number of rows of each kind in a step of a learner. Default: 64.
	Batch int
	// Sampler says how the parameters of a block are drawn.
	Sampler features.Sampler
	// Tolerance is the error, as the report gives it, at which FitRatio ends before
	// all features are used. If it is given and not reached, the error is
	// rkhs.ErrNotConverged. Default: 0.01.
	Tolerance float64

	// CacheSize bounds the bytes of features that are kept for a second use within
	// a step; others are computed again. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that a fit may allocate, and those of rows of one
	// kind that a learner keeps until as many of the other come. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: centres, features, rows that choices are made by.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit: Iteration counts steps,
	// Objective is that of the problem, ModelOrder the number of centres, Gap the
	// error of the report.
	Recorder rkhs.Recorder
}

func (o *RatioOptions) common() (preconditionOptions, error) {
	c := preconditionOptions{
		kernel: o.Kernel, sampler: o.Sampler, centres: o.Centres, features: o.Features, columns: o.Columns,
		cache: o.CacheSize, memory: o.MemoryLimit, seed: o.Seed, workers: o.Workers, recorder: o.Recorder,
	}
	if err := checkRanges([]ranged{
		{"Form", float64(o.Form), o.Form <= PlainRatio},
		{"Ridge", o.Ridge, o.Ridge >= 0 && o.Ridge <= largestRidge},
		{"Batch", float64(o.Batch), o.Batch >= 0},
		{"Tolerance", o.Tolerance, o.Tolerance >= 0 && o.Tolerance < 1},
	}); err != nil {
		return c, err
	}
	return c, c.check()
}

// Ratio estimates the ratio of two densities. It is immutable and safe for concurrent
// use. The Error of its Report bounds the root mean square error of the function over a
// sample of the rows: of log w, or of w relative to itself. Being a bound, it may be much
// larger than the error where nu is small.
type Ratio struct {
	centred
	form RatioForm
}

// FitRatio estimates w = p/q from rows x (n×d) that are drawn from the density p, and
// rows y (m×d) drawn from q, neither of which belongs to a row of the other. It is
// what importance weighting needs, and E_p[log w] the divergence of p from q.
//
// The kernel is cut into what centres span and a rest with random features, as in
// FitGP. Between two stochastic gradients in the features the part on the centres is
// solved for by Newton's method. O((n + m)·q·(q + d)) for q centres and each step of
// Newton, O((n + m)·b·d) for each gradient with b features. A fit that is cancelled,
// stopped or not converged returns its best model together with the error. Source:
// Dai et al., "Scalable kernel methods via doubly stochastic gradients", NIPS 2014,
// section 4, after Nguyen, Wainwright and Jordan, "Estimating divergence functionals
// and the likelihood ratio by convex risk minimization", IEEE Transactions on
// Information Theory 56, 2010. RatioLearner does it on streams.
func FitRatio(ctx context.Context, x, y mat.Matrix, opts *RatioOptions) (*Ratio, error) {
	if opts == nil {
		opts = new(RatioOptions)
	}
	o, err := opts.common()
	if err != nil {
		return nil, err
	}
	above, err := door.View("doublysgd", "x", x)
	if err != nil {
		return nil, err
	}
	below, err := door.View("doublysgd", "y", y)
	if err != nil {
		return nil, err
	}
	if above.Cols != below.Cols {
		return nil, fmt.Errorf("doublysgd: x has %d columns, y has %d: %w", above.Cols, below.Cols, rkhs.ErrShape)
	}
	fit := &ratioFit{
		o: o, form: opts.Form, nu: opts.Ridge,
		tolerance: cmp.Or(opts.Tolerance, 0.01), strict: opts.Tolerance > 0,
	}
	fit.r = monitor.New(ctx, opts.Recorder, "doublysgd")
	defer fit.r.Close()
	return fit.run(above, below)
}

// Form returns the function that was learned.
func (m *Ratio) Form() RatioForm { return m.form }

// Scores returns the function that was learned, n×1: log w(x), or w(x) itself. Errors are
// those of PredictTo.
func (m *Ratio) Scores(x mat.Matrix) (*mat.Dense, error) {
	f, err := m.f.predict(x)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(f.Rows, 1, f.Data), nil
}

// Predict returns w(x) = p(x)/q(x), n×1. O(n·(q + D)·d) for q centres and D features.
// Errors are those of PredictTo.
func (m *Ratio) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := m.PredictTo(&dst, x); err != nil {
		return nil, err
	}
	return &dst, nil
}

// PredictTo stores w(x) in dst, which must be n×1 or empty. Errors wrap
// rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
func (m *Ratio) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	f, err := m.f.predict(x)
	if err != nil {
		return err
	}
	for i, v := range f.Data {
		if m.form == PlainRatio {
			f.Data[i] = max(0, v)
		} else {
			f.Data[i] = compute.ExpOne(min(v, largestLog))
		}
	}
	return store(dst, f)
}

// largestLog keeps exp f in range.
const largestLog = 700

// Divergence returns the Kullback–Leibler divergence of p from q as the rows of x,
// drawn from p, estimate it: the mean of log w. With PlainRatio, values below 0.1
// count as 0.1.
func (m *Ratio) Divergence(x mat.Matrix) (float64, error) {
	f, err := m.f.predict(x)
	if err != nil {
		return 0, err
	}
	for i, v := range f.Data {
		if m.form == PlainRatio {
			f.Data[i] = math.Log(max(v, smallestDensity))
		}
	}
	return meanOf(f.Data), nil
}

var ratioFormat = codec.Format[Ratio]{Kind: "doublysgd ratio", Versions: []func(*codec.Decoder) Ratio{decodeRatio}}

// MarshalBinary returns the model as a file. It fails if the kernel cannot be
// written.
func (m *Ratio) MarshalBinary() ([]byte, error) { return ratioFormat.Marshal(m.encode) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Ratio) UnmarshalBinary(data []byte) error {
	return ratioFormat.Unmarshal(m, data)
}

// WriteTo writes the model to w.
func (m *Ratio) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, m) }

// ReadFrom replaces m by the model that r holds next, and reads no further. On an
// error m is left as it was.
func (m *Ratio) ReadFrom(r io.Reader) (int64, error) { return ratioFormat.Read(m, r) }

func (m *Ratio) encode(c *codec.Encoder) error {
	c.Int(int(m.form))
	return m.centred.encode(c)
}

func decodeRatio(d *codec.Decoder) Ratio {
	m := Ratio{form: RatioForm(smallInt(d)), centred: decodeCentred(d)}
	if d.Err() == nil && (m.f.e.outputs != 1 || m.form > PlainRatio) {
		d.Fail("%d outputs, form %d", m.f.e.outputs, m.form)
	}
	return m
}
