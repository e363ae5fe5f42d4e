package calibrate

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/nonnegative"
)

const (
	// mostKnots is the number of quantiles of the scores at which the slope may change.
	mostKnots = 15
	// leastGap is how far knots are apart at least, as logits: less is not to be seen.
	leastGap = .01
	// oneScore is how far scores are apart at most, as logits, that are taken together at their
	// mean, so that time does not grow with rows beyond some hundreds of such scores.
	oneScore = .02
)

// bends are the deviations that the slope, in units of the sigmoid's, may have between places a
// logit apart.
var bends = [...]float64{.05, .1, .2, .4, .8, 1.6}

// spline fits a logit that is linear between quantiles k_j of a·s and goes on beyond them,
//
//	v(s) = b + Σ_j θ_j·φ_j(a·s),  θ ≥ 0,
//
// by the likelihood of Platt's targets less Σ_j (θ_{j+1} − θ_j)²/(2ρ²d_j): a walk at random of
// the slope, over knots d_j apart. Here a is the slope of the sigmoid, so that all θ_j are 1
// where ρ is 0, and φ_j(u) is how much of the way from the middle knot to u lies in segment j.
// The bend ρ is that of the largest evidence (MacKay, "Bayesian interpolation", 1992), in
// Laplace's approximation, 0 among them; then, and of scores that tell nothing, it is the sigmoid.
// O(n·log n).
func (l labelled) spline() curve {
	plain := l.sigmoid()
	f := l.splineLoss(plain)
	if f == nil {
		return plain
	}
	theta, best, most := f.flat(), []float64(nil), f.evidenceOfSigmoid()
	for _, bend := range bends {
		f.stiffen(bend)
		f.minimise(theta)
		if v := f.evidence(theta); v > most {
			best, most = slices.Clone(theta), v
		}
	}
	if best == nil {
		return plain
	}
	return f.table(best)
}

// splineLoss is the negative logarithm of the likelihood, and the penalty of bends.
type splineLoss struct {
	plain     curve           // the sigmoid
	low, high float64         // the ends of a·s
	u         []float64       // ascending, means of a·s of rows that are taken together
	weights   compute.Weights // of these rows
	target    []float64       // their means
	knots     []float64       // ascending, of a·s
	design    compute.Matrix  // len(u)×(1 + segments): 1, φ_1, φ_2, …
	stiff     []float64       // 1/(ρ²·d_j) of each knot
	gradient  []float64       // memory of derivatives
	curvature compute.Matrix
	solver    nonnegative.Solver
}

// splineLoss returns nil where scores tell nothing.
func (l labelled) splineLoss(plain curve) *splineLoss {
	if !(plain.a > 0) {
		return nil
	}
	f := &splineLoss{plain: plain}
	f.gather(l)
	f.place()
	f.design = compute.NewMatrix(len(f.u), 2+len(f.knots))
	f.stiff = make([]float64, len(f.knots))
	for i, u := range f.u {
		f.basis(compute.Row(f.design, i), u)
	}
	return f
}

// gather takes rows of about the same score together.
func (f *splineLoss) gather(l labelled) {
	order := compute.Indices(len(l.s))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(l.s[i], l.s[j]) })
	high, low := l.targets()
	first := math.Inf(-1) // of those that are taken together
	for _, i := range order {
		u, w, t := f.plain.a*l.s[i], l.weights.At(i), low
		if l.hit[i] {
			t = high
		}
		if u > first+oneScore {
			first = u
			f.u, f.weights, f.target = append(f.u, u), append(f.weights, w), append(f.target, t)
			continue
		}
		k := len(f.u) - 1
		f.weights[k] += w
		if share := w / f.weights[k]; share > 0 {
			f.u[k] += float64(share * (u - f.u[k]))
			f.target[k] += float64(share * (t - f.target[k]))
		}
	}
	f.low, f.high = f.plain.a*l.s[order[0]], f.plain.a*l.s[order[len(order)-1]]
}

// place puts knots at quantiles.
func (f *splineLoss) place() {
	part, sum := f.weights.Total(len(f.u))/(mostKnots+1), 0.0
	passed := 0
	for i, k := range f.u {
		sum += f.weights[i]
		if passed == mostKnots || sum < float64(float64(passed+1)*part) {
			continue
		}
		passed = min(mostKnots, int(sum/part))
		if len(f.knots) == 0 || k > f.knots[len(f.knots)-1]+leastGap {
			f.knots = append(f.knots, k)
		}
	}
}

func (f *splineLoss) middle() float64 { return f.knots[len(f.knots)/2] }

// basis sets row to 1 and the parts of the way from the middle knot to u.
func (f *splineLoss) basis(row []float64, u float64) {
	row[0] = 1
	low, from := math.Inf(-1), f.middle()
	for j := range row[1:] {
		high := math.Inf(1)
		if j < len(f.knots) {
			high = f.knots[j]
		}
		row[1+j] = min(max(u, low), high) - min(max(from, low), high)
		low = high
	}
}

// flat is the sigmoid.
func (f *splineLoss) flat() []float64 {
	theta := slices.Repeat([]float64{1}, f.design.Cols)
	theta[0] = f.middle() + f.plain.b
	return theta
}

// stiffen sets the penalty. A knot is as far from the next as in mean from those beside it, and
// a logit if it is the only one.
func (f *splineLoss) stiffen(bend float64) {
	for j := range f.stiff {
		from, to := max(0, j-1), min(j+1, len(f.knots)-1)
		gap := 1.0
		if from < to {
			gap = (f.knots[to] - f.knots[from]) / float64(to-from)
		}
		f.stiff[j] = 1 / (bend * bend * gap)
	}
}

// logit returns v at a row of the design.
func logit(row, theta []float64) float64 {
	return blas64.Dot(compute.Vector(row), compute.Vector(theta))
}

// at returns the loss, Σ log(1 + exp(−|v|)) + max(v, 0) − t·v and the penalty.
func (f *splineLoss) at(theta []float64) float64 {
	sum := 0.0
	for j, k := range f.stiff {
		d := theta[2+j] - theta[1+j]
		sum += float64(k * d * d / 2)
	}
	for i := range f.u {
		v := logit(compute.Row(f.design, i), theta)
		sum += float64(f.weights.At(i) * (math.Log1p(compute.ExpOne(-min(math.Abs(v), 700))) + max(v, 0) - float64(f.target[i]*v)))
	}
	return sum
}

// derivatives returns the gradient and the second derivatives, both triangles, until it is called again.
func (f *splineLoss) derivatives(theta []float64) (g []float64, h compute.Matrix) {
	const ridge = 1e-10
	n := len(theta)
	f.gradient = compute.Resize(f.gradient, n)
	g, h = f.gradient, compute.ReshapeZero(&f.curvature, n, n)
	clear(g)
	for i := range f.u {
		row, w := compute.Row(f.design, i), f.weights.At(i)
		p := logistic(logit(row, theta))
		blas64.Axpy(w*(p-f.target[i]), compute.Vector(row), compute.Vector(g))
		for j, v := range row {
			if v != 0 {
				blas64.Axpy(w*p*(1-p)*v, compute.Vector(row[j:]), compute.Vector(compute.Row(h, j)[j:]))
			}
		}
	}
	for j, k := range f.stiff {
		d := float64(k * (theta[2+j] - theta[1+j]))
		g[2+j], g[1+j] = g[2+j]+d, g[1+j]-d
		this, before := compute.Row(h, 2+j), compute.Row(h, 1+j)
		this[2+j], before[1+j], before[2+j] = this[2+j]+k, before[1+j]+k, before[2+j]-k
	}
	for j := range n {
		row := compute.Row(h, j)
		row[j] += ridge
		for k := range j {
			row[k] = compute.Row(h, k)[j]
		}
	}
	return g, h
}

// minimise moves theta to the minimum for slopes that are not negative. A step goes to that of
// the quadratic function that touches the loss, and is halved until it descends.
func (f *splineLoss) minimise(theta []float64) {
	value, next := f.at(theta), make([]float64, len(theta))
	for range 100 {
		g, h := f.derivatives(theta)
		step := f.bounded(h, g, theta)
		if gain := -blas64.Dot(compute.Vector(step), compute.Vector(g)); !(gain > 1e-12*(1+value)) {
			return
		}
		size, lower := 1.0, value
		for ; size > 1e-10; size /= 2 {
			for j, v := range theta {
				next[j] = v + float64(size*step[j])
			}
			if lower = f.at(next); lower < value {
				break
			}
		}
		if size <= 1e-10 {
			return
		}
		copy(theta, next)
		value = lower
	}
}

// bounded returns the step from theta to the minimum of a quadratic function of that gradient
// and these second derivatives, where all numbers but the first are not negative. The first is
// put at its best for the others, of which the function is quadratic then.
func (f *splineLoss) bounded(h compute.Matrix, g, theta []float64) (step []float64) {
	n := len(theta)
	c := make([]float64, n)
	for i := range c {
		c[i] = blas64.Dot(compute.Vector(compute.Row(h, i)), compute.Vector(theta)) - g[i]
	}
	m, a, first := make([][]float64, n-1), make([]float64, n-1), compute.Row(h, 0)
	for i := range m {
		m[i] = slices.Clone(compute.Row(h, 1+i)[1 : 2+i])
		blas64.Axpy(-first[1+i]/first[0], compute.Vector(first[1:2+i]), compute.Vector(m[i]))
		a[i] = c[1+i] - float64(first[1+i]*c[0])/first[0]
	}
	step = append([]float64{0}, f.solver.Minimum(m, a)...)
	step[0] = (c[0] - blas64.Dot(compute.Vector(first), compute.Vector(step))) / first[0]
	for i, v := range theta {
		step[i] -= v
	}
	return step
}

// evidence returns the logarithm of the probability of the sample, but for what all bends share.
func (f *splineLoss) evidence(theta []float64) float64 {
	_, h := f.derivatives(theta)
	if !compute.Cholesky(h, 1) {
		return math.Inf(-1)
	}
	v := -f.at(theta)
	for _, k := range f.stiff {
		v += math.Log(k) / 2
	}
	for j := range theta {
		v -= math.Log(compute.Row(h, j)[j])
	}
	return v
}

// evidenceOfSigmoid is the limit of evidence for a bend of 0.
func (f *splineLoss) evidenceOfSigmoid() float64 {
	clear(f.stiff)
	theta := f.flat()
	_, h := f.derivatives(theta)
	of := compute.NewMatrix(2, 2) // the constant, and one slope for all segments
	for i := range h.Rows {
		for j, v := range compute.Row(h, i) {
			compute.Row(of, min(i, 1))[min(j, 1)] += v
		}
	}
	if !compute.Cholesky(of, 1) {
		return math.Inf(-1)
	}
	return -f.at(theta) - math.Log(of.Data[0]) - math.Log(compute.Row(of, 1)[1])
}
