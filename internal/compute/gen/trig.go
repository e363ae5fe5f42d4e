package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Constants of sincosGo and sincos32Go in package compute, explained there.
var (
	quarter    = []float64{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}
	sinSeries  = []float64{-0x1.5555555555549p-3, 0x1.111111110f8a6p-7, -0x1.a01a019c1619cp-13, 0x1.71de357b1bc0ap-19, -0x1.ae5e689eccfddp-26, 0x1.5d93a45f5e2bbp-33}
	cosSeries  = []float64{0x1.555555555554cp-5, -0x1.6c16c16c1521fp-10, 0x1.a01a019cbf628p-16, -0x1.27e4f812b64dep-22, 0x1.1ee9f1526e58cp-29, -0x1.8fb130e33f39cp-37}
	quarter32  = []float64{0x1.921fb6p+0, -0x1.777a5cp-25, -0x1.ee59dap-50}
	sinTerms32 = []float64{-0x1.555546p-3, 0x1.11077ep-7, -0x1.9956b6p-13}
	cosTerms32 = []float64{0x1.55554ap-5, -0x1.6c0c1ap-10, 0x1.99e0eep-16}
)

// Coefficients halfTurn and halfTurn32 of package compute, for the sine on half a turn.
var (
	halfTurn = []float64{
		-0x1.5555555555555p-3, 0x1.11111111110c8p-7, -0x1.a01a01a014d6fp-13, 0x1.71de3a52a0b16p-19,
		-0x1.ae6454d474684p-26, 0x1.6123cd0749a55p-33, -0x1.ae4384748c63ap-41, 0x1.8832a864ed9a7p-49,
	}
	halfTurn32 = []float64{-0x1.55554cp-3, 0x1.110edap-7, -0x1.9f70eep-13, 0x1.5dc8c4p-19}
)

// A circle holds the constants for computing cosine and sine together.
type circle struct {
	g               *generator
	magic, limit    reg.VecVirtual
	turns, absolute operand.Op
	quarter         []operand.Op
	sin, cos        []operand.Op
	one, half       operand.Op
	sign, unit      operand.Op
	shift           func(...operand.Op)
	add             func(...operand.Op)
}

func (g *generator) circle() *circle {
	c := &circle{g: g, turns: g.constant(2 / math.Pi), one: g.constant(1), half: g.constant(-0.5)}
	c.sign, c.unit = g.bitsConstant(1<<(8*g.size-1)), g.bitsConstant(1)
	c.absolute = g.bitsConstant(1<<(8*g.size-1) - 1)
	if g.size == 8 {
		c.limit = g.held(0x1p45)
		c.magic, c.shift, c.add = g.held(0x1.8p52), g.VPSLLQ, g.VPADDQ
		c.quarter, c.sin, c.cos = g.coefficients(quarter), g.coefficients(sinSeries), g.coefficients(cosSeries)
	} else {
		c.limit = g.held(0x1p16)
		c.magic, c.shift, c.add = g.held(0x1.8p23), g.VPSLLD, g.VPADDD
		c.quarter, c.sin, c.cos = g.coefficients(quarter32), g.coefficients(sinTerms32), g.coefficients(cosTerms32)
	}
	return c
}

// reduce replaces x by x − n·π/2 and returns a register with n in its low bits.
func (c *circle) reduce(x reg.VecVirtual) reg.VecVirtual {
	g := c.g
	t, n := g.copied(x), g.vector()
	g.packed("VFMADD132", c.turns, c.magic, t)
	g.packed("VSUB", c.magic, t, n)
	for _, part := range c.quarter {
		g.packed("VFNMADD231", part, n, x)
	}
	return t
}

// both returns the sine and cosine of the reduced r and overwrites it.
func (c *circle) both(r reg.VecVirtual) (sin, cos reg.VecVirtual) {
	g := c.g
	z, cube := g.vector(), g.vector()
	g.packed("VMUL", r, r, z)
	sin, cos = g.horner(z, c.sin), g.horner(z, c.cos)
	g.packed("VMUL", z, r, cube)
	g.packed("VFMADD213", r, cube, sin)
	square, head := cube, r
	g.packed("VMUL", z, z, square)
	g.packed("VMOVU", c.one, head)
	g.packed("VFMADD231", c.half, z, head)
	g.packed("VFMADD213", head, square, cos)
	return sin, cos
}

// choose returns a where n is even and b where n is odd.
func (c *circle) choose(a, b, n reg.VecVirtual) reg.VecVirtual {
	g, y := c.g, c.g.vector()
	if g.bits == 512 {
		k := g.K()
		if g.size == 8 {
			g.VPTESTMQ(c.unit, n, k)
			g.VBLENDMPD(b, a, k, y)
		} else {
			g.VPTESTMD(c.unit, n, k)
			g.VBLENDMPS(b, a, k, y)
		}
		return y
	}
	c.shift(operand.Imm(uint64(8*g.size-1)), n, y)
	g.packed("VBLENDV", y, b, a, y)
	return y
}

// signed changes the sign of y where bit 1 of n is set.
func (c *circle) signed(y, n reg.VecVirtual) reg.VecVirtual {
	g, s := c.g, c.g.vector()
	c.shift(operand.Imm(uint64(8*g.size-2)), n, s)
	g.packed("VAND", c.sign, s, s)
	g.packed("VXOR", s, y, y)
	return y
}

// cosine returns the cosine of n·π/2 + r, given the sine and cosine of r. It is the sine
// one quarter turn later, so it increments n.
func (c *circle) cosine(sin, cos, n reg.VecVirtual) reg.VecVirtual {
	y := c.choose(cos, sin, n)
	c.add(c.unit, n, n)
	return c.signed(y, n)
}

func (c *circle) sine(sin, cos, n reg.VecVirtual) reg.VecVirtual {
	return c.signed(c.choose(sin, cos, n), n)
}

// An arc holds the constants for computing cosine or sine separately, as the sine of the
// residual modulo half turns.
type arc struct {
	g                    *generator
	magic, limit, offset reg.VecVirtual
	turns, absolute      operand.Op
	top, bottom          operand.Op
	half, series         []operand.Op
	shift                func(...operand.Op)
}

func (g *generator) arc() *arc {
	a := &arc{g: g, turns: g.constant(1 / math.Pi), absolute: g.bitsConstant(1<<(8*g.size-1) - 1), offset: g.held(0.5), top: g.constant(1), bottom: g.constant(-1)}
	parts, series := quarter, halfTurn
	if g.size == 8 {
		a.magic, a.limit, a.shift = g.held(0x1.8p52), g.held(0x1p45), g.VPSLLQ
	} else {
		a.magic, a.limit, a.shift = g.held(0x1.8p23), g.held(0x1p16), g.VPSLLD
		parts, series = quarter32, halfTurn32
	}
	for _, p := range parts {
		a.half = append(a.half, g.constant(2*p))
	}
	a.series = g.coefficients(series)
	return a
}

// cosine returns cos(x) = (−1)ⁿ·sin(x − (n − ½)π) and overwrites x.
func (a *arc) cosine(x reg.VecVirtual) reg.VecVirtual {
	g, t, h := a.g, a.g.copied(x), a.g.vector()
	g.packed("VFMADD132", a.turns, a.offset, t)
	g.packed("VADD", a.magic, t, t)
	g.packed("VSUB", a.magic, t, h)
	g.packed("VSUB", a.offset, h, h)
	return a.remainder(x, h, t)
}

// sine returns sin(x) = (−1)ⁿ·sin(x − nπ) and overwrites x.
func (a *arc) sine(x reg.VecVirtual) reg.VecVirtual {
	g, t, h := a.g, a.g.copied(x), a.g.vector()
	g.packed("VFMADD132", a.turns, a.magic, t)
	g.packed("VSUB", a.magic, t, h)
	return a.remainder(x, h, t)
}

// remainder returns (−1)ⁿ·sin(x − hπ), with n in the low bits of t.
func (a *arc) remainder(x, h, t reg.VecVirtual) reg.VecVirtual {
	g := a.g
	for _, part := range a.half {
		g.packed("VFNMADD231", part, h, x)
	}
	z := g.vector()
	g.packed("VMUL", x, x, z)
	s := g.horner(z, a.series)
	g.packed("VMUL", x, z, z)
	g.packed("VFMADD213", x, z, s)
	g.packed("VMIN", a.top, s, s)
	g.packed("VMAX", a.bottom, s, s)
	a.shift(operand.Imm(uint64(8*g.size-1)), t, t)
	g.packed("VXOR", t, s, s)
	return s
}

// waves writes the cosine and sine routines. They stop before a vector that contains a NaN
// or an argument too large for the reduction.
func (g *generator) waves() {
	g.wave("cosine", (*arc).cosine)
	g.wave("sine", (*arc).sine)
	g.wavePair("wavePair", "sets cos and sin to the cosines and sines of src, times scale", "VMOVU")
	g.wavePair("wavePast", "is wavePair with non-temporal stores. cos and sin begin at whole vectors; call fence afterwards", "VMOVNT")
	g.fence()
}

const stopDoc = ".\nIt returns the number of elements before the first vector with an angle out of its range."

func (g *generator) wave(name string, of func(a *arc, x reg.VecVirtual) reg.VecVirtual) {
	g.begin(name, "func(dst, src, phase []T, scale T) int", "sets dst to the "+name+" of src + phase times scale"+stopDoc)
	dst, src, phase, n := g.base("dst"), g.base("src"), g.base("phase"), g.length("src")
	scale, a := g.scalarArgument("scale"), g.arc()
	g.strideOver(n, g.together(), func(at reg.GPVirtual, stop string) {
		xs := g.loaded(g.element(src, at), g.together())
		for i, x := range xs {
			g.packed("VADD", g.vectorAt(g.element(phase, at), i), x, x)
			g.jumpIfLarge(x, a.absolute, a.limit, stop)
		}
		g.sideBySide(xs, func(i int, x reg.VecVirtual) {
			y := of(a, x)
			g.packed("VMUL", scale, y, y)
			g.packed("VMOVU", y, g.vectorAt(g.element(dst, at), i))
		})
	})
}

func (g *generator) wavePair(name, doc, store string) {
	g.begin(name, "func(cos, sin, src []T, scale T) int", doc+stopDoc)
	toCos, toSin, src, n := g.base("cos"), g.base("sin"), g.base("src"), g.length("src")
	scale, c := g.scalarArgument("scale"), g.circle()
	g.strideOver(n, 1, func(at reg.GPVirtual, stop string) {
		x := g.loaded(g.element(src, at), 1)[0]
		g.jumpIfLarge(x, c.absolute, c.limit, stop)
		q := c.reduce(x)
		sin, cos := c.both(x)
		y := c.sine(sin, cos, q)
		g.packed("VMUL", scale, y, y)
		g.packed(store, y, g.element(toSin, at))
		y = c.cosine(sin, cos, q)
		g.packed("VMUL", scale, y, y)
		g.packed(store, y, g.element(toCos, at))
	})
}

// fence writes the routine that orders non-temporal stores before later accesses.
func (g *generator) fence() {
	g.begin("fence", "func()", "orders non-temporal stores before later accesses.")
	g.SFENCE()
	g.RET()
}

// element returns the memory operand of the vector at an index.
func (g *generator) element(base, at reg.GPVirtual) operand.Mem {
	return operand.Mem{Base: base, Index: at, Scale: uint8(g.size)}
}

// strideOver emits a loop over n elements and ends the routine. The routine returns the
// number of elements processed before a jump to stop.
func (g *generator) strideOver(n reg.GPVirtual, together int, body func(at reg.GPVirtual, stop string)) {
	at, stop := g.GP64(), g.label("stop")
	g.XORQ(at, at)
	g.strips(n, together, func() {
		body(at, stop)
		g.ADDQ(operand.U32(together*g.lanes()), at)
	})
	g.Label(stop)
	g.Store(at, g.ReturnIndex(0))
	g.end()
}

// jumpIfLarge emits a jump to label if |x| exceeds limit in any lane.
func (g *generator) jumpIfLarge(x reg.VecVirtual, absolute operand.Op, limit reg.VecVirtual, label string) {
	y := g.vector()
	g.packed("VAND", absolute, x, y)
	g.jumpUnlessAtLeast(limit, y, label)
}
