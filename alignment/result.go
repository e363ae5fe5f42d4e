package alignment

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Result is a learned kernel and its search.
type Result struct {
	// Kernel is the sum of scaled kernels of the family, for any learner. Its Gram matrix on
	// the rows has the trace n, unless Epsilon is set.
	Kernel kernel.Sum
	// Iterations holds the kernels in the order of the search. It is empty if a kernel of one
	// bandwidth was selected.
	Iterations []Iteration
	// Alignment is the centred alignment of the kernel with the targets on the rows of the
	// search.
	Alignment float64
	// Shrink is the weight of the penalty on column bandwidths, or 0 without them.
	Shrink float64
	// Rows is the number of rows of the search.
	Rows int
	// Search holds the leave-one-out errors of the candidates. It is zero if there was no
	// comparison.
	Search kernel.SearchResult
	// Status is Converged, IterationLimit at MaxKernels, Cancelled or Stopped.
	Status rkhs.Status
}

// Iteration is one iteration of a search.
type Iteration struct {
	// Kernel is the added member of the family.
	Kernel kernel.Kernel
	// Eta is its weight when it was added.
	Eta float64
	// Alignment is the alignment of the sum including this kernel.
	Alignment float64
	// Evaluations is the number of kernels evaluated to find it.
	Evaluations int
}

// simplest returns the sum in its cheapest form.
func (r *Result) simplest() kernel.Kernel {
	if len(r.Kernel) > 1 {
		return r.Kernel
	}
	if k := r.Kernel[0].(kernel.Scale); k.By == 1 {
		return k.Of
	}
	return r.Kernel[0]
}

// unscaled returns the result of a search on scaled columns as kernels of the unscaled
// columns; nil means no scaling.
func (r *Result) unscaled(scales []float64) *Result {
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

// clone returns a copy that shares no memory with r.
func (r *Result) clone() Result {
	c := *r
	c.Kernel, _ = kernel.Clone(r.Kernel).(kernel.Sum)
	c.Iterations = slices.Clone(r.Iterations)
	for i, it := range c.Iterations {
		c.Iterations[i].Kernel = kernel.Clone(it.Kernel)
	}
	c.Search = cloneSearch(r.Search)
	return c
}

func cloneSearch(c kernel.SearchResult) kernel.SearchResult {
	c.Kernel, c.Exact.Kernel = kernel.Clone(c.Kernel), kernel.Clone(c.Exact.Kernel)
	c.Curve = slices.Clone(c.Curve)
	for i, t := range c.Curve {
		c.Curve[i].Kernel = kernel.Clone(t.Kernel)
	}
	return c
}

// validate returns an error if parameters or values of the kernel overflowed on rows x. norm
// is ‖T‖ of their targets.
func (r *Result) validate(x compute.Matrix, norm float64) error {
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
	return search.EncodeResult(e, r.Search)
}

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
	r.Kernel, r.Alignment, r.Shrink = sum, d.Finite(), d.Finite()
	r.Rows, r.Status = d.Int(), codec.Enum(d, rkhs.Stalled)
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		r.Iterations = append(r.Iterations, Iteration{codec.Nested(d, kernel.Unmarshal), d.Finite(), d.Finite(), d.Int()})
	}
	r.Search = search.DecodeResult(d)
	return r
}

// Report is the certificate of a model.
type Report struct {
	// C or Ridge is the weight of the model. The other is 0.
	C, Ridge float64
	// Search describes the selection of the kernel and the ridge. It is zero without one.
	Search kernel.SearchResult
	// Calibration describes the intervals, or the probabilities of a Classifier.
	Calibration rkhs.Calibration
	// HeldOutLoss is the fraction of wrong labels of the selected C, on validation rows or by
	// cross-validation. It is 0 without a selection.
	HeldOutLoss float64
	// ModelOrder is the number of points with a nonzero weight.
	ModelOrder int
	// Objective is Σ w·(y − b − f)² + ridge·‖f‖² for ridge regression. For support vector
	// machines it is the dual objective, summed over all pairs of classes.
	Objective float64
	// Gap bounds the distance of the dual objective from its maximum, summed over all pairs of
	// classes. It is 0 for ridge regression.
	Gap float64
	// Violation is the relative residual of the linear equations of ridge regression, or the
	// largest violation of the optimality conditions in units of the margin.
	Violation float64
	// Status is the outcome of the second stage.
	Status rkhs.Status
}

func (r *Report) encode(e *codec.Encoder) {
	for _, v := range []float64{r.C, r.Ridge, r.HeldOutLoss, r.Objective, r.Gap, r.Violation} {
		e.Float64(v)
	}
	e.Int(r.ModelOrder)
	e.Int(int(r.Status))
}

func decodeReport(d *codec.Decoder) Report {
	return Report{
		C: d.Finite(), Ridge: d.Finite(), HeldOutLoss: d.Finite(),
		Objective: d.Finite(), Gap: d.Finite(), Violation: d.Finite(),
		ModelOrder: d.Int(), Status: codec.Enum(d, rkhs.Stalled),
	}
}

// String returns a summary of a few lines.
func (r Report) String() string {
	var l summary.Lines
	l.Add("status", "%v", r.Status)
	l.Add("points", "%d", r.ModelOrder)
	l.AddNumber("C", r.C)
	l.AddNumber("ridge", r.Ridge)
	l.AddNumber("held-out loss", r.HeldOutLoss)
	l.AddNumber("objective", r.Objective)
	l.Add("gap", "%.2g", r.Gap)
	l.Add("violation", "%.2g", r.Violation)
	l.AddText("selected", r.Search.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}
