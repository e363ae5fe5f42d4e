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
	// mostCancelled bounds Σ_j |w_j·k(x, p_j)| over the spread of f: what is off by 2^−23 of each
	// term is then off by half of a ten thousandth of the spread.
	mostCancelled = 400
	// someRows is the number of points at which that is found out.
	someRows = 200
)

// cancels reports whether the terms of f are of both signs and so large beside their sum that
// single precision does not do.
func cancels(f formula.Formula) bool {
	for _, e := range f.Expansions {
		if e.ModelOrder() > 0 && cancelled(e, f.Inputs) > mostCancelled {
			return true
		}
	}
	return false
}

// cancelled returns Σ_j |w_j·k(x, p_j)|, or the same of k − 1 where the graph can take that and it is
// less, over the spread of the function: of the output and the point x where it is largest.
func cancelled(e kernel.Expansion, inputs int) (most float64) {
	points, w := expansion.Points(e), e.Weights.RawMatrix()
	n, err := tree.Describe(e.Kernel, inputs)
	if err != nil || summed(n, inputs) {
		return 0
	}
	canLess := lessOnes(n)
	var rows []int
	for i := 0; i < points.Rows; i += 1 + points.Rows/someRows {
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

// lessOnes reports whether function.term has k − 1 in place of k, with all its digits: that of
// Matern is a difference, but for Nu = 1/2.
func lessOnes(n tree.Node) bool {
	switch n.Family {
	case "Sum", "Scale", "ARD", "Projected", "OneHot":
		return !slices.ContainsFunc(n.Of, func(of tree.Node) bool { return !lessOnes(of) })
	case "Matern":
		return n.Numbers["Nu"] == 0.5
	}
	_, ok := lessOne[n.Family]
	return ok
}
