package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// stripWidth is the number of columns solved together by a triangular solve.
const stripWidth = 32

// eliminate writes the step of a triangular solve: a row minus a linear combination of
// other rows, divided by the pivot.
func (g *generator) eliminate() {
	g.begin("eliminate", "func(row, coef []T, step int, b []T, stride, n int, pivot T)",
		fmt.Sprintf("sets row, of %d elements, to (row − Σ coef[i·step]·b[i·stride+…])/pivot, i < n.", stripWidth))
	row, coef, b := g.base("row"), g.base("coef"), g.base("b")
	step, stride, n := g.stride("step"), g.stride("stride"), g.value("n")
	acc := g.loaded(operand.Mem{Base: row}, stripWidth/g.lanes())
	g.times(n, func() {
		c := g.broadcast(operand.Mem{Base: coef})
		for i, v := range acc {
			g.packed("VFNMADD231", operand.Mem{Base: b, Disp: i * g.bits / 8}, c, v)
		}
		g.ADDQ(step, coef)
		g.ADDQ(stride, b)
	})
	pivot := g.scalarArgument("pivot")
	for i, v := range acc {
		g.packed("VDIV", pivot, v, v)
		g.packed("VMOVU", v, operand.Mem{Base: row, Disp: i * g.bits / 8})
	}
	g.end()
}
