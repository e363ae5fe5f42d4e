package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// absolute writes the routine for sums of absolute differences. It uses four partial sums,
// one for each column modulo four; the first also sums the remaining columns.
func (g *generator) absolute() {
	g.begin("absolute", "func(c, a, b []T, k, panels int, by T)",
		"sets C, a vector for each panel of B, to sums of |a−b| over by.")
	c, a0, b, panels := g.base("c"), g.base("a"), g.base("b"), g.value("panels")
	by, positive := g.scalarArgument("by"), g.bitsConstant(1<<(8*g.size-1)-1)
	add := func(a, b operand.Mem, to reg.VecVirtual) {
		x := g.broadcast(a)
		g.packed("VSUB", b, x, x)
		g.packed("VAND", positive, x, x)
		g.packed("VADD", x, to, to)
	}
	g.times(panels, func() {
		acc, a := g.zeros(4), g.GP64()
		g.MOVQ(a0, a)
		quads, rest := g.value("k"), g.value("k")
		g.SHRQ(operand.Imm(2), quads)
		g.ANDQ(operand.Imm(3), rest)
		columns := func(n int) func() {
			return func() {
				for i := range n {
					add(operand.Mem{Base: a, Disp: i * g.size}, operand.Mem{Base: b, Disp: i * g.bits / 8}, acc[i])
				}
				g.ADDQ(operand.U32(n*g.size), a)
				g.ADDQ(operand.U32(n*g.bits/8), b)
			}
		}
		g.times(quads, columns(4))
		g.times(rest, columns(1))
		g.packed("VADD", acc[1], acc[0], acc[0])
		g.packed("VADD", acc[3], acc[2], acc[2])
		g.packed("VADD", acc[2], acc[0], acc[0])
		g.packed("VDIV", by, acc[0], acc[0])
		g.packed("VMOVU", acc[0], operand.Mem{Base: c})
		g.ADDQ(operand.U32(g.bits/8), c)
	})
	g.end()
}
