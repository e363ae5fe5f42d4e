package calibrate

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// curve is a probability that does not fall with the score: a sigmoid 1/(1 + exp(−a·s − b)),
// or, where there are points, what is linear between them and constant beyond.
type curve struct {
	a, b float64
	s, p []float64
}

// at returns the probability of a score.
func (c curve) at(s float64) float64 {
	if c.s == nil {
		return logistic(float64(c.a*s) + c.b)
	}
	i, found := slices.BinarySearch(c.s, s)
	switch {
	case found:
		return c.p[i]
	case i == 0:
		return c.p[0]
	case i == len(c.s):
		return c.p[i-1]
	}
	share := (s - c.s[i-1]) / (c.s[i] - c.s[i-1])
	return c.p[i-1] + float64(share*(c.p[i]-c.p[i-1]))
}

// logistic returns 1/(1 + exp(−v)), which is neither 0 nor 1 in the range of numbers.
func logistic(v float64) float64 {
	if v < 0 {
		e := compute.ExpOne(max(v, -700))
		return e / (1 + e)
	}
	return 1 / (1 + compute.ExpOne(-min(v, 36)))
}

// labelled are scores with the events that they stand for.
type labelled struct {
	s       []float64
	hit     []bool
	weights compute.Weights
}

// with returns the scores of both.
func (l labelled) with(m labelled) labelled {
	return labelled{append(l.s, m.s...), append(l.hit, m.hit...), append(l.weights, m.weights...)}
}

// total returns the weights of hits and of misses.
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

// targets returns those of hits and of misses, short of 1 and 0 by what as many rows can tell:
// (h + 1)/(h + 2) of h hits and 1/(m + 2) of m misses (Platt, "Probabilistic outputs for support
// vector machines", 1999).
func (l labelled) targets() (high, low float64) {
	hits, misses := l.total()
	return (hits + 1) / (hits + 2), 1 / (misses + 2)
}

// sigmoid fits a and b by the likelihood of Platt's targets, a ≥ 0. The steps are Newton's, halved
// until they descend (Lin, Lin and Weng, "A note on Platt's probabilistic outputs for
// support vector machines", 2007), on scores in units of their deviation.
func (l labelled) sigmoid() curve {
	hits, misses := l.total()
	high, low := l.targets()
	mean, deviation := l.moments()
	f := sigmoidLoss{l, high, low, mean, deviation}
	c := curve{b: math.Log((hits + 1) / (misses + 1))}
	value := f.at(c)
	for range 100 {
		step, gain := f.newton(c)
		if gain < 1e-12*(1+value) {
			break
		}
		next, lower, size := c, value, 1.0
		for ; size > 1e-10; size /= 2 {
			next = curve{a: max(0, c.a+float64(size*step.a)), b: c.b + float64(size*step.b)}
			if lower = f.at(next); lower < value {
				break
			}
		}
		if size <= 1e-10 {
			break
		}
		c, value = next, lower
	}
	c.a /= deviation
	c.b -= float64(c.a * mean)
	return c
}

// moments returns the mean of the scores and their deviation, 1 if they are equal.
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

// sigmoidLoss is the negative logarithm of the likelihood of a sigmoid of (s − mean)/deviation.
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

// at sums −t·log p − (1 − t)·log(1 − p) = log(1 + exp(−|v|)) + max(v, 0) − t·v.
func (f sigmoidLoss) at(c curve) float64 {
	sum := 0.0
	for i, s := range f.s {
		v := float64(c.a*(s-f.mean)/f.deviation) + c.b
		sum += float64(f.weights.At(i) * (math.Log1p(compute.ExpOne(-min(math.Abs(v), 700))) + max(v, 0) - float64(f.target(i)*v)))
	}
	return sum
}

// newton returns the step and what it is to gain, which is 0 at the minimum for a ≥ 0.
func (f sigmoidLoss) newton(c curve) (step curve, gain float64) {
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
	step.a = -(float64(hbb*ga) - float64(hab*gb)) / det
	step.b = -(float64(haa*gb) - float64(hab*ga)) / det
	return step, -float64(ga*step.a) - float64(gb*step.b)
}

// isotonic fits the nondecreasing function of least squared error, by pooling neighbours
// that violate the order. Each pool of weight w stands at the mean of its scores with a
// probability from 1/(w + 2) to (w + 1)/(w + 2): certainty is not seen in a sample.
func (l labelled) isotonic() curve {
	if len(l.s) == 0 {
		return l.sigmoid()
	}
	order := compute.Indices(len(l.s))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(l.s[i], l.s[j]) })
	type pool struct{ weight, hits, scores, highest float64 }
	var pools []pool
	for _, i := range order {
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
	var c curve
	least := 0.0
	for _, v := range pools {
		at := v.scores / v.weight
		if len(c.s) > 0 && at <= c.s[len(c.s)-1] {
			continue // rounding
		}
		least = max(least, min(max(v.hits/v.weight, 1/(v.weight+2)), (v.weight+1)/(v.weight+2)))
		c.s, c.p = append(c.s, at), append(c.p, least)
	}
	return c
}

func (c curve) encode(e *codec.Encoder) {
	e.Float64(c.a)
	e.Float64(c.b)
	e.Float64s(c.s)
	e.Float64s(c.p)
}

func decodeCurve(d *codec.Decoder) curve {
	c := curve{a: d.Finite(), b: d.Finite(), s: d.Float64s(), p: d.Float64s()}
	if d.Err() != nil {
		return c
	}
	if len(c.s) == 0 {
		c.s = nil
	}
	ascending := func(v []float64) bool {
		return slices.IsSorted(v) && !slices.ContainsFunc(v, func(x float64) bool { return x-x != 0 })
	}
	if len(c.s) != len(c.p) || !ascending(c.s) || !ascending(c.p) || len(c.p) > 0 && !(c.p[0] > 0 && c.p[len(c.p)-1] < 1) || c.a < 0 {
		d.Fail("a calibration that is none")
	}
	return c
}
