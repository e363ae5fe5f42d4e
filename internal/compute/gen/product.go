package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tile returns the number of rows, and of vectors per row, in the output tile that a
// micro-kernel keeps in registers.
func (g *generator) tile() (rows, vectors int) {
	if g.bits == 512 {
		return 8, 3
	}
	return 4, 3
}

// A step adds one term to the sums of a tile. Operand a holds the elements of the rows,
// operand b the elements of the columns.
type step func(rows int, acc []reg.VecVirtual, a, b operand.Mem)

// multiply adds a·b.
func (g *generator) multiply(rows int, acc []reg.VecVirtual, a, b operand.Mem) {
	_, vectors := g.tile()
	columns := g.loaded(b, vectors)
	for i := range rows {
		ai := g.broadcast(a.Offset(i * g.size))
		for j := range vectors {
			g.packed("VFMADD231", ai, columns[j], acc[i*vectors+j])
		}
	}
}

// squareDifference adds (a − b)². With 16 registers it reads b from memory.
func (g *generator) squareDifference(rows int, acc []reg.VecVirtual, a, b operand.Mem) {
	_, vectors := g.tile()
	columns := make([]operand.Op, vectors)
	for j := range columns {
		columns[j] = b.Offset(j * g.bits / 8)
		if g.bits == 512 {
			columns[j] = g.loaded(b.Offset(j*g.bits/8), 1)[0]
		}
	}
	for i := range rows {
		ai := g.broadcast(a.Offset(i * g.size))
		for j := range vectors {
			d := g.vector()
			g.packed("VSUB", columns[j], ai, d)
			g.packed("VFMADD231", d, d, acc[i*vectors+j])
		}
	}
}

// loaded returns n registers with consecutive vectors from memory.
func (g *generator) loaded(m operand.Mem, n int) []reg.VecVirtual {
	v := g.vectors(n)
	for j := range v {
		g.packed("VMOVU", m.Offset(j*g.bits/8), v[j])
	}
	return v
}

// product writes a micro-kernel for adjacent tiles. Each tile is the sum over k of step,
// applied to the first rows of a packed panel of A and to a packed panel of B.
func (g *generator) product(name, doc string, rows int, add step) {
	width, vectors := g.tile()
	g.begin(name, "func(c []T, stride int, a, b []T, k, panels int, add bool)",
		fmt.Sprintf("sets, or increases, %d rows of tiles of %d columns of C by %s.", rows, vectors*g.lanes(), doc))
	c, a0, b := g.base("c"), g.base("a"), g.base("b")
	stride, panels := g.stride("stride"), g.value("panels")
	g.times(panels, func() {
		acc := g.zeros(rows * vectors)
		a, k := g.GP64(), g.GP64()
		g.MOVQ(a0, a)
		g.Load(g.Param("k"), k)
		g.unrolled(k, 4, func(i int) {
			add(rows, acc, operand.Mem{Base: a, Disp: i * width * g.size}, operand.Mem{Base: b, Disp: i * vectors * g.bits / 8})
		}, func(n int) {
			g.ADDQ(operand.U32(n*width*g.size), a)
			g.ADDQ(operand.U32(n*vectors*g.bits/8), b)
		})
		g.storeTile(c, stride, acc)
		g.ADDQ(operand.U32(vectors*g.bits/8), c)
	})
	g.end()
}

func (g *generator) zeros(n int) []reg.VecVirtual {
	v := g.vectors(n)
	for _, x := range v {
		g.packed("VXOR", x, x, x)
	}
	return v
}

// unrolled emits a loop with n steps per iteration and a loop for the remaining steps.
// advance emits the pointer updates.
func (g *generator) unrolled(k reg.GPVirtual, n int, body func(i int), advance func(n int)) {
	many, one, done := g.label("many"), g.label("one"), g.label("done")
	g.SUBQ(operand.U32(n), k)
	g.JLT(operand.LabelRef(one))
	g.Label(many)
	for i := range n {
		body(i)
	}
	advance(n)
	g.SUBQ(operand.U32(n), k)
	g.JGE(operand.LabelRef(many))
	g.Label(one)
	g.ADDQ(operand.U32(n), k)
	g.JZ(operand.LabelRef(done))
	rest := g.label("rest")
	g.Label(rest)
	body(0)
	advance(1)
	g.DECQ(k)
	g.JNZ(operand.LabelRef(rest))
	g.Label(done)
}

// storeTile stores the sums in C, or adds them if the argument add is true.
func (g *generator) storeTile(c, stride reg.GPVirtual, acc []reg.VecVirtual) {
	set, done := g.label("set"), g.label("stored")
	flag := g.GP8()
	g.Load(g.Param("add"), flag)
	g.TESTB(flag, flag)
	g.JZ(operand.LabelRef(set))
	g.eachOutput(c, stride, acc, func(m operand.Mem, v reg.VecVirtual) {
		g.packed("VADD", m, v, v)
		g.packed("VMOVU", v, m)
	})
	g.JMP(operand.LabelRef(done))
	g.Label(set)
	g.eachOutput(c, stride, acc, func(m operand.Mem, v reg.VecVirtual) {
		g.packed("VMOVU", v, m)
	})
	g.Label(done)
}

func (g *generator) eachOutput(c, stride reg.GPVirtual, acc []reg.VecVirtual, do func(operand.Mem, reg.VecVirtual)) {
	_, vectors := g.tile()
	row := g.GP64()
	g.MOVQ(c, row)
	for i, v := range acc {
		if i > 0 && i%vectors == 0 {
			g.ADDQ(stride, row)
		}
		do(operand.Mem{Base: row, Disp: i % vectors * g.bits / 8}, v)
	}
}
