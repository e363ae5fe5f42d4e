package onnx

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// encoded is the space after the encoding of kernel.OneHot, with its own centre.
func (p *space) encoded(levels [][]float64) *space {
	e := gram.Encoding(levels)
	y := compute.NewMatrix(p.raw.Rows, e.Width(p.raw.Cols))
	e.EmbedTo(y, p.raw, 0)
	return newSpace(p.g, p.g.encoded(p.rows(false), levels), y)
}

// sameLevel is the tolerance for levels in single precision, relative to the distance to the nearest
// other level.
const sameLevel = 1e-3

// encoded repeats each column of x for each of its levels and compares them.
func (g *graph) encoded(x string, levels [][]float64) string {
	return g.once(fmt.Sprint("encoded ", x, levels, g.real), func() string {
		var from []int
		var values, within, as []float64 // as is 1 for a coordinate without levels
		codes := false
		for c, list := range levels {
			if len(list) == 0 {
				from, values, within, as = append(from, c), append(values, 0), append(within, 0), append(as, 1)
			}
			for l, v := range list {
				from, values, within, as = append(from, c), append(values, v), append(within, sameLevel*gap(list, l)), append(as, 0)
				codes = true
			}
		}
		width := len(from)
		x = g.gather(x, from...)
		if !codes {
			return x
		}
		var is string
		if g.input == elemDouble {
			is = g.op("Equal", x, g.numbers(values, 1, width))
		} else {
			is = g.op("Less", g.op("Abs", g.op("Sub", x, g.numbers(values, 1, width))), g.numbers(within, 1, width))
		}
		return g.op("Where", g.op("Greater", g.numbers(as, 1, width), g.scalar(0)), x, g.cast(is, g.real))
	})
}

// gap returns the distance of a level from the nearest other level, or 1.
func gap(levels []float64, l int) float64 {
	nearest := math.Inf(1)
	if l > 0 {
		nearest = levels[l] - levels[l-1]
	}
	if l+1 < len(levels) {
		nearest = min(nearest, levels[l+1]-levels[l])
	}
	if math.IsInf(nearest, 1) {
		return 1
	}
	return nearest
}
