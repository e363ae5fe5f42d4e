package testutil

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// fault is one way in which toy can break the contract; none breaks nothing.
type fault string

const none fault = ""

// toyOptions are the options of toy. Width holds the bandwidth, derived from the
// data if there is none.
type toyOptions struct {
	Width    []float64
	Kernel   kernel.Kernel
	Loss     loss.Loss // Squared if nil
	Steps    int
	Pause    time.Duration // before each step
	Seed     uint64
	Workers  int
	Recorder rkhs.Recorder
}

// toy is least squares by gradient descent in the space of a Gaussian kernel,
// ended early. With two labels it is a classifier by sign.
type toy struct {
	fault
	labels []int
}

// lastFit and release are the global state that some faults need.
var (
	lastFit *mat.Dense
	release chan struct{}
)

func (f toy) learner() Learner[toyOptions, *toyModel] {
	return Learner[toyOptions, *toyModel]{
		Package:      "toy",
		Fit:          f.fit,
		Empty:        func() *toyModel { return &toyModel{fault: f.fault} },
		Common:       func(o *toyOptions, s uint64, w int, r rkhs.Recorder) { o.Seed, o.Workers, o.Recorder = s, w, r },
		Limit:        func(o *toyOptions) { o.Steps = 1 },
		Labels:       f.labels,
		Equivariance: 1e-14,
		Kernel:       func(o *toyOptions, k kernel.Kernel) { o.Kernel = k },
		Loss:         func(o *toyOptions, l loss.Loss) { o.Loss = l },
	}
}

// slow returns a learner that takes its time.
func (f toy) slow() Learner[toyOptions, *toyModel] {
	l := f.learner()
	l.LargeRows, l.second = trainRows, 400*time.Millisecond
	l.Options = func() *toyOptions { return &toyOptions{Pause: 20 * time.Millisecond} }
	if f.fault == "fast" {
		l.Options, l.second = nil, 10*time.Second
	}
	return l
}

// userDefined returns a learner with some kernels and all losses.
func (f toy) userDefined() Learner[toyOptions, *toyModel] {
	l := f.learner()
	g := kernel.Gaussian{Sigma: 2}
	l.Kernels, l.Losses = []kernel.Kernel{g, kernel.Hellinger{}, kernel.Sum{g, kernel.Linear{}}}, RegressionLosses()
	if f.labels != nil {
		l.Losses = []loss.Loss{loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}}
	}
	return l
}

func (f toy) fit(ctx context.Context, x, y mat.Matrix, o *toyOptions) (*toyModel, error) {
	if o == nil {
		o = &toyOptions{}
		if f.fault == "nil options differ" {
			o.Width = []float64{2}
		}
	}
	if f.fault != "any context" {
		if err := door.Context("toy", ctx); err != nil {
			return nil, err
		}
	}
	x, y, weights, err := f.weigh(x, y)
	if err != nil {
		return nil, err
	}
	xs, ys, err := f.door(x, y)
	if err != nil {
		if f.fault == "model with the error" {
			return &toyModel{}, err
		}
		return nil, err
	}
	m := &toyModel{fault: f.fault, x: xs, labels: f.labels, seed: o.Seed, sigma: width(xs), kernel: f.kernel(o), weights: weights}
	if f.fault == "keeps x" {
		m.x = x.(*mat.Dense)
	}
	if f.fault == "seed dropped" {
		m.seed = 0
	}
	f.setWidth(m, o)
	f.prepare(m, ys)
	if f.fault == "leaks" {
		go func(until chan struct{}) { <-until }(release)
	}
	return f.descend(ctx, m, ys, o)
}

// weighted returns a learner to be tried with weights.
func (f toy) weighted() Learner[toyOptions, *toyModel] {
	l := f.learner()
	l.Options = func() *toyOptions { return &toyOptions{Width: []float64{2}} }
	l.Repeats = 1e-9
	return l
}

// weigh takes weights from their rows.
func (f toy) weigh(x, y mat.Matrix) (rows, targets mat.Matrix, weights []float64, err error) {
	w, ok := x.(rkhs.Weighted)
	if p, pointer := x.(*rkhs.Weighted); pointer && p != nil && f.fault != "no pointers" {
		w, ok = *p, true
	}
	if !ok {
		return x, y, nil, nil
	}
	switch f.fault {
	case "ignores weights":
		return w.Matrix, y, nil, nil
	case "any weight":
		return w.Matrix, y, w.Weights, nil
	}
	p, err := door.WeighedPair("toy", door.Dense, x, y)
	if err != nil {
		return nil, nil, nil, err
	}
	large := floats.Max(p.Weights) > 100
	p.Weights = door.MeanOne(p.Weights)
	if large && f.fault == "scale of weights" {
		p.Weights[0] *= 1.01
	}
	xs, ys := new(mat.Dense), new(mat.Dense)
	xs.SetRawMatrix(p.X.Matrix)
	ys.SetRawMatrix(p.Y)
	return xs, ys, p.Weights, nil
}

// kernel returns the kernel of the options.
func (f toy) kernel(o *toyOptions) kernel.Kernel {
	switch k := o.Kernel.(type) {
	case kernel.Gaussian:
		if f.fault == "knows the Gaussian" {
			k.Sigma *= 1 + 1e-9
			return k
		}
	case kernel.Sum:
		if _, ok := k[0].(kernel.Gaussian); ok && f.fault == "looks into sums" {
			return k[:1]
		}
	}
	return o.Kernel
}

// negativeGradient returns what the scores p lack.
func (f toy) negativeGradient(o *toyOptions, p, y *mat.Dense) *mat.Dense {
	var r mat.Dense
	l, ok := o.Loss.(loss.Scalar)
	if _, absolute := o.Loss.(loss.Absolute); !ok || absolute && f.fault == "knows the absolute loss" {
		r.Sub(y, p)
		return &r
	}
	r.Apply(func(i, j int, v float64) float64 { return -l.Derivative(p.At(i, j), v) }, y)
	return &r
}

// setWidth takes the bandwidth from the options.
func (f toy) setWidth(m *toyModel, o *toyOptions) {
	switch {
	case f.fault == "keeps options":
		o.Width = append(o.Width, m.sigma)
		m.width = o.Width
	case f.fault == "writes defaults back":
		o.Width = []float64{m.sigma}
	case f.fault == "fixed bandwidth":
		m.sigma = 1
	case len(o.Width) > 0:
		m.sigma = o.Width[0]
	}
}

// prepare centres the targets.
func (f toy) prepare(m *toyModel, y *mat.Dense) {
	n, q := y.Dims()
	m.mean, m.a = make([]float64, q), mat.NewDense(n, q, nil)
	for o := range q {
		for i := range n {
			m.mean[o] += m.weight(i) * (y.At(i, o) - y.At(0, o)) / float64(n)
		}
		m.mean[o] += y.At(0, o)
		std := 0.0
		for i := range n {
			y.Set(i, o, y.At(i, o)-m.mean[o])
			std += y.At(i, o) * y.At(i, o)
		}
		for i := range n {
			switch f.fault {
			case "divides by the deviation":
				y.Set(i, o, y.At(i, o)/math.Sqrt(std))
			case "clips":
				y.Set(i, o, min(3, max(-3, y.At(i, o))))
			}
		}
	}
	if f.fault == "warm start" {
		if lastFit != nil {
			m.a.Copy(lastFit)
		}
		lastFit = m.a
	}
}

// descend takes steps along the gradient, of the size that is safe.
func (f toy) descend(ctx context.Context, m *toyModel, y *mat.Dense, o *toyOptions) (*toyModel, error) {
	k := m.gram()
	step := 1 / m.norm(k)
	steps := 150
	if f.fault == "workers" {
		steps += o.Workers
	}
	start := time.Now()
	for i := range steps {
		if f.fault == "mean only" {
			break
		}
		deaf := f.fault == "ignores context" || f.fault == "hard of hearing" && i%120 > 0
		if err := ctx.Err(); err != nil && !deaf {
			if f.fault != "cause lost" {
				err = errors.Join(err, context.Cause(ctx))
			}
			return f.early(m, err)
		}
		if o.Steps > 0 && i >= o.Steps && f.fault != "ignores limit" {
			return f.early(m, rkhs.ErrNotConverged)
		}
		time.Sleep(o.Pause)
		var p mat.Dense
		p.Mul(k, m.a)
		r := f.negativeGradient(o, &p, y)
		r.Apply(func(i, _ int, v float64) float64 { return step * m.weight(i) * v }, r)
		m.a.Add(m.a, r)
		if err := f.report(m, o, i, time.Since(start)); err != nil {
			return f.early(m, err)
		}
	}
	return m, nil
}

// early ends a fit with the model so far.
func (f toy) early(m *toyModel, err error) (*toyModel, error) {
	switch f.fault {
	case "no model when stopped":
		m = nil
	case "own error when stopped":
		return m, errors.New("toy: stopped")
	case "broken when stopped":
		m.a.Set(0, 0, math.NaN())
	}
	return m, fmt.Errorf("toy: %w", err)
}

func (f toy) report(m *toyModel, o *toyOptions, i int, elapsed time.Duration) error {
	if o.Recorder == nil || i < 50 && f.fault == "silent at first" {
		return nil
	}
	p := rkhs.Progress{Iteration: i, Elapsed: elapsed}
	switch f.fault {
	case "swallows the recorder":
		o.Recorder.Record(p)
		return nil
	case "records on":
		err := o.Recorder.Record(p)
		if err != nil {
			o.Recorder.Record(p)
		}
		return err
	case "more than there is":
		p.Done, p.Total = i+1, 100
	case "records backwards":
		p.Elapsed = -elapsed
	case "records at once":
		done := make(chan error)
		for range 2 {
			go func() { done <- o.Recorder.Record(p) }()
		}
		return errors.Join(<-done, <-done)
	case "recorder changes the model":
		m.a.Set(0, 0, m.a.At(0, 0)+1e-9)
	}
	return o.Recorder.Record(p)
}

// door checks and copies the data.
func (f toy) door(x, y mat.Matrix) (xs, ys *mat.Dense, err error) {
	switch f.fault {
	case "panics on nil":
		x.Dims()
	case "no prefix":
		if _, err := door.Rows("", "x", x); err != nil {
			return nil, nil, err
		}
	}
	if f.fault == "scans twice" {
		door.Check("toy", "x", x)
	}
	xs, err = f.rows("x", x)
	if err == nil {
		ys, err = f.rows("y", y)
	}
	if err != nil {
		return nil, nil, err
	}
	n, _ := xs.Dims()
	if r, _ := ys.Dims(); r != n {
		return nil, nil, fmt.Errorf("toy: x has %d rows, y has %d: %w", n, r, rkhs.ErrShape)
	}
	if n == 1 && f.fault == "bare error for one row" {
		return nil, nil, errors.New("toy: one row")
	}
	if f.labels != nil {
		err = f.signs(ys)
	}
	if err == nil && (outOfRange(xs) || outOfRange(ys)) && f.fault != "any range" {
		return nil, nil, fmt.Errorf("toy: squares are out of range: %w", rkhs.ErrDiverged)
	}
	return xs, ys, err
}

func outOfRange(m mat.Matrix) bool {
	most := max(mat.Max(m), -mat.Min(m))
	return most > 0 && (most > 0x1p440 || most < 0x1p-440)
}

func (f toy) rows(name string, m mat.Matrix) (*mat.Dense, error) {
	d, isDense := m.(*mat.Dense)
	switch {
	case f.fault == "accepts NaN" && d != nil && !d.IsEmpty():
		return mat.DenseCopyOf(d), nil
	case f.fault == "no row named" && d != nil && !d.IsEmpty() && math.IsNaN(mat.Sum(d)):
		return nil, fmt.Errorf("toy: %s: %w", name, rkhs.ErrNotFinite)
	}
	r, err := door.Rows("toy", name, m)
	if err != nil {
		return nil, err
	}
	if f.fault == "writes to y" && name == "y" && isDense {
		return d, nil
	}
	if f.fault == "stride ignored" && isDense {
		copy(r.Data, d.RawMatrix().Data)
	}
	return mat.NewDense(r.Rows, r.Cols, r.Data), nil
}

// signs replaces labels by −1 and 1.
func (f toy) signs(y *mat.Dense) error {
	_, index, err := door.Labels("toy", y.RawMatrix())
	switch {
	case f.fault == "any label":
		index = make([]int, y.RawMatrix().Rows)
		for i := range index {
			if y.At(i, 0) >= float64(f.labels[1]) {
				index[i] = 1
			}
		}
	case err != nil:
		return err
	}
	for i, k := range index {
		y.Set(i, 0, float64(2*k-1))
	}
	return nil
}
