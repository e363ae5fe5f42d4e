package calibrate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/nonnegative"
)

const (
	// mostKnots bounds the number of knots, which are quantiles of the scores.
	mostKnots = 15
	// leastGap is the smallest distance between knots, in logits.
	leastGap = .01
	// oneScore is the width, in logits, of the groups of scores that share their mean. It bounds the time
	// of large samples.
	oneScore = .02
)

// curvatures are the candidate standard deviations ρ of the change of slope per logit, relative to the
// slope of the sigmoid.
var curvatures = [...]float64{.05, .1, .2, .4, .8, 1.6}

// spline fits a logit that is linear between quantiles k_j of a·s and outside them,
//
//	v(s) = b + Σ_j θ_j·φ_j(a·s),  θ ≥ 0,
//
// by the likelihood of Platt's targets with the penalty Σ_j (θ_{j+1} − θ_j)²/(2ρ²d_j), a random walk of
// the slope over knots at distances d_j. Here a is the slope of the sigmoid, which has all θ_j = 1, and
// φ_j(u) is the length of segment j between the middle knot and u. ρ maximises the evidence in
// Laplace's approximation. The result is the sigmoid if ρ = 0 or a = 0. O(n·log n). Source: MacKay,
// "Bayesian interpolation", 1992.
func (l labelled) spline() curve {
	plain := l.sigmoid()
	f := l.splineLoss(plain)
	if f == nil {
		return plain
	}
	theta, best, most := f.flat(), []float64(nil), f.evidenceOfSigmoid()
	for _, curvature := range curvatures {
		f.stiffen(curvature)
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

// splineLoss is the penalised negative log likelihood of a spline.
type splineLoss struct {
	plain     curve           // the sigmoid
	low, high float64         // smallest and largest a·s
	u         []float64       // ascending, means of a·s in groups of rows
	weights   compute.Weights // of the groups
	target    []float64       // mean target of each group
	knots     []float64       // ascending, of a·s
	design    compute.Matrix  // len(u)×(1 + segments): 1, φ_1, φ_2, …
	stiff     []float64       // 1/(ρ²·d_j) of each knot
	gradient  []float64       // scratch of derivatives
	hessian   compute.Matrix
	solver    nonnegative.Solver
}

// splineLoss returns nil if the sigmoid is constant.
func (l labelled) splineLoss(plain curve) *splineLoss {
	if !(plain.a > 0) {
		return nil
	}
	f := &splineLoss{plain: plain}
	f.gather(l)
	f.placeKnots()
	f.design = compute.NewMatrix(len(f.u), 2+len(f.knots))
	f.stiff = make([]float64, len(f.knots))
	for i, u := range f.u {
		f.basis(compute.Row(f.design, i), u)
	}
	return f
}

// gather groups rows of nearly equal scores.
func (f *splineLoss) gather(l labelled) {
	order := ascending(l.s)
	high, low := l.targets()
	first := math.Inf(-1) // score of the group
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

// placeKnots sets the knots to weighted quantiles.
func (f *splineLoss) placeKnots() {
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

// basis sets row to [1, φ_1(u), φ_2(u), …].
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

// flat returns the coefficients of the sigmoid.
func (f *splineLoss) flat() []float64 {
	theta := slices.Repeat([]float64{1}, f.design.Cols)
	theta[0] = f.middle() + f.plain.b
	return theta
}

// stiffen sets the penalty for curvature ρ. The distance d_j of a knot is the mean distance to its
// neighbours, or 1 if it is the only knot.
func (f *splineLoss) stiffen(curvature float64) {
	for j := range f.stiff {
		from, to := max(0, j-1), min(j+1, len(f.knots)-1)
		gap := 1.0
		if from < to {
			gap = (f.knots[to] - f.knots[from]) / float64(to-from)
		}
		f.stiff[j] = 1 / (curvature * curvature * gap)
	}
}

// logit returns v at a row of the design.
func logit(row, theta []float64) float64 {
	return blas64.Dot(compute.Vector(row), compute.Vector(theta))
}

// at returns the loss.
func (f *splineLoss) at(theta []float64) float64 {
	sum := 0.0
	for j, k := range f.stiff {
		d := theta[2+j] - theta[1+j]
		sum += float64(k * d * d / 2)
	}
	for i := range f.u {
		v := logit(compute.Row(f.design, i), theta)
		sum += float64(f.weights.At(i) * crossEntropy(v, f.target[i]))
	}
	return sum
}

// derivatives returns the gradient and the full Hessian. The next call overwrites both.
func (f *splineLoss) derivatives(theta []float64) (g []float64, h compute.Matrix) {
	const ridge = 1e-10
	n := len(theta)
	f.gradient = compute.Resize(f.gradient, n)
	g, h = f.gradient, compute.ReshapeZero(&f.hessian, n, n)
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

// minimise sets theta to the minimum with nonnegative slopes. Each step leads to the minimum of the
// quadratic model of the loss.
func (f *splineLoss) minimise(theta []float64) {
	descend(theta, math.Inf(-1), f.at, func() (step []float64, gain float64) {
		g, h := f.derivatives(theta)
		step = f.bounded(h, g, theta)
		return step, -blas64.Dot(compute.Vector(step), compute.Vector(g))
	})
}

// bounded returns the step from theta to the minimum of the quadratic function with gradient g and
// Hessian h, in which all coefficients except the first are nonnegative. The first one is eliminated.
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

// evidence returns the log evidence of the current penalty, up to a constant.
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

// evidenceOfSigmoid returns the limit of evidence for ρ → 0.
func (f *splineLoss) evidenceOfSigmoid() float64 {
	clear(f.stiff)
	theta := f.flat()
	_, h := f.derivatives(theta)
	of := compute.NewMatrix(2, 2) // of the constant and the common slope
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

// table returns points of the spline from the smallest to the largest score. The curve is constant
// outside them.
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
