package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Multipliers and key increments of Philox4x32 (Salmon and others, 2011).
const (
	philoxM0, philoxM1 = 0xd2511f53, 0xcd9e8d57
	philoxW0, philoxW1 = 0x9e3779b9, 0xbb67ae85
)

// randoms writes the generators of uniform and of normal numbers. One counter gives two
// consecutive numbers.
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

// boxMuller returns a function that maps two integers below 2⁵³ to
// √(−2·log u)·(cos, sin)(2π·v).
func (g *generator) boxMuller() func(u, v reg.VecVirtual) (a, b reg.VecVirtual) {
	l, c := g.logarithm(), g.circle()
	return func(u, v reg.VecVirtual) (a, b reg.VecVirtual) {
		g.packed("VADD", l.one, u, u)
		g.packed("VMUL", g.constant(0x1p-53), u, u)
		radius := l.of(u, g.zeros(1)[0])
		g.packed("VMUL", g.constant(-2), radius, radius)
		g.packed("VSQRT", radius, radius)
		// The number of quarter turns is exact, and so is its residual.
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

// fill writes a generator of numbers. Each counter gives 128 bits for one pair.
func (g *generator) fill(name, doc string, setup func() func(u, v reg.VecVirtual) (a, b reg.VecVirtual)) {
	g.begin(name, "func(dst []T, seed, domain, index uint64)",
		"sets dst to "+doc+", two for each counter (index…, domain), for a length that is a multiple of 16.")
	dst, n := g.base("dst"), g.length("dst")
	p := g.newPhilox()
	f := setup()
	g.SHRQ(operand.Imm(uint64(shift[g.lanes()]+1)), n)
	g.times(n, func() {
		x := p.words()
		a, b := f(g.whole(x[0], x[1]), g.whole(x[2], x[3]))
		g.interleave(a, b, dst)
		g.ADDQ(operand.U32(g.bits/4), dst)
	})
	g.end()
}

// A philox holds the counters of all lanes, the key and the constants.
type philox struct {
	g                       *generator
	index, block, stream    reg.VecVirtual
	key                     [2]reg.VecVirtual
	multipliers, increments [2]operand.Op
	step                    operand.Op
}

// newPhilox loads the arguments. Each word is in the lower half of a lane; the upper half
// is ignored.
func (g *generator) newPhilox() *philox {
	load := func(name string) reg.VecVirtual {
		b, err := g.Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		v := g.vector()
		g.VPBROADCASTQ(b.Addr, v)
		return v
	}
	upper := func(v reg.VecVirtual) reg.VecVirtual {
		u := g.vector()
		g.VPSRLQ(operand.Imm(32), v, u)
		return u
	}
	p := &philox{g: g, index: load("index"), block: load("domain")}
	p.stream = upper(p.block)
	p.key[0] = load("seed")
	p.key[1] = upper(p.key[0])
	lanes := make([]uint64, g.lanes())
	for i := range lanes {
		lanes[i] = uint64(i)
	}
	g.VPADDQ(g.data("lanes", lanes), p.index, p.index)
	p.step = g.bitsConstant(uint64(g.lanes()))
	crowded := g.crowded
	g.crowded = false
	for i, m := range []uint64{philoxM0, philoxM1} {
		p.multipliers[i] = g.bitsConstant(m)
	}
	for i, w := range []uint64{philoxW0, philoxW1} {
		p.increments[i] = g.bitsConstant(w)
	}
	g.crowded = crowded
	return p
}

// words returns the four words of each counter after ten rounds and advances the counters.
func (p *philox) words() []reg.VecVirtual {
	g := p.g
	c0, c1, c2, c3 := g.copied(p.index), g.vector(), p.block, p.stream
	g.VPSRLQ(operand.Imm(32), p.index, c1)
	k0, k1 := g.copied(p.key[0]), g.copied(p.key[1])
	for round := range 10 {
		if round > 0 {
			g.VPADDD(p.increments[0], k0, k0)
			g.VPADDD(p.increments[1], k1, k1)
		}
		p0, p1, n0, n2 := g.vector(), g.vector(), g.vector(), g.vector()
		g.VPMULUDQ(p.multipliers[0], c0, p0)
		g.VPMULUDQ(p.multipliers[1], c2, p1)
		g.VPSRLQ(operand.Imm(32), p1, n0)
		g.VPSRLQ(operand.Imm(32), p0, n2)
		g.xor3(c1, k0, n0)
		g.xor3(c3, k1, n2)
		c0, c1, c2, c3 = n0, p1, n2, p0
	}
	g.VPADDQ(p.step, p.index, p.index)
	return []reg.VecVirtual{c0, c1, c2, c3}
}

// xor3 replaces c by a xor b xor c.
func (g *generator) xor3(a, b, c reg.VecVirtual) {
	if g.bits == 512 {
		g.VPTERNLOGQ(operand.Imm(0x96), a, b, c)
		return
	}
	g.packed("VXOR", a, c, c)
	g.packed("VXOR", b, c, c)
}

// whole returns the upper 53 bits of a 64-bit pair of words as a floating-point number.
func (g *generator) whole(low, high reg.VecVirtual) reg.VecVirtual {
	word := g.bitsConstant(1<<32 - 1)
	if g.bits == 512 {
		g.VPSLLQ(operand.Imm(32), high, high)
		g.VPTERNLOGQ(operand.Imm(0xf8), word, low, high)
		g.VPSRLQ(operand.Imm(11), high, high)
		g.VCVTUQQ2PD(high, high)
		return high
	}
	// Insert the bits into the mantissas of 2⁸⁴ and 2⁵².
	a, b := g.vector(), g.vector()
	g.VPSLLQ(operand.Imm(32), high, b)
	g.VPSRLQ(operand.Imm(43), b, a)
	g.packed("VOR", g.bitsConstant(math.Float64bits(0x1p84)), a, a)
	g.packed("VAND", word, low, low)
	g.packed("VOR", b, low, low)
	g.VPSLLQ(operand.Imm(21), low, low)
	g.VPSRLQ(operand.Imm(32), low, low)
	g.packed("VOR", g.bitsConstant(math.Float64bits(0x1p52)), low, low)
	g.packed("VSUB", g.constant(0x1p84+0x1p52), a, a)
	g.packed("VADD", a, low, low)
	return low
}

// interleave stores the elements of a and b alternately.
func (g *generator) interleave(a, b reg.VecVirtual, dst reg.GPVirtual) {
	low, high := g.vector(), g.vector()
	if g.bits == 512 {
		g.VMOVDQU64(g.data("interleaveLow", []uint64{0, 8, 1, 9, 2, 10, 3, 11}), low)
		g.VMOVDQU64(g.data("interleaveHigh", []uint64{4, 12, 5, 13, 6, 14, 7, 15}), high)
		g.VPERMI2PD(b, a, low)
		g.VPERMI2PD(b, a, high)
	} else {
		even, odd := g.vector(), g.vector()
		g.VUNPCKLPD(b, a, even)
		g.VUNPCKHPD(b, a, odd)
		g.VPERM2F128(operand.Imm(0x20), odd, even, low)
		g.VPERM2F128(operand.Imm(0x31), odd, even, high)
	}
	g.VMOVUPD(low, operand.Mem{Base: dst})
	g.VMOVUPD(high, operand.Mem{Base: dst, Disp: g.bits / 8})
}
