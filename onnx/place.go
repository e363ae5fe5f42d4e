package onnx

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/tree"
)

// place is where a kernel sees rows and points: after the linear maps of metrics. It has both
// as they are, and less the centre of the points, from which distances keep their digits.
type place struct {
	g      *graph
	from   *place // nil of the rows of the model
	name   string // of the rows of the model
	mapped func(x string) string

	raw     compute.Matrix // the points
	centred compute.Matrix // the points less the centre
	centre  []float64

	made map[string]string // tensors by what they are
}

// newPlace is that of the rows x of the model and of its points. The centre is one that the
// graph has exactly; points are rounded after all maps alone: what a row is off by moves f by
// its slope, and what single points are off by moves it by as much for each of their weights.
func newPlace(g *graph, x string, points compute.Matrix) *place {
	p := &place{g: g, name: x, raw: points, centre: medians(points), made: map[string]string{}}
	p.centred = compute.Clone(points)
	for j, v := range p.centre {
		p.centre[j] = g.round(v)
	}
	for i := range points.Rows {
		floats.Sub(compute.Row(p.centred, i), p.centre)
	}
	return p
}

// medians returns those of the columns, which a few points far from all others do not move.
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

// once returns the tensor of a name at this place, which is made when it is needed first.
func (p *place) once(what string, make func() string) string {
	if name, ok := p.made[what]; ok {
		return name
	}
	name := make()
	p.made[what] = name
	return name
}

// rows returns the rows of x at this place.
func (p *place) rows(centred bool) string {
	what := "rows"
	if centred {
		what = "centred rows"
	}
	return p.once(what, func() string {
		switch {
		case p.from != nil:
			return p.mapped(p.from.rows(centred))
		case centred:
			return p.g.op("Sub", p.name, p.g.numbers(p.centre, 1, len(p.centre)))
		}
		return p.name
	})
}

// next is the place after a map, of rows by operators and of points by embed.
func (p *place) next(mapped func(x string) string, embed func(x compute.Matrix) compute.Matrix) *place {
	return &place{g: p.g, from: p, mapped: mapped, raw: embed(p.raw), centred: embed(p.centred),
		centre: embed(compute.RowOf(p.centre)).Data, made: map[string]string{}}
}

// divided is the place after the division of the columns.
func (p *place) divided(scales []float64) *place {
	return p.next(func(x string) string { return p.g.op("Div", x, p.g.numbers(scales, 1, len(scales))) }, func(x compute.Matrix) compute.Matrix {
		y := compute.Clone(x)
		for i := range y.Rows {
			floats.Div(compute.Row(y, i), scales)
		}
		return y
	})
}

// projected is the place after the product with a matrix.
func (p *place) projected(l *mat.Dense) *place {
	by := l.RawMatrix()
	return p.next(func(x string) string { return p.g.op("MatMul", x, p.g.transposed(by)) }, func(x compute.Matrix) compute.Matrix {
		y := compute.NewMatrix(x.Rows, by.Rows)
		compute.MulNT(y, x, by, 0)
		return y
	})
}

// roots is the place after the square root, which has a centre of its own.
func (p *place) roots() *place {
	y := compute.Clone(p.raw)
	for i, v := range y.Data {
		y.Data[i] = math.Sqrt(v)
	}
	return newPlace(p.g, p.g.op("Sqrt", p.rows(false)), y)
}

// narrower reports whether the points lie closer together than the length of a kernel: by a good
// deal of Matern, of which k − 1 is a difference itself.
func (p *place) narrower(n tree.Node) bool {
	squared, absolute := 0.0, 0.0 // distances from the centre
	for _, v := range p.centred.Data {
		squared += v * v
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
func (p *place) inner() string {
	return p.once("inner products", func() string { return p.g.op("MatMul", p.rows(false), p.g.transposed(p.raw)) })
}

// farthest is how many lengths of a kernel points may be from the centre for squared distances by products,
// which are off by some 2⁻⁵² of the square of that.
const farthest = 1000

// far reports whether a point is farther from the centre than that.
func (p *place) far(length float64) bool {
	for i := range p.centred.Rows {
		if floats.Norm(compute.Row(p.centred, i), 2) > farthest*length {
			return true
		}
	}
	return false
}

// squared returns ‖x − p_j‖², rows×m, by products or as exactly as it can be.
func (p *place) squared(exact bool) string {
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

// differencesARow bounds the differences of a row with the points that are held at a time.
const differencesARow = 1 << 15

// differences returns Σ_i of(x_i − p_ji), rows×m, from some columns at a time.
func (p *place) differences(what string, of func(d string) string) string {
	return p.once(what+" differences", func() string {
		m, d := p.centred.Rows, p.centred.Cols
		some := min(max(1, differencesARow/m), d)
		sum := ""
		for from := 0; from < d; from += some {
			sum = p.g.add(sum, p.columns(from, min(from+some, d), of))
		}
		return sum
	})
}

// columns returns the part of differences of some columns.
func (p *place) columns(from, to int, of func(d string) string) string {
	g := p.g
	x, points := p.rows(true), compute.Columns(p.centred, from, to)
	if from > 0 || to < p.centred.Cols {
		x = g.op("Slice", x, g.ints(from), g.ints(to), g.ints(1))
	}
	if to-from == 1 { // rows×1 less 1×m
		return of(g.op("Sub", x, g.transposed(points)))
	}
	x = g.op("Unsqueeze", x, g.ints(1))
	difference := g.op("Sub", x, g.numbers(compute.Contiguous(points), 1, points.Rows, points.Cols))
	return g.with("ReduceSum", []attribute{{name: "keepdims"}}, of(difference), g.ints(2))
}
