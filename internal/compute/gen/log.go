package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Constants of logGo and log32Go in package compute, explained there.
var (
	logSeries = []float64{
		0x1.5555555555592p-1, 0x1.999999997ff19p-2, 0x1.24924941e155ap-2, 0x1.c71c52145120bp-3,
		0x1.74663ced6802fp-3, 0x1.39a1e8c87072ep-3, 0x1.2f03ba45f1e49p-3,
	}
	logSeries32 = []float64{0x1.555554p-1, 0x1.999c26p-2, 0x1.23d3ep-2, 0x1.f13b22p-3}
)

// A logarithm holds the constants of log.
type logarithm struct {
	g                    *generator
	root, exponent       operand.Op
	float, offset        operand.Op
	one, two, half       operand.Op
	ln2, ln2low          operand.Op
	series               []operand.Op
	bits, bias           int
	sub, and, add, shift func(...operand.Op)
}

func (g *generator) logarithm() *logarithm {
	l := &logarithm{g: g, one: g.constant(1), two: g.constant(2), half: g.constant(0.5)}
	if g.size == 8 {
		l.root, l.exponent = g.bitsConstant(0x3fe6a09e667f3bcd), g.bitsConstant(0xfff<<52)
		l.float, l.offset = g.bitsConstant(math.Float64bits(0x1p52)), g.constant(0x1p52+2048)
		l.ln2, l.ln2low = g.constant(0x1.62e42feep-1), g.constant(0x1.a39ef35793c76p-33)
		l.series, l.bits = g.coefficients(logSeries), 52
		l.sub, l.add, l.shift = g.VPSUBQ, g.VPADDQ, g.VPSRLQ
	} else {
		l.root, l.exponent = g.bitsConstant(0x3f3504f3), g.bitsConstant(0x1ff<<23)
		l.float, l.offset = g.bitsConstant(uint64(math.Float32bits(0x1p23))), g.constant(0x1p23+256)
		l.ln2, l.ln2low = g.constant(0x1.62e3p-1), g.constant(0x1.2fefa2p-17)
		l.series, l.bits = g.coefficients(logSeries32), 23
		l.sub, l.add, l.shift = g.VPSUBD, g.VPADDD, g.VPSRLD
	}
	l.and = g.and
	return l
}

// and is the bitwise and of two vectors.
func (g *generator) and(ops ...operand.Op) { g.packed("VAND", ops...) }

// of returns log(u) + c for normal u and overwrites both.
func (l *logarithm) of(u, c reg.VecVirtual) reg.VecVirtual {
	g := l.g
	// u = 2ᵏ·(1+f) with √½ ≤ 1+f < √2. Half the exponent range is added to make k
	// positive. The bits of 2⁵² then convert it to floating point.
	t, k, f := g.vector(), g.vector(), u
	l.sub(l.root, u, t)
	l.and(l.exponent, t, k)
	l.sub(k, u, f)
	l.add(g.bitsConstant(1<<(8*g.size-1)), t, k)
	l.shift(operand.Imm(uint64(l.bits)), k, k)
	g.packed("VOR", l.float, k, k)
	g.packed("VSUB", l.offset, k, k)
	g.packed("VSUB", l.one, f, f)

	s, z, half := g.vector(), g.vector(), g.vector()
	g.packed("VADD", l.two, f, s)
	g.packed("VDIV", s, f, s)
	g.packed("VMUL", s, s, z)
	g.packed("VMUL", l.half, f, half)
	g.packed("VMUL", f, half, half)
	r := g.horner(z, l.series)
	g.packed("VFMADD213", half, z, r)
	g.packed("VFMADD231", l.ln2low, k, c)
	g.packed("VFMADD213", c, s, r)
	g.packed("VSUB", r, half, half)
	g.packed("VSUB", half, f, f)
	g.packed("VFMADD231", l.ln2, k, f)
	return f
}

// powers writes the rational quadratic and polynomial kernels.
func (g *generator) powers() {
	g.crowded = true
	g.elementwise("rational", "(1 + a·src)^b", func(a, b reg.VecVirtual) func(reg.VecVirtual) reg.VecVirtual {
		largest := math.MaxFloat64
		if g.size == 4 {
			largest = math.MaxFloat32
		}
		e, l, top := g.exponential(), g.logarithm(), g.held(largest)
		return func(x reg.VecVirtual) reg.VecVirtual {
			g.packed("VMUL", a, x, x)
			g.packed("VMIN", x, top, x)
			u, c := g.onePlus(x, l.one)
			v := g.copied(u)
			g.packed("VDIV", v, c, c)
			y := l.of(u, c)
			g.packed("VMUL", b, y, y)
			return e.of(y)
		}
	})
	g.crowded = false
	g.polynomial()
}

// onePlus returns 1 + x and its rounding error by Knuth's two-sum algorithm.
func (g *generator) onePlus(x reg.VecVirtual, one operand.Op) (sum, err reg.VecVirtual) {
	sum, err = g.vector(), g.vector()
	g.packed("VADD", one, x, sum)
	t, w := g.vector(), g.vector()
	g.packed("VSUB", one, sum, t)
	g.packed("VSUB", t, sum, w)
	g.packed("VSUB", t, x, err)
	o := g.copied(one)
	g.packed("VSUB", w, o, o)
	g.packed("VADD", o, err, err)
	return sum, err
}

// polynomial writes (a·src + b)^p by repeated squaring from the highest bit of p.
func (g *generator) polynomial() {
	g.begin("polynomial", "func(dst, src []T, a, b T, p int)",
		"sets dst = (a·src + b)^p, p ≥ 1, for a length that is a multiple of 16.")
	dst, src, n := g.base("dst"), g.base("src"), g.length("src")
	a, b := g.scalarArgument("a"), g.scalarArgument("b")
	p, top, bit := g.value("p"), g.GP64(), g.GP64()
	g.BSRQ(p, top)
	g.strips(n, 1, func() {
		x := g.loaded(operand.Mem{Base: src}, 1)[0]
		g.packed("VFMADD213", b, a, x)
		y := g.copied(x)
		g.MOVQ(top, bit)
		g.times(bit, func() {
			skip := g.label("even")
			g.packed("VMUL", y, y, y)
			below := g.GP64()
			g.LEAQ(operand.Mem{Base: bit, Disp: -1}, below)
			g.BTQ(below, p)
			g.JCC(operand.LabelRef(skip))
			g.packed("VMUL", x, y, y)
			g.Label(skip)
		})
		g.packed("VMOVU", y, operand.Mem{Base: dst})
		g.ADDQ(operand.U32(g.bits/8), src)
		g.ADDQ(operand.U32(g.bits/8), dst)
	})
	g.end()
}
