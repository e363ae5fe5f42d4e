package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Philox4x32 of Salmon and others, 2011: multipliers and increments of the key.
const (
	philoxM0, philoxM1 = 0xd2511f53, 0xcd9e8d57
	philoxW0, philoxW1 = 0x9e3779b9, 0xbb67ae85
)

// randoms writes the generators of uniform and of normal numbers. One counter
// gives two numbers next to each other.
func (g *generator) randoms() {
	g.crowded = true
	g.fill("uniforms", "uniform numbers", func() func(u, v reg.VecVirtual) (a, b reg.VecVirtual) {
		unit := g.constant(0x1p-53)
		return func(u, v reg.VecVirtual) (a, b reg.VecVirtual) {
			g.packed("VMUL", unit, u, u)
			g.packed("VMUL", unit, v, v)
			return u, v
		}
	})
	g.fill("normals", "standard normal numbers", g.boxMuller)
	g.crowded = false
}

// boxMuller returns a function that turns two whole numbers below 2⁵³ into
// √(−2·log u)·(cos, sin)(2π·v).
func (g *generator) boxMuller() func(u, v reg.VecVirtual) (a, b reg.VecVirtual) {
	l, c := g.logarithm(), g.circle()
	return func(u, v reg.VecVirtual) (a, b reg.VecVirtual) {
		g.packed("VADD", l.one, u, u)
		g.packed("VMUL", g.constant(0x1p-53), u, u)
		radius := l.of(u, g.zeros(1)[0])
		g.packed("VMUL", g.constant(-2), radius, radius)
		g.packed("VSQRT", radius, radius)
		// Quarter turns are exact, and so is what is left of them.
		g.packed("VMUL", g.constant(0x1p-51), v, v)
		q, n := g.vector(), g.vector()
		g.packed("VADD", c.magic, v, q)
		g.packed("VSUB", c.magic, q, n)
		g.packed("VSUB", n, v, v)
		g.packed("VMUL", g.constant(math.Pi/2), v, v)
		sin, cos := c.both(v)
		b = c.sine(sin, cos, q)
		a = c.cosine(sin, cos, q)
		g.packed("VMUL", radius, a, a)
		g.packed("VMUL", radius, b, b)
		return a, b
	}
}

// fill writes a generator of numbers, each pair made of the 128 bits that one
// counter gives.
func (g *generator) fill(name, doc string, setup func() func(u, v reg.VecVirtual) (a, b reg.VecVirtual)) {
	g.begin(name, "func(dst []T, seed, domain, index uint64)",
		"sets dst to "+doc+", two for each counter (index…, domain), for a length that is a multiple of 16.")
	dst, n := g.base("dst"), g.length("dst")
	counters := g.counters()
	f := setup()
	g.SHRQ(operand.Imm(uint64(shift[g.lanes()]+1)), n)
	step := g.bitsConstant(uint64(g.lanes()))
	g.times(n, func() {
		x := g.philox(counters)
		g.VPADDQ(step, counters[0], counters[0])
		a, b := f(g.whole(x[0], x[1]), g.whole(x[2], x[3]))
		g.interleave(a, b, dst)
		g.ADDQ(operand.U32(g.bits/4), dst)
	})
	g.end()
}

// counters returns the index of each lane, the two halves of domain, and the
// two halves of seed.
func (g *generator) counters() []reg.VecVirtual {
	c := make([]reg.VecVirtual, 5)
	for i, name := range []string{"index", "domain", "domain", "seed", "seed"} {
		b, _ := g.Param(name).Resolve()
		c[i] = g.vector()
		g.VPBROADCASTQ(b.Addr, c[i])
		if i == 2 || i == 4 {
			g.VPSRLQ(operand.Imm(32), c[i], c[i])
		}
	}
	lanes := make([]uint64, g.lanes())
	for i := range lanes {
		lanes[i] = uint64(i)
	}
	g.VPADDQ(g.data("lanes", lanes), c[0], c[0])
	return c
}

// philox returns the four words of each counter after ten rounds. A word stands
// in the lower half of a lane; what is in the upper half does not matter.
func (g *generator) philox(counters []reg.VecVirtual) []reg.VecVirtual {
	c0, c2, c3 := g.copied(counters[0]), g.copied(counters[1]), g.copied(counters[2])
	c1 := g.vector()
	g.VPSRLQ(operand.Imm(32), counters[0], c1)
	k0, k1 := g.copied(counters[3]), g.copied(counters[4])
	m0, m1 := g.bitsConstant(philoxM0), g.bitsConstant(philoxM1)
	w0, w1 := g.bitsConstant(philoxW0), g.bitsConstant(philoxW1)
	for round := range 10 {
		if round > 0 {
			g.VPADDQ(w0, k0, k0)
			g.VPADDQ(w1, k1, k1)
		}
		p0, p1 := g.vector(), g.vector()
		g.VPMULUDQ(m0, c0, p0)
		g.VPMULUDQ(m1, c2, p1)
		n0, n2 := g.vector(), g.vector()
		g.VPSRLQ(operand.Imm(32), p1, n0)
		g.VPSRLQ(operand.Imm(32), p0, n2)
		for _, v := range []reg.VecVirtual{c1, k0} {
			g.packed("VXOR", v, n0, n0)
		}
		for _, v := range []reg.VecVirtual{c3, k1} {
			g.packed("VXOR", v, n2, n2)
		}
		c0, c1, c2, c3 = n0, p1, n2, p0
	}
	return []reg.VecVirtual{c0, c1, c2, c3}
}

// whole returns the upper 53 bits of the 64 in two words as a number.
func (g *generator) whole(low, high reg.VecVirtual) reg.VecVirtual {
	// The bits are put into the mantissas of 2⁸⁴ and 2⁵².
	a, b := g.vector(), g.vector()
	g.VPSLLQ(operand.Imm(32), high, a)
	g.VPSRLQ(operand.Imm(43), a, a)
	g.packed("VOR", g.bitsConstant(math.Float64bits(0x1p84)), a, a)
	g.VPSLLQ(operand.Imm(32), high, b)
	g.packed("VAND", g.bitsConstant(1<<32-1), low, low)
	g.packed("VOR", b, low, low)
	g.VPSLLQ(operand.Imm(21), low, low)
	g.VPSRLQ(operand.Imm(32), low, low)
	g.packed("VOR", g.bitsConstant(math.Float64bits(0x1p52)), low, low)
	g.packed("VSUB", g.constant(0x1p84+0x1p52), a, a)
	g.packed("VADD", a, low, low)
	return low
}

// interleave stores a and b in turns.
func (g *generator) interleave(a, b reg.VecVirtual, dst reg.GPVirtual) {
	low, high := g.vector(), g.vector()
	g.packed("VUNPCKL", b, a, low)
	g.packed("VUNPCKH", b, a, high)
	// low and high hold pairs 0 2 4 6 and 1 3 5 7.
	for i := range g.bits / 256 {
		for j, v := range []reg.VecVirtual{low, high} {
			for k := range 2 {
				m := operand.Mem{Base: dst, Disp: 16 * (4*i + 2*k + j)}
				if lane := 2*i + k; lane == 0 {
					g.VMOVUPD(v.AsX(), m)
				} else if g.bits == 512 {
					g.VEXTRACTF64X2(operand.Imm(uint64(lane)), v, m)
				} else {
					g.VEXTRACTF128(operand.Imm(uint64(lane)), v, m)
				}
			}
		}
	}
}
