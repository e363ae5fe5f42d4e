package alignmentpaper

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// mkl returns the method D1 (p = 1) or D2 (p = 2), ℓp-norm multiple kernel learning,
//
//	min_θ≥0,‖θ‖_p≤1 max_β Σ y_i·β_i − ½·Σ_k θ_k·βᵀK_kβ
//
// over the β of a support vector machine. It alternates between the machine and the weights. For
// given ‖f_k‖² = θ_k²·βᵀK_kβ the optimal weights are proportional to ‖f_k‖^(2/(p+1)). Source:
// Kloft, Brefeld, Sonnenburg and Zien, "ℓp-norm multiple kernel learning", JMLR 12, 2011,
// proposition 2.
func mkl(p float64) method {
	return func(ctx context.Context, t task, d split) (outcome, error) {
		train, _, _ := d.rows()
		g := newGrid(t.grid(train), train)
		fewest, best := math.Inf(1), outcome{}
		for c := range 9 {
			check, test, err := g.mkl(ctx, p, math.Pow(10, float64(c)/2-1), d)
			if err != nil {
				return outcome{}, err
			}
			if check < fewest {
				fewest, best = check, test
			}
		}
		return best, nil
	}
}

// mkl returns the percentage of validation errors and the outcome for one C.
func (g *grid) mkl(ctx context.Context, p, c float64, d split) (check float64, test outcome, err error) {
	train, checkRows, testRows := d.rows()
	weights, s, err := g.alternate(ctx, p, c, d.train.Y)
	if err != nil {
		return 0, outcome{}, err
	}
	var k kernel.Sum
	for i, w := range weights {
		if w > 0 {
			k = append(k, kernel.Scale{By: w, Of: g.kernels[i]})
		}
	}
	f, h := make([]float64, checkRows.Rows), make([]float64, testRows.Rows)
	s.Decision(f, k, compute.DensePoints(train), compute.DensePoints(checkRows), 0)
	s.Decision(h, k, compute.DensePoints(train), compute.DensePoints(testRows), 0)
	return percentWrong(f, d.check.Y), outcome{k, percentWrong(h, d.test.Y)}, nil
}

// alternate returns the weights and the machine for them. It stops when an update changes no
// weight by more than 1e-4.
func (g *grid) alternate(ctx context.Context, p, c float64, y []float64) (weights []float64, s *svm.Solution, err error) {
	const rounds = 500
	next := make([]float64, len(g.grams))
	for k := range next {
		next[k] = math.Pow(float64(len(next)), -1/p)
	}
	k, o := compute.NewMatrix(len(y), len(y)), svm.Options{C: c, MaxIterations: 1000 * len(y)}
	for range rounds {
		weights = slices.Clone(next)
		g.combine(k, weights)
		if s, err = svm.Fit(ctx, table{k}, compute.DensePoints(numbers(len(y))), y, o); severe(err) != nil {
			return nil, nil, err
		}
		o.Start = s.Beta
		g.norms(next, weights, s.Beta)
		for i, v := range next {
			next[i] = math.Pow(v, 1/(p+1))
		}
		drop(next)
		floats.Scale(1/floats.Norm(next, p), next)
		if floats.Distance(next, weights, math.Inf(1)) <= 1e-4 {
			break
		}
	}
	return weights, s, nil
}

// drop sets weights that converge to zero to zero.
func drop(weights []float64) {
	largest := floats.Max(weights)
	for i, w := range weights {
		if w < 1e-6*largest {
			weights[i] = 0
		}
	}
}
