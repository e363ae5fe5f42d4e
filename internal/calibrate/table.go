package calibrate

import (
	"math"
	"slices"
)

const (
	// tableStep is the most that neighbours in a table differ by, as logits: what is linear between
	// them is off by at most tableStep²/8·max|σ″| = .00075.
	tableStep = .25
	// tableEnd is the logit beyond which a table has knots and ends alone.
	tableEnd = 9
)

// table returns a curve through points of the spline, from the lowest score to the highest, and
// constant beyond: no sample tells of what lies there.
func (f *splineLoss) table(theta []float64) (c curve) {
	ends := slices.Concat([]float64{f.low}, f.knots, []float64{f.high})
	row := make([]float64, len(theta))
	at := func(u float64) float64 {
		f.basis(row, u)
		return logit(row, theta)
	}
	for j, to := range ends {
		if j > 0 {
			c.segment(ends[j-1], to, at(ends[j-1]), at(to), f.plain.a)
		}
		c.add(to/f.plain.a, logistic(at(to)))
	}
	return c
}

// tabulated returns points of a sigmoid up to tableEnd, of a constant one point.
func (c curve) tabulated() (t curve) {
	if c.s != nil {
		return c
	}
	if c.a == 0 {
		t.add(0, c.at(0))
		return t
	}
	for _, v := range []float64{-tableEnd, tableEnd} {
		if v > 0 {
			t.segment(-tableEnd-c.b, tableEnd-c.b, -tableEnd, tableEnd, c.a)
		}
		t.add((v-c.b)/c.a, logistic(v))
	}
	return t
}

// segment adds points within a line from a logit low at from to high at to, which are in
// units of 1/slope.
func (c *curve) segment(from, to, low, high, slope float64) {
	first, last := max(low, -tableEnd), min(high, tableEnd)
	if !(first < last) {
		return
	}
	for k, parts := 0.0, math.Ceil((last-first)/tableStep); k <= parts; k++ {
		v := first + float64(k/parts*(last-first))
		c.add((from+float64((v-low)/(high-low)*(to-from)))/slope, logistic(v))
	}
}

// add appends a point unless it is no further than the last.
func (c *curve) add(s, p float64) {
	if n := len(c.s); n > 0 {
		if s <= c.s[n-1] {
			return
		}
		p = max(p, c.p[n-1])
	}
	c.s, c.p = append(c.s, s), append(c.p, p)
}
