package onnx

import "github.com/rkhs-go/rkhs/internal/compute"

// leastCoupled stands for what rounding makes of the least probabilities.
const leastCoupled = 0x1p-52

// coupled returns the probabilities p of K classes that agree best with those of pairs: p is the
// solution of A·p = 1 over its sum, where with r_ij = P(i | i or j) of pairs, r_ii = 0,
//
//	A_ij = 1 − r_ij·(1 − r_ij),   A_ii = 1 + Σ_j r_ji²
//
// which is positive definite, so that elimination needs no pivots.
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

// equations returns A with the right side, rows×K×(K+1), of the probabilities of the second of
// each pair (0,1), (0,2), … (1,2), …, of which the first has the others.
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
	all := g.with("Gather", []attribute{{name: "axis", number: 1}}, pairs, g.ints(from...))
	all = g.op("Add", g.op("Mul", all, g.numbers(sign, 1, len(sign))), g.numbers(shift, 1, len(shift)))
	r := g.op("Reshape", all, g.ints(0, classes, width))
	others := g.op("Sub", g.scalar(1), g.op("Mul", r, g.op("Sub", g.scalar(1), r)))
	sums := g.with("ReduceSum", []attribute{{name: "keepdims", number: 1}}, g.op("Mul", r, r), g.ints(1))
	return g.op("Add", others, g.op("Mul", sums, g.matrix(diagonal)))
}
