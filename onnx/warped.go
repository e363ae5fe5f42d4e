package onnx

import (
	"fmt"

	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// warped is the space after the functions of kernel.Warped, with its own centre.
func (p *space) warped(from, to [][]float64) *space {
	e := gram.Warping{From: from, To: to}
	y := compute.NewMatrix(p.raw.Rows, p.raw.Cols)
	e.EmbedTo(y, p.raw, 0)
	return newSpace(p.g, p.g.warped(p.rows(false), from, to), y)
}

// warped replaces the columns of x that have knots.
func (g *graph) warped(x string, from, to [][]float64) string {
	return g.once(fmt.Sprint("warped ", x, from, to, g.real), func() string {
		var list []formula.Curve
		var columns []int
		order, unchanged := make([]int, len(from)), []int{}
		for c, knots := range from {
			if len(knots) > 0 {
				order[c] = len(list)
				list, columns = append(list, formula.Curve{At: knots, Values: to[c]}), append(columns, c)
			} else {
				unchanged = append(unchanged, c)
			}
		}
		if len(list) == 0 {
			return x
		}
		y := g.curves(list, g.gather(x, columns...))
		if len(unchanged) == 0 {
			return y
		}
		for i, c := range unchanged {
			order[c] = len(list) + i
		}
		return g.gather(g.concat(y, g.gather(x, unchanged...)), order...)
	})
}
