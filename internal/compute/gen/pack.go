package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// quad returns a register of four elements.
func (g *generator) quad() reg.VecVirtual {
	if g.size == 8 {
		return g.YMM()
	}
	return g.XMM()
}

// transpose writes the packing routine: it turns four rows of a matrix, minus a centre,
// into four columns.
func (g *generator) transpose() {
	g.begin("transpose", "func(dst []T, width int, src []T, stride int, centre []T, n int)",
		"sets dst[j·width+i] = src[i·stride+j] − centre[j] for i < 4 and j < n, a multiple of 4.")
	dst, src, centre := g.base("dst"), g.base("src"), g.base("centre")
	width, stride, n := g.stride("width"), g.stride("stride"), g.value("n")
	src3, dst3 := g.GP64(), g.GP64()
	g.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, src3)
	g.LEAQ(operand.Mem{Base: width, Index: width, Scale: 2}, dst3)
	g.SHRQ(operand.Imm(2), n)
	g.times(n, func() {
		c := g.quad()
		g.packed("VMOVU", operand.Mem{Base: centre}, c)
		rows := make([]reg.VecVirtual, 4)
		for i, m := range fourRows(src, stride, src3) {
			rows[i] = g.quad()
			g.packed("VMOVU", m, rows[i])
			g.packed("VSUB", c, rows[i], rows[i])
		}
		columns := g.transposed(rows)
		for i, m := range fourRows(dst, width, dst3) {
			g.packed("VMOVU", columns[i], m)
		}
		g.ADDQ(operand.U32(4*g.size), src)
		g.ADDQ(operand.U32(4*g.size), centre)
		g.LEAQ(operand.Mem{Base: dst, Index: width, Scale: 4}, dst)
	})
	g.end()
}

func fourRows(base, stride, stride3 reg.GPVirtual) []operand.Mem {
	return []operand.Mem{
		{Base: base},
		{Base: base, Index: stride, Scale: 1},
		{Base: base, Index: stride, Scale: 2},
		{Base: base, Index: stride3, Scale: 1},
	}
}

// transposed returns the columns of a 4×4 matrix given by its rows.
func (g *generator) transposed(rows []reg.VecVirtual) []reg.VecVirtual {
	pairs := make([]reg.VecVirtual, 4)
	for i := range pairs {
		pairs[i] = g.quad()
	}
	columns := make([]reg.VecVirtual, 4)
	for i := range columns {
		columns[i] = g.quad()
	}
	for i := range 2 {
		a, b := rows[2*i], rows[2*i+1]
		g.packed("VUNPCKL", b, a, pairs[2*i])
		g.packed("VUNPCKH", b, a, pairs[2*i+1])
	}
	for j := range 4 {
		if g.size == 8 {
			// pairs[0] holds columns 0 and 2 of the upper rows, pairs[1] 1 and 3.
			g.VPERM2F128(operand.Imm(uint64(0x20+0x11*(j/2))), pairs[2+j%2], pairs[j%2], columns[j])
		} else {
			// pairs[0] holds columns 0 and 1 of the upper rows, pairs[1] 2 and 3.
			g.VSHUFPS(operand.Imm(uint64(0x44+0xaa*(j%2))), pairs[2+j/2], pairs[j/2], columns[j])
		}
	}
	return columns
}

// squares writes the sums of squares of the columns of a packed panel.
func (g *generator) squares() {
	g.begin("squares", "func(dst, panel []T, k int)",
		"sets dst[i] to the sum of the squares in column i of a panel of k rows; len(dst) is a multiple of 4.")
	dst, panel, width := g.base("dst"), g.base("panel"), g.length("dst")
	step := g.GP64()
	g.MOVQ(width, step)
	g.bytes(step)
	four, one, done := g.label("four"), g.label("one"), g.label("done")
	g.Label(four)
	g.CMPQ(width, operand.Imm(16))
	g.JLT(operand.LabelRef(one))
	g.squareColumns(4, dst, panel, width, step)
	g.JMP(operand.LabelRef(four))
	g.Label(one)
	g.TESTQ(width, width)
	g.JZ(operand.LabelRef(done))
	g.squareColumns(1, dst, panel, width, step)
	g.JMP(operand.LabelRef(one))
	g.Label(done)
	g.end()
}

// squareColumns sums n registers of columns and advances the pointers.
func (g *generator) squareColumns(n int, dst, panel, width, step reg.GPVirtual) {
	acc := make([]reg.VecVirtual, n)
	for i := range acc {
		acc[i] = g.quad()
		g.packed("VXOR", acc[i], acc[i], acc[i])
	}
	p, k := g.GP64(), g.GP64()
	g.MOVQ(panel, p)
	g.Load(g.Param("k"), k)
	g.times(k, func() {
		for i := range acc {
			v := g.quad()
			g.packed("VMOVU", operand.Mem{Base: p, Disp: i * 4 * g.size}, v)
			g.packed("VFMADD231", v, v, acc[i])
		}
		g.ADDQ(step, p)
	})
	for i := range acc {
		g.packed("VMOVU", acc[i], operand.Mem{Base: dst, Disp: i * 4 * g.size})
	}
	g.ADDQ(operand.U32(n*4*g.size), dst)
	g.ADDQ(operand.U32(n*4*g.size), panel)
	g.SUBQ(operand.U32(4*n), width)
}
