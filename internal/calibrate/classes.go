package calibrate

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// method is how scores become probabilities.
type method uint8

const (
	none    method = iota // but what a loss gives, if it does
	sigmoid               // of the score, of each class against the rest, or of each pair
	points                // likewise, of a curve through points
	scaled                // softmax of scores, scaled and shifted

	// Ways to fit, of which sigmoid or points come.
	spline
	isotonic
	pooled   // one spline for all pairs
	constant // the frequencies of the classes
)

func (m method) String() string {
	return [...]string{"loss", "sigmoid", "points", "softmax", "spline", "isotonic", "spline", "frequencies"}[m]
}

// Layout is what the columns of scores stand for.
type Layout uint8

const (
	// OfClasses is a single column that is positive for the second of two classes, or one
	// for each class.
	OfClasses Layout = iota
	// OfPairs is a column for each pair of classes, positive for the second, in the order
	// (0,1), (0,2), …, (1,2), ….
	OfPairs
	// ofSums is of the same columns, and has for each class the sum of what those of its pairs tell for it.
	ofSums
)

// Classes makes probabilities of scores. The zero value makes none.
type Classes struct {
	by     method
	layout Layout
	count  int
	curves []curve
	soft   softmax
	own    func(p, scores []float64) // of a loss, while they are compared
	report rkhs.Calibration
}

// FitClasses calibrates scores for so many classes, by the method of the least log loss in
// cross-validation on the sample. Others than the plainest, probabilities of the loss itself if
// own is not nil, must be better beyond a standard error, an isotonic curve, whose steps are those of the sample,
// beyond two; a spline need not be beyond a sigmoid, which it contains, but better. The frequencies of the classes
// serve if no method has a lower loss. Scores of pairs of three classes or more are also tried as their sums,
// one a class: of few classes that overlap the sums tell more than what pairs agree on,
// of many less. A sample without rows gives the zero
// value, which makes none and leaves it to the loss. O(n·(log n + K²)), of pairs O(n·K³).
func FitClasses(s Sample, count int, layout Layout, own func(p, scores []float64)) Classes {
	if s.Rows() == 0 {
		return Classes{}
	}
	c := Classes{layout: layout, count: count, own: own}
	var methods []method
	if own != nil {
		methods = append(methods, none)
	}
	if c.perClass(s.Scores.Cols) {
		methods = append(methods, scaled)
	}
	if layout == OfPairs && count > 2 {
		methods = append(methods, pooled)
	}
	best, losses := c.compare(s, append(methods, sigmoid, spline, isotonic))
	if layout == OfPairs && count > 2 && s.Rows() >= leastRows {
		of := Classes{count: count}
		t := sums(s, count)
		if m, l := of.compare(t, []method{scaled, sigmoid, spline}); s.better(l, losses, 1) {
			c.layout, s, best, losses = ofSums, t, m, l
		}
	}
	if l := c.frequencyLosses(s); s.Rows() >= leastRows && s.mean(l) < s.mean(losses) {
		best, losses = constant, l
	}
	c.fit(s, best)
	c.own = nil
	c.report = rkhs.Calibration{Method: c.name(best), Rows: s.Rows(), LogLoss: s.mean(losses)}
	return c
}

// name says by which method c was fitted, or to what that came down.
func (c *Classes) name(m method) string {
	if c.by != points && m != constant {
		m = c.by
	}
	if c.layout == ofSums {
		return m.String() + " of sums"
	}
	return m.String()
}

// perClass reports whether there is a column for each class.
func (c *Classes) perClass(columns int) bool {
	return c.layout == ofSums || c.layout == OfClasses && columns == c.count && c.count > 1
}

// compare returns the best method, and the losses of the rows with it.
func (c *Classes) compare(s Sample, methods []method) (best method, losses []float64) {
	if s.Rows() < leastRows {
		methods = methods[:1]
	}
	for _, m := range methods {
		l, errors := c.held(s, m), 1.0
		if m == isotonic {
			errors = 2
		}
		bent := m == spline && best == sigmoid && s.mean(l) < s.mean(losses)
		if losses == nil || bent || s.better(l, losses, errors) {
			best, losses = m, l
		}
	}
	return best, losses
}

// held returns the log loss of each row, of a method that was fitted to the other parts.
func (c *Classes) held(s Sample, m method) []float64 {
	losses := make([]float64, s.Rows())
	p := make([]float64, c.count)
	parts := s.parts()
	for _, rows := range parts {
		learn := rows
		if len(parts) > 1 {
			learn = Others(s.Rows(), rows)
		}
		part := *c
		part.fit(s.pick(learn), m)
		for _, i := range rows {
			part.To(p, compute.Row(s.Scores, i))
			losses[i] = -math.Log(max(p[s.Class[i]], formula.LeastProbability))
		}
	}
	return losses
}

// mean returns that of values of the rows.
func (s Sample) mean(v []float64) float64 {
	sum := 0.0
	for i, x := range v {
		sum += float64(s.Weights.At(i) * x)
	}
	return sum / s.Weights.Total(s.Rows())
}

// better reports whether losses are lower in mean than others by more than so many standard errors
// of their differences.
func (s Sample) better(losses, than []float64, errors float64) bool {
	d := make([]float64, len(losses))
	for i, v := range losses {
		d[i] = than[i] - v
	}
	mean, square := s.mean(d), 0.0
	for i, v := range d {
		e := float64(s.Weights.At(i) * (v - mean))
		square += float64(e * e)
	}
	return mean > errors*math.Sqrt(square)/s.Weights.Total(s.Rows())
}

// fit calibrates by a method.
func (c *Classes) fit(s Sample, m method) {
	c.by, c.curves = m, nil
	switch m {
	case none:
		return
	case scaled:
		c.soft = fitSoftmax(s)
		return
	case constant:
		c.fitFrequencies(s)
		return
	case pooled:
		var all labelled
		for j := range s.Scores.Cols {
			all = all.with(c.column(s, j))
		}
		c.curves = slices.Repeat([]curve{all.spline()}, s.Scores.Cols)
	case sigmoid:
		for j := range s.Scores.Cols {
			c.curves = append(c.curves, c.column(s, j).sigmoid())
		}
	case spline:
		for j := range s.Scores.Cols {
			c.curves = append(c.curves, c.column(s, j).spline())
		}
	case isotonic:
		for j := range s.Scores.Cols {
			c.curves = append(c.curves, c.column(s, j).isotonic())
		}
	}
	c.settle()
}

// settle makes curves all of a kind: sigmoids if all are, else points.
func (c *Classes) settle() {
	c.by = sigmoid
	if slices.ContainsFunc(c.curves, func(f curve) bool { return f.s != nil }) {
		c.by = points
		for i, f := range c.curves {
			c.curves[i] = f.tabulated()
		}
	}
}

// column returns the scores of a column and what they are to tell: the second of two
// classes, the class of the column, or the second of a pair among the rows of both.
func (c *Classes) column(s Sample, j int) labelled {
	first, second := -1, j
	switch {
	case c.layout == OfPairs:
		first, second = pairAt(c.count, j)
	case !c.perClass(s.Scores.Cols):
		second = 1
	}
	l := labelled{s: make([]float64, 0, s.Rows()), hit: make([]bool, 0, s.Rows())}
	for i, k := range s.Class {
		if first >= 0 && k != first && k != second {
			continue
		}
		l.s = append(l.s, compute.Row(s.Scores, i)[j])
		l.hit = append(l.hit, k == second)
		if s.Weights != nil {
			l.weights = append(l.weights, s.Weights[i])
		}
	}
	return l
}

// pairAt returns the classes of the j-th pair.
func pairAt(count, j int) (first, second int) {
	for first = 0; j >= count-1-first; first++ {
		j -= count - 1 - first
	}
	return first, first + 1 + j
}

// pairIndex is the place of a pair of classes, first < second.
func pairIndex(count, first, second int) int {
	return first*(2*count-first-1)/2 + second - first - 1
}

// Fitted reports whether there are probabilities.
func (c *Classes) Fitted() bool { return c.by != none }

// Report says how probabilities were found.
func (c *Classes) Report() rkhs.Calibration { return c.report.Clone() }

// To sets p, of as many numbers as there are classes, to the probabilities of the scores of a row.
func (c *Classes) To(p, scores []float64) {
	if c.layout == ofSums {
		sum(p, scores)
		scores = p
	}
	switch {
	case c.by == none:
		c.own(p, scores)
	case c.by == scaled:
		c.soft.to(p, scores)
	case c.layout == OfPairs && c.count > 2:
		couple(p, func(i, j int) float64 {
			if i > j {
				return c.curves[pairIndex(c.count, j, i)].at(scores[pairIndex(c.count, j, i)])
			}
			return 1 - c.curves[pairIndex(c.count, i, j)].at(scores[pairIndex(c.count, i, j)])
		})
	case len(c.curves) == 1:
		p[1] = c.curves[0].at(scores[0])
		p[0] = 1 - p[1]
	default:
		c.normalised(p, scores)
	}
}

// normalised divides the probabilities of classes, each against the rest, by their sum.
func (c *Classes) normalised(p, scores []float64) {
	sum := 0.0
	for k := range p {
		p[k] = c.curves[k].at(scores[k])
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
}

// Encode writes c.
func (c *Classes) Encode(e *codec.Encoder) {
	e.Int(int(c.by))
	encodeReport(e, c.report)
	if c.by == none {
		return
	}
	e.Int(int(c.layout))
	e.Int(c.count)
	if c.by == scaled {
		e.Float64(c.soft.slope)
		e.Float64s(c.soft.shift)
		return
	}
	e.Int(len(c.curves))
	for _, f := range c.curves {
		f.encode(e)
	}
}

// DecodeClasses reads what Encode wrote.
func DecodeClasses(d *codec.Decoder) (c Classes) {
	c.by, c.report = codec.Enum(d, scaled), decodeReport(d)
	if d.Err() != nil || c.by == none {
		return c
	}
	c.layout, c.count = codec.Enum(d, ofSums), d.Int()
	if c.by == scaled {
		c.soft = softmax{slope: d.Finite(), shift: d.Float64s()}
		if d.Err() == nil && (!compute.AllFinite(compute.ColumnOf(c.soft.shift)) || c.soft.slope < 0) {
			d.Fail("a calibration that is none")
		}
		return c
	}
	for range d.Count(1) {
		if c.curves = append(c.curves, decodeCurve(d)); d.Err() != nil {
			break
		}
	}
	return c
}

// Check fails unless c is that of so many classes with so many scores, or none.
func (c *Classes) Check(d *codec.Decoder, classes, columns int) {
	if d.Err() != nil || c.by == none {
		return
	}
	have := len(c.curves)
	if c.by == scaled {
		have = len(c.soft.shift)
	}
	want := columns
	if c.layout == ofSums {
		want = classes
	}
	if c.count != classes || have != want || !c.fits(columns) {
		d.Fail("a calibration of %d scores for %d classes, want %d and %d", have, c.count, columns, classes)
	}
}

// fits reports whether so many scores are what the layout has for the classes.
func (c *Classes) fits(columns int) bool {
	if c.layout != OfClasses {
		return columns == c.count*(c.count-1)/2
	}
	return c.perClass(columns) || columns == 1 && c.count == 2 && c.by != scaled
}
