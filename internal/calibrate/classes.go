package calibrate

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// method converts scores to probabilities.
type method uint8

// Files contain the methods up to scaled. The other methods fit sigmoids, points or a softmax.
const (
	none     method = iota // the probabilities of a loss, if it has any
	sigmoid                // a sigmoid of each column
	points                 // a curve through points of each column
	scaled                 // softmax of scaled and shifted scores
	spline                 // a spline of each column
	isotonic               // isotonic regression of each column
	pooled                 // one spline of all columns
	constant               // the frequencies of the classes
)

func (m method) String() string {
	return [...]string{"loss", "sigmoid", "points", "softmax", "spline", "isotonic", "spline", "frequencies"}[m]
}

// Layout is the meaning of the columns of scores.
type Layout uint8

const (
	// OfClasses has one column for each class, or a single column that is positive for the second of
	// two classes.
	OfClasses Layout = iota
	// OfPairs has one column for each pair of classes, positive for the second class, in the order
	// (0,1), (0,2), …, (1,2), ….
	OfPairs
	// ofSums has the columns of OfPairs, which are summed for each class before calibration.
	ofSums
)

// Classes converts scores to probabilities. The zero value does not.
type Classes struct {
	by     method
	layout Layout
	count  int
	curves []curve
	soft   softmax
	own    func(p, scores []float64) // probabilities of the loss, during the comparison
	report rkhs.Calibration
}

// FitClasses calibrates scores of count classes by the method with the lowest log loss in
// cross-validation. The simplest method is the loss itself if own is not nil. Another method replaces
// it only if it is better by one standard error of the difference, and isotonic regression only if it
// is better by two. A spline replaces a sigmoid if it is better at all. Scores of pairs are also summed
// for each class. Class frequencies are used unless a method is better by one standard error. An empty
// sample gives the zero value. O(n·(log n + K²)), for pairs O(n·K³).
func FitClasses(s Sample, count int, layout Layout, own func(p, scores []float64)) Classes {
	if s.Rows() == 0 {
		return Classes{}
	}
	c := Classes{layout: layout, count: count, own: own}
	best, losses := constant, c.frequencyLosses(s)
	if !s.Unlike {
		s, best, losses = c.selected(s, losses)
	}
	c.fit(s, best)
	c.own = nil
	c.report = rkhs.Calibration{Method: c.name(best), Rows: s.Rows(), LogLoss: s.mean(losses)}
	return c
}

// selected returns the best method, its losses and its sample, given the losses of the frequencies.
func (c *Classes) selected(s Sample, frequencies []float64) (of Sample, best method, losses []float64) {
	pairs := c.layout == OfPairs && c.count > 2
	var methods []method
	if c.own != nil {
		methods = append(methods, none)
	}
	if c.perClass(s.Scores.Cols) {
		methods = append(methods, scaled)
	}
	if pairs {
		methods = append(methods, pooled)
	}
	best, losses = c.compare(s, append(methods, sigmoid, spline, isotonic))
	if s.Rows() < leastRows {
		return s, best, losses
	}
	if pairs {
		of := Classes{count: c.count}
		t := sums(s, c.count)
		if m, l := of.compare(t, []method{scaled, sigmoid, spline}); s.better(l, losses, 1) {
			c.layout, s, best, losses = ofSums, t, m, l
		}
	}
	if !s.better(losses, frequencies, 1) {
		return s, constant, frequencies
	}
	return s, best, losses
}

// name returns the name of the method m of c.
func (c *Classes) name(m method) string {
	if c.by != points && m != constant {
		m = c.by
	}
	if c.layout == ofSums {
		return m.String() + " of sums"
	}
	return m.String()
}

// perClass reports whether each class has a column.
func (c *Classes) perClass(columns int) bool {
	return c.layout == ofSums || c.layout == OfClasses && columns == c.count && c.count > 1
}

// compare returns the best method and its loss at each row.
func (c *Classes) compare(s Sample, methods []method) (best method, losses []float64) {
	if s.Rows() < leastRows {
		methods = methods[:1]
	}
	for _, m := range methods {
		l, errors := c.losses(s, m), 1.0
		if m == isotonic {
			errors = 2
		}
		refined := m == spline && best == sigmoid && s.mean(l) < s.mean(losses)
		if losses == nil || refined || s.better(l, losses, errors) {
			best, losses = m, l
		}
	}
	return best, losses
}

// losses returns the cross-validated log loss of a method at each row.
func (c *Classes) losses(s Sample, m method) []float64 {
	p := make([]float64, c.count)
	return s.crossValidate(func(train Sample) func(i int) float64 {
		part := *c
		part.fit(train, m)
		return func(i int) float64 {
			part.To(p, compute.Row(s.Scores, i))
			return -math.Log(max(p[s.Class[i]], formula.LeastProbability))
		}
	})
}

// frequencyLosses returns the cross-validated log loss of the class frequencies at each row.
func (c *Classes) frequencyLosses(s Sample) []float64 {
	return s.crossValidate(func(train Sample) func(i int) float64 {
		p := train.frequencies(c.count)
		return func(i int) float64 { return -math.Log(p[s.Class[i]]) }
	})
}

// frequencies returns (w_k + 1)/(Σ w + K) for the total weights w_k of K classes (Laplace's rule of
// succession).
func (s Sample) frequencies(classes int) []float64 {
	p := make([]float64, classes)
	total := float64(classes)
	for i, k := range s.Class {
		p[k] += s.Weights.At(i)
		total += s.Weights.At(i)
	}
	for k := range p {
		p[k] = (p[k] + 1) / total
	}
	return p
}

// fit calibrates by a method.
func (c *Classes) fit(s Sample, m method) {
	c.by, c.curves = m, nil
	switch m {
	case scaled:
		c.soft = fitSoftmax(s)
	case constant:
		c.fitFrequencies(s)
	case pooled:
		var all labelled
		for j := range s.Scores.Cols {
			all = all.with(c.column(s, j))
		}
		c.setCurves(slices.Repeat([]curve{all.spline()}, s.Scores.Cols))
	case sigmoid:
		c.fitColumns(s, labelled.sigmoid)
	case spline:
		c.fitColumns(s, labelled.spline)
	case isotonic:
		c.fitColumns(s, labelled.isotonic)
	}
}

func (c *Classes) fitColumns(s Sample, fit func(labelled) curve) {
	var curves []curve
	for j := range s.Scores.Cols {
		curves = append(curves, fit(c.column(s, j)))
	}
	c.setCurves(curves)
}

// setCurves converts all curves to points unless all are sigmoids.
func (c *Classes) setCurves(curves []curve) {
	c.by, c.curves = sigmoid, curves
	if slices.ContainsFunc(curves, func(f curve) bool { return f.s != nil }) {
		c.by = points
		for i, f := range curves {
			curves[i] = f.tabulated()
		}
	}
}

// fitFrequencies sets constant probabilities, equal to the class frequencies.
func (c *Classes) fitFrequencies(s Sample) {
	p := s.frequencies(c.count)
	switch {
	case c.layout == OfPairs && c.count > 2:
		c.by = sigmoid
		for i := range c.count {
			for j := i + 1; j < c.count; j++ {
				c.curves = append(c.curves, curve{b: math.Log(p[j] / p[i])})
			}
		}
	case c.perClass(s.Scores.Cols):
		c.by, c.soft = scaled, softmax{shift: make([]float64, c.count)}
		for k, v := range p {
			c.soft.shift[k] = math.Log(v)
		}
	default:
		c.by, c.curves = sigmoid, []curve{{b: math.Log(p[1] / p[0])}}
	}
}

// column returns the scores of a column. A hit is a row of the second of two classes, of the class of
// the column, or of the second class of a pair, among the rows of both.
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

// Fitted reports whether c gives probabilities.
func (c *Classes) Fitted() bool { return c.by != none }

// Report returns the method and its cross-validated log loss.
func (c *Classes) Report() rkhs.Calibration { return c.report.Clone() }

// To sets p, which has one element for each class, to the probabilities of the scores of a row.
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
				return c.pair(scores, j, i)
			}
			return 1 - c.pair(scores, i, j)
		})
	case len(c.curves) == 1:
		p[1] = c.curves[0].at(scores[0])
		p[0] = 1 - p[1]
	default:
		for k := range p {
			p[k] = c.curves[k].at(scores[k])
		}
		normalise(p)
	}
}

// pair returns the probability of the second class of a pair, first < second.
func (c *Classes) pair(scores []float64, first, second int) float64 {
	j := pairIndex(c.count, first, second)
	return c.curves[j].at(scores[j])
}

// normalise divides p by its sum.
func normalise(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for k := range p {
		p[k] /= sum
	}
}
