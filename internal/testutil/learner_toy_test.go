package testutil

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// fault is a violation of the contract by toy.
type fault string

const none fault = ""

// toyOptions are the options of toy. The bandwidth is in Width, and computed from the data if Width is
// empty.
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

// toy is least squares by gradient descent in the space of a Gaussian kernel, with early stopping.
// With two labels it is a classifier by sign.
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
		Robust:       f.fault == "not robust",
		Kernel:       func(o *toyOptions, k kernel.Kernel) { o.Kernel = k },
		Loss:         func(o *toyOptions, l loss.Loss) { o.Loss = l },
	}
}

// slow returns a learner with slow steps.
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
		if err := input.Context("toy", ctx); err != nil {
			return nil, err
		}
	}
	x, y, weights, err := f.weigh(x, y)
	if err != nil {
		return nil, err
	}
	xs, ys, err := f.input(x, y)
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
	if f.fault == "gives up" && mat.Max(ys) > 1e6 {
		return f.early(m, rkhs.ErrNotConverged)
	}
	if f.fault == "another fit to sparse rows" && input.IsSparse(x) {
		m.mean[0] += 1e-6
	}
	if f.fault == "leaks" {
		go func(until chan struct{}) { <-until }(release)
	}
	return f.descend(ctx, m, ys, o)
}

// weighted returns a learner with weights.
func (f toy) weighted() Learner[toyOptions, *toyModel] {
	l := f.learner()
	l.Options = func() *toyOptions { return &toyOptions{Width: []float64{2}} }
	l.Repeats = 1e-9
	return l
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

// negativeGradient returns the negative derivatives of the loss at the scores p.
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

// setWidth sets the bandwidth.
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

// descend performs gradient steps of a size that converges.
func (f toy) descend(ctx context.Context, m *toyModel, y *mat.Dense, o *toyOptions) (*toyModel, error) {
	k := m.gram()
	step := 1 / m.norm(k)
	steps := 150
	if f.fault == "workers" {
		steps += o.Workers
	}
	if n, _ := m.x.Dims(); f.fault == "fooled by copies" && slices.Equal(m.x.RawRowView(0), m.x.RawRowView(n/2)) {
		steps = 0
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

// early ends a fit with its current model.
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
