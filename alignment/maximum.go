package alignment

import "math"

// maximum is where a function of one variable is largest, as far as was seen.
type maximum struct {
	at, value   float64
	evaluations int
}

// onGrid returns the largest of the values at points evenly spaced numbers from
// low to high.
func onGrid(f func(float64) float64, low, high float64, points int) maximum {
	best := maximum{value: math.Inf(-1), evaluations: points}
	for i := range points {
		u := low
		if points > 1 {
			u += (high - low) * float64(i) / float64(points-1)
		}
		if v := f(u); v > best.value {
			best.at, best.value = u, v
		}
	}
	return best
}

// maximise takes the best of points evenly spaced numbers in [low, high] and goes
// from there, between its neighbours, to a maximum, to within tol in at.
func maximise(f func(float64) float64, low, high float64, points int, tol float64) maximum {
	m := onGrid(f, low, high, points)
	step := (high - low) / float64(max(points-1, 1))
	return m.refine(f, max(low, m.at-step), min(high, m.at+step), tol)
}

// refine is the minimisation of R. P. Brent, "Algorithms for minimization
// without derivatives", 1973, chapter 5: parabolas through the three best points
// where they lead somewhere, else golden sections.
func (m maximum) refine(f func(float64) float64, low, high, tol float64) maximum {
	const golden, limit = 0.3819660112501051, 100
	x, w, v := m.at, m.at, m.at
	fx, fw, fv := m.value, m.value, m.value
	var step, last float64
	for range limit {
		middle := (low + high) / 2
		if math.Abs(x-middle) <= 2*tol-(high-low)/2 {
			break
		}
		d, ok := parabola(x, w, v, fx, fw, fv)
		if ok = ok && math.Abs(d) < math.Abs(last)/2 && x+d > low && x+d < high; ok {
			last, step = step, d
			if x+d-low < 2*tol || high-x-d < 2*tol {
				step = math.Copysign(tol, middle-x)
			}
		} else {
			last = low - x
			if x < middle {
				last = high - x
			}
			step = golden * last
		}
		u := x + step
		if math.Abs(step) < tol {
			u = x + math.Copysign(tol, step)
		}
		fu := f(u)
		m.evaluations++
		if fu >= fx {
			if u < x {
				high = x
			} else {
				low = x
			}
			v, fv, w, fw, x, fx = w, fw, x, fx, u, fu
			continue
		}
		if u < x {
			low = u
		} else {
			high = u
		}
		switch {
		case fu >= fw || w == x:
			v, fv, w, fw = w, fw, u, fu
		case fu >= fv || v == x || v == w:
			v, fv = u, fu
		}
	}
	m.at, m.value = x, fx
	return m
}

// parabola returns the step from x to the extremum of the parabola through three
// points.
func parabola(x, w, v, fx, fw, fv float64) (step float64, ok bool) {
	r, q := (x-w)*(fx-fv), (x-v)*(fx-fw)
	p := (x-v)*q - (x-w)*r
	q = 2 * (q - r)
	if q == 0 {
		return 0, false
	}
	return -p / q, true
}
