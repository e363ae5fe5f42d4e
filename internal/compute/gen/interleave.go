package main

import (
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A chain of dependent instructions on one vector leaves most of the processor
// idle, and the window in which it looks for other work is short. Instructions
// on two vectors are therefore put in turns.

// Comments that bound the instructions for each vector; interleave removes them.
var (
	sideBegin = ir.NewComment("side by side")
	sideNext  = ir.NewComment("next")
	sideEnd   = ir.NewComment("end")
)

// together returns how many vectors a loop takes at a time: all lengths are
// multiples of sixteen elements.
func (g *generator) together() int {
	if g.crowded || 2*g.lanes() > 16 {
		return 1
	}
	return 2
}

// sideBySide emits body for each of some vectors, to be put in turns.
func (g *generator) sideBySide(x []reg.VecVirtual, body func(i int, x reg.VecVirtual)) {
	g.marker(sideBegin)
	for i, v := range x {
		if i > 0 {
			g.marker(sideNext)
		}
		body(i, v)
	}
	g.marker(sideEnd)
}

func (g *generator) marker(c *ir.Comment) { g.Comment(c.Lines...) }

// vectorAt returns memory i vectors on.
func (g *generator) vectorAt(m operand.Mem, i int) operand.Mem { return m.Offset(i * g.bits / 8) }

// interleave puts the marked instructions of a function in turns.
func interleave(f *ir.Function) {
	is := func(n ir.Node, c *ir.Comment) bool {
		comment, ok := n.(*ir.Comment)
		return ok && slices.Equal(comment.Lines, c.Lines)
	}
	var out []ir.Node
	var sides [][]ir.Node
	for _, n := range f.Nodes {
		switch {
		case is(n, sideBegin):
			sides = [][]ir.Node{nil}
		case is(n, sideNext):
			sides = append(sides, nil)
		case is(n, sideEnd):
			out = append(out, inTurns(sides)...)
			sides = nil
		case sides != nil:
			sides[len(sides)-1] = append(sides[len(sides)-1], n)
		default:
			out = append(out, n)
		}
	}
	f.Nodes = out
}

func inTurns(sides [][]ir.Node) []ir.Node {
	var out []ir.Node
	for i := range sides[0] {
		for _, side := range sides {
			out = append(out, side[i])
		}
	}
	return out
}
