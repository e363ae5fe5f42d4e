package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// named are single points with labels. A label is placed next to its point, without overlap if
// possible.
type named struct {
	plotter.XYs
	names  []string
	glyphs []draw.GlyphStyle
	style  text.Style
}

// add appends a point.
func (n *named) add(q plotter.XY, name string, glyph draw.GlyphStyle) {
	n.XYs, n.names, n.glyphs = append(n.XYs, q), append(n.names, name), append(n.glyphs, glyph)
}

// DataRange returns the range of the points.
func (n *named) DataRange() (minX, maxX, minY, maxY float64) { return plotter.XYRange(n.XYs) }

// Plot draws the points and the labels.
func (n *named) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at, taken := make([]vg.Point, len(n.XYs)), make([]vg.Rectangle, 0, 2*len(n.XYs))
	for i, q := range n.XYs {
		at[i] = vg.Point{X: x(q.X), Y: y(q.Y)}
		r := n.glyphs[i].Radius
		taken = append(taken, vg.Rectangle{Min: at[i].Sub(vg.Point{X: r, Y: r}), Max: at[i].Add(vg.Point{X: r, Y: r})})
		c.DrawGlyph(n.glyphs[i], at[i])
	}
	for i, q := range at {
		place := n.place(c.Rectangle, q, n.names[i], taken)
		taken = append(taken, place)
		c.FillText(n.style, place.Min, n.names[i])
	}
}

// place returns the first position next to a point that is inside the picture and overlaps no
// occupied rectangle. If there is no such position, it returns the first one.
func (n *named) place(within vg.Rectangle, at vg.Point, name string, taken []vg.Rectangle) vg.Rectangle {
	const away = vg.Length(5)
	w, h := n.style.Width(name), n.style.Height(name)
	right, left := away, -away-w
	var first vg.Rectangle
	for k, from := range []vg.Point{{X: right, Y: -h / 2}, {X: left, Y: -h / 2}, {X: -w / 2, Y: away}, {X: -w / 2, Y: -away - h},
		{X: right, Y: away / 2}, {X: right, Y: -away/2 - h}, {X: left, Y: away / 2}, {X: left, Y: -away/2 - h}} {
		r := vg.Rectangle{Min: at.Add(from)}
		r.Max = r.Min.Add(vg.Point{X: w, Y: h})
		if k == 0 {
			first = r
		}
		if r.Min.X >= within.Min.X && r.Max.X <= within.Max.X && !covers(r, taken) {
			return r
		}
	}
	return first
}

// covers reports whether r overlaps any rectangle of a list.
func covers(r vg.Rectangle, list []vg.Rectangle) bool {
	for _, o := range list {
		if r.Min.X < o.Max.X && o.Min.X < r.Max.X && r.Min.Y < o.Max.Y && o.Min.Y < r.Max.Y {
			return true
		}
	}
	return false
}
