package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/loss"
)

// iterate is a random-feature model as a point Θ, (D+1)×q, of the objective
//
//	F(Θ) = (1/Σ_i w_i)·Σ_i w_i·l(z_iΘ, y_i) + (ridge/2)·‖A‖²,   z = (φ_1(x), …, φ_B(x), 1).
//
// A is Θ without its last row, the constants. The kernel is the mean over the B blocks of
// features, so ridge is B times the ridge of the kernel. Scores, targets and Θ are in units
// of the outputs. Regression losses are functions of the difference of score and target.
type iterate struct {
	model  *doublysgd.Model
	labels []int // nil for regression
	loss   loss.Loss
	unit   []float64
	ridge  float64
	blocks []features.Block
	theta  compute.Matrix
}

// newIterate returns the point of a model fitted with the given loss.
func newIterate(m *doublysgd.Model, labels []int, l loss.Loss) (*iterate, error) {
	f, report, b := m.Features(), m.Report(), m.Intercept()
	t := &iterate{model: m, labels: labels, loss: l, unit: report.Units, ridge: report.Ridge * float64(f.ModelOrder())}
	t.theta = compute.NewMatrix(report.Features+1, len(b))
	columns := f.Map.Columns()
	o := features.Options{Seed: f.Options.Seed, Columns: f.Options.Columns, Sampler: features.Sampler(f.Options.Sampler)}
	of, err := features.New(f.Map.Kernel(), f.Map.Dim(), o)
	if err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	for k, a := range f.Coefficients {
		t.blocks = append(t.blocks, of.Block(uint64(k)))
		compute.CopyTo(compute.Rows(t.theta, k*columns, (k+1)*columns), a.RawMatrix())
	}
	copy(compute.Row(t.theta, report.Features), b)
	for i := range t.theta.Data {
		t.theta.Data[i] /= t.unit[i%len(b)]
	}
	return t, nil
}

// count returns D.
func (t *iterate) count() int { return t.theta.Rows - 1 }

// fill sets z, n×(D+1), at the rows x.
func (t *iterate) fill(z compute.Matrix, x compute.Points) {
	columns := t.count() / len(t.blocks)
	for k, b := range t.blocks {
		features.TransformPoints(b, compute.Columns(z, k*columns, (k+1)*columns), x)
	}
	for i := range z.Rows {
		compute.Row(z, i)[t.count()] = 1
	}
}

// penalty returns (ridge/2)·‖A + length·step‖².
func (t *iterate) penalty(step compute.Matrix, length float64) float64 {
	sum := 0.0
	for i, v := range step.Data[:t.count()*step.Cols] {
		v = t.theta.Data[i] + float64(length*v)
		sum += float64(v * v)
	}
	return t.ridge / 2 * sum
}

// addPenaltyGradient adds ridge·A to the gradient of the mean loss.
func (t *iterate) addPenaltyGradient(g []float64) {
	for i, a := range t.theta.Data[:t.count()*t.theta.Cols] {
		g[i] += float64(t.ridge * a)
	}
}

// moved returns length·step as coefficients and constants in units of the targets.
func (t *iterate) moved(step compute.Matrix, length float64) (coefficients *mat.Dense, b []float64) {
	m := mat.NewDense(step.Rows, step.Cols, nil)
	m.Apply(func(i, o int, _ float64) float64 { return length * t.unit[o] * compute.Row(step, i)[o] }, m)
	return mat.DenseCopyOf(m.Slice(0, t.count(), 0, step.Cols)), m.RawRowView(t.count())
}

// risk computes the loss of the rows of a shard at an iterate.
type risk struct {
	at      *iterate
	x       compute.Points
	y       compute.Matrix // n×q
	class   []int          // for a loss.Multiclass
	weights compute.Weights
}

func newRisk(t *iterate, b *rows.Batch) (*risk, error) {
	w, err := input.WeighedPair("learn", input.Points, b.X(), b.Y())
	if err != nil {
		return nil, err
	}
	r := &risk{at: t, x: w.X, y: compute.Clone(w.Y), weights: w.Weights}
	inputs, _ := t.model.Dims()
	if t.labels != nil {
		if r.class, err = input.Known("learn", w.Y, t.labels); err != nil {
			return nil, err
		}
		r.y = input.Targets(r.class, t.theta.Cols)
	}
	if w.X.Cols != inputs || r.y.Cols != t.theta.Cols {
		return nil, fmt.Errorf("learn: rows of %d columns and %d targets for a model of %d and %d: %w", w.X.Cols, r.y.Cols, inputs, t.theta.Cols, rkhs.ErrShape)
	}
	for i := range r.y.Data {
		r.y.Data[i] /= t.unit[i%r.y.Cols]
	}
	return r, nil
}

// total returns Σ_i w_i.
func (r *risk) total() float64 { return r.weights.Total(r.x.Rows) }

// each calls do with z for consecutive chunks of rows.
func (r *risk) each(do func(from, to int, z compute.Matrix)) {
	z := compute.NewMatrix(min(ridgeRows, r.x.Rows), r.at.theta.Rows)
	for from, to := range compute.Chunks(r.x.Rows, ridgeRows) {
		part := compute.Rows(z, 0, to-from)
		r.at.fill(part, r.x.Between(from, to))
		do(from, to, part)
	}
}

// scores returns z·theta, n×q.
func (r *risk) scores(theta compute.Matrix) compute.Matrix {
	f := compute.NewMatrix(r.x.Rows, theta.Cols)
	r.each(func(from, to int, z compute.Matrix) { compute.MulNN(compute.Rows(f, from, to), z, theta, 0) })
	return f
}

// value returns the loss of row i at scores f.
func (r *risk) value(f []float64, i int) float64 {
	if m, ok := r.at.loss.(loss.Multiclass); ok {
		return m.Value(f, r.class[i])
	}
	l, sum := r.at.loss.(loss.Scalar), 0.0
	for o, y := range compute.Row(r.y, i) {
		sum += l.Value(f[o], y)
	}
	return sum
}

// derivative sets dst to the derivative of the loss of row i by its scores.
func (r *risk) derivative(dst, f []float64, i int) {
	if m, ok := r.at.loss.(loss.Multiclass); ok {
		m.Gradient(dst, f, r.class[i])
		return
	}
	l := r.at.loss.(loss.Scalar)
	for o, y := range compute.Row(r.y, i) {
		dst[o] = l.Derivative(f[o], y)
	}
}

// along returns Σ_i w_i·l at Θ + length·step for each length.
func (r *risk) along(step compute.Matrix, lengths []float64) []float64 {
	f, s, sums := r.scores(r.at.theta), r.scores(step), make([]float64, len(lengths))
	row := make([]float64, f.Cols)
	for k, length := range lengths {
		for i := range f.Rows {
			for o, v := range compute.Row(s, i) {
				row[o] = compute.Row(f, i)[o] + float64(length*v)
			}
			sums[k] += float64(r.weights.At(i) * r.value(row, i))
		}
	}
	return sums
}

// gradient returns Σ_i w_i·z_iᵀl', (D+1)×q.
func (r *risk) gradient() compute.Matrix {
	g := compute.NewMatrix(r.at.theta.Rows, r.at.theta.Cols)
	r.each(func(from, to int, z compute.Matrix) {
		f, d := compute.NewMatrix(to-from, g.Cols), compute.NewMatrix(to-from, g.Cols)
		compute.MulNN(f, z, r.at.theta, 0)
		for i := range f.Rows {
			r.derivative(compute.Row(d, i), compute.Row(f, i), from+i)
		}
		r.weights.Between(from, to).Scale(d)
		compute.MulTN(g, z, d, 0)
	})
	return g
}

// differenceHalf is half the distance of the finite difference that approximates the second
// derivative. It preserves about ten digits.
const differenceHalf = 1e-5

// curvatures returns w_i·∂²l/∂f_o² for each row at scores f: exactly for quadratic losses,
// otherwise by finite differences.
func (r *risk) curvatures(f compute.Matrix, o int) []float64 {
	list := make([]float64, f.Rows)
	if l := r.at.loss; loss.Quadratic(l) {
		for i := range list {
			list[i] = r.weights.At(i) * l.Curvature()
		}
		return list
	}
	at, d := make([]float64, f.Cols), make([]float64, f.Cols)
	for i := range list {
		copy(at, compute.Row(f, i))
		half := differenceHalf * max(1, math.Abs(at[o]))
		above, below := at[o]+half, at[o]-half
		at[o] = above
		r.derivative(d, at, i)
		rise := d[o]
		at[o] = below
		r.derivative(d, at, i)
		list[i] = r.weights.At(i) * max(0, (rise-d[o])/(above-below))
	}
	return list
}

// hessian returns the upper triangle of Σ_i h_i·z_iᵀz_i, (D+1)×(D+1), over rows with positive
// curvature h_i. O(n·D·(d + D)).
func (r *risk) hessian(curvatures []float64) compute.Matrix {
	var list []int
	for i, h := range curvatures {
		if h > 0 {
			list = append(list, i)
		}
	}
	h := compute.NewMatrix(r.at.theta.Rows, r.at.theta.Rows)
	curved := &risk{at: r.at, x: r.x, weights: curvatures}
	if len(list) < r.x.Rows {
		curved.x, curved.weights = r.x.Pick(list), curved.weights.Pick(list)
	}
	curved.each(func(from, to int, z compute.Matrix) {
		curved.weights.Between(from, to).ScaleByRoots(z)
		compute.AddGram(h, z, 0)
	})
	return h
}

// newton returns the step −H⁻¹G, (D+1)×q, where G is the gradient of F on all rows and H the
// Hessian on the shard. All outputs share H for the squared loss. Other losses have one per
// output, the diagonal blocks for a loss.Multiclass. O(n·D·(d + D) + D³) for each, and
// 16·D² bytes.
func (r *risk) newton(gradient compute.Matrix) (compute.Matrix, error) {
	f, step, alike := r.scores(r.at.theta), compute.Clone(gradient), loss.Quadratic(r.at.loss)
	for i := range step.Data {
		step.Data[i] = -step.Data[i]
	}
	for o := range step.Cols {
		part := compute.Columns(step, o, o+1)
		if alike {
			part = step
		}
		h := r.hessian(r.curvatures(f, o))
		blas64.Scal(1/r.total(), compute.Vector(h.Data))
		if err := solve(h, r.at.ridge, part); err != nil {
			return step, err
		}
		if alike {
			break
		}
	}
	return step, nil
}

// solve overwrites b with (H + ridge·E)⁻¹b. h holds the upper triangle of H and is
// overwritten. E is the identity except for a zero for the constant. The matrix may be
// singular if all curvatures are zero, or indefinite by rounding. solve then increases the
// diagonal, which shortens the step.
func solve(h compute.Matrix, ridge float64, b compute.Matrix) error {
	last := h.Rows - 1
	for i := range last {
		h.Data[i*h.Stride+i] += ridge
	}
	trace := compute.Trace(h)
	for shift := 0.0; compute.Finite(shift); shift = 4*shift + 1e-15*trace {
		u := compute.Clone(h)
		for i := range u.Rows {
			u.Data[i*u.Stride+i] += shift
		}
		if compute.Cholesky(u, 0) {
			compute.SolveUpper(u, b, true, 0)
			compute.SolveUpper(u, b, false, 0)
			return nil
		}
	}
	return fmt.Errorf("learn: a Hessian of trace %v: %w", trace, rkhs.ErrDiverged)
}
