package calibrate

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

const (
	// tableStep is the largest difference in logits between neighbouring points of a curve. Linear
	// interpolation is then wrong by at most tableStep²/8·max|σ″| = .00075.
	tableStep = .25
	// tableEnd is the largest logit with points inside a segment.
	tableEnd = 9
)

// curve is a nondecreasing probability of a score. It is the sigmoid 1/(1 + exp(−a·s − b)) or, if s is not
// nil, the linear interpolation of the points (s, p).
type curve struct {
	a, b float64
	s, p []float64
}

// at returns the probability of a score.
func (c curve) at(s float64) float64 {
	if c.s == nil {
		return logistic(float64(c.a*s) + c.b)
	}
	return interpolate(c.s, c.p, s)
}

// interpolate returns the value at v of the function through the points (x, y), which is linear
// between them and constant outside. x ascends.
func interpolate(x, y []float64, v float64) float64 {
	i, found := slices.BinarySearch(x, v)
	switch {
	case found:
		return y[i]
	case i == 0:
		return y[0]
	case i == len(x):
		return y[i-1]
	}
	share := (v - x[i-1]) / (x[i] - x[i-1])
	return y[i-1] + float64(share*(y[i]-y[i-1]))
}

// tabulated returns points of a sigmoid, or one point of a constant.
func (c curve) tabulated() (t curve) {
	if c.s != nil {
		return c
	}
	if c.a == 0 {
		t.add(0, c.at(0))
		return t
	}
	t.add((-tableEnd-c.b)/c.a, logistic(-tableEnd))
	t.segment(-tableEnd-c.b, tableEnd-c.b, -tableEnd, tableEnd, c.a)
	t.add((tableEnd-c.b)/c.a, logistic(tableEnd))
	return t
}

// segment adds points inside the line of logits from (from, low) to (to, high). The scores from and
// to are in units of 1/slope.
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

// add appends a point unless its score is not above the last one.
func (c *curve) add(s, p float64) {
	if n := len(c.s); n > 0 {
		if s <= c.s[n-1] {
			return
		}
		p = max(p, c.p[n-1])
	}
	c.s, c.p = append(c.s, s), append(c.p, p)
}

// labelled is a list of scores and binary events.
type labelled struct {
	s       []float64
	hit     []bool
	weights compute.Weights
}

// with returns the rows of both.
func (l labelled) with(m labelled) labelled {
	return labelled{append(l.s, m.s...), append(l.hit, m.hit...), append(l.weights, m.weights...)}
}

// total returns the total weights of hits and of misses.
func (l labelled) total() (hits, misses float64) {
	for i, h := range l.hit {
		if h {
			hits += l.weights.At(i)
		} else {
			misses += l.weights.At(i)
		}
	}
	return hits, misses
}

// targets returns smoothed targets, (h + 1)/(h + 2) for h hits and 1/(m + 2) for m misses. Source:
// Platt, "Probabilistic outputs for support vector machines", 1999.
func (l labelled) targets() (high, low float64) {
	hits, misses := l.total()
	return (hits + 1) / (hits + 2), 1 / (misses + 2)
}

// sigmoid fits a ≥ 0 and b by maximum likelihood of Platt's targets, on standardised scores. Source: Lin,
// Lin and Weng, "A note on Platt's probabilistic outputs for support vector machines", 2007.
func (l labelled) sigmoid() curve {
	hits, misses := l.total()
	high, low := l.targets()
	mean, deviation := l.moments()
	f := sigmoidLoss{l, high, low, mean, deviation}
	theta := []float64{0, math.Log((hits + 1) / (misses + 1))}
	descend(theta, 0, func(v []float64) float64 { return f.at(curve{a: v[0], b: v[1]}) },
		func() ([]float64, float64) { return f.newton(curve{a: theta[0], b: theta[1]}) })
	c := curve{a: theta[0] / deviation, b: theta[1]}
	c.b -= float64(c.a * mean)
	return c
}

// moments returns the mean of the scores and their standard deviation, or 1 if they are equal.
func (l labelled) moments() (mean, deviation float64) {
	total, square := l.weights.Total(len(l.s)), 0.0
	for i, s := range l.s {
		mean += float64(l.weights.At(i)*s) / total
	}
	for i, s := range l.s {
		square += float64(l.weights.At(i)*float64((s-mean)*(s-mean))) / total
	}
	if deviation = math.Sqrt(square); !(deviation > 0) {
		deviation = 1
	}
	return mean, deviation
}

// sigmoidLoss is the negative log likelihood of a sigmoid of (s − mean)/deviation.
type sigmoidLoss struct {
	labelled
	high, low, mean, deviation float64
}

func (f sigmoidLoss) target(i int) float64 {
	if f.hit[i] {
		return f.high
	}
	return f.low
}

func (f sigmoidLoss) at(c curve) float64 {
	sum := 0.0
	for i, s := range f.s {
		v := float64(c.a*(s-f.mean)/f.deviation) + c.b
		sum += float64(f.weights.At(i) * crossEntropy(v, f.target(i)))
	}
	return sum
}

// newton returns the step of a and b and the predicted decrease, which is 0 at the minimum for a ≥ 0.
func (f sigmoidLoss) newton(c curve) (step []float64, gain float64) {
	const ridge = 1e-10
	var ga, gb, haa, hab, hbb float64
	for i, s := range f.s {
		u := (s - f.mean) / f.deviation
		p := logistic(float64(c.a*u) + c.b)
		g, h := f.weights.At(i)*(p-f.target(i)), f.weights.At(i)*p*(1-p)
		ga, gb = ga+float64(g*u), gb+g
		haa, hab, hbb = haa+float64(h*u*u), hab+float64(h*u), hbb+h
	}
	haa, hbb = haa+ridge, hbb+ridge
	if c.a == 0 && ga >= 0 {
		ga, hab = 0, 0
	}
	det := float64(haa*hbb) - float64(hab*hab)
	a := -(float64(hbb*ga) - float64(hab*gb)) / det
	b := -(float64(haa*gb) - float64(hab*ga)) / det
	return []float64{a, b}, -float64(ga*a) - float64(gb*b)
}

// pool is a group of neighbouring rows in isotonic regression.
type pool struct{ weight, hits, scores, highest float64 }

// isotonic fits the nondecreasing function of least squared error by pooling adjacent violators. A pool
// of weight w is at its mean score, with a probability in [1/(w + 2), (w + 1)/(w + 2)].
func (l labelled) isotonic() curve {
	if len(l.s) == 0 {
		return l.sigmoid()
	}
	var c curve
	least := 0.0
	for _, v := range l.pools() {
		at := v.scores / v.weight
		if len(c.s) > 0 && at <= c.s[len(c.s)-1] {
			continue // rounding
		}
		least = max(least, min(max(v.hits/v.weight, 1/(v.weight+2)), (v.weight+1)/(v.weight+2)))
		c.s, c.p = append(c.s, at), append(c.p, least)
	}
	return c
}

func (l labelled) pools() (pools []pool) {
	for _, i := range ascending(l.s) {
		w := l.weights.At(i)
		next := pool{weight: w, scores: float64(w * l.s[i]), highest: l.s[i]}
		if l.hit[i] {
			next.hits = w
		}
		for len(pools) > 0 {
			last := pools[len(pools)-1]
			if last.highest < l.s[i] && last.hits*next.weight < next.hits*last.weight {
				break
			}
			next = pool{next.weight + last.weight, next.hits + last.hits, next.scores + last.scores, next.highest}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, next)
	}
	return pools
}
