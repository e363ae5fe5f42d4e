package onnx

import (
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// probabilities returns those of the labels, or "" where there are none.
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

// perLabel returns the probabilities of two labels of that of the second, of each label of those of
// each against the rest, or of pairs of labels.
func (g *graph) perLabel(f formula.Formula, p string) string {
	switch {
	case f.Outputs() == 1:
		return g.with("Concat", []attribute{{name: "axis", number: 1}}, g.op("Sub", g.scalar(1), p), p)
	case f.Rule == formula.Votes && !f.Probabilities.Sums:
		return g.coupled(len(f.Labels), p)
	}
	return g.op("Div", p, g.sumOfRows(p))
}

func (g *graph) sumOfRows(x string) string {
	return g.with("ReduceSum", []attribute{{name: "keepdims", number: 1}}, x, g.ints(1))
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

// softmax returns exp(v_k)/Σ exp(v_l), of what is left of v less the largest of the row.
func (g *graph) softmax(v string) string {
	top, _ := g.two("TopK", []attribute{{name: "axis", number: 1}, {name: "largest", number: 1}}, v, g.ints(1))
	e := g.op("Exp", g.op("Sub", v, top))
	return g.op("Div", e, g.sumOfRows(e))
}

// curves returns the value of each score's curve: the first value, and for each piece what the
// score climbs of it.
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

// agreeing returns probabilities that agree with the labels, see formula.Agree.
func (g *graph) agreeing(f formula.Formula, p, scores string) string {
	k := len(f.Labels)
	identity := compute.NewMatrix(k, k)
	for i := range k {
		compute.Row(identity, i)[i] = 1
	}
	own := g.op("Gather", g.matrix(identity), g.classes(f, scores))
	others := g.op("Sub", g.scalar(1), own)
	most, _ := g.two("TopK", []attribute{{name: "axis", number: 1}, {name: "largest", number: 1}}, p, g.ints(1))
	bound := g.op("Mul", g.op("Add", g.sumOfRows(g.op("Mul", p, own)), most), g.scalar((1-formula.AgreeMargin)/2))
	rest := g.op("Mul", g.op("Min", p, bound), others)
	return g.op("Add", rest, g.op("Mul", own, g.op("Sub", g.scalar(1), g.sumOfRows(rest))))
}
