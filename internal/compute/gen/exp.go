package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Constants of expGo and exp32Go in package compute, explained there.
var (
	expTail = []float64{
		0x1p-1, 0x1.5555555555501p-3, 0x1.55555555531fbp-5, 0x1.111111112896cp-7,
		0x1.6c16c17cc749cp-10, 0x1.a01a011bdcb4ep-13, 0x1.a019ab1f3b207p-16,
		0x1.71df55c14da39p-19, 0x1.289f99ca456bfp-22, 0x1.ad1f7e401de0cp-26,
	}
	expTail32 = []float64{0x1.fffffcp-2, 0x1.55548cp-3, 0x1.555858p-5, 0x1.123dep-7, 0x1.6ac74ep-10}
)

// An exponential holds the constants of exp.
type exponential struct {
	g                  *generator
	magic, low, high   reg.VecVirtual
	log2e, ln2, ln2low operand.Op
	one                operand.Op
	tail               []operand.Op
}

func (g *generator) exponential() *exponential {
	e := &exponential{g: g, log2e: g.constant(math.Log2E), one: g.constant(1)}
	if g.size == 8 {
		e.magic, e.low, e.high = g.held(0x1.8p52), g.held(-746), g.held(710)
		e.ln2, e.ln2low = g.constant(math.Ln2), g.constant(0x1.abc9e3b39803fp-56)
		e.tail = g.coefficients(expTail)
	} else {
		e.magic, e.low, e.high = g.held(0x1.8p23), g.held(-104), g.held(89)
		e.ln2, e.ln2low = g.constant(0x1.62e43p-1), g.constant(-0x1.05c61p-29)
		e.tail = g.coefficients(expTail32)
	}
	return e
}

// of returns exp(x) and overwrites x.
func (e *exponential) of(x reg.VecVirtual) reg.VecVirtual {
	g := e.g
	// VMIN and VMAX return the last source if an operand is NaN, so NaN propagates.
	g.packed("VMIN", x, e.high, x)
	g.packed("VMAX", x, e.low, x)
	t, n := g.copied(x), g.vector()
	g.packed("VFMADD132", e.log2e, e.magic, t)
	g.packed("VSUB", e.magic, t, n)
	g.packed("VFNMADD231", e.ln2, n, x)
	g.packed("VFNMADD231", e.ln2low, n, x)
	q, square := g.horner(x, e.tail), g.vector()
	g.packed("VMUL", x, x, square)
	g.packed("VFMADD213", x, square, q)
	g.packed("VADD", e.one, q, q)
	return g.scaled(q, t, n)
}

// scaled returns p·2ⁿ, rounded once. The low bits of t also hold n.
func (g *generator) scaled(p, t, n reg.VecVirtual) reg.VecVirtual {
	if g.bits == 512 {
		g.packed("VSCALEF", n, p, p)
		return p
	}
	k, half := t, g.vector()
	bias, shift, shiftLeft := g.bitsConstant(1023), 52, g.VPSLLQ
	if g.size == 4 {
		g.VPSUBD(g.bitsConstant(uint64(math.Float32bits(0x1.8p23))), k, k)
		bias, shift, shiftLeft = g.bitsConstant(127), 23, g.VPSLLD
	}
	// Scale in two steps, so that a subnormal result is rounded only in the last.
	g.VPSRAD(operand.Imm(1), k, half)
	g.VPSUBD(half, k, k)
	for _, h := range []reg.VecVirtual{half, k} {
		g.VPADDD(bias, h, h)
		shiftLeft(operand.Imm(uint64(shift)), h, h)
		g.packed("VMUL", h, p, p)
	}
	return p
}

// exponentials writes exp and the Matérn functions of a squared distance. The Matérn
// functions require a negative scalar a.
func (g *generator) exponentials() {
	g.elementwise("exp", "exp(a·src)", func(a, _ reg.VecVirtual) func(reg.VecVirtual) reg.VecVirtual {
		e := g.exponential()
		return func(x reg.VecVirtual) reg.VecVirtual {
			g.packed("VMUL", a, x, x)
			return e.of(x)
		}
	})
	g.matern("matern12", "exp(t) where t = a·√src", nil)
	g.matern("matern32", "(1 − t)·exp(t) where t = a·√src", []float64{1, -1})
	g.matern("matern52", "(1 − t + t²/3)·exp(t) where t = a·√src", []float64{1, -1, 1. / 3})
}

func (g *generator) matern(name, doc string, factor []float64) {
	g.elementwise(name, doc, func(a, _ reg.VecVirtual) func(reg.VecVirtual) reg.VecVirtual {
		e, c, least := g.exponential(), g.coefficients(factor), g.held(-800)
		return func(x reg.VecVirtual) reg.VecVirtual {
			g.packed("VSQRT", x, x)
			g.packed("VMUL", a, x, x)
			g.packed("VMAX", x, least, x)
			if len(c) == 0 {
				return e.of(x)
			}
			p := g.horner(x, c)
			y := e.of(x)
			g.packed("VMUL", p, y, y)
			return y
		}
	})
}
