package onnx

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/tree"
)

// space holds the rows and points of a kernel after the maps of its metrics. Distances use both
// relative to the centre of the points, which is more accurate.
type space struct {
	g      *graph
	from   *space // nil for the inputs
	name   string // of the rows, for the inputs
	mapped func(x string) string

	raw     compute.Matrix // the points
	centred compute.Matrix // the points minus the centre
	centre  []float64

	known map[string]string // tensors by key
}

// newSpace returns the space of the rows x and the points of a model. The graph represents the
// centre exactly, and rounds points only after all maps: rounded points cause an error proportional
// to the sum of their weights, rounded rows only to the slope of f.
func newSpace(g *graph, x string, points compute.Matrix) *space {
	p := &space{g: g, name: x, raw: points, centre: medians(points), known: map[string]string{}}
	p.centred = compute.Clone(points)
	for j, v := range p.centre {
		p.centre[j] = g.round(v)
	}
	for i := range points.Rows {
		floats.Sub(compute.Row(p.centred, i), p.centre)
	}
	return p
}

// medians returns the medians of the columns, which are robust to outliers.
func medians(x compute.Matrix) []float64 {
	m, column := make([]float64, x.Cols), make([]float64, x.Rows)
	for j := range m {
		for i := range column {
			column[i] = compute.Row(x, i)[j]
		}
		slices.Sort(column)
		m[j] = column[len(column)/2]
	}
	return m
}

// once builds a tensor at the first use of a key.
func (p *space) once(key string, build func() string) string { return once(p.known, key, build) }

// rows returns the rows of x in this space.
func (p *space) rows(centred bool) string {
	return p.once(fmt.Sprint("rows centred ", centred), func() string {
		switch {
		case p.from != nil:
			return p.mapped(p.from.rows(centred))
		case centred:
			return p.g.op("Sub", p.name, p.g.numbers(p.centre, 1, len(p.centre)))
		}
		return p.name
	})
}

// next returns the space after a map, given for rows by operators and for points by embed.
func (p *space) next(mapped func(x string) string, embed func(x compute.Matrix) compute.Matrix) *space {
	return &space{g: p.g, from: p, mapped: mapped, raw: embed(p.raw), centred: embed(p.centred),
		centre: embed(compute.RowOf(p.centre)).Data, known: map[string]string{}}
}

// divided returns the space after the division of the columns.
func (p *space) divided(scales []float64) *space {
	return p.next(func(x string) string { return p.g.op("Div", x, p.g.numbers(scales, 1, len(scales))) }, func(x compute.Matrix) compute.Matrix {
		y := compute.Clone(x)
		for i := range y.Rows {
			floats.Div(compute.Row(y, i), scales)
		}
		return y
	})
}

// projected returns the space after the product with a matrix.
func (p *space) projected(l *mat.Dense) *space {
	by := l.RawMatrix()
	return p.next(func(x string) string { return p.g.op("MatMul", x, p.g.transposed(by)) }, func(x compute.Matrix) compute.Matrix {
		y := compute.NewMatrix(x.Rows, by.Rows)
		compute.MulNT(y, x, by, 0)
		return y
	})
}

// roots returns the space after the square root, with its own centre.
func (p *space) roots() *space {
	y := compute.Clone(p.raw)
	for i, v := range y.Data {
		y.Data[i] = math.Sqrt(v)
	}
	return newSpace(p.g, p.g.op("Sqrt", p.rows(false)), y)
}

// narrower reports whether the distances of the points are below the length scale of a kernel. For
// Matern, where k − 1 is itself a difference, they must be much smaller.
func (p *space) narrower(n tree.Node) bool {
	squared, absolute := 0.0, 0.0 // distances from the centre
	for _, v := range p.centred.Data {
		squared += float64(v * v)
		absolute += math.Abs(v)
	}
	rows := float64(p.centred.Rows)
	distance := math.Sqrt(2 * squared / rows)
	switch n.Family {
	case "Laplacian":
		distance = math.Sqrt2 * absolute / rows
	case "Matern":
		distance *= 2 * math.Sqrt(2*n.Numbers["Nu"])
	}
	return distance < n.Numbers["Sigma"]+n.Numbers["Length"] // one of them
}

// inner returns <x, p_j>, rows×m.
func (p *space) inner() string {
	return p.once("inner products", func() string { return p.g.op("MatMul", p.rows(false), p.g.transposed(p.raw)) })
}

// farthest is the largest distance from the centre, in length scales, for squared distances by
// products. Their relative error is about 2⁻⁵² of its square.
const farthest = 1000

// far reports whether a point is farther from the centre.
func (p *space) far(length float64) bool {
	for i := range p.centred.Rows {
		if floats.Norm(compute.Row(p.centred, i), 2) > farthest*length {
			return true
		}
	}
	return false
}

// squared returns ‖x − p_j‖², rows×m, by products or by exact differences.
func (p *space) squared(exact bool) string {
	if exact {
		return p.differences("squared", func(d string) string { return p.g.op("Mul", d, d) })
	}
	return p.once("squared by products", func() string {
		g, x := p.g, p.rows(true)
		own := compute.NewMatrix(1, p.centred.Rows)
		twice := compute.Clone(p.centred)
		for i := range twice.Rows {
			row := compute.Row(twice, i)
			own.Data[i] = floats.Dot(row, row)
			floats.Scale(-2, row)
		}
		both := g.op("Add", g.op("MatMul", x, g.transposed(twice)), g.matrix(own))
		squares := g.with("ReduceSumSquare", []attribute{{name: "axes", ints: []int64{1}}, {name: "keepdims", number: 1}}, x)
		return g.op("Max", g.op("Add", both, squares), g.scalar(0))
	})
}

// maxDifferences limits the differences in memory per row.
const maxDifferences = 1 << 15

// differences returns Σ_i of(x_i − p_ji), rows×m, in blocks of columns.
func (p *space) differences(key string, of func(d string) string) string {
	return p.once(key+" differences", func() string {
		m, d := p.centred.Rows, p.centred.Cols
		some := min(max(1, maxDifferences/m), d)
		sum := ""
		for from := 0; from < d; from += some {
			sum = p.g.add(sum, p.columns(from, min(from+some, d), of))
		}
		return sum
	})
}

// columns returns the sum of differences over a block of columns.
func (p *space) columns(from, to int, of func(d string) string) string {
	g := p.g
	x, points := p.rows(true), compute.Columns(p.centred, from, to)
	if from > 0 || to < p.centred.Cols {
		x = g.op("Slice", x, g.ints(from), g.ints(to), g.ints(1))
	}
	if to-from == 1 { // rows×1 minus 1×m
		return of(g.op("Sub", x, g.transposed(points)))
	}
	x = g.op("Unsqueeze", x, g.ints(1))
	difference := g.op("Sub", x, g.numbers(compute.Contiguous(points), 1, points.Rows, points.Cols))
	return g.reduceSum(of(difference), 2, 0)
}
