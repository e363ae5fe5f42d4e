package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// streamed writes the product micro-kernel for an unpacked B.
func (g *generator) streamed() {
	rows, vectors := g.tile()
	g.begin("streamed", "func(c []T, stride int, a, b []T, step, k, panels int)",
		fmt.Sprintf("sets %d rows of tiles of %d columns of C to sums of products; row i of B is at b[i·step:].", rows, vectors*g.lanes()))
	c, a0, b0 := g.base("c"), g.base("a"), g.base("b")
	stride, step, panels := g.stride("stride"), g.stride("step"), g.value("panels")
	g.times(panels, func() {
		acc := g.zeros(rows * vectors)
		a, b, k := g.GP64(), g.GP64(), g.value("k")
		g.MOVQ(a0, a)
		g.MOVQ(b0, b)
		g.times(k, func() {
			g.multiply(rows, acc, operand.Mem{Base: a}, operand.Mem{Base: b})
			g.ADDQ(operand.U32(rows*g.size), a)
			g.ADDQ(step, b)
		})
		g.eachOutput(c, stride, acc, func(m operand.Mem, v reg.VecVirtual) { g.packed("VMOVU", v, m) })
		g.ADDQ(operand.U32(vectors*g.bits/8), c)
		g.ADDQ(operand.U32(vectors*g.bits/8), b0)
	})
	g.end()
}

// narrow writes the micro-kernel for one vector of columns and eight rows of an unpacked A.
// Eight independent sums keep the multipliers busy.
func (g *generator) narrow() {
	g.begin("narrow", "func(c, a []T, step int, b []T, k int)",
		fmt.Sprintf("sets 8 rows of %d columns of C, one after the other, to sums of products; row i of A is a[i·step:].", g.lanes()))
	c, a, b := g.base("c"), g.base("a"), g.base("b")
	step, k := g.stride("step"), g.value("k")
	acc := g.zeros(8)
	half := g.GP64()
	step3 := g.GP64()
	g.LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, step3)
	g.LEAQ(operand.Mem{Base: a, Index: step, Scale: 4}, half)
	g.times(k, func() {
		column := g.loaded(operand.Mem{Base: b}, 1)[0]
		for i, m := range append(fourRows(a, step, step3), fourRows(half, step, step3)...) {
			g.packed("VFMADD231", g.broadcast(m), column, acc[i])
		}
		g.ADDQ(operand.U32(g.size), a)
		g.ADDQ(operand.U32(g.size), half)
		g.ADDQ(operand.U32(g.bits/8), b)
	})
	for i, v := range acc {
		g.packed("VMOVU", v, operand.Mem{Base: c, Disp: i * g.bits / 8})
	}
	g.end()
}

// spread writes the transpose of narrow. It subtracts the products of eight rows of an
// unpacked A from the rows of a panel.
func (g *generator) spread() {
	g.begin("spread", "func(c, a []T, step int, b []T, k int)",
		fmt.Sprintf("subtracts from k rows of %d columns of C, one after the other, the products of the columns of 8 rows of A with the 8 rows of B; row i of A is a[i·step:].", g.lanes()))
	c, a, b := g.base("c"), g.base("a"), g.base("b")
	step, k := g.stride("step"), g.value("k")
	rows := g.loaded(operand.Mem{Base: b}, 8)
	half := g.GP64()
	step3 := g.GP64()
	g.LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, step3)
	g.LEAQ(operand.Mem{Base: a, Index: step, Scale: 4}, half)
	g.times(k, func() {
		v := g.loaded(operand.Mem{Base: c}, 1)[0]
		for i, m := range append(fourRows(a, step, step3), fourRows(half, step, step3)...) {
			g.packed("VFNMADD231", g.broadcast(m), rows[i], v)
		}
		g.packed("VMOVU", v, operand.Mem{Base: c})
		g.ADDQ(operand.U32(g.size), a)
		g.ADDQ(operand.U32(g.size), half)
		g.ADDQ(operand.U32(g.bits/8), c)
	})
	g.end()
}
