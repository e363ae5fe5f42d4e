package learn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

func init() {
	register.DoFn4x1[context.Context, []byte, func(*Statistics) bool, func([]byte), error](&ridgeBegin{})
	register.DoFn3x1[context.Context, rows.Batch, func(int, tile), error](&ridgeTake{})
	register.DoFn4x1[context.Context, rows.Batch, func(*[]byte) bool, func(int, tile), error](&ridgeTakeAfter{})
	register.DoFn5x1[context.Context, []byte, func(*[]byte) bool, func(*int, *tile) bool, func([]byte), error](&ridgeSolve{})
	register.Combiner1[tile](&tileMerge{})
	register.Emitter2[int, tile]()
	register.Iter2[int, tile]()
	register.Function1x1(encodeTile)
	register.Function1x2(decodeTile)
	beam.RegisterCoder(reflect.TypeOf(tile{}), encodeTile, decodeTile)
}

// RidgeOptions configure Ridge. The zero value is the default.
type RidgeOptions struct {
	// Kernel is k. Default: selected on the sample, with a learned metric if it lowers the
	// error and the model uses centres.
	Kernel kernel.Kernel
	// Ridge is lam, the weight of ‖f‖² relative to the mean squared error. Default: selected on the sample.
	Ridge float64
	// MaxPoints is the number of centres, drawn from the sample. It excludes Features.
	// Default: 1000.
	MaxPoints int
	// Features, if positive, is the number of random features to use instead of centres,
	// rounded up to whole blocks. The model is then a model of package doublysgd.
	Features int
	// Tile is the number of rows and columns of the tiles of sums that workers exchange,
	// with 8·Tile² bytes each. Default: 1024.
	Tile int
	// MemoryLimit bounds the bytes of the sums. Each worker needs 8·(D+q)² bytes and the
	// solver three times as many. Default: 4 GiB.
	MemoryLimit int64
	// Seed selects centres and features.
	Seed uint64
}

const (
	defaultPoints = 1000
	defaultTile   = 1024
	featureBlock  = 2048
)

func (o RidgeOptions) check() error {
	switch {
	case !(o.Ridge >= 0) || math.IsInf(o.Ridge, 1):
		return fmt.Errorf("learn: option Ridge = %v: %w", o.Ridge, rkhs.ErrOption)
	case o.MaxPoints < 0 || o.Features < 0 || o.Tile < 0 || o.MemoryLimit < 0:
		return fmt.Errorf("learn: option MaxPoints = %d, Features = %d, Tile = %d or MemoryLimit = %d is negative: %w", o.MaxPoints, o.Features, o.Tile, o.MemoryLimit, rkhs.ErrOption)
	case o.MaxPoints > 0 && o.Features > 0:
		return fmt.Errorf("learn: option MaxPoints has no meaning for Features: %w", rkhs.ErrOption)
	}
	return input.Memory("learn", fmt.Sprintf("the sums of %d columns", max(o.MaxPoints, o.Features)), 3*8*float64(max(o.MaxPoints, o.Features))*float64(max(o.MaxPoints, o.Features)), cmp.Or(o.MemoryLimit, input.DefaultMemory))
}

// Ridge fits kernel ridge regression. The model is a ridge.Model on centres or, with
// Features, a doublysgd.Model. It is the exact minimiser of
//
//	(1/n)·Σ_i (y_i − b − f(x_i))² + lam·‖f‖²
//
// over the functions f of D columns z. Workers add up ZᵀZ and ZᵀY about the means and emit
// them in tiles at the end of a bundle. Weights are normalised to mean one. The result does
// not depend on batches, shards, order or retries, up to rounding. Models have no intervals,
// since these need the rows.
//
// Errors wrap rkhs.ErrOption and rkhs.ErrMemory. O(n·D·(d + D)) in total, 4·D² bytes per
// bundle, and O(D³) for the solver.
func Ridge(opts RidgeOptions) (*Method, error) { return newRidge("learn.Ridge", opts, false) }

// RidgeClassifier is Ridge for the labels of the statistics. It regresses on targets ±1 for
// each label, or on one target for two labels. The file is a ridge.Classifier or a
// doublysgd.Classifier.
func RidgeClassifier(opts RidgeOptions) (*Method, error) {
	return newRidge("learn.RidgeClassifier", opts, true)
}

func newRidge(name string, o RidgeOptions, classes bool) (*Method, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	begin := &ridgeBegin{Classes: classes, Ridge: o.Ridge, MaxPoints: o.MaxPoints, Features: o.Features, Tile: o.Tile, Seed: o.Seed}
	if o.Kernel != nil {
		var err error
		if begin.Kernel, err = kernel.Marshal(o.Kernel); err != nil {
			return nil, fmt.Errorf("learn: %w", err)
		}
	}
	return &Method{name, begin, learnRidge}, nil
}

func learnRidge(s beam.Scope, batches beam.PCollection, p planned) (model beam.PCollection) {
	plan := beam.SideInput{Input: p.file}
	var parts beam.PCollection
	if p.path != "" {
		parts = beam.ParDo(s, &ridgeTake{Path: p.path}, batches)
	} else {
		parts = beam.ParDo(s, &ridgeTakeAfter{}, batches, plan)
	}
	tiles := beam.CombinePerKey(s, &tileMerge{}, parts)
	return beam.ParDo(s, &ridgeSolve{}, beam.Impulse(s), plan, beam.SideInput{Input: tiles})
}

// ridgeBegin emits the design.
type ridgeBegin struct {
	Classes                   bool
	Kernel                    []byte // file, or nil
	Ridge                     float64
	MaxPoints, Features, Tile int
	Seed                      uint64
}

// ProcessElement implements the DoFn.
func (f *ridgeBegin) ProcessElement(ctx context.Context, _ []byte, statistics func(*Statistics) bool, emit func([]byte)) error {
	st, err := one(statistics)
	if err != nil {
		return err
	}
	o := RidgeOptions{Ridge: f.Ridge, MaxPoints: f.MaxPoints, Features: f.Features, Tile: f.Tile, Seed: f.Seed}
	if f.Kernel != nil {
		if o.Kernel, err = kernel.Unmarshal(f.Kernel); err != nil {
			return err
		}
	}
	d, err := newDesign(ctx, st, o, f.Classes)
	if err != nil {
		return err
	}
	file, err := encodeGob(d.plan)
	if err == nil {
		emit(file)
	}
	return err
}

// ridgeTake adds up the rows of a bundle.
type ridgeTake struct {
	Path   string // of the design
	gather gather
	design *design
	sums   *sums
}

// StartBundle resets the state after a failed bundle.
func (f *ridgeTake) StartBundle(context.Context, func(int, tile)) error {
	*f = ridgeTake{Path: f.Path, design: f.design}
	return nil
}

// ProcessElement adds a batch.
func (f *ridgeTake) ProcessElement(ctx context.Context, b rows.Batch, _ func(int, tile)) error {
	return f.take(&b, func() ([]byte, error) { return load(ctx, f.Path) })
}

// take adds a batch, with the design that from returns.
func (f *ridgeTake) take(b *rows.Batch, from func() ([]byte, error)) error {
	if f.design == nil && b.Rows > 0 {
		file, err := from()
		if err != nil {
			return err
		}
		if f.design, err = decodeDesign(file); err != nil {
			return err
		}
	}
	return f.gather.add(b, f.update)
}

// ridgeRows is the number of rows per chunk of columns.
const ridgeRows = 1024

func (f *ridgeTake) update(all rows.Batch, _ []uint64) error {
	w, err := input.WeighedPair("learn", input.Points, all.X(), all.Y())
	if err != nil {
		return err
	}
	y, err := f.design.targets(w.Y)
	if err != nil {
		return err
	}
	if err := gram.Check(f.design.of.Kernel, w.X); err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	d := f.design.columns()
	if f.sums == nil {
		f.sums = newSums(d + y.Cols)
	}
	v := compute.NewMatrix(min(ridgeRows, y.Rows), d+y.Cols)
	for from, to := range compute.Chunks(y.Rows, ridgeRows) {
		part := compute.Rows(v, 0, to-from)
		f.design.fill(compute.Columns(part, 0, d), w.X.Between(from, to))
		compute.CopyTo(compute.Columns(part, d, d+y.Cols), compute.Rows(y, from, to))
		f.sums.add(part, compute.Weights(w.Weights).Between(from, to))
	}
	return nil
}

// FinishBundle emits the tiles.
func (f *ridgeTake) FinishBundle(ctx context.Context, emit func(int, tile)) error {
	if err := f.gather.flush(f.update); err != nil {
		return err
	}
	if f.sums != nil {
		learned.Inc(ctx, f.sums.rows)
		f.sums.tiles(f.design.plan.Tile, emit)
	}
	f.sums = nil
	return nil
}

// ridgeTakeAfter is ridgeTake with the design as a side input.
type ridgeTakeAfter struct{ ridgeTake }

// StartBundle resets the state after a failed bundle.
func (f *ridgeTakeAfter) StartBundle(ctx context.Context, _ func(*[]byte) bool, emit func(int, tile)) error {
	return f.ridgeTake.StartBundle(ctx, emit)
}

// ProcessElement adds a batch.
func (f *ridgeTakeAfter) ProcessElement(_ context.Context, b rows.Batch, plan func(*[]byte) bool, _ func(int, tile)) error {
	return f.take(&b, func() ([]byte, error) { return only(plan) })
}

// FinishBundle emits the tiles.
func (f *ridgeTakeAfter) FinishBundle(ctx context.Context, _ func(*[]byte) bool, emit func(int, tile)) error {
	return f.ridgeTake.FinishBundle(ctx, emit)
}

// tileMerge adds tiles.
type tileMerge struct{}

// MergeAccumulators implements the combiner.
func (*tileMerge) MergeAccumulators(t, u tile) (tile, error) { return t.merge(u) }

// ridgeSolve emits the model.
type ridgeSolve struct{}

// ProcessElement implements the DoFn.
func (*ridgeSolve) ProcessElement(ctx context.Context, _ []byte, plan func(*[]byte) bool, tiles func(*int, *tile) bool, emit func([]byte)) error {
	file, err := only(plan)
	if err != nil {
		return err
	}
	d, err := decodeDesign(file)
	if err != nil {
		return err
	}
	all, err := d.gathered(tiles)
	if err != nil {
		return err
	}
	m, err := d.solve(all)
	return hand(ctx, m, false, err, emit)
}

// gathered combines the tiles to the sums of all rows.
func (d *design) gathered(tiles func(*int, *tile) bool) (*sums, error) {
	all := newSums(d.columns() + d.plan.Outputs)
	var number int
	var t tile
	for tiles(&number, &t) {
		if err := all.put(number, d.plan.Tile, t); err != nil {
			return nil, err
		}
	}
	if all.rows == 0 {
		return nil, fmt.Errorf("learn: there are no training rows: %w", rkhs.ErrEmpty)
	}
	return all, nil
}

// solution is f = z·a + b with diagnostics.
type solution struct {
	a        compute.Matrix
	constant []float64
	noise    float64
	norm     []float64
	residual []float64
}

// leastNoise is the fraction of the trace below which rounding hides the noise.
const leastNoise = 0x1p-51

// minimise solves (ZᵀZ + noise·I)·a = ZᵀY about the means. It overwrites the sums.
func (s *sums) minimise(columns int, noise float64) (*solution, error) {
	scale := float64(s.rows) / s.weight
	blas64.Scal(scale, compute.Vector(s.moment.Data))
	gram := compute.Columns(compute.Rows(s.moment, 0, columns), 0, columns)
	right := compute.Columns(compute.Rows(s.moment, 0, columns), columns, len(s.mean))
	trace := 0.0
	for i := range columns {
		trace += gram.Data[i*gram.Stride+i]
	}
	noise = max(noise, leastNoise*trace)
	factor := compute.Clone(gram)
	for i := range columns {
		factor.Data[i*factor.Stride+i] += noise
	}
	if !compute.Cholesky(factor, 0) {
		return nil, fmt.Errorf("learn: the noise %v vanishes in sums of trace %v: %w", noise, trace, rkhs.ErrDiverged)
	}
	f := &solution{a: compute.Clone(right), noise: noise, constant: slices.Clone(s.mean[columns:])}
	compute.SolveUpper(factor, f.a, true, 0)
	compute.SolveUpper(factor, f.a, false, 0)
	compute.Mirror(gram)
	rest := compute.NewMatrix(columns, right.Cols)
	compute.MulNN(rest, gram, f.a, 0)
	for i := range columns {
		blas64.Axpy(noise, compute.RowVector(f.a, i), compute.RowVector(rest, i))
		blas64.Axpy(-1, compute.RowVector(right, i), compute.RowVector(rest, i))
		blas64.Axpy(-s.mean[i], compute.RowVector(f.a, i), compute.Vector(f.constant))
	}
	squares, sizes := compute.ColumnDots(rest, rest), compute.ColumnDots(right, right)
	for o, v := range compute.ColumnDots(f.a, f.a) {
		f.norm = append(f.norm, math.Sqrt(v))
		f.residual = append(f.residual, math.Sqrt(squares[o]/max(sizes[o], math.SmallestNonzeroFloat64)))
	}
	return f, nil
}

// solve returns the model of the sums.
func (d *design) solve(all *sums) (marshaler, error) {
	n := float64(all.rows)
	noise := d.plan.Noise
	if d.plan.Ridge > 0 {
		noise = d.plan.Ridge * n
	}
	f, err := all.minimise(d.columns(), noise*d.penalty())
	if err != nil {
		return nil, err
	}
	f.noise /= d.penalty()
	if d.centres == nil {
		return d.random(f, int(all.rows))
	}
	m, err := ridge.NewModel(expansion.Of(d.of.Kernel, d.centres.Points, d.centres.Weights(f.a)), f.constant,
		ridge.Report{Status: rkhs.Converged, Rows: int(all.rows), Iterations: 1, Ridge: f.noise / n, Residual: f.residual, Norm: f.norm})
	if err != nil || d.plan.Labels == nil {
		return m, err
	}
	return ridge.NewClassifier(m, d.plan.Labels)
}

// penalty returns the number B of feature blocks. The kernel is the mean over the blocks, so
// ‖f‖² = B·‖a‖².
func (d *design) penalty() float64 { return float64(max(1, len(d.blocks))) }

// random returns the random-feature model.
func (d *design) random(f *solution, n int) (marshaler, error) {
	nan := math.NaN()
	m, err := doublysgd.NewModel(d.of.Kernel, d.plan.Inputs, features.Options{Seed: d.plan.Seed, Columns: d.plan.Columns},
		mat.NewDense(f.a.Rows, f.a.Cols, compute.Contiguous(f.a)), f.constant,
		doublysgd.Report{Status: rkhs.Converged, Rows: n, Passes: 1, Ridge: f.noise / float64(n), HeldOutLoss: nan, Objective: nan, Gradient: slices.Max(f.residual), Gap: nan})
	if err != nil || d.plan.Labels == nil {
		return m, err
	}
	return doublysgd.NewClassifier(m, d.plan.Labels)
}
