package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// drawn returns scores and events with the probabilities that of returns.
func drawn(n int, seed uint64, of func(s float64) float64) (l labelled) {
	r := rand.New(rand.NewPCG(seed, 5))
	for range n {
		s := 2 * r.NormFloat64()
		l.s, l.hit = append(l.s, s), append(l.hit, r.Float64() < of(s))
	}
	return l
}

// elbow has a logit that is flat below zero and steep above: monotone but no sigmoid.
func elbow(s float64) float64 { return logistic(-1.5 + .1*min(s, 0) + 3*max(s, 0)) }

// The sigmoid reaches the minimum of a general optimiser.
func TestSigmoidIsTheMinimum(t *testing.T) {
	l := drawn(300, 1, func(s float64) float64 { return logistic(.8*s - 1) })
	high, low := l.targets()
	f := sigmoidLoss{l, high, low, 0, 1}
	r, err := optimize.Minimize(optimize.Problem{Func: func(v []float64) float64 { return f.at(curve{a: v[0], b: v[1]}) }}, []float64{1, 0},
		&optimize.Settings{Converger: &optimize.FunctionConverge{Absolute: 1e-13, Iterations: 200}}, &optimize.NelderMead{})
	if err != nil {
		t.Fatal(err)
	}
	if c := l.sigmoid(); math.Abs(c.a-r.X[0]) > 1e-4 || math.Abs(c.b-r.X[1]) > 1e-4 {
		t.Errorf("%v, want %v", c, r.X)
	}
}

// Rows of similar score are pooled into a few hundred, and the loss of the sigmoid equals the loss of all
// rows.
func TestSplineMergesRows(t *testing.T) {
	l := drawn(8000, 1, elbow)
	plain := l.sigmoid()
	f := l.splineLoss(plain)
	if len(f.u) > 1000 || math.Abs(f.weights.Total(len(f.u))-8000) > 1e-6 {
		t.Errorf("%d scores of weight %v", len(f.u), f.weights.Total(len(f.u)))
	}
	high, low := l.targets()
	want := sigmoidLoss{l, high, low, 0, 1}.at(plain)
	if got := f.at(f.flat()); math.Abs(got-want) > 1e-4*want {
		t.Errorf("the loss is %v, of all rows %v", got, want)
	}
}

// Derivatives match finite differences. At the minimum, slopes at the bound zero would not decrease the
// objective by growing, and the remaining derivatives are zero.
func TestSplineIsTheMinimum(t *testing.T) {
	bounds := 0
	for seed := range uint64(8) {
		l := drawn(400, seed, elbow)
		f := l.splineLoss(l.sigmoid())
		f.stiffen([]float64{.1, 1.6}[seed%2])
		theta := f.flat()
		f.minimise(theta)
		g, _ := f.derivatives(theta)
		for j, v := range theta {
			if j > 0 && v == 0 {
				bounds++
				if g[j] < -1e-5 {
					t.Errorf("seed %d: slope %d is 0, its derivative %v", seed, j, g[j])
				}
				continue
			}
			if math.Abs(g[j]) > 1e-5*f.weights.Total(len(f.u)) || v < 0 && j > 0 {
				t.Errorf("seed %d: number %d is %v, its derivative %v", seed, j, v, g[j])
			}
		}
		away := f.flat()
		for j := range away {
			away[j] += .1 * float64(j%3)
		}
		g, h := f.derivatives(away)
		g, h = slices.Clone(g), compute.Clone(h)
		for j := range away {
			const e = 1e-5
			up, down := slices.Clone(away), slices.Clone(away)
			up[j], down[j] = up[j]+e, down[j]-e
			if d := (f.at(up) - f.at(down)) / (2 * e); math.Abs(d-g[j]) > 1e-5*(1+math.Abs(d)) {
				t.Errorf("derivative %v by number %d, by differences %v", g[j], j, d)
			}
			gu, _ := f.derivatives(up)
			gu = slices.Clone(gu)
			gd, _ := f.derivatives(down)
			for k := range away {
				if d := (gu[k] - gd[k]) / (2 * e); math.Abs(d-compute.Row(h, j)[k]) > 1e-4*(1+math.Abs(d)) {
					t.Errorf("second derivative %v by %d and %d, by differences %v", compute.Row(h, j)[k], j, k, d)
				}
			}
		}
	}
	if bounds == 0 {
		t.Error("no slope is at its bound: the trials are too easy")
	}
}

// A spline of maximum stiffness equals the sigmoid, with the same evidence.
func TestStiffSplineIsTheSigmoid(t *testing.T) {
	l := drawn(500, 3, elbow)
	plain := l.sigmoid()
	f := l.splineLoss(plain)
	want := f.evidenceOfSigmoid()
	const curvature = 1e-4
	f.stiffen(curvature)
	theta := f.flat()
	f.minimise(theta)
	if got := f.evidence(theta); math.Abs(got-want) > 1e-3 {
		t.Errorf("evidence %v, want %v", got, want)
	}
	c := f.table(theta)
	if !slices.IsSorted(c.s) || !slices.IsSorted(c.p) {
		t.Error("the table falls")
	}
	worst := 0.0
	for s := c.s[0]; s < c.s[len(c.s)-1]; s += 1e-3 {
		worst = max(worst, math.Abs(c.at(s)-plain.at(s)), math.Abs(plain.tabulated().at(s)-plain.at(s)))
	}
	if worst > 1e-3 {
		t.Errorf("%v off the sigmoid", worst)
	}
}

// Tables are within .001 of their splines.
func TestTable(t *testing.T) {
	l := drawn(1000, 4, elbow)
	f := l.splineLoss(l.sigmoid())
	f.stiffen(.8)
	theta := f.flat()
	f.minimise(theta)
	c, row := f.table(theta), make([]float64, len(theta))
	for _, s := range l.s {
		f.basis(row, f.plain.a*s)
		if got, want := c.at(s), logistic(logit(row, theta)); math.Abs(got-want) > 1e-3 {
			t.Fatalf("%v at %v, want %v", got, s, want)
		}
	}
}

// A spline is closer than the sigmoid to a non-sigmoid map, and as close to a sigmoid. It is monotone and within
// 0 and 1 for any sample.
func TestSplineFindsTheTruth(t *testing.T) {
	off := func(c curve, of func(float64) float64) (sum float64) {
		for i := range 801 {
			s := float64(i-400) / 100
			sum += math.Abs(c.at(s)-of(s)) / 801
		}
		return sum
	}
	plain := func(s float64) float64 { return logistic(.8*s - 1) }
	var curved, straight, own, best float64
	for seed := range uint64(10) {
		l := drawn(2000, seed, elbow)
		curved, straight = curved+off(l.spline(), elbow)/10, straight+off(l.sigmoid(), elbow)/10
		l = drawn(2000, seed, plain)
		own, best = own+off(l.spline(), plain)/10, best+off(l.sigmoid(), plain)/10
	}
	t.Logf("elbow: spline %.4f, sigmoid %.4f; sigmoid: spline %.4f, sigmoid %.4f", curved, straight, own, best)
	if curved > straight/2 || own > best+.005 {
		t.Errorf("elbow: spline %.4f, sigmoid %.4f; sigmoid: spline %.4f, sigmoid %.4f", curved, straight, own, best)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for trial := range 300 {
		var l labelled
		for range 1 + r.IntN(60) {
			s := math.Exp(8*r.NormFloat64()) * float64(r.IntN(3)-1)
			if trial%3 == 0 {
				s = float64(r.IntN(4)) // ties
			}
			l.s, l.hit = append(l.s, s), append(l.hit, r.Float64() < logistic(float64(trial%5)*s))
		}
		c := l.spline()
		last := 0.0
		for _, s := range slices.Concat([]float64{-1e300}, slices.Sorted(slices.Values(l.s)), []float64{1e300}) {
			if p := c.at(s); !(p >= last && p > 0 && p < 1) {
				t.Fatalf("trial %d: %v at %v after %v", trial, p, s, last)
			} else {
				last = p
			}
		}
	}
}

// A row of weight two equals two rows.
func TestSplineWeights(t *testing.T) {
	l := drawn(500, 6, elbow)
	twice := labelled{s: slices.Concat(l.s, l.s[:200]), hit: slices.Concat(l.hit, l.hit[:200])}
	l.weights = make(compute.Weights, 500)
	for i := range l.weights {
		l.weights[i] = 1
		if i < 200 {
			l.weights[i] = 2
		}
	}
	a, b := l.spline(), twice.spline()
	if a.s == nil {
		t.Fatal("no curvature is found")
	}
	for _, s := range l.s {
		if math.Abs(a.at(s)-b.at(s)) > 1e-6 {
			t.Fatalf("%v and %v at %v", a.at(s), b.at(s), s)
		}
	}
}
