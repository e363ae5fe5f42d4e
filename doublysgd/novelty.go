package doublysgd

import (
	"cmp"
	"context"
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// NoveltyOptions configures FitNovelty and NewNoveltyLearner. The zero value of each
// field means its default; nil means all defaults.
type NoveltyOptions struct {
	// Nu is the fraction of the rows that may lie outside, in (0, 1). Default: 0.1.
	Nu float64
	// Kernel is the kernel. Default: kernel.Gaussian, whose Sigma is the median
	// distance of up to 1000 rows.
	Kernel kernel.Kernel

	// Centres is the largest number of centres; a learner has none. Default: 1000.
	Centres int
	// Features bounds the number of random features, in FitNovelty of what the centres
	// leave of the kernel, and Columns is that of one block. Later steps go back to the
	// blocks from the first on. Default: 32768, and 1024 or, in a learner, 256.
	Features, Columns int
	// Batch is the number of rows of a step of a learner. Default: 64.
	Batch int
	// Sampler says how the parameters of a block are drawn.
	Sampler features.Sampler
	// Steps bounds the number of steps of FitNovelty. Default: 500.
	Steps int
	// Tolerance is the relative error, as the report gives it, at which FitNovelty
	// ends. If it is given and not reached, the error is rkhs.ErrNotConverged.
	// Default: 0.01.
	Tolerance float64

	// CacheSize bounds the bytes of features that are kept for a second use within
	// a step; others are computed again. Default: 256 MiB.
	CacheSize int64
	// MemoryLimit bounds the bytes that FitNovelty may allocate. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects the random streams: centres and features.
	Seed uint64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress of a fit: Iteration counts steps,
	// Objective is that of the problem, ModelOrder the number of centres, Gap the
	// error of the report.
	Recorder rkhs.Recorder
}

const defaultNu = 0.1

func (o *NoveltyOptions) common() (preconditionOptions, error) {
	c := preconditionOptions{
		kernel: o.Kernel, sampler: o.Sampler, centres: o.Centres, features: o.Features, columns: o.Columns,
		cache: o.CacheSize, memory: o.MemoryLimit, seed: o.Seed, workers: o.Workers, recorder: o.Recorder,
	}
	if err := checkRanges([]ranged{
		{"Nu", o.Nu, o.Nu >= 0 && o.Nu < 1},
		{"Batch", float64(o.Batch), o.Batch >= 0},
		{"Steps", float64(o.Steps), o.Steps >= 0},
		{"Tolerance", o.Tolerance, o.Tolerance >= 0 && o.Tolerance < 1},
	}); err != nil {
		return c, err
	}
	return c, c.check()
}

// Novelty tells rows that are like those it was fitted to from others. It is
// immutable and safe for concurrent use. The Error of its Report is relative to r: the
// root mean square by which f differs from that of the multipliers, and the violation of
// the conditions between f and the multipliers divided by nu.
type Novelty struct {
	centred
	offset float64
	nu     float64
}

// FitNovelty finds where the rows of x (n×d) lie: a function f and an offset r with
//
//	min 1/n·Σ_i max(0, r − f(x_i)) + (nu/2)·‖f‖² − nu·r,
//
// the support vector machine of one class. Rows with f(x) < r are novel, no more than
// the fraction nu of those fitted to.
//
// The kernel is cut into what centres span and a rest with random features, as in
// FitGP. The hinge and the offset are split off by the alternating direction method
// of multipliers: each step is one of ridge regression, exact on the centres and a
// stochastic gradient in the features, and one in r, which is exact. O(n·q·(q + d))
// for q centres, and O(n·q + n·m·d) for each step with m features where they are
// needed. A fit that is cancelled, stopped or not converged returns its best model
// together with the error. Source: Dai et al., "Scalable kernel methods via doubly
// stochastic gradients", NIPS 2014, section 4, after Schölkopf, Platt, Shawe-Taylor,
// Smola and Williamson, "Estimating the support of a high-dimensional distribution",
// Neural Computation 13, 2001. NoveltyLearner does it on streams.
func FitNovelty(ctx context.Context, x mat.Matrix, opts *NoveltyOptions) (*Novelty, error) {
	if opts == nil {
		opts = new(NoveltyOptions)
	}
	o, err := opts.common()
	if err != nil {
		return nil, err
	}
	rows, err := door.View("doublysgd", "x", x)
	if err != nil {
		return nil, err
	}
	s := settings{Options: Options{Kernel: o.kernel, Seed: o.seed}}
	if o.kernel, err = s.kernel(rows); err != nil {
		return nil, err
	}
	fit := &noveltyFit{
		o: o, nu: cmp.Or(opts.Nu, defaultNu), limit: cmp.Or(opts.Steps, 500),
		tolerance: cmp.Or(opts.Tolerance, 0.01), strict: opts.Tolerance > 0,
	}
	fit.r = monitor.New(ctx, opts.Recorder, "doublysgd")
	defer fit.r.Close()
	return fit.run(rows)
}

// Offset returns r.
func (m *Novelty) Offset() float64 { return m.offset }

// Nu returns the fraction of rows that may lie outside.
func (m *Novelty) Nu() float64 { return m.nu }

// Scores returns f(x) − r, n×1: negative for what is novel. Errors are those of
// PredictTo.
func (m *Novelty) Scores(x mat.Matrix) (*mat.Dense, error) {
	f, err := m.scores(x)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(f.Rows, 1, f.Data), nil
}

func (m *Novelty) scores(x mat.Matrix) (compute.Matrix, error) {
	f, err := m.f.predict(x)
	for i := range f.Data {
		f.Data[i] -= m.offset
	}
	return f, err
}

// Predict returns n×1 labels: −1 for what is novel and +1 for the rest.
// O(n·(q + D)·d) for q centres and D features. Errors are those of PredictTo.
func (m *Novelty) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := m.PredictTo(&dst, x); err != nil {
		return nil, err
	}
	return &dst, nil
}

// PredictTo stores the labels in dst, which must be n×1 or empty. Errors wrap
// rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
func (m *Novelty) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	f, err := m.scores(x)
	if err != nil {
		return err
	}
	for i, v := range f.Data {
		f.Data[i] = 1
		if v < 0 {
			f.Data[i] = -1
		}
	}
	return store(dst, f)
}

var noveltyFormat = codec.Format[Novelty]{Kind: "doublysgd novelty", Versions: []func(*codec.Decoder) Novelty{decodeNovelty}}

// MarshalBinary returns the model as a file. It fails if the kernel cannot be
// written.
func (m *Novelty) MarshalBinary() ([]byte, error) { return noveltyFormat.Marshal(m.encode) }

// UnmarshalBinary replaces m by the model in data. On an error, which wraps
// rkhs.ErrFormat, m is left as it was.
func (m *Novelty) UnmarshalBinary(data []byte) error {
	return noveltyFormat.Unmarshal(m, data)
}

// WriteTo writes the model to w.
func (m *Novelty) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, m) }

// ReadFrom replaces m by the model that r holds next, and reads no further. On an
// error m is left as it was.
func (m *Novelty) ReadFrom(r io.Reader) (int64, error) {
	return noveltyFormat.Read(m, r)
}

func (m *Novelty) encode(c *codec.Encoder) error {
	c.Float64(m.offset)
	c.Float64(m.nu)
	return m.centred.encode(c)
}

func decodeNovelty(d *codec.Decoder) Novelty {
	m := Novelty{offset: d.Finite(), nu: d.Finite(), centred: decodeCentred(d)}
	if d.Err() == nil && (m.f.e.outputs != 1 || !(m.nu > 0 && m.nu < 1)) {
		d.Fail("%d outputs, nu = %v", m.f.e.outputs, m.nu)
	}
	return m
}
