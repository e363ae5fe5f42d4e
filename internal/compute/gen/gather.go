package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// gatherVectors returns the number of vectors of partial sums in gather. They occupy half
// of the registers.
func (g *generator) gatherVectors() int {
	if g.bits == 512 {
		return 16
	}
	return 8
}

// gather writes the routine for a sparse row: a linear combination of the listed rows of a
// packed panel.
func (g *generator) gather() {
	width := g.gatherVectors() * g.lanes()
	g.begin("gather", "func(c []T, at []int32, v, b []T)",
		fmt.Sprintf("sets c, of %d elements, to the sum over k of v[k]·b[%d·at[k]:].", width, width))
	c, at, v, b := g.base("c"), g.base("at"), g.base("v"), g.base("b")
	n := g.length("at")
	acc := g.zeros(g.gatherVectors())
	g.times(n, func() {
		row := g.GP64()
		g.MOVLQSX(operand.Mem{Base: at}, row)
		g.IMUL3Q(operand.U32(width*g.size), row, row)
		g.ADDQ(b, row)
		factor := g.broadcast(operand.Mem{Base: v})
		for i, sum := range acc {
			g.packed("VFMADD231", operand.Mem{Base: row, Disp: i * g.bits / 8}, factor, sum)
		}
		g.ADDQ(operand.U32(4), at)
		g.ADDQ(operand.U32(g.size), v)
	})
	for i, sum := range acc {
		g.packed("VMOVU", sum, operand.Mem{Base: c, Disp: i * g.bits / 8})
	}
	g.end()
}
