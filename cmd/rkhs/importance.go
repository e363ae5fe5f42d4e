package main

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/tree"
)

// share is how much of the distances that a kernel sees are those along a column.
type share struct {
	Column string  `json:"column"`
	Share  float64 `json:"share"`
}

// importance returns the columns of a model on points, those of a table if it has a recipe, by
// their share in the trace of M = LᵀL, L the map of the kernel, with columns in units of their
// standard deviation at the points (metric.Result.Importance), from the greatest on; nil where the
// kernel has no such map, where there are several kernels, or no points.
func (m model) importance() []share {
	of, ok := m.of.(formula.Modeler)
	if !ok {
		return nil
	}
	f := of.Formula()
	if len(f.Expansions) != 1 || len(f.Features) > 0 {
		return nil
	}
	e := f.Expansions[0]
	points, dense := e.Points.(*mat.Dense)
	if !dense {
		return nil
	}
	n, d := points.Dims()
	node, err := tree.Describe(e.Kernel, d)
	if err != nil {
		return nil
	}
	seen, columns := points, identity(d) // what the kernel's map is of, and of which columns
	if node.Family == "OneHot" {
		seen, columns = encoded(points, node)
		node = node.Of[0]
	}
	squared, ok := squares(node, len(columns))
	if !ok || n < 2 {
		return nil
	}
	total, column, weights := 0.0, make([]float64, n), make([]float64, d)
	for j, w := range squared {
		w *= stat.PopVariance(mat.Col(column, j, seen), nil)
		weights[columns[j]] += w
		total += w
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return nil
	}
	list := m.columnShares(weights)
	for i := range list {
		list[i].Share /= total
	}
	slices.SortStableFunc(list, func(a, b share) int { return cmp.Compare(b.Share, a.Share) })
	return list
}

func identity(d int) []int {
	list := make([]int, d)
	for j := range list {
		list[j] = j
	}
	return list
}

// encoded returns points as a kernel.OneHot sees them, and the column that each of theirs is of.
func encoded(points *mat.Dense, n tree.Node) (seen *mat.Dense, columns []int) {
	var levels gram.Encoding
	all := n.Lists["Levels"]
	for c, count := range n.Lists["Counts"] {
		levels, all = append(levels, all[:int(count)]), all[int(count):]
		for range max(1, int(count)) {
			columns = append(columns, c)
		}
	}
	rows, _ := points.Dims()
	seen = mat.NewDense(rows, len(columns), nil)
	levels.EmbedTo(seen.RawMatrix(), points.RawMatrix(), 0)
	return seen, columns
}

// columnShares adds up the columns of numbers that a recipe makes of one.
func (m model) columnShares(weights []float64) (list []share) {
	if m.recipe == nil {
		for j, w := range weights {
			list = append(list, share{columnName(j + 1), w})
		}
		return list
	}
	at := 0
	for _, s := range m.recipe.Recipe().Steps() {
		if s.Width == 0 {
			continue
		}
		sum := 0.0
		for _, w := range weights[at:][:s.Width] {
			sum += w
		}
		list, at = append(list, share{s.Column, sum}), at+s.Width
	}
	return list
}

// squares returns the diagonal of LᵀL for a kernel of L·x, and false for one that sees points in
// several ways.
func squares(n tree.Node, d int) ([]float64, bool) {
	var l *mat.Dense // behind the first scales, of each column alone, which take d numbers in place of d²
	scales := make([]float64, d)
	floats.AddConst(1, scales)
	for len(n.Of) == 1 {
		switch n.Family {
		case "ARD":
			if l == nil {
				floats.Div(scales, n.Lists["Scales"])
			} else {
				l.Apply(func(i, _ int, v float64) float64 { return v / n.Lists["Scales"][i] }, l)
			}
		case "Projected":
			next := mat.DenseCopyOf(n.Matrices["L"])
			if l != nil {
				next = new(mat.Dense)
				next.Mul(n.Matrices["L"], l)
			}
			l = next
		case "Scale":
		default:
			return nil, false
		}
		n = n.Of[0]
	}
	if len(n.Of) > 0 {
		return nil, false
	}
	for j, s := range scales {
		if l != nil {
			s *= mat.Norm(l.ColView(j), 2)
		}
		scales[j] = s * s
	}
	return scales, true
}
