package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elementwise writes a routine that sets dst to a function of src and of the scalars a and
// b. setup emits the code before the loop and returns the function, which may overwrite
// its argument.
func (g *generator) elementwise(name, doc string, setup func(a, b reg.VecVirtual) func(x reg.VecVirtual) reg.VecVirtual) {
	g.begin(name, "func(dst, src []T, a, b T)", "sets dst = "+doc+" for a length that is a multiple of 16.")
	dst, src, n := g.base("dst"), g.base("src"), g.length("src")
	f := setup(g.scalarArgument("a"), g.scalarArgument("b"))
	together := g.together()
	g.strips(n, together, func() {
		g.sideBySide(g.loaded(operand.Mem{Base: src}, together), func(i int, x reg.VecVirtual) {
			g.packed("VMOVU", f(x), g.vectorAt(operand.Mem{Base: dst}, i))
		})
		g.ADDQ(operand.U32(together*g.bits/8), src)
		g.ADDQ(operand.U32(together*g.bits/8), dst)
	})
	g.end()
}

// strips emits a loop over n elements; body processes the given number of vectors.
func (g *generator) strips(n reg.GPVirtual, together int, body func()) {
	g.SHRQ(operand.Imm(uint64(shift[together*g.lanes()])), n)
	g.times(n, body)
}

// shift maps a power of two to its binary logarithm.
var shift = map[int]int{4: 2, 8: 3, 16: 4}

// scalarArgument returns a register with the argument in every lane.
func (g *generator) scalarArgument(name string) reg.VecVirtual {
	b, err := g.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return g.broadcast(b.Addr)
}

// held returns a register with x in every lane.
func (g *generator) held(x float64) reg.VecVirtual {
	c := g.constant(x)
	if v, ok := c.(reg.VecVirtual); ok {
		return v
	}
	return g.copied(c)
}

func (g *generator) copied(op operand.Op) reg.VecVirtual {
	v := g.vector()
	g.packed("VMOVU", op, v)
	return v
}

// horner returns a polynomial in x by Horner's rule with fused multiply-adds. The first
// coefficient is the constant term.
func (g *generator) horner(x reg.VecVirtual, c []operand.Op) reg.VecVirtual {
	p := g.copied(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		g.packed("VFMADD213", c[i], x, p)
	}
	return p
}

func (g *generator) coefficients(c []float64) []operand.Op {
	ops := make([]operand.Op, len(c))
	for i, x := range c {
		ops[i] = g.constant(x)
	}
	return ops
}
