package onnx

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/recipe"
)

// recipe adds an input for each column of the table that r uses, and returns the encoded rows.
func (g *graph) recipe(r *recipe.Recipe) string {
	for _, s := range r.Steps() { // before all other names, which avoid them
		switch s.Use {
		case recipe.Numbers:
			g.inputs = append(g.inputs, value{name: s.Column, elem: g.real, columns: 1, doc: "a number, NaN if missing"})
		case recipe.Levels:
			g.inputs = append(g.inputs, value{name: s.Column, elem: elemString, columns: 1, doc: "a text, empty if missing"})
		}
	}
	var parts []string
	for _, s := range r.Steps() {
		switch s.Use {
		case recipe.LeftOut:
		case recipe.Numbers:
			parts = append(parts, g.numbersOf(s)...)
		case recipe.Levels:
			parts = append(parts, g.levelsOf(s))
		default:
			g.fail("column %q, which the recipe encodes as %v, has no operators: %w", s.Column, s.Use, rkhs.ErrOption)
		}
	}
	return g.concat(parts...)
}

// numbersOf returns the numbers of a column, and a flag for missing cells if the recipe has one.
func (g *graph) numbersOf(s recipe.Step) []string {
	missing := g.op("IsNaN", s.Column)
	v := g.op("Where", missing, g.scalar(s.Median), s.Column)
	if s.Scaled && s.Spread > 0 {
		v = g.op("Div", g.plus(v, -s.Median), g.scalar(s.Spread))
	}
	if s.Flag {
		return []string{v, g.cast(missing, g.real)}
	}
	return []string{v}
}

// levelsOf returns indicators of the levels, of other levels, and of missing cells if the recipe has
// a flag.
func (g *graph) levelsOf(s recipe.Step) string {
	keys, indices := append([]string{}, s.Levels...), []int64{}
	for i := range s.Levels {
		indices = append(indices, int64(i))
	}
	others := int64(len(s.Levels))
	absent := others
	if s.Flag {
		absent++
	}
	for _, text := range s.Missing {
		keys, indices = append(keys, text), append(indices, absent)
	}
	at := g.with(labelEncoder, []attribute{{name: "keys_strings", strings: keys}, {name: "values_int64s", ints: indices}, {name: "default_int64", number: others}}, s.Column)
	return g.cast(g.op("Equal", at, g.ints(compute.Indices(s.Width)...)), g.real)
}
