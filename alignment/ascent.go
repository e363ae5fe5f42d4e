package alignment

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/nonnegative"
	"github.com/rkhs-go/rkhs/kernel"
)

// ascent is Algorithm 1: kernels of a space are added one by one, each in the
// direction in which the alignment of the sum grows fastest.
type ascent struct {
	space
	options *settings
	n       int
	norm    float64 // ‖T‖
	trace   float64 // of T

	kernels []kernel.Kernel
	weights []float64
	// Inner products of the members.
	targets, traces []float64
	gram            [][]float64 // lower triangle
	iterations      []Iteration
}

func newAscent(sp space, d *data, options *settings) *ascent {
	return &ascent{space: sp, options: options, n: d.y.Rows, norm: d.norm, trace: floats.Dot(d.y.Data, d.y.Data)}
}

// run adds kernels until no further one gains more than the tolerance.
func (a *ascent) run(r *monitor.Monitor) rkhs.Status {
	for len(a.kernels) < a.options.MaxKernels {
		if r.Stopped() {
			return r.Status()
		}
		if !a.iterate() || r.Stopped() {
			return r.Status()
		}
		n := len(a.kernels)
		r.Report(rkhs.Progress{Phase: "kernel", Done: n, Iteration: n, ModelOrder: n, Objective: -a.alignment(), Gap: math.NaN()})
	}
	return rkhs.IterationLimit
}

// iterate adds the best kernel, unless it gains too little.
func (a *ascent) iterate() bool {
	c := a.steepest(a.direction())
	if !(c.value > 0) {
		return false
	}
	before := a.alignment()
	p := a.admit(c.kernel)
	eta := 1.0
	if l := a.line(p); l.c > 0 {
		eta = l.best(a.options.MaxStep)
	}
	a.append(c.kernel, eta, p)
	if !(a.alignment() > before+a.options.Tolerance) {
		a.drop()
		return false
	}
	a.iterations = append(a.iterations, Iteration{Kernel: c.kernel, Eta: eta, Alignment: a.alignment(), Evaluations: c.evaluations})
	return true
}

// fallBack takes the fallback of the space where no kernel was found.
func (a *ascent) fallBack(r *monitor.Monitor) {
	if len(a.kernels) == 0 && !r.Stopped() {
		k := a.fallback()
		a.append(k, 1, a.admit(k))
	}
}

func (a *ascent) append(k kernel.Kernel, weight float64, p products) {
	a.kernels, a.weights = append(a.kernels, k), append(a.weights, weight)
	a.targets, a.traces = append(a.targets, p.target), append(a.traces, p.trace)
	a.gram = append(a.gram, p.members)
}

// drop forgets the last kernel, which the space still has as a member.
func (a *ascent) drop() {
	t := len(a.kernels) - 1
	a.kernels, a.weights, a.targets, a.traces, a.gram = a.kernels[:t], a.weights[:t], a.targets[:t], a.traces[:t], a.gram[:t]
}

// line returns the scalars of Proposition 2 for the sum and a further kernel.
func (a *ascent) line(p products) line {
	l := line{a: a.target(), b: p.target, c: a.square(), d: a.options.Epsilon * p.trace}
	for t, w := range a.weights {
		l.d += w * p.members[t]
	}
	l.e = p.members[len(p.members)-1]
	return l
}

// target returns <K, T> of the sum.
func (a *ascent) target() float64 {
	return floats.Dot(a.weights, a.targets) + a.options.Epsilon*a.trace
}

// square returns <K, K> of the sum.
func (a *ascent) square() float64 {
	epsilon := a.options.Epsilon
	q := epsilon * epsilon * float64(a.n-1)
	for t, w := range a.weights {
		q += 2 * epsilon * w * a.traces[t]
		for u, v := range a.weights[:t] {
			q += 2 * w * v * a.gram[t][u]
		}
		q += w * w * a.gram[t][t]
	}
	return q
}

// alignment of the sum with the targets, 0 for an empty one.
func (a *ascent) alignment() float64 {
	q := a.square()
	if !(q > 0) {
		return 0
	}
	return a.target() / (math.Sqrt(q) * a.norm)
}

// direction is the gradient at the sum; an empty one is taken as a multiple of
// the identity, in the limit in which the multiple vanishes.
func (a *ascent) direction() direction {
	q := a.square()
	if q == 0 {
		return direction{identity: a.trace / (float64(a.n-1) * a.norm)}
	}
	by := a.target() / (q * a.norm)
	p := direction{identity: by * a.options.Epsilon, weights: make([]float64, len(a.weights))}
	floats.AddScaledTo(p.weights, p.weights, by, a.weights)
	return p
}

// refit chooses the weights of the members of largest alignment: those of
//
//	min_v vᵀMv − 2vᵀa,  v ≥ 0,  M_tu = <K_t, K_u>,  a_t = <K_t, T>
//
// (Cortes, Mohri and Rostamizadeh, "Two-stage learning kernel algorithms", ICML
// 2010, proposition 3), scaled to the first weight that was.
func (a *ascent) refit() {
	if len(a.kernels) < 2 {
		return
	}
	before, total := a.alignment(), floats.Sum(a.weights)
	old := a.weights
	a.weights = nonnegative.Minimum(a.gram, a.targets)
	if sum := floats.Sum(a.weights); sum > 0 {
		floats.Scale(total/sum, a.weights)
	}
	if a.alignment() < before {
		a.weights = old // by rounding alone
	}
}

// line holds the inner products of Proposition 2 of the centred matrices K, K'
// and the target T: along K + eta·K' the alignment with T is
//
//	g(eta)/‖T‖,  g(eta) = (a + b·eta)/√(c + 2d·eta + e·eta²).
type line struct {
	a, b float64 // <K,T>, <K',T>
	c    float64 // <K,K>
	d    float64 // <K,K'>
	e    float64 // <K',K'>
}

// at returns g(eta), and 0 for the zero matrix.
func (l line) at(eta float64) float64 {
	q := l.c + eta*(2*l.d+eta*l.e)
	if !(q > 0) {
		return 0
	}
	return (l.a + l.b*eta) / math.Sqrt(q)
}

// best returns the eta in [0, limit] at which g is largest. The sign of g' is
// that of (bc − ad) + (bd − ae)·eta: its root is a maximum only where bd − ae is
// negative, and without a root g is monotone.
func (l line) best(limit float64) float64 {
	if slope := l.b*l.d - l.a*l.e; slope < 0 {
		return min(max((l.a*l.d-l.b*l.c)/slope, 0), limit)
	}
	if l.at(limit) > l.at(0) {
		return limit
	}
	return 0
}
