package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// distances writes the routine that converts inner products to squared distances and stops
// at cancellation.
func (g *generator) distances() {
	g.begin("distances", "func(row, norms []T, norm, least T) int",
		"replaces s in row by t − 2s, t = norm + norms, and returns how many\n"+
			"it replaced before a vector in which one result is not at least least·t; that vector is replaced too.\n"+
			"The length is a multiple of 16.")
	row, norms, n := g.base("row"), g.base("norms"), g.length("row")
	norm, least, two := g.scalarArgument("norm"), g.scalarArgument("least"), g.held(2)
	at, stop := g.GP64(), g.label("stop")
	g.XORQ(at, at)
	g.strips(n, 1, func() {
		t, bound := g.vector(), g.vector()
		m := operand.Mem{Base: row, Index: at, Scale: uint8(g.size)}
		g.packed("VADD", operand.Mem{Base: norms, Index: at, Scale: uint8(g.size)}, norm, t)
		s := g.loaded(m, 1)[0]
		g.packed("VFNMADD213", t, two, s)
		g.packed("VMOVU", s, m)
		g.packed("VMUL", least, t, bound)
		g.jumpUnlessAtLeast(s, bound, stop)
		g.ADDQ(operand.U32(g.lanes()), at)
	})
	g.Label(stop)
	g.Store(at, g.ReturnIndex(0))
	g.end()
}

// jumpUnlessAtLeast emits a jump to label unless x ≥ y in all lanes.
func (g *generator) jumpUnlessAtLeast(x, y reg.VecVirtual, label string) {
	const notGreaterEqual = 0x19 // true for NaN, quiet
	flags := g.GP32()
	if g.bits == 512 {
		k := g.K()
		g.packed("VCMP", operand.Imm(notGreaterEqual), y, x, k)
		g.KMOVW(k, flags)
	} else {
		v := g.vector()
		g.packed("VCMP", operand.Imm(notGreaterEqual), y, x, v)
		g.packed("VMOVMSK", v, flags)
	}
	g.TESTL(flags, flags)
	g.JNZ(operand.LabelRef(label))
}

// virtualLanes is the number of partial sums of a dot product.
func (g *generator) virtualLanes() int { return 64 / g.size }

// weigh writes the routine that multiplies a block of kernel values by a vector.
func (g *generator) weigh() {
	rows, _ := g.tile()
	g.begin("weigh", "func(out []T, k []T, stride int, w []T)",
		"sets out to the products of the rows of K with w, whose length is a multiple of 16.")
	k, stride, w, n := g.base("k"), g.stride("stride"), g.base("w"), g.length("w")
	parts := g.virtualLanes() / g.lanes()
	acc := g.zeros(rows * parts)
	g.SHRQ(operand.Imm(uint64(shift[g.virtualLanes()])), n)
	g.times(n, func() {
		ws := g.loaded(operand.Mem{Base: w}, parts)
		row := g.GP64()
		g.MOVQ(k, row)
		for i := range rows {
			for j := range parts {
				g.packed("VFMADD231", operand.Mem{Base: row, Disp: j * g.bits / 8}, ws[j], acc[i*parts+j])
			}
			if i < rows-1 {
				g.ADDQ(stride, row)
			}
		}
		g.ADDQ(operand.U32(64), k)
		g.ADDQ(operand.U32(64), w)
	})
	out := g.base("out")
	for i := range rows {
		g.reduce(acc[i*parts:(i+1)*parts], operand.Mem{Base: out, Disp: i * g.size})
	}
	g.end()
}

// reduce stores the sum of the lanes. It adds the upper half to the lower half until one
// lane is left.
func (g *generator) reduce(parts []reg.VecVirtual, dst operand.Mem) {
	y := parts[0].AsY()
	upper := g.YMM()
	if len(parts) == 2 {
		g.packed("VADD", parts[1], parts[0], parts[0])
	} else {
		g.VEXTRACTF64X4(operand.Imm(1), parts[0], upper)
		g.packed("VADD", upper, y, y)
	}
	x, high := parts[0].AsX(), upper.AsX()
	g.VEXTRACTF128(operand.Imm(1), y, high)
	g.packed("VADD", high, x, x)
	if g.size == 4 {
		g.VPSHUFD(operand.Imm(0x4e), x, high)
		g.packed("VADD", high, x, x)
		g.VPSHUFD(operand.Imm(0x55), x, high)
	} else {
		g.VPSHUFD(operand.Imm(0x4e), x, high)
	}
	g.scalar("VADD", high, x, x)
	g.scalar("VMOV", x, dst)
}
