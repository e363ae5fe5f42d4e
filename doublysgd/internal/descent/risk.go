package descent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// Risk is the loss of scores offset + f, n×q, for the targets of n rows: numbers y, n×q, for a
// Scalar loss, or class indices for a Multiclass loss.
type Risk struct {
	Scalar  loss.Scalar     // or nil
	Each    []loss.Scalar   // the loss of each output, similar to Scalar; nil for Scalar
	Multi   loss.Multiclass // or nil
	Y       compute.Matrix
	Class   []int           // of a classification under any loss
	Weights compute.Weights // of the rows, the factors of their losses
	Offset  []float64       // of a classification, the score where f = 0; or nil
	Workers int
}

// Part returns the risk of rows [from, to).
func (r *Risk) Part(from, to int) *Risk {
	part := *r
	if r.Multi == nil {
		part.Y = compute.Rows(r.Y, from, to)
	}
	if r.Class != nil {
		part.Class = r.Class[from:to]
	}
	part.Weights = r.Weights.Between(from, to)
	return &part
}

// Ordered returns the risk of the rows in the given order.
func (r *Risk) Ordered(order []int) *Risk {
	part := *r
	if r.Class != nil {
		part.Class = make([]int, len(order))
		for i, row := range order {
			part.Class[i] = r.Class[row]
		}
	}
	part.Weights = r.Weights.Pick(order)
	if r.Multi != nil {
		return &part
	}
	part.Y = compute.NewMatrix(len(order), r.Y.Cols)
	for i, row := range order {
		copy(compute.Row(part.Y, i), compute.Row(r.Y, row))
	}
	return &part
}

// Count returns the number of rows.
func (r *Risk) Count() int {
	if r.Multi != nil {
		return len(r.Class)
	}
	return r.Y.Rows
}

// Loss returns the loss.
func (r *Risk) Loss() loss.Loss {
	if r.Multi != nil {
		return r.Multi
	}
	return r.Scalar
}

// Of returns the Scalar loss of an output.
func (r *Risk) Of(output int) loss.Scalar {
	if r.Each != nil {
		return r.Each[output]
	}
	return r.Scalar
}

// RiskRows is the number of rows in a partial sum of losses, the unit of work of a goroutine.
const RiskRows = 512

// Value returns the weighted sum of the losses.
func (r *Risk) Value(f compute.Matrix) float64 { return r.sum(f, r.at) }

// Total returns the sum of the weights, or the number of rows.
func (r *Risk) Total() float64 {
	return r.Weights.Total(r.Count())
}

// Centre subtracts the mean of each column of m and returns the means.
func (r *Risk) Centre(m compute.Matrix) []float64 {
	v := r.means(m)
	for i := range m.Rows {
		for o, c := range v {
			m.Data[i*m.Stride+o] -= c
		}
	}
	return v
}

// means returns the mean of each column of m, which has rows.
func (r *Risk) means(m compute.Matrix) []float64 {
	v := make([]float64, m.Cols)
	r.addColumns(v, m)
	floats.Scale(1/r.Total(), v)
	return v
}

// addColumns adds the weighted sums of the columns of m.
func (r *Risk) addColumns(sums []float64, m compute.Matrix) {
	for i := range m.Rows {
		if r.Weights == nil {
			floats.Add(sums, compute.Row(m, i))
			continue
		}
		floats.AddScaled(sums, r.Weights[i], compute.Row(m, i))
	}
}

// Criterion returns the mean loss on held-out rows, or for a classification the smoothed error rate,
// the mean of 1/(1 + exp(4·margin)), which has a lower variance.
func (r *Risk) Criterion(f compute.Matrix) float64 {
	if r.Class == nil {
		return r.Value(f) / r.Total()
	}
	return r.sum(f, r.smoothedError) / r.Total()
}

func (r *Risk) smoothedError(f []float64, i int) float64 {
	return loss.Logistic{}.Probability(-4 * r.Margin(f, i))
}

// score returns the score of output o.
func (r *Risk) score(f []float64, o int) float64 {
	if r.Offset == nil {
		return f[o]
	}
	return f[o] + r.Offset[o]
}

// Margin returns half the difference between the score of the correct class and the largest other
// score; for one output, the signed score.
func (r *Risk) Margin(f []float64, i int) float64 {
	if len(f) == 1 {
		return float64(2*r.Class[i]-1) * r.score(f, 0)
	}
	rival, right := math.Inf(-1), 0.0
	for c := range f {
		if v := r.score(f, c); c == r.Class[i] {
			right = v
		} else {
			rival = max(rival, v)
		}
	}
	return (right - rival) / 2
}

// sum returns the weighted sum of a function of each row.
func (r *Risk) sum(f compute.Matrix, of func(f []float64, i int) float64) float64 {
	parts := make([]float64, (r.Count()+RiskRows-1)/RiskRows)
	compute.Parallel(len(parts), r.Workers, func(p int) {
		for i := p * RiskRows; i < min((p+1)*RiskRows, r.Count()); i++ {
			parts[p] += float64(r.Weights.At(i) * of(compute.Row(f, i), i))
		}
	})
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum
}

func (r *Risk) at(f []float64, i int) float64 {
	if r.Multi != nil {
		return r.Multi.Value(f, r.Class[i])
	}
	sum := 0.0
	for o, y := range compute.Row(r.Y, i) {
		sum += r.Of(o).Value(r.score(f, o), y)
	}
	return sum
}

// Descent sets dst to −c times the derivative of the unweighted loss of each row. dst may be f.
func (r *Risk) Descent(dst, f compute.Matrix, c float64) {
	compute.Parallel((r.Count()+RiskRows-1)/RiskRows, r.Workers, func(p int) {
		for i := p * RiskRows; i < min((p+1)*RiskRows, r.Count()); i++ {
			r.descentAt(compute.Row(dst, i), compute.Row(f, i), i, c)
		}
	})
}

func (r *Risk) descentAt(dst, f []float64, i int, c float64) {
	if r.Multi == nil {
		for o, y := range compute.Row(r.Y, i) {
			dst[o] = -c * r.Of(o).Derivative(r.score(f, o), y)
		}
		return
	}
	r.Multi.Gradient(dst, f, r.Class[i])
	for o := range dst {
		dst[o] *= -c
	}
}

// largestTarget is the largest target, in units of the spread, that can be squared and summed.
const largestTarget = 1e100

// NewRisk returns the risk of targets in their units: numbers, ±1, or class indices for a Multiclass
// loss. Class holds the class indices of a classification.
func NewRisk(y compute.Matrix, class []int, l loss.Loss, u Units, workers int) *Risk {
	if class == nil {
		return &Risk{Scalar: l.(loss.Scalar), Y: u.Standardise(y), Workers: workers}
	}
	r := &Risk{Class: class, Offset: u.Offset, Workers: workers}
	if m, ok := l.(loss.Multiclass); ok {
		r.Multi = m
		return r
	}
	r.Scalar, r.Y = l.(loss.Scalar), y
	return r
}

// BestConstants returns robust units of targets. Their offset is the unweighted constant with the
// lowest loss, or the median for very large targets.
func (r *Risk) BestConstants(y compute.Matrix) Units {
	u := RobustUnits(y, r.Weights)
	z := compute.Transpose(u.Standardise(y))
	best := make([]float64, y.Cols)
	for o := range best {
		column := compute.Row(z, o)
		if floats.Norm(column, math.Inf(1)) <= largestTarget {
			best[o] = loss.Constant(r.Of(o), column)
		}
	}
	return u.Shifted(best)
}

// CheckTargets returns rkhs.ErrDiverged if targets are too large to square.
func (r *Risk) CheckTargets() error {
	for i := range r.Y.Rows {
		for o, v := range compute.Row(r.Y, i) {
			if !(math.Abs(v) <= largestTarget) {
				return fmt.Errorf("the target at row %d, column %d is %v in units of the spread: %w", i, o, v, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}

// Shift returns the change of the scores of each output with the lowest loss, the step of an
// unpenalised constant. It is zero if the loss has no minimum, as for labels that are all equal, and
// for a Multiclass loss with kinks. It is the nearest of several minima. O(n·q) for the squared
// loss, and about 100 times as much for other losses.
func (r *Risk) Shift(f compute.Matrix) []float64 {
	if r.Multi != nil {
		return r.shiftTogether(f)
	}
	shift := make([]float64, f.Cols)
	for o := range shift {
		shift[o] = r.shiftOf(f, o)
	}
	return shift
}

const (
	farthestShift   = 1 << 62 // in units of the targets
	shiftBisections = 90      // the last bit, from a step of 1 down to residuals of 1e-10
	shiftSteps      = 100     // of several scores together
	shiftTolerance  = 1e-12   // of their mean derivatives
)

// shiftOf returns the zero of the increasing slope by bisection.
func (r *Risk) shiftOf(f compute.Matrix, o int) float64 {
	l := r.Of(o)
	slope := func(c float64) float64 {
		return r.sum(f, func(row []float64, i int) float64 {
			return l.Derivative(r.score(row, o)+c, compute.Row(r.Y, i)[o])
		})
	}
	start := slope(0)
	if loss.Quadratic(l) {
		return -start / (l.Curvature() * r.Total())
	}
	near, far := 0.0, math.Copysign(1, -start)
	for start*slope(far) > 0 {
		if near, far = far, 2*far; math.Abs(far) > farthestShift {
			return 0
		}
	}
	for range shiftBisections {
		middle := near + (far-near)/2
		if middle == near || middle == far {
			break
		}
		if start*slope(middle) > 0 {
			near = middle
		} else {
			far = middle
		}
	}
	return far
}

// shiftTogether minimises a smooth loss of several scores by gradient steps.
func (r *Risk) shiftTogether(f compute.Matrix) []float64 {
	shift := make([]float64, f.Cols)
	if loss.Kinked(r.Multi) {
		return shift
	}
	at, down := compute.Clone(f), compute.NewMatrix(f.Rows, f.Cols)
	for range shiftSteps {
		r.Descent(down, at, 1/r.Multi.Curvature())
		step := r.means(down)
		compute.AddRow(at, step)
		floats.Add(shift, step)
		if floats.Norm(step, math.Inf(1)) < shiftTolerance {
			break
		}
	}
	return shift
}
