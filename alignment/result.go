package alignment

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Result is the kernel that a search has found, and how.
type Result struct {
	// Kernel is the sum of scaled kernels of the family, as any learner takes it.
	// The Gram matrix of the rows has the trace n, unless Epsilon is given.
	Kernel kernel.Sum
	// Iterations are the kernels in the order in which they were found; there are none
	// where a kernel of one bandwidth did better, which Kernel then is.
	Iterations []Iteration
	// Alignment is the centred alignment of the Gram matrix on the rows of the
	// search with that of the targets.
	Alignment float64
	// Shrink is the weight of the penalty of the bandwidths; 0 where there are not
	// several.
	Shrink float64
	// Rows is the number of rows of the search.
	Rows int
	// Choice tells what was compared by leave-one-out errors, and which did best; zero
	// where nothing was.
	Choice kernel.Choice
	// Status says how the search ended: Converged, or IterationLimit at
	// MaxKernels, which is a choice and no fault, or Cancelled, or Stopped.
	Status rkhs.Status
}

// Iteration is one iteration of a search.
type Iteration struct {
	// Kernel is the member of the family that was added.
	Kernel kernel.Kernel
	// Eta is the weight with which it was added.
	Eta float64
	// Alignment is that of the sum with this kernel in it.
	Alignment float64
	// Evaluations counts the kernels that were tried to find it.
	Evaluations int
}

// simplest returns the sum in the form that costs least.
func (r *Result) simplest() kernel.Kernel {
	if len(r.Kernel) > 1 {
		return r.Kernel
	}
	if k := r.Kernel[0].(kernel.Scale); k.By == 1 {
		return k.Of
	}
	return r.Kernel[0]
}

// over returns the result of a search on rows over scales, nil for none, for rows as they
// were.
func (r *Result) over(scales []float64) *Result {
	if scales == nil {
		return r
	}
	c := r.clone()
	for i, k := range c.Kernel {
		k := k.(kernel.Scale)
		c.Kernel[i] = kernel.Scale{By: k.By, Of: kernel.ARD{Scales: scales, Of: k.Of}}
	}
	for i, it := range c.Iterations {
		c.Iterations[i].Kernel = kernel.ARD{Scales: scales, Of: it.Kernel}
	}
	return &c
}

// clone returns a copy that shares no slice with r.
func (r *Result) clone() Result {
	c := *r
	c.Kernel, _ = kernel.Clone(r.Kernel).(kernel.Sum)
	c.Iterations = slices.Clone(r.Iterations)
	for i, it := range c.Iterations {
		c.Iterations[i].Kernel = kernel.Clone(it.Kernel)
	}
	c.Choice = cloneChoice(r.Choice)
	return c
}

func cloneChoice(c kernel.Choice) kernel.Choice {
	c.Kernel, c.Exact.Kernel = kernel.Clone(c.Kernel), kernel.Clone(c.Exact.Kernel)
	c.Curve = slices.Clone(c.Curve)
	for i, t := range c.Curve {
		c.Curve[i].Kernel = kernel.Clone(t.Kernel)
	}
	return c
}

// usable refuses a kernel whose parameters or values left the range of numbers,
// on rows x whose targets have the norm ‖T‖.
func (r *Result) usable(x compute.Matrix, norm float64) error {
	if norm > 0 && math.IsNaN(r.Alignment) {
		return fmt.Errorf("alignment: targets or features are too large: %w", rkhs.ErrDiverged)
	}
	if err := gram.Check(r.Kernel, compute.DensePoints(x)); err != nil {
		return fmt.Errorf("alignment: the kernel that was found: %w: %w", rkhs.ErrDiverged, err)
	}
	diagonal := make([]float64, x.Rows)
	gram.Evaluator{Kernel: r.Kernel}.Diag(diagonal, x)
	if sum := floats.Sum(diagonal); !compute.Finite(sum) {
		return fmt.Errorf("alignment: values of the kernel that was found have the sum %v: %w", sum, rkhs.ErrDiverged)
	}
	return nil
}

func (r *Result) encode(e *codec.Encoder) error {
	if err := e.Nested(kernel.Marshal(r.Kernel)); err != nil {
		return err
	}
	e.Float64(r.Alignment)
	e.Float64(r.Shrink)
	e.Int(r.Rows)
	e.Int(int(r.Status))
	e.Int(len(r.Iterations))
	for _, it := range r.Iterations {
		if err := e.Nested(kernel.Marshal(it.Kernel)); err != nil {
			return err
		}
		e.Float64(it.Eta)
		e.Float64(it.Alignment)
		e.Int(it.Evaluations)
	}
	return choose.EncodeChoice(e, r.Choice)
}

// decodeResult reads what versions before the second have, which is all but Choice.
func decodeResult(d *codec.Decoder) Result {
	var r Result
	k := codec.Nested(d, kernel.Unmarshal)
	sum, ok := k.(kernel.Sum)
	for _, term := range sum {
		_, scaled := term.(kernel.Scale)
		ok = ok && scaled
	}
	if d.Err() == nil && !ok {
		d.Fail("the kernel %v is no sum of scaled kernels", k)
	}
	r.Kernel, r.Alignment, r.Shrink, r.Rows, r.Status = sum, d.Finite(), d.Finite(), d.Int(), codec.Enum(d, rkhs.Stalled)
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		r.Iterations = append(r.Iterations, Iteration{codec.Nested(d, kernel.Unmarshal), d.Finite(), d.Finite(), d.Int()})
	}
	return r
}
