package descent

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// SpaceFunction is a function of centres and random features,
//
//	f(x) = k(x, C)·β + Σ_b φ_b(x)·A_b.
type SpaceFunction struct {
	Features *blocks.Function
	Points   compute.Points // C, q×d
	Weights  compute.Matrix // β, q×k

	once sync.Once
	row  *gram.RowFunction // of the centres, for single rows
}

// Dims returns the number of inputs and of outputs, 0 and 0 of a nil function.
func (f *SpaceFunction) Dims() (inputs, outputs int) {
	if f == nil || f.Features == nil {
		return 0, 0
	}
	return f.Features.Map.Dim(), f.Features.Outputs
}

// Kernel returns the kernel, nil of a nil function.
func (f *SpaceFunction) Kernel() kernel.Kernel {
	if f == nil {
		return nil
	}
	return f.Features.Map.Kernel()
}

// Seed returns the seed of the features.
func (f *SpaceFunction) Seed() uint64 {
	if f == nil {
		return 0
	}
	return f.Features.Options.Seed
}

// Accepts returns an error if the kernel is undefined on a row of x.
func (f *SpaceFunction) Accepts(x compute.Points) error { return gram.Check(f.Kernel(), x) }

// EvalTo sets dst to f(x).
func (f *SpaceFunction) EvalTo(dst compute.Matrix, x compute.Points) error {
	gram.Evaluator{Kernel: f.Kernel(), Workers: f.Features.Options.Workers}.MulOf(dst, x, f.Points, f.Weights)
	f.Features.AddTo(dst, x)
	return nil
}

// AcceptsRow returns an error if x is not finite or the kernel is undefined on it.
func (f *SpaceFunction) AcceptsRow(x []float64) error { return f.Features.AcceptsRow(x) }

// EvalRow sets dst to f(x) of a single row.
func (f *SpaceFunction) EvalRow(dst, x []float64) error {
	f.once.Do(func() { f.row = gram.NewRowFunction(f.Kernel(), f.Points, f.Weights) })
	clear(dst)
	f.row.AddTo(dst, x)
	f.Features.AddRow(dst, x)
	return nil
}

// Check returns rkhs.ErrDiverged if a coefficient is not finite.
func (f *SpaceFunction) Check() error {
	for _, v := range f.Weights.Data {
		if !compute.Finite(v) {
			return fmt.Errorf("the weight of a centre is %v: %w", v, rkhs.ErrDiverged)
		}
	}
	return f.Features.Check()
}

// Encode writes f.
func (f *SpaceFunction) Encode(e *codec.Encoder) error {
	e.Points(f.Points)
	e.Matrix(f.Weights)
	return f.Features.Encode(e)
}

// DecodeSpaceFunction reads a function.
func DecodeSpaceFunction(d *codec.Decoder) *SpaceFunction {
	f := &SpaceFunction{Points: d.Points(), Weights: d.Matrix(), Features: blocks.Decode(d, blocks.DefaultCache)}
	if d.Err() != nil {
		return f
	}
	if f.Points.Cols != f.Features.Map.Dim() || f.Weights.Rows != f.Points.Rows || f.Weights.Cols != f.Features.Outputs || f.Features.Average != nil {
		d.Fail("%d centres of %d columns, %d×%d weights", f.Points.Rows, f.Points.Cols, f.Weights.Rows, f.Weights.Cols)
		return f
	}
	if err := gram.Check(f.Kernel(), f.Points); err != nil {
		d.Fail("centres: %v", err)
	}
	return f
}

// Expansion returns the part of the centres, zero of a nil function; a copy.
func (f *SpaceFunction) Expansion() kernel.Expansion {
	if f == nil {
		return kernel.Expansion{}
	}
	return expansion.Of(f.Kernel(), f.Points, f.Weights).Clone()
}

// Explicit returns the part of the random features, zero of a nil function; a copy.
func (f *SpaceFunction) Explicit() features.Expansion {
	if f == nil {
		return features.Expansion{}
	}
	return f.Features.Expansion(nil)
}

// Formula writes f + constant out.
func (f *SpaceFunction) Formula(constant float64) formula.Formula {
	inputs, outputs := f.Dims()
	if outputs == 0 {
		return formula.Formula{}
	}
	return formula.Formula{Inputs: inputs, Intercept: slices.Repeat([]float64{constant}, outputs),
		Expansions: []kernel.Expansion{f.Expansion()}, Features: []features.Expansion{f.Explicit()}}
}

// SpaceReport holds the fields that the reports of all tasks share.
type SpaceReport struct {
	Status          rkhs.Status
	Rows            int
	ModelOrder      int
	Iterations      int
	Ridge           float64
	Residual, Error float64
}

// NewSpaceReport returns the report after a number of steps with the ridge nu.
func NewSpaceReport(p *Space, steps int, nu, bound float64) SpaceReport {
	return SpaceReport{Rows: p.X.Rows, ModelOrder: p.Centres.Count(), Iterations: steps, Ridge: nu, Residual: p.Residual, Error: bound}
}

// Conclude sets the status of a finished fit. It returns the reason for a stop, or
// rkhs.ErrNotConverged if strict and the error exceeds the tolerance.
func (r *SpaceReport) Conclude(pkg string, m *progress.Monitor, tolerance float64, strict bool) error {
	r.Status = m.Status()
	if err := m.Err(); err != nil {
		return err
	}
	if r.Error <= tolerance {
		return nil
	}
	r.Status = rkhs.IterationLimit
	if !strict {
		return nil
	}
	return fmt.Errorf("%s: the error is %.3g after %d iterations, Tolerance is %v: %w", pkg, r.Error, r.Iterations, tolerance, rkhs.ErrNotConverged)
}

// Fields lists the fields of r in a file.
func (r *SpaceReport) Fields() []any {
	return []any{codec.OneOf(&r.Status, rkhs.Stalled), &r.Rows, &r.ModelOrder, &r.Iterations, &r.Ridge, &r.Residual, &r.Error}
}

// String returns a summary of a few lines.
func (r SpaceReport) String() string {
	var l summary.Lines
	l.Add("status", "%v after %s", r.Status, summary.Count(r.Iterations, "iteration"))
	l.Add("rows", "%d", r.Rows)
	l.Add("centres", "%d", r.ModelOrder)
	l.Add("ridge", "%.4g", r.Ridge)
	l.AddNumber("error", r.Error)
	return l.String()
}

// StreamedFunction returns the averaged function of a stream and its report. It has no centres.
func StreamedFunction(s *Stream) (*SpaceFunction, SpaceReport) {
	nan := math.NaN()
	f := &SpaceFunction{
		Features: s.Stepper.Result(), Points: compute.DensePoints(compute.NewMatrix(0, s.Inputs)),
		Weights: compute.NewMatrix(0, s.Outputs),
	}
	return f, SpaceReport{Status: rkhs.Converged, Rows: s.Seen, Iterations: s.Stepper.Steps, Ridge: s.Stepper.Ridge, Residual: nan, Error: nan}
}
