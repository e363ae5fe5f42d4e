package onnx

import (
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// probabilities returns the probabilities of the labels, or "".
func (g *graph) probabilities(f formula.Formula, scores string) string {
	p := f.Probabilities
	if p == nil {
		return ""
	}
	if p.Sums {
		scores = g.op("MatMul", scores, g.matrix(signs(len(f.Labels))))
	}
	switch p.Kind {
	case formula.Softmax:
		return g.softmax(g.affine(p, scores))
	case formula.Sigmoid:
		return g.perLabel(f, g.sigmoid(g.affine(p, scores)))
	case formula.Curves:
		return g.perLabel(f, g.curves(p.Curves, scores))
	}
	return ""
}

// signs has a row for each pair of classes: −1 for the first, 1 for the second.
func signs(classes int) compute.Matrix {
	m := compute.NewMatrix(classes*(classes-1)/2, classes)
	p := 0
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			row := compute.Row(m, p)
			row[i], row[j] = -1, 1
			p++
		}
	}
	return m
}

// perLabel returns the probabilities of the labels from the probability of the second label, of each
// label against the rest, or of pairs of labels.
func (g *graph) perLabel(f formula.Formula, p string) string {
	switch {
	case f.Outputs() == 1:
		return g.concat(g.op("Sub", g.scalar(1), p), p)
	case f.Rule == formula.Votes && !f.Probabilities.Sums:
		return g.coupled(len(f.Labels), p)
	}
	return g.op("Div", p, g.sumOfRows(p))
}

func (g *graph) sumOfRows(x string) string {
	return g.reduceSum(x, 1, 1)
}

// affine returns a·s + b.
func (g *graph) affine(p *formula.Probabilities, scores string) string {
	n := len(p.Slopes)
	return g.op("Add", g.op("Mul", scores, g.numbers(p.Slopes, 1, n)), g.numbers(p.Shifts, 1, n))
}

// sigmoid returns 1/(1 + exp(−v)).
func (g *graph) sigmoid(v string) string {
	largest := 700.0
	if g.real == elemFloat {
		largest = 80
	}
	e := g.op("Exp", g.op("Min", g.op("Neg", v), g.scalar(largest)))
	return g.op("Div", g.scalar(1), g.op("Add", e, g.scalar(1)))
}

// softmax returns exp(v_k)/Σ exp(v_l), after it subtracts the maximum of the row.
func (g *graph) softmax(v string) string {
	e := g.op("Exp", g.op("Sub", v, g.topK(v, 1, 1)))
	return g.op("Div", e, g.sumOfRows(e))
}

// curves evaluates a curve for each score: its first value plus the rise of each piece up to the
// score.
func (g *graph) curves(list []formula.Curve, scores string) string {
	pieces := 0
	for _, c := range list {
		pieces += len(c.At) - 1
	}
	first := make([]float64, len(list))
	from, widths := make([]float64, pieces), make([]float64, pieces)
	pick, climb := compute.NewMatrix(len(list), pieces), compute.NewMatrix(pieces, len(list))
	at := 0
	for j, c := range list {
		first[j] = c.Values[0]
		for i := 1; i < len(c.At); i++ {
			from[at], widths[at] = c.At[i-1], c.At[i]-c.At[i-1]
			compute.Row(pick, j)[at] = 1
			compute.Row(climb, at)[j] = (c.Values[i] - c.Values[i-1]) / widths[at]
			at++
		}
	}
	start := g.numbers(first, 1, len(list))
	if pieces == 0 {
		return g.op("Add", g.op("Mul", scores, g.scalar(0)), start)
	}
	in := g.op("Sub", g.op("MatMul", scores, g.matrix(pick)), g.numbers(from, 1, pieces))
	in = g.op("Min", g.op("Max", in, g.scalar(0)), g.numbers(widths, 1, pieces))
	return g.op("Add", g.op("MatMul", in, g.matrix(climb)), start)
}

// agreeing returns probabilities that agree with the labels; see formula.Agree.
func (g *graph) agreeing(f formula.Formula, p, scores string) string {
	k := len(f.Labels)
	identity := compute.NewMatrix(k, k)
	for i := range k {
		compute.Row(identity, i)[i] = 1
	}
	own := g.op("Gather", g.matrix(identity), g.classes(f, scores))
	others := g.op("Sub", g.scalar(1), own)
	sum := g.op("Add", g.sumOfRows(g.op("Mul", p, own)), g.topK(p, 1, 1))
	bound := g.op("Mul", sum, g.scalar((1-formula.AgreeMargin)/2))
	rest := g.op("Mul", g.op("Min", p, bound), others)
	return g.op("Add", rest, g.op("Mul", own, g.op("Sub", g.scalar(1), g.sumOfRows(rest))))
}

// leastCoupled is the smallest probability, at the level of rounding errors.
const leastCoupled = 0x1p-52

// coupled returns the probabilities p of K classes that agree best with the probabilities
// r_ij = P(i | i or j) of pairs, r_ii = 0. It normalizes the solution of A·p = 1 with
//
//	A_ij = 1 − r_ij·(1 − r_ij),   A_ii = 1 + Σ_j r_ji²
//
// A is positive definite, so elimination needs no pivoting.
func (g *graph) coupled(classes int, pairs string) string {
	a := g.equations(classes, pairs)
	of := func(x string, axis, from int) string {
		return g.op("Slice", x, g.ints(from), g.ints(from+1), g.ints(axis))
	}
	for k := range classes {
		unit := make([]float64, classes)
		unit[k] = 1
		row := of(a, 1, k)
		row = g.op("Div", row, of(row, 2, k))
		a = g.op("Sub", a, g.op("Mul", g.op("Sub", of(a, 2, k), g.numbers(unit, classes, 1)), row))
	}
	p := g.op("Max", g.op("Squeeze", of(a, 2, classes), g.ints(2)), g.scalar(leastCoupled))
	return g.op("Div", p, g.sumOfRows(p))
}

// equations returns A and the right side, rows×K×(K+1), from the probabilities of the second class of
// the pairs (0,1), (0,2), … (1,2), ….
func (g *graph) equations(classes int, pairs string) string {
	width := classes + 1
	from := make([]int, classes*width)
	sign, shift, diagonal := make([]float64, classes*width), make([]float64, classes*width), compute.NewMatrix(classes, width)
	p := 0
	for i := range classes {
		compute.Row(diagonal, i)[i] = 1
		for j := i + 1; j < classes; j++ {
			upper, lower := i*width+j, j*width+i
			from[upper], sign[upper], shift[upper] = p, -1, 1
			from[lower], sign[lower] = p, 1
			p++
		}
	}
	all := g.gather(pairs, from...)
	all = g.op("Add", g.op("Mul", all, g.numbers(sign, 1, len(sign))), g.numbers(shift, 1, len(shift)))
	r := g.op("Reshape", all, g.ints(0, classes, width))
	others := g.op("Sub", g.scalar(1), g.op("Mul", r, g.op("Sub", g.scalar(1), r)))
	sums := g.sumOfRows(g.op("Mul", r, r))
	return g.op("Add", others, g.op("Mul", sums, g.matrix(diagonal)))
}
