package baseline

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/rkhs-go/rkhs/kernel"
)

// BatchOptions configures FitBatch.
type BatchOptions struct {
	Lambda float64
	// Margin and Temperature select the loss
	//
	//	t·log Σ_c exp((Margin·[c≠y] + f_c − f_y)/t),  t = Temperature.
	//
	// Margin 0 and Temperature 1 give logistic regression. Margin 1 and a small t approximate the
	// multi-class hinge of Crammer and Singer from above, within t·log C.
	Margin, Temperature float64
	// Iterations bounds the steps of L-BFGS.
	Iterations int
}

// rankTolerance is the largest squared distance of a row from the span of the pivots. The residual
// of the Gram matrix is at most 1e-9 on the diagonal.
const rankTolerance = 1e-9

// FitBatch minimises the mean loss plus Lambda/2·‖f‖² by L-BFGS (Nocedal, 1980). It writes f = L·b
// with the pivoted Cholesky factor L (n×r) of the Gram matrix, so that ‖f‖ = ‖b‖ and the descent
// is equivalent to one in the RKHS. A step costs O(n·r·C). The numerical rank r is the order of
// the result. FitBatch stops at a small gradient, if no descent direction is found, or after
// Iterations steps.
func FitBatch(k kernel.Kernel, x *mat.Dense, class []int, classes int, o BatchOptions) (*Expansion, error) {
	l, pivots := pivotedCholesky(k, x, rankTolerance)
	p := &batchProblem{l: l, class: class, classes: classes, o: o}
	start := make([]float64, len(pivots)*classes)
	result, err := optimize.Minimize(optimize.Problem{Func: p.value, Grad: p.gradient}, start,
		&optimize.Settings{GradientThreshold: 1e-7, MajorIterations: o.Iterations, Converger: optimize.NeverTerminate{}},
		&optimize.LBFGS{Store: 20})
	if result == nil || math.IsNaN(result.F) {
		return nil, fmt.Errorf("baseline: L-BFGS: %w", err)
	}
	return p.expansion(k, x, pivots, result.X)
}

// expansion converts L·b to weights w on the pivots P: L_P·b = K_PP·w and K_PP = L_P·L_Pᵀ, so w =
// L_P⁻ᵀ·b.
func (p *batchProblem) expansion(k kernel.Kernel, x *mat.Dense, pivots []int, b []float64) (*Expansion, error) {
	r, q := len(pivots), p.classes
	upper := mat.NewTriDense(r, mat.Upper, nil)
	for i, row := range pivots {
		for j := range i + 1 {
			upper.SetTri(j, i, p.l.At(row, j))
		}
	}
	var w mat.Dense
	if err := w.Solve(upper, mat.NewDense(r, q, b)); err != nil && !errors.As(err, new(mat.Condition)) {
		return nil, fmt.Errorf("baseline: weights: %w", err)
	}
	_, d := x.Dims()
	f := newExpansion(k, d, q)
	for i, row := range pivots {
		f.append(x.RawRowView(row), w.RawRowView(i))
	}
	return f, nil
}

// batchProblem is the objective over b, r×C.
type batchProblem struct {
	l       *mat.Dense
	class   []int
	classes int
	o       BatchOptions

	at    []float64 // argument of the last evaluation
	f     float64
	grad  mat.Dense
	score mat.Dense
}

func (p *batchProblem) value(b []float64) float64 {
	p.evaluate(b)
	return p.f
}

func (p *batchProblem) gradient(dst, b []float64) {
	p.evaluate(b)
	copy(dst, p.grad.RawMatrix().Data)
}

// evaluate computes objective and gradient. It caches them, because L-BFGS requests them
// separately at the same point.
func (p *batchProblem) evaluate(b []float64) {
	if equal(p.at, b) {
		return
	}
	p.at = append(p.at[:0], b...)
	n, r := p.l.Dims()
	weights := mat.NewDense(r, p.classes, p.at)
	p.score.Mul(p.l, weights)
	p.f = 0
	for i, y := range p.class {
		p.f += p.o.loss(p.score.RawRowView(i), y) / float64(n)
	}
	p.grad.Mul(p.l.T(), &p.score)
	p.grad.Scale(1/float64(n), &p.grad)
	for i, v := range p.at {
		p.f += p.o.Lambda / 2 * v * v
		p.grad.RawMatrix().Data[i] += p.o.Lambda * v
	}
}

func equal(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

// loss returns the loss of the scores f and overwrites f with the gradient.
func (o BatchOptions) loss(f []float64, class int) (value float64) {
	right := f[class]
	for c := range f {
		if c != class {
			f[c] += o.Margin
		}
	}
	most := math.Inf(-1)
	for _, v := range f {
		most = max(most, v)
	}
	sum := 0.0
	for c, v := range f {
		f[c] = math.Exp((v - most) / o.Temperature)
		sum += f[c]
	}
	for c := range f {
		f[c] /= sum
	}
	f[class]--
	return most - right + o.Temperature*math.Log(sum)
}
