package onnx

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/tree"
	"github.com/rkhs-go/rkhs/kernel"
)

const (
	// maxCancelled is the largest Σ_j |w_j·k(x, p_j)| relative to the spread of f. Rounding errors of
	// 2^−23 per term are then below 5e-5 of the spread.
	maxCancelled = 400
	// cancelRows is the number of points for this test.
	cancelRows = 200
)

// cancels reports whether the terms of f cancel too much for single precision.
func cancels(f formula.Formula) bool {
	for _, e := range f.Expansions {
		if e.ModelOrder() > 0 && cancelled(e, f.Inputs) > maxCancelled {
			return true
		}
	}
	return false
}

// cancelled returns the maximum of Σ_j |w_j·k(x, p_j)| over outputs and points x, relative to the
// spread of the output. The sum is over k − 1 if the graph can use it and it is smaller.
func cancelled(e kernel.Expansion, inputs int) (most float64) {
	points, w := expansion.Points(e), e.Weights.RawMatrix()
	n, err := tree.Describe(e.Kernel, inputs)
	if err != nil || summed(n, inputs) {
		return 0
	}
	canLess := lessOnes(n)
	var rows []int
	for i := 0; i < points.Rows; i += 1 + points.Rows/cancelRows {
		rows = append(rows, i)
	}
	x := points.Pick(rows)
	k := compute.NewMatrix(len(rows), points.Rows)
	gram.Evaluator{Kernel: e.Kernel, Workers: 1}.CrossOf(k, x, points)
	for o := range w.Cols {
		terms, values := 0.0, make([]float64, len(rows))
		for i := range rows {
			whole, less := 0.0, 0.0
			for j, v := range compute.Row(k, i) {
				c := compute.Row(w, j)[o]
				values[i] += c * v
				whole += math.Abs(c * v)
				less += math.Abs(c * (v - 1))
			}
			if canLess {
				whole = min(whole, less)
			}
			terms = max(terms, whole)
		}
		if spread := floats.Max(values) - floats.Min(values); spread > 0 {
			most = max(most, terms/spread)
		}
	}
	return most
}

// lessOnes reports whether function.term can evaluate k − 1 accurately. For Matern with Nu > 1/2 it
// is a difference.
func lessOnes(n tree.Node) bool {
	switch n.Family {
	case "Sum", "Scale", "ARD", "Projected", "OneHot", "Warped":
		return !slices.ContainsFunc(n.Of, func(of tree.Node) bool { return !lessOnes(of) })
	case "Matern":
		return n.Numbers["Nu"] == 0.5
	}
	_, ok := lessOne[n.Family]
	return ok
}
