package alignment

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// reach bounds how far the logarithm of a parameter may go from where a search
// by gradients starts.
const reach = 6

// climb goes from u by L-BFGS to a maximum of f, which also sets the gradient, or until
// stop says so.
// Each coordinate stays within reach of its start, by
//
//	u = u0 + reach·tanh(v/reach).
func climb(f func(grad, u []float64) float64, start []float64, stop func() bool) (u []float64, m maximum) {
	const iterations = 50
	c := &climber{f: f, stop: stop, start: start, u: make([]float64, len(start)), grad: make([]float64, len(start)), at: make([]float64, len(start))}
	c.move(c.at)
	best, value := slices.Clone(c.u), c.value
	result, err := optimize.Minimize(optimize.Problem{Func: c.negative, Grad: c.negativeGradient}, make([]float64, len(start)),
		&optimize.Settings{MajorIterations: iterations, FuncEvaluations: 3 * iterations, GradientThreshold: 1e-7,
			Converger: &untilStopped{optimize.FunctionConverge{Relative: 1e-6, Absolute: 1e-10, Iterations: 5}, stop}}, &optimize.LBFGS{})
	if stop() {
		return c.best, maximum{value: c.most, evaluations: c.evaluations}
	}
	// An error tells that no further progress was possible.
	if result != nil && (err == nil || -result.F > value) {
		c.move(result.X)
		best, value = append(best[:0], c.u...), c.value
	}
	return best, maximum{value: value, evaluations: c.evaluations}
}

// untilStopped ends a search at an iteration too at which it is told to stop.
type untilStopped struct {
	optimize.FunctionConverge
	stop func() bool
}

func (c *untilStopped) Converged(at *optimize.Location) optimize.Status {
	if c.stop() {
		return optimize.RuntimeLimit
	}
	return c.FunctionConverge.Converged(at)
}

// climber holds f and its gradient where they were last asked for.
type climber struct {
	f              func(grad, u []float64) float64
	start, u, grad []float64
	at             []float64 // v
	value          float64
	evaluations    int
	best           []float64 // u of the largest value so far
	most           float64
	stop           func() bool
}

// move evaluates f; once it is to stop, all is flat.
func (c *climber) move(v []float64) {
	copy(c.at, v)
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

// visit moves to v, unless that is where the last move went.
func (c *climber) visit(v []float64) {
	for i, x := range v {
		if x != c.at[i] {
			c.move(v)
			return
		}
	}
}

func (c *climber) negative(v []float64) float64 {
	c.visit(v)
	return -c.value
}

func (c *climber) negativeGradient(dst, v []float64) {
	c.visit(v)
	for i, g := range c.grad {
		dst[i] = -g
	}
}
