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

// share is the share of a column in the squared distances of the kernel.
type share struct {
	Column string  `json:"column"`
	Share  float64 `json:"share"`
}

// importance returns the shares of the columns, largest first. They are the diagonal of M = LᵀL over
// its sum, for a kernel of L·x and columns in units of their standard deviation over the points (see
// metric.Result.Importance). It sums the columns that encode one column of the table. The result is
// nil for other kernels, several kernels and models without points.
func (m model) importance() []share {
	modeler, ok := m.fitted.(formula.Modeler)
	if !ok {
		return nil
	}
	f := modeler.Formula()
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
	if err != nil || n < 2 {
		return nil
	}
	mapped, columns := points, make([]int, d) // the inputs of L, and the column of each
	for j := range columns {
		columns[j] = j
	}
	switch node.Family {
	case "OneHot":
		mapped, columns = encoded(points, node)
		node = node.Of[0]
	case "Warped":
		mapped = warped(points, node)
		node = node.Of[0]
	}
	squared, ok := squares(node, len(columns))
	if !ok {
		return nil
	}
	total, column, weights := 0.0, make([]float64, n), make([]float64, d)
	for j, w := range squared {
		w *= stat.PopVariance(mat.Col(column, j, mapped), nil)
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

// encoded returns the points as a kernel.OneHot encodes them, and the original column of each column.
func encoded(points *mat.Dense, n tree.Node) (x *mat.Dense, columns []int) {
	levels := gram.Encoding(n.ListsOf("Levels"))
	for c, list := range levels {
		for range max(1, len(list)) {
			columns = append(columns, c)
		}
	}
	rows, _ := points.Dims()
	x = mat.NewDense(rows, len(columns), nil)
	levels.EmbedTo(x.RawMatrix(), points.RawMatrix(), 0)
	return x, columns
}

// warped returns the points as a kernel.Warped maps them.
func warped(points *mat.Dense, n tree.Node) *mat.Dense {
	rows, d := points.Dims()
	x := mat.NewDense(rows, d, nil)
	gram.Warping{From: n.ListsOf("From"), To: n.ListsOf("To")}.EmbedTo(x.RawMatrix(), points.RawMatrix(), 0)
	return x
}

// columnShares sums the weights of the columns that encode one column of the table.
func (m model) columnShares(weights []float64) (list []share) {
	if m.recipe == nil {
		for j, w := range weights {
			list = append(list, share{columnName(j + 1), w})
		}
		return list
	}
	for _, s := range m.recipe.Recipe().Steps() {
		if s.Width > 0 {
			list = append(list, share{escape(s.Column), floats.Sum(weights[:s.Width])})
			weights = weights[s.Width:]
		}
	}
	return list
}

// squares returns the diagonal of LᵀL for a kernel of L·x, and false for other kernels. Leading
// scales of single columns stay a vector, since a d×d matrix may be large.
func squares(n tree.Node, d int) ([]float64, bool) {
	var l *mat.Dense
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
