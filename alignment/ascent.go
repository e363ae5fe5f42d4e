package alignment

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/nonnegative"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/kernel"
)

// space is a family of kernels on the rows of a search, with the members of the sum. All
// Gram matrices are centred.
type space interface {
	// steepest returns the kernel of the family with the largest <P, K>.
	steepest(p direction) candidate
	// admit appends k to the members.
	admit(k kernel.Kernel) products
	// fallback returns the kernel to use if the family has no kernel of positive alignment.
	fallback() kernel.Kernel
}

// direction is P = T/‖T‖ − Σ_t weights_t·K_t − identity·C over the members K_t, with
// C = I − 1·1ᵀ/n. It is the gradient of the alignment, eq. (3), times ‖K‖.
type direction struct {
	weights  []float64
	identity float64
}

// candidate is a kernel with <P, K> minus its penalty.
type candidate struct {
	kernel      kernel.Kernel
	value       float64
	evaluations int
}

// products are the inner products of a member with T, with C, and with all members up to
// itself.
type products struct {
	target, trace float64
	members       []float64
}

// ascent is Algorithm 1. It adds one kernel at a time, in the direction of the steepest
// ascent of the alignment.
type ascent struct {
	space
	options *settings
	n       int
	norm    float64 // ‖T‖
	trace   float64 // of T

	kernels    []kernel.Kernel
	weights    []float64
	targets    []float64   // <K_t, T>
	traces     []float64   // <K_t, C>
	gram       [][]float64 // <K_t, K_u>, u ≤ t
	iterations []Iteration
}

func newAscent(sp space, d *data, options *settings) *ascent {
	return &ascent{space: sp, options: options, n: d.y.Rows, norm: d.norm, trace: floats.Dot(d.y.Data, d.y.Data)}
}

// run adds kernels until the gain is at most the tolerance.
func (a *ascent) run(r *progress.Monitor) rkhs.Status {
	for len(a.kernels) < a.options.MaxKernels {
		if r.Stopped() || !a.iterate() || r.Stopped() {
			status := r.Status()
			if len(a.kernels) == 0 && status == rkhs.Converged {
				k := a.fallback()
				a.append(k, 1, a.admit(k))
			}
			return status
		}
		n := len(a.kernels)
		r.Report(rkhs.Progress{Phase: "kernel", Done: n, Iteration: n, ModelOrder: n, Objective: -a.alignment(), Gap: math.NaN()})
	}
	return rkhs.IterationLimit
}

// iterate adds the best kernel and reports whether it gains more than the tolerance.
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

func (a *ascent) append(k kernel.Kernel, weight float64, p products) {
	a.kernels, a.weights = append(a.kernels, k), append(a.weights, weight)
	a.targets, a.traces = append(a.targets, p.target), append(a.traces, p.trace)
	a.gram = append(a.gram, p.members)
}

// drop removes the last kernel from the sum. It remains a member of the space.
func (a *ascent) drop() {
	t := len(a.kernels) - 1
	a.kernels, a.weights, a.targets, a.traces, a.gram = a.kernels[:t], a.weights[:t], a.targets[:t], a.traces[:t], a.gram[:t]
}

// line returns the inner products of the sum and a new kernel.
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

// alignment returns the alignment of the sum with the targets, 0 for an empty sum.
func (a *ascent) alignment() float64 {
	q := a.square()
	if !(q > 0) {
		return 0
	}
	return a.target() / (math.Sqrt(q) * a.norm)
}

// direction returns the gradient at the sum. For an empty sum it is the limit of the
// gradient at eps·C as eps vanishes.
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

// refit replaces the weights by the minimum of
//
//	min_v vᵀMv − 2vᵀa,  v ≥ 0,  M_tu = <K_t, K_u>,  a_t = <K_t, T>
//
// with the same sum. It has the largest alignment (Cortes, Mohri and Rostamizadeh,
// "Two-stage learning kernel algorithms", ICML 2010, proposition 3).
func (a *ascent) refit() {
	if len(a.kernels) < 2 {
		return
	}
	before, old := a.alignment(), a.weights
	a.weights = nonnegative.Minimum(a.gram, a.targets)
	if sum := floats.Sum(a.weights); sum > 0 {
		floats.Scale(floats.Sum(old)/sum, a.weights)
	}
	if a.alignment() < before {
		a.weights = old // lower by rounding
	}
}

// sum returns the learned kernel. Without Epsilon it has the trace n on the n rows of x.
func (a *ascent) sum(x compute.Matrix) kernel.Sum {
	var sum kernel.Sum
	for t, k := range a.kernels {
		if a.weights[t] > 0 {
			sum = append(sum, kernel.Scale{By: a.weights[t], Of: k})
		}
	}
	if len(sum) == 0 {
		sum = kernel.Sum{kernel.Scale{By: 1, Of: a.fallback()}}
	}
	if a.options.Epsilon > 0 && len(a.iterations) > 0 {
		return sum
	}
	return normalised(sum, x)
}

// normalised scales the sum to the trace n on the n rows of x.
func normalised(sum kernel.Sum, x compute.Matrix) kernel.Sum {
	diag, mean := make([]float64, x.Rows), 0.0
	gram.Evaluator{Kernel: sum}.Diag(diag, x)
	for _, v := range diag {
		mean += v / float64(x.Rows)
	}
	for t, k := range sum {
		k := k.(kernel.Scale)
		sum[t] = kernel.Scale{By: k.By / mean, Of: k.Of}
	}
	return sum
}

// line holds the inner products of Proposition 2. Along K + eta·K' the alignment with T is
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

// best returns the maximum of g in [0, limit]. The sign of g' is the sign of
// (bc − ad) + (bd − ae)·eta. Its root is a maximum only if bd − ae < 0; otherwise the
// maximum is at an end.
func (l line) best(limit float64) float64 {
	if slope := l.b*l.d - l.a*l.e; slope < 0 {
		return min(max((l.a*l.d-l.b*l.c)/slope, 0), limit)
	}
	if l.at(limit) > l.at(0) {
		return limit
	}
	return 0
}
