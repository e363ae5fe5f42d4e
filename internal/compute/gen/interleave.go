package main

import (
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Most execution units are idle during a chain of dependent instructions, and the
// reorder window is too short to reach independent work. Instructions for two vectors
// are therefore interleaved.

// Comments that mark the instructions for each vector. interleave removes them.
var (
	sideBegin = ir.NewComment("side by side")
	sideNext  = ir.NewComment("next")
	sideEnd   = ir.NewComment("end")
)

// together is the number of vectors per loop iteration. All lengths are multiples of 16
// elements.
func (g *generator) together() int {
	if g.crowded || 2*g.lanes() > 16 {
		return 1
	}
	return 2
}

// sideBySide emits body for each vector, marked for interleaving.
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

// vectorAt returns m plus an offset of i vectors.
func (g *generator) vectorAt(m operand.Mem, i int) operand.Mem { return m.Offset(i * g.bits / 8) }

// interleave interleaves the marked instructions of a function.
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
