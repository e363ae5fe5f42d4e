package learn

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

func init() {
	register.DoFn4x1[context.Context, []byte, func(*Statistics) bool, func([]byte), error](&metricBegin{})
	register.DoFn5x1[context.Context, []byte, func(*[]byte) bool, func(*int, *tile) bool, func([]byte), error](&metricFit{})
	register.DoFn4x1[context.Context, rows.Batch, func(*[]byte) bool, func(int, tile), error](&metricTake{})
	register.DoFn6x1[context.Context, []byte, func(*Statistics) bool, func(*[]byte) bool, func(*int, *tile) bool, func([]byte), error](&metricNext{})
	register.Function1x2(designOf)
	register.Function1x2(bestOf)
}

// MetricOptions configure Metric. The zero value is the default.
type MetricOptions struct {
	// Classes declares that the targets are the labels of the statistics.
	Classes bool
	// Iterations is the number of metrics to learn. Default: 3.
	Iterations int
	// MaxPoints is the number of centres of the functions that supply gradients. Default: 1000.
	MaxPoints int
	// Seed selects the centres.
	Seed uint64
}

// Metric learns a full metric by mean outer products of gradients (see package metric). It
// returns a collection of one element, the file of a kernel for kernel.Unmarshal. Each
// iteration has two passes over all rows. The first fits kernel ridge regression on centres
// as Ridge does. The second adds up ∇f∇fᵀ, and the root of the mean is the next metric.
// Every iteration selects family, bandwidth and noise on the sample, among Gaussian and
// Matérn kernels. Metric returns the kernel with the lowest leave-one-out error of all
// iterations, including the kernel without a metric. Rows must be dense. The error wraps
// rkhs.ErrOption.
//
// O(n·M·(M + d·q)) per iteration for M centres. Each bundle emits 8·(M² + d²) bytes.
func Metric(s beam.Scope, batches, statistics beam.PCollection, opts MetricOptions) (file beam.PCollection, err error) {
	if opts.Iterations < 0 || opts.MaxPoints < 0 {
		return file, fmt.Errorf("learn: option Iterations = %d or MaxPoints = %d is negative: %w", opts.Iterations, opts.MaxPoints, rkhs.ErrOption)
	}
	s = s.Scope("learn.Metric")
	sample, impulse := beam.SideInput{Input: statistics}, beam.Impulse(s)
	begin := metricBegin{opts.Classes, opts.MaxPoints, opts.Seed}
	state := beam.ParDo(s, &begin, impulse, sample)
	for range cmp.Or(opts.Iterations, defaultIterations) {
		plan := beam.SideInput{Input: beam.ParDo(s, designOf, state)}
		tiles := beam.CombinePerKey(s, &tileMerge{}, beam.ParDo(s, &ridgeTakeAfter{}, batches, plan))
		gradients := beam.ParDo(s, &metricFit{}, impulse, beam.SideInput{Input: state}, beam.SideInput{Input: tiles})
		products := beam.CombinePerKey(s, &tileMerge{}, beam.ParDo(s, &metricTake{}, batches, beam.SideInput{Input: gradients}))
		state = beam.ParDo(s, &metricNext{begin}, impulse, sample, beam.SideInput{Input: state}, beam.SideInput{Input: products})
	}
	return beam.ParDo(s, bestOf, state), nil
}

const defaultIterations = 3

// metricState is the state between iterations.
type metricState struct {
	Family    int
	Rows      int       // of Map
	Map       []float64 // r×d, for rows scaled by the spread of their columns
	To        []float64 // r×d, from original rows to units of the bandwidth
	Design    []byte
	Best      []byte // kernel
	BestError float64
}

// designOf returns the design of the next fit.
func designOf(state []byte) ([]byte, error) {
	s, err := decodeGob[metricState](state)
	return s.Design, err
}

// bestOf returns the best kernel.
func bestOf(state []byte) ([]byte, error) {
	s, err := decodeGob[metricState](state)
	return s.Best, err
}

// metricBegin emits the first state, without a metric.
type metricBegin struct {
	Classes   bool
	MaxPoints int
	Seed      uint64
}

// ProcessElement implements the DoFn.
func (f *metricBegin) ProcessElement(ctx context.Context, _ []byte, statistics func(*Statistics) bool, emit func([]byte)) error {
	st, err := one(statistics)
	if err != nil {
		return err
	}
	d := st.shape.cols
	l := compute.NewMatrix(d, d)
	for j := range d {
		l.Data[j*d+j] = 1
	}
	s := &metricState{BestError: math.Inf(1)}
	if err := f.tune(ctx, st, s, l); err != nil {
		return err
	}
	file, err := encodeGob(s)
	if err == nil {
		emit(file)
	}
	return err
}

// radial lists the families of Euclidean distance.
var radial = []search.Family{search.GaussianFamily, search.Matern32Family, search.Matern12Family}

// tune selects a kernel on the sample for the map l, which applies to rows scaled by the
// spread of their columns, and updates the state.
func (f *metricBegin) tune(ctx context.Context, st *Statistics, s *metricState, l compute.Matrix) error {
	w, err := input.WeighedPair("learn", input.Dense, st.Sample.X(), st.Sample.Y())
	if err != nil {
		return err
	}
	targets, index := w.Y, []int(nil)
	if f.Classes {
		labels, err := input.Announced("learn", st.Labels)
		if err != nil {
			return err
		}
		if index, err = input.Known("learn", w.Y, labels); err != nil {
			return err
		}
		targets = input.Targets(index, outputsFor(labels))
	}
	to := compute.Clone(l)
	for i := range to.Rows {
		for j, c := range st.Inputs {
			if spread := c.Spread(st.Weight); spread > 0 {
				to.Data[i*to.Stride+j] /= spread
			}
		}
	}
	mapped := compute.NewMatrix(w.X.Rows, to.Rows)
	compute.MulNT(mapped, w.X.Matrix, to, 0)
	c := search.Tune(compute.DensePoints(mapped), targets, index, search.Options{Linear: true, Metric: kernel.NoMetric, Families: radial, Weights: input.MeanOne(w.Weights), Seed: f.Seed, Stopped: func() bool { return ctx.Err() != nil }})
	of, scales := c.Kernel, []float64(nil)
	if a, ok := of.(kernel.ARD); ok {
		of, scales = a.Of, a.Scales
	}
	for i := range scales {
		for j := range to.Cols {
			to.Data[i*to.Stride+j] /= scales[i]
			l.Data[i*l.Stride+j] /= scales[i]
		}
	}
	k := kernel.Projected{L: mat.NewDense(to.Rows, to.Cols, compute.Contiguous(to)), Of: of}
	d, err := newDesign(ctx, st, RidgeOptions{Kernel: k, Ridge: c.Noise / float64(st.Rows), MaxPoints: f.MaxPoints, Seed: f.Seed}, f.Classes)
	if err != nil {
		return err
	}
	family, bandwidth := familyOf(of)
	s.Family, s.Rows, s.Map = int(family), l.Rows, compute.Contiguous(l)
	s.To = make([]float64, len(to.Data))
	for i, v := range compute.Contiguous(to) {
		s.To[i] = v / bandwidth
	}
	if c.Error < s.BestError || s.Best == nil {
		s.Best, s.BestError = d.plan.Kernel, c.Error
	}
	s.Design, err = encodeGob(d.plan)
	return err
}

// familyOf returns the family and the bandwidth of a kernel.
func familyOf(k kernel.Kernel) (search.Family, float64) {
	m, ok := k.(kernel.Matern)
	switch {
	case !ok:
		return search.GaussianFamily, k.(kernel.Gaussian).Sigma
	case m.Nu == 0.5:
		return search.Matern12Family, m.Length
	}
	return search.Matern32Family, m.Length
}

// slopes is the function f(x) = Σ_j φ(‖To·x − v_j‖²)·a_j that supplies gradients.
type slopes struct {
	Family          int
	Inputs, Rows    int // d, r
	To              []float64
	Points, Outputs int
	V, A            []float64 // Points×r, Points×q
}

// metricFit solves for f.
type metricFit struct{}

// ProcessElement implements the DoFn.
func (*metricFit) ProcessElement(_ context.Context, _ []byte, state func(*[]byte) bool, tiles func(*int, *tile) bool, emit func([]byte)) error {
	file, err := only(state)
	if err != nil {
		return err
	}
	s, err := decodeGob[metricState](file)
	if err != nil {
		return err
	}
	d, err := decodeDesign(s.Design)
	if err != nil {
		return err
	}
	all, err := d.gathered(tiles)
	if err != nil {
		return err
	}
	f, err := all.minimise(d.columns(), d.plan.Ridge*float64(all.rows))
	if err != nil {
		return err
	}
	points, a := d.centres.Points.Dense(), d.centres.Weights(f.a)
	to := compute.Matrix{Rows: s.Rows, Cols: points.Cols, Stride: points.Cols, Data: s.To}
	v := compute.NewMatrix(points.Rows, to.Rows)
	compute.MulNT(v, points, to, 0)
	file, err = encodeGob(slopes{s.Family, to.Cols, to.Rows, s.To, v.Rows, a.Cols, v.Data, compute.Contiguous(a)})
	if err == nil {
		emit(file)
	}
	return err
}

// metricTake adds up outer products of gradients at the rows of a bundle.
type metricTake struct {
	gather gather
	f      *slopes
	sum    tile
}

// StartBundle resets the state after a failed bundle.
func (f *metricTake) StartBundle(context.Context, func(*[]byte) bool, func(int, tile)) error {
	*f = metricTake{f: f.f}
	return nil
}

// ProcessElement adds a batch.
func (f *metricTake) ProcessElement(_ context.Context, b rows.Batch, plan func(*[]byte) bool, _ func(int, tile)) error {
	if f.f == nil && b.Rows > 0 {
		file, err := only(plan)
		if err != nil {
			return err
		}
		s, err := decodeGob[slopes](file)
		if err != nil {
			return err
		}
		f.f = &s
	}
	return f.gather.add(&b, f.update)
}

func (f *metricTake) update(all rows.Batch, _ []uint64) error {
	w, err := input.WeighedPair("learn", input.Dense, all.X(), all.Y())
	if err != nil {
		return err
	}
	r := f.f.Rows
	if f.sum.Rows == 0 { // with mean zero, so that merging adds moments
		f.sum = tile{Of: [2][]float64{make([]float64, r), make([]float64, r)}, Moment: make([]float64, r*r)}
	}
	to := compute.Matrix{Rows: r, Cols: f.f.Inputs, Stride: f.f.Inputs, Data: f.f.To}
	v := compute.Matrix{Rows: f.f.Points, Cols: r, Stride: r, Data: f.f.V}
	a := compute.Matrix{Rows: f.f.Points, Cols: f.f.Outputs, Stride: f.f.Outputs, Data: f.f.A}
	g := compute.Matrix{Rows: r, Cols: r, Stride: r, Data: f.sum.Moment}
	for from, end := range compute.Chunks(w.X.Rows, ridgeRows) {
		u := compute.NewMatrix(end-from, r)
		compute.MulNT(u, compute.Rows(w.X.Matrix, from, end), to, 0)
		search.AddOuterProducts(g, u, v, a, compute.Weights(w.Weights).Between(from, end), search.Family(f.f.Family), 0)
	}
	f.sum.Rows += int64(w.X.Rows)
	f.sum.Weight += compute.Weights(w.Weights).Total(w.X.Rows)
	return nil
}

// FinishBundle emits the sum.
func (f *metricTake) FinishBundle(_ context.Context, _ func(*[]byte) bool, emit func(int, tile)) error {
	if err := f.gather.flush(f.update); err != nil {
		return err
	}
	if f.sum.Rows > 0 {
		emit(0, f.sum)
	}
	*f = metricTake{f: f.f}
	return nil
}

// metricNext emits the state with the next metric.
type metricNext struct{ From metricBegin }

// ProcessElement implements the DoFn.
func (f *metricNext) ProcessElement(ctx context.Context, _ []byte, statistics func(*Statistics) bool, state func(*[]byte) bool, products func(*int, *tile) bool, emit func([]byte)) error {
	st, err := one(statistics)
	if err != nil {
		return err
	}
	file, err := only(state)
	if err != nil {
		return err
	}
	s, err := decodeGob[metricState](file)
	if err != nil {
		return err
	}
	var number int
	var t tile
	if !products(&number, &t) {
		return fmt.Errorf("learn: there are no training rows: %w", rkhs.ErrEmpty)
	}
	// G refers to mapped rows. For scaled rows it is LᵀGL.
	g := compute.Matrix{Rows: s.Rows, Cols: s.Rows, Stride: s.Rows, Data: t.Moment}
	compute.Mirror(g)
	before := compute.Matrix{Rows: s.Rows, Cols: st.shape.cols, Stride: st.shape.cols, Data: s.Map}
	half, whole := compute.NewMatrix(g.Rows, before.Cols), compute.NewMatrix(before.Cols, before.Cols)
	compute.MulNN(half, g, before, 0)
	compute.MulTN(whole, before, half, 0)
	if l := search.FourthRoot(whole); l.Rows > 0 { // otherwise f is constant
		if err := f.From.tune(ctx, st, &s, l); err != nil {
			return err
		}
	}
	if file, err = encodeGob(s); err == nil {
		emit(file)
	}
	return err
}
