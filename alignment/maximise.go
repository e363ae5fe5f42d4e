package alignment

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// maximum is the largest known value of a function.
type maximum struct {
	at, value   float64
	evaluations int
}

// gridPoints returns the size of a grid of logarithms: at least 10, with steps of at most
// log 2.5.
func gridPoints(low, high float64) int {
	return max(10, 1+int(math.Ceil((high-low)/math.Log(2.5))))
}

// maximise evaluates f on an evenly spaced grid in [low, high], and then finds a maximum
// between the neighbours of the best point, to within tol in its argument.
func maximise(f func(float64) float64, low, high float64, points int, tol float64) maximum {
	m := maximum{value: math.Inf(-1), evaluations: points}
	for i := range points {
		u := low
		if points > 1 {
			u += (high - low) * float64(i) / float64(points-1)
		}
		if v := f(u); v > m.value {
			m.at, m.value = u, v
		}
	}
	step := (high - low) / float64(max(points-1, 1))
	return m.refine(f, max(low, m.at-step), min(high, m.at+step), tol)
}

// refine is the method of R. P. Brent, "Algorithms for minimization without derivatives",
// 1973, chapter 5: parabolic interpolation, or else golden section steps.
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
		if ok && math.Abs(d) < math.Abs(last)/2 && x+d > low && x+d < high {
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
		if (fu >= fx) == (u < x) { // the maximum is below the larger of u and x
			high = max(u, x)
		} else {
			low = min(u, x)
		}
		switch {
		case fu >= fx:
			v, fv, w, fw, x, fx = w, fw, x, fx, u, fu
		case fu >= fw || w == x:
			v, fv, w, fw = w, fw, u, fu
		case fu >= fv || v == x || v == w:
			v, fv = u, fu
		}
	}
	m.at, m.value = x, fx
	return m
}

// parabola returns the step from x to the extremum of the parabola through three points.
func parabola(x, w, v, fx, fw, fv float64) (step float64, ok bool) {
	r, q := (x-w)*(fx-fv), (x-v)*(fx-fw)
	p := (x-v)*q - (x-w)*r
	q = 2 * (q - r)
	if q == 0 {
		return 0, false
	}
	return -p / q, true
}

// reach bounds the distance of the logarithm of a parameter from the start of climb.
const reach = 6

// climb finds a maximum of f, which also sets the gradient, by L-BFGS from start, or the
// best point before stop returns true. The substitution u = start + reach·tanh(v/reach)
// bounds each coordinate.
func climb(f func(grad, u []float64) float64, start []float64, stop func() bool) (u []float64, m maximum) {
	const iterations = 50
	d := len(start)
	c := &climber{f: f, stop: stop, start: start, u: make([]float64, d), grad: make([]float64, d), v: make([]float64, d)}
	c.evaluate(c.v)
	first := c.value
	problem := optimize.Problem{
		Func: func(v []float64) float64 { return -c.at(v).value },
		Grad: func(dst, v []float64) { floats.ScaleTo(dst, -1, c.at(v).grad) },
	}
	result, err := optimize.Minimize(problem, make([]float64, d), &optimize.Settings{
		MajorIterations: iterations, FuncEvaluations: 3 * iterations, GradientThreshold: 1e-7,
		Converger: &optimize.FunctionConverge{Relative: 1e-6, Absolute: 1e-10, Iterations: 5},
	}, &optimize.LBFGS{})
	switch {
	case stop():
		return c.best, maximum{value: c.most, evaluations: c.evaluations}
	case result != nil && (err == nil || -result.F > first): // an error means that no further progress was possible
		c.evaluate(result.X)
		return c.u, maximum{value: c.value, evaluations: c.evaluations}
	}
	return start, maximum{value: first, evaluations: c.evaluations}
}

// climber caches the last evaluation of f and its gradient in v.
type climber struct {
	f                 func(grad, u []float64) float64
	start, u, grad, v []float64
	value             float64
	evaluations       int
	best              []float64 // u of the largest value
	most              float64
	stop              func() bool
}

// at evaluates f at v unless that was the last evaluation.
func (c *climber) at(v []float64) *climber {
	if !slices.Equal(v, c.v) {
		c.evaluate(v)
	}
	return c
}

// evaluate sets the value and the gradient at v. After a stop the gradient is zero, which
// ends the search.
func (c *climber) evaluate(v []float64) {
	copy(c.v, v)
	if c.best != nil && c.stop() {
		clear(c.grad)
		return
	}
	for i, x := range v {
		c.u[i] = c.start[i] + reach*math.Tanh(x/reach)
	}
	c.value = c.f(c.grad, c.u)
	for i, x := range v {
		t := math.Tanh(x / reach)
		c.grad[i] *= 1 - t*t
	}
	c.evaluations++
	if c.best == nil || c.value > c.most {
		c.best, c.most = slices.Clone(c.u), c.value
	}
}
