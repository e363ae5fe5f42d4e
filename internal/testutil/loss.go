package testutil

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/loss"
)

// CheckLoss runs the checks that every loss must pass. The loss is convex, its derivatives are
// subgradients, and its curvature bounds their changes. Probabilities minimise the mean loss. The
// mean loss of loss.Constant exceeds the minimum by at most excess. The text is a Go expression,
// and a file, a pointer or a type that embeds the loss behaves like the loss.
func CheckLoss(t *testing.T, l loss.Loss, excess float64) {
	t.Helper()
	runAll(t, lossCheck{l, excess}.checks())
}

type lossCheck struct {
	l      loss.Loss
	excess float64
}

func (c lossCheck) checks() []check {
	return []check{
		{"valid", func(t testing.TB) { noError(t, loss.Check(c.l)) }},
		{"subgradient", c.subgradient},
		{"curvature", c.curvature},
		{"quadratic", c.quadratic},
		{"margin", c.margin},
		{"rate", c.rate},
		{"constant", c.constant},
		{"probability", c.probability},
		{"probabilities", c.probabilities},
		{"gradient", c.gradient},
		{"user-defined", c.userDefined},
		{"text", func(t testing.TB) { checkExpression(t, c.l) }},
		{"file", c.file},
	}
}

// path is a loss as a function of one number: the score, or a position on a line through the
// scores of a row.
type path struct {
	name         string
	value, slope func(at float64) float64
}

// paths returns random paths.
func (c lossCheck) paths() (list []path) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		if l, ok := c.l.(loss.Scalar); ok {
			list = append(list, scalarPath(l, c.target(r)))
		}
		if l, ok := c.l.(loss.Multiclass); ok {
			classes := 2 + r.IntN(4)
			list = append(list, multiclassPath(l, normals(r, classes), normals(r, classes), r.IntN(classes)))
		}
	}
	return list
}

// target draws a target, or a label.
func (c lossCheck) target(r *rand.Rand) float64 {
	if loss.Margin(c.l) {
		return float64(2*r.IntN(2) - 1)
	}
	return math.Round(1e3*r.NormFloat64()) / 1e3
}

func normals(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

func scalarPath(l loss.Scalar, y float64) path {
	return path{
		fmt.Sprintf("y = %v", y),
		func(f float64) float64 { return l.Value(f, y) },
		func(f float64) float64 { return l.Derivative(f, y) },
	}
}

// multiclassPath is the loss at the scores from + at·direction/‖direction‖.
func multiclassPath(l loss.Multiclass, from, direction []float64, class int) path {
	floats.Scale(1/floats.Norm(direction, 2), direction)
	scores := func(at float64) []float64 {
		return floats.AddScaledTo(make([]float64, len(from)), from, at, direction)
	}
	return path{
		fmt.Sprintf("class %d, scores from %.3g along %.3g", class, from, direction),
		func(at float64) float64 { return l.Value(scores(at), class) },
		func(at float64) float64 {
			g := make([]float64, len(from))
			l.Gradient(g, scores(at), class)
			return floats.Dot(g, direction)
		},
	}
}

// subgradient checks that the loss is above each of its tangents. Close to the point of contact
// this detects any wrong derivative, and at a distance it detects a loss that is not convex.
func (c lossCheck) subgradient(t testing.TB) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range c.paths() {
		for range 200 {
			from := math.Round(2e3*r.NormFloat64()) / 1e3 // kinks included
			for _, by := range []float64{1e-6, -1e-6, 1e-3, -1e-3, r.NormFloat64(), 10 * r.NormFloat64()} {
				value, slope, there := p.value(from), p.slope(from), p.value(from+by)
				tangent := value + slope*by
				size := 1 + math.Abs(from)*math.Abs(slope) + math.Abs(value) + math.Abs(there) + math.Abs(tangent)
				if !(there >= tangent-16*eps*size) {
					t.Fatalf("%s: the loss at %v is %v, below %v of the tangent at %v", p.name, from+by, there, tangent, from)
				}
			}
		}
	}
}

// curvature compares the bound with the largest change of a derivative, which is at a kink if the
// loss has one.
func (c lossCheck) curvature(t testing.TB) {
	bound, kinks := c.l.Curvature(), 0
	for _, p := range c.paths() {
		s := steepest(p)
		if s.kink {
			kinks++
		}
		limit := bound*s.width*(1+1e-6) + 16*eps*(1+s.size)
		require(t, s.jump <= limit, "%s: the derivative changes by %v from %v to %v, more than the curvature %v allows",
			p.name, s.jump, s.at, s.at+s.width, bound)
	}
	expect(t, !loss.Kinked(c.l) || kinks > 0, "Curvature is %v and there is no kink", bound)
}

// steep is an interval with a large change of the derivative.
type steep struct {
	at, width, jump float64
	size            float64 // the larger of the derivatives at both ends
	kink            bool    // the change does not decrease with the width
}

// steepest bisects the steepest cell of a grid and continues with the steeper half.
func steepest(p path) steep {
	const cells, halvings = 64, 30
	cell := func(at, width float64) steep {
		a, b := p.slope(at), p.slope(at+width)
		return steep{at: at, width: width, jump: math.Abs(b - a), size: max(math.Abs(a), math.Abs(b))}
	}
	var s steep
	for i := range cells {
		if n := cell(10*float64(i)/cells-5, 10./cells); i == 0 || n.jump > s.jump {
			s = n
		}
	}
	whole := s.jump
	for range halvings {
		left, right := cell(s.at, s.width/2), cell(s.at+s.width/2, s.width/2)
		if s = left; right.jump > left.jump {
			s = right
		}
	}
	s.kink = s.jump > 1e-3*whole
	return s
}

// quadratic checks that the derivatives of a quadratic loss are linear.
func (c lossCheck) quadratic(t testing.TB) {
	if !loss.Quadratic(c.l) {
		return
	}
	for _, p := range c.paths() {
		for _, by := range []float64{1e-3, -0.5, 3, -20} {
			got, want := p.slope(0.3+by)-p.slope(0.3), c.l.Curvature()*by
			require(t, math.Abs(got-want) <= 1e-12*math.Abs(want),
				"%s: Quadratic, but over %v the derivative changes by %v, want %v by the curvature", p.name, by, got, want)
		}
	}
}

// margin checks that a loss of labels is a function of y·f and decreases at f = 0.
func (c lossCheck) margin(t testing.TB) {
	if !loss.Margin(c.l) {
		return
	}
	l, ok := c.l.(loss.Scalar)
	require(t, ok, "Margin of a loss that is no Scalar")
	for f := -3.0; f <= 3; f += 0.25 {
		even := l.Value(f, 1) == l.Value(-f, -1) && l.Derivative(f, 1) == -l.Derivative(-f, -1)
		expect(t, even, "the loss at the score %v for the label 1 is not the loss at %v for −1", f, -f)
	}
	d := l.Derivative(0, 1)
	expect(t, d < 0, "the derivative at 0 for the label 1 is %v", d)
}

func (c lossCheck) rate(t testing.TB) {
	for name, v := range map[string]float64{"Rate": loss.Rate(c.l), "StepCurvature": loss.StepCurvature(c.l)} {
		expect(t, v > 0 && !math.IsInf(v, 1), "%s is %v, want a positive number", name, v)
	}
}

// constant compares loss.Constant with the best constant among the targets and a grid.
func (c lossCheck) constant(t testing.TB) {
	l, ok := c.l.(loss.Scalar)
	if !ok {
		return
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 3, 10, 101} {
		y := make([]float64, n)
		for i := range y {
			y[i] = c.target(r)
		}
		if !loss.Margin(l) && n > 3 {
			y[n/2] = 50 // an outlier
		}
		given := slices.Clone(y)
		got := loss.Constant(l, y)
		low, high := slices.Min(y), slices.Max(y)
		expect(t, got >= low && got <= high, "the constant %v is not between the targets %v and %v", got, low, high)
		expect(t, slices.Equal(y, given), "Constant wrote to the targets")
		best, least := bestConstant(l, y)
		mean := meanLoss(l, got, y)
		expect(t, mean <= least+c.excess+1e-12*(1+math.Abs(least)),
			"the constant %v has the mean loss %v, the constant %v has %v", got, mean, best, least)
	}
}

func bestConstant(l loss.Scalar, y []float64) (best, least float64) {
	grid := floats.Span(make([]float64, 4001), slices.Min(y), slices.Max(y))
	least = math.Inf(1)
	for _, f := range append(grid, y...) {
		if v := meanLoss(l, f, y); v < least {
			best, least = f, v
		}
	}
	return best, least
}

func meanLoss(l loss.Scalar, f float64, y []float64) (mean float64) {
	for _, v := range y {
		mean += l.Value(f, v) / float64(len(y))
	}
	return mean
}
