package report

import (
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Line is a line of a chart, or a labelled point if it has one point. Lines with the same label
// share a style and a legend entry. Lines with an empty label are not in the legend. Lines of the
// same family, by default the label, share a colour and differ by dashes.
type Line struct {
	Label, Family string
	Points        plotter.XYs
	// Spread, if not nil, is half the height of a band around each point, such as the standard
	// deviation over runs.
	Spread []float64
}

// Add appends the mean of a sample at x, with its standard deviation.
func (l *Line) Add(x float64, s Sample) {
	l.Points = append(l.Points, plotter.XY{X: x, Y: s.Mean()})
	l.Spread = append(l.Spread, s.Std())
}

// Chart is a figure of lines.
type Chart struct {
	Title, X, Y string
	LogX, LogY  bool // logarithmic axes
	// Names, if not nil, label the positions 0, 1, … on the x axis. Points are then not joined,
	// and their spread is an error bar.
	Names []string
	Lines []Line
}

// colours is the palette of Okabe and Ito without yellow. It is also distinguishable with colour
// vision deficiency.
var colours = []color.RGBA{
	{R: 0, G: 114, B: 178, A: 255}, {R: 213, G: 94, B: 0, A: 255}, {R: 0, G: 158, B: 115, A: 255},
	{R: 230, G: 159, B: 0, A: 255}, {R: 204, G: 121, B: 167, A: 255}, {R: 86, G: 180, B: 233, A: 255}, {A: 255},
}

var dashes = [][]vg.Length{nil, {vg.Points(6), vg.Points(3)}, {vg.Points(2), vg.Points(2)}, {vg.Points(8), vg.Points(3), vg.Points(2), vg.Points(3)}}

var glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}}

// markedPoints is the maximum number of points on a line with markers.
const markedPoints = 12

// style is the style of the lines with one label.
type style struct {
	colour   color.RGBA
	dashes   []vg.Length
	glyph    draw.GlyphDrawer
	position int // index of the label
}

// styles returns the style of each label.
func (c Chart) styles() map[string]style {
	out := make(map[string]style)
	families, members := make(map[string]int), make(map[string]int)
	for _, l := range c.Lines {
		if _, known := out[l.Label]; known {
			continue
		}
		name := l.Family
		if name == "" {
			name = l.Label
		}
		f, known := families[name]
		if !known {
			f = len(families)
			families[name] = f
		}
		again := f / len(colours) // with colours used up, dashes and glyphs differ
		out[l.Label] = style{colours[f%len(colours)], dashes[(members[name]+again)%len(dashes)], glyphs[(f+again)%len(glyphs)], len(out)}
		members[name]++
	}
	return out
}

// Save writes the chart as a PNG file, with the legend on the right.
func (c Chart) Save(path string) error {
	p, err := c.plot()
	if err != nil {
		return err
	}
	return save(p, path)
}

func (c Chart) plot() (*plot.Plot, error) {
	p := newPlot(c.Title, c.X, c.Y)
	if c.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	if c.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	if c.Names != nil {
		p.NominalX(c.Names...)
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{Y: 225}, color.Gray{Y: 225}
	p.Add(grid)
	styles, known := c.styles(), make(map[string]bool)
	points := &named{style: p.X.Tick.Label}
	points.style.XAlign, points.style.YAlign = text.XLeft, text.YBottom
	for _, l := range c.Lines {
		if len(l.Points) == 1 && c.Names == nil {
			points.add(l.Points[0], l.Label, styles[l.Label].mark(4))
			continue
		}
		entry, err := c.add(p, l, styles[l.Label], len(styles))
		if err != nil {
			return nil, err
		}
		if l.Label != "" && !known[l.Label] {
			known[l.Label] = true
			p.Legend.Add(l.Label, entry...)
		}
	}
	if len(points.XYs) > 0 {
		p.Add(points)
	}
	return p, nil
}

// mark returns the glyph of a style.
func (s style) mark(radius float64) draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.colour, Radius: vg.Points(radius), Shape: s.glyph}
}

// add draws a line and returns its legend entry.
func (c Chart) add(p *plot.Plot, l Line, s style, styles int) ([]plot.Thumbnailer, error) {
	if c.Names != nil {
		return c.addMarks(p, l, s, styles)
	}
	if l.Spread != nil {
		if err := addBand(p, l, s.colour); err != nil {
			return nil, err
		}
	}
	line, dots, err := plotter.NewLinePoints(l.Points)
	if err != nil {
		return nil, err
	}
	line.Color, line.Width, line.Dashes = s.colour, vg.Points(1.5), s.dashes
	dots.GlyphStyle = s.mark(2.5)
	p.Add(line)
	if len(l.Points) > markedPoints {
		return []plot.Thumbnailer{line}, nil
	}
	p.Add(dots)
	return []plot.Thumbnailer{line, dots}, nil
}

// addMarks draws points without a line. Points of different labels are side by side.
func (c Chart) addMarks(p *plot.Plot, l Line, s style, styles int) ([]plot.Thumbnailer, error) {
	points := make(plotter.XYs, len(l.Points))
	for i, q := range l.Points {
		points[i] = plotter.XY{X: q.X + 0.7*(float64(s.position)+0.5)/float64(styles) - 0.35, Y: q.Y}
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = s.mark(2.5)
	if l.Spread != nil {
		bars, err := plotter.NewYErrorBars(marked{points, l.Spread})
		if err != nil {
			return nil, err
		}
		bars.Color, bars.CapWidth = s.colour, 0
		p.Add(bars)
	}
	p.Add(dots)
	return []plot.Thumbnailer{dots}, nil
}

// marked are points with error bars.
type marked struct {
	plotter.XYs
	spread []float64
}

// YError returns the lower and upper error of a point.
func (m marked) YError(i int) (low, high float64) { return m.spread[i], m.spread[i] }

// addBand fills the band around a line.
func addBand(p *plot.Plot, l Line, of color.RGBA) error {
	n := len(l.Points)
	edge := make(plotter.XYs, 2*n)
	for i, q := range l.Points {
		edge[i] = plotter.XY{X: q.X, Y: q.Y - l.Spread[i]}
		edge[2*n-1-i] = plotter.XY{X: q.X, Y: q.Y + l.Spread[i]}
	}
	band, err := plotter.NewPolygon(edge)
	if err != nil {
		return err
	}
	band.Color, band.LineStyle.Width = color.NRGBA{R: of.R, G: of.G, B: of.B, A: 50}, 0
	p.Add(band)
	return nil
}

// Size of a figure without the legend. The legend adds to the width.
const (
	figureWidth  = 17 * vg.Centimeter
	figureHeight = 12 * vg.Centimeter
	margin       = 4 * vg.Millimeter
)

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(6)
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks{}, roundTicks{}
	p.Legend.ThumbnailWidth = vg.Points(30)
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, vg.Points(3)
	return p
}

// save writes a plot as a PNG file, with the legend on the right.
func save(p *plot.Plot, path string) error {
	legend := p.Legend
	p.Legend = plot.NewLegend()
	aside := vg.Length(0)
	if size := legend.Rectangle(draw.New(vgimg.New(1, 1))).Size(); size.X > 0 {
		aside = size.X + margin
	}
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(figureWidth+aside, figureHeight)}
	all := draw.Crop(draw.New(canvas), margin, -margin, margin, -margin)
	p.Draw(draw.Crop(all, 0, -aside, 0, 0))
	legend.Draw(draw.Crop(all, all.Max.X-all.Min.X-aside+margin, 0, 0, -p.Title.TextStyle.Height(p.Title.Text)))
	return write(canvas, path)
}

func write(canvas vgimg.PngCanvas, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
