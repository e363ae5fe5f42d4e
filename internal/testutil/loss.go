package testutil

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/loss"
)

// CheckLoss is the battery that every loss must pass: it is convex, its derivatives are
// subgradients, its curvature is a bound and infinite for a loss with kinks alone; a
// loss of labels is a function of y·f; probabilities are those by which it is least;
// what is asked of it has an answer, the same for a type that embeds it and for a
// pointer to it; its text is a Go expression; and its file gives it back. The mean loss
// of loss.Constant must be at most excess above the least.
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
		{"valid", c.valid},
		{"subgradient", c.subgradient},
		{"curvature", c.curvature},
		{"quadratic", c.quadratic},
		{"margin", c.margin},
		{"rate", c.rate},
		{"constant", c.constant},
		{"probability", c.probability},
		{"probabilities", c.probabilities},
		{"gradient", c.gradient},
		{"twins", c.twins},
		{"text", c.text},
		{"file", c.file},
	}
}

func (c lossCheck) valid(t testing.TB) {
	if err := loss.Check(c.l); err != nil {
		t.Error(err)
	}
}

// path is a loss along a line: of one score, or of all scores of a row.
type path struct {
	name         string
	value, slope func(at float64) float64
}

const lossPaths = 20

// paths returns lines through places where a loss may do anything.
func (c lossCheck) paths() (list []path) {
	r := rand.New(rand.NewPCG(1, 2))
	for range lossPaths {
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

// multiclassPath is the loss at the scores from + at·direction, of length 1.
func multiclassPath(l loss.Multiclass, from, direction []float64, class int) path {
	length := math.Sqrt(dot(direction, direction))
	scores := func(at float64) []float64 {
		f := slices.Clone(from)
		for c := range f {
			f[c] += at * direction[c] / length
		}
		return f
	}
	return path{
		fmt.Sprintf("class %d, scores from %.3g along %.3g", class, from, direction),
		func(at float64) float64 { return l.Value(scores(at), class) },
		func(at float64) float64 {
			g := make([]float64, len(from))
			l.Gradient(g, scores(at), class)
			return dot(g, direction) / length
		},
	}
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// subgradient asks that the loss lies above each of its tangents, near the place where
// it touches, which no wrong derivative allows, and far from there.
func (c lossCheck) subgradient(t testing.TB) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range c.paths() {
		for range 200 {
			from := math.Round(2e3*r.NormFloat64()) / 1e3 // at kinks too
			for _, by := range []float64{1e-6, -1e-6, 1e-3, -1e-3, r.NormFloat64(), 10 * r.NormFloat64()} {
				value, there := p.value(from), p.value(from+by)
				tangent := value + p.slope(from)*by
				if rounding := 16 * eps * (1 + math.Abs(from)*math.Abs(p.slope(from)) + math.Abs(value) + math.Abs(there) + math.Abs(tangent)); !(there >= tangent-rounding) {
					t.Fatalf("%s: the loss at %v is %v, below %v of the tangent at %v", p.name, from+by, there, tangent, from)
				}
			}
		}
	}
}

// curvature looks where derivatives change most: at a kink, if there is one.
func (c lossCheck) curvature(t testing.TB) {
	bound, kinks := c.l.Curvature(), 0
	for _, p := range c.paths() {
		s := steepest(p)
		if s.kink {
			kinks++
		}
		if rounding := 16 * eps * (1 + s.size); s.jump > bound*s.width*(1+1e-6)+rounding {
			t.Fatalf("%s: the derivative changes by %v from %v to %v, more than the curvature %v allows", p.name, s.jump, s.at, s.at+s.width, bound)
		}
	}
	if loss.Kinked(c.l) && kinks == 0 {
		t.Errorf("Curvature is %v and there is no kink", bound)
	}
}

// steep is an interval in which a derivative changes much.
type steep struct {
	at, width, jump float64
	size            float64 // the larger of the derivatives at its ends
	kink            bool    // the change does not become less with the width
}

// steepest halves the steepest of the cells of a grid, always going on with the
// steeper half.
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

// quadratic asks that derivatives of a quadratic loss are straight lines.
func (c lossCheck) quadratic(t testing.TB) {
	if !loss.Quadratic(c.l) {
		return
	}
	for _, p := range c.paths() {
		for _, by := range []float64{1e-3, -0.5, 3, -20} {
			if got, want := p.slope(0.3+by)-p.slope(0.3), c.l.Curvature()*by; math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Fatalf("%s: Quadratic, but over %v the derivative changes by %v, and the curvature makes it %v", p.name, by, got, want)
			}
		}
	}
}

// margin asks of a loss of labels that −f is to −1 what f is to 1, and that a score
// that does not decide is drawn to the label.
func (c lossCheck) margin(t testing.TB) {
	if !loss.Margin(c.l) {
		return
	}
	l, ok := c.l.(loss.Scalar)
	if !ok {
		t.Fatal("Margin of a loss that is no Scalar")
	}
	for f := -3.0; f <= 3; f += 0.25 {
		if l.Value(f, 1) != l.Value(-f, -1) || l.Derivative(f, 1) != -l.Derivative(-f, -1) {
			t.Errorf("the loss of %v for the label 1 is not that of %v for −1", f, -f)
		}
	}
	if d := l.Derivative(0, 1); !(d < 0) {
		t.Errorf("the derivative at 0 for the label 1 is %v", d)
	}
}

func (c lossCheck) rate(t testing.TB) {
	for name, v := range map[string]float64{"Rate": loss.Rate(c.l), "StepCurvature": loss.StepCurvature(c.l)} {
		if !(v > 0) || math.IsInf(v, 1) {
			t.Errorf("%s is %v, want a positive number", name, v)
		}
	}
}

// constant compares with the least on a grid and at the targets.
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
			y[n/2] = 50 // far from the others
		}
		given := slices.Clone(y)
		got := loss.Constant(l, y)
		if low, high := slices.Min(y), slices.Max(y); !(got >= low && got <= high) {
			t.Errorf("the constant %v does not lie between the least target %v and the largest %v", got, low, high)
		}
		if !slices.Equal(y, given) {
			t.Error("Constant wrote to the targets")
		}
		best, least := leastConstant(l, y)
		if mean := meanLoss(l, got, y); !(mean <= least+c.excess+1e-12*(1+math.Abs(least))) {
			t.Errorf("the constant %v has the mean loss %v, the constant %v has %v", got, mean, best, least)
		}
	}
}

func leastConstant(l loss.Scalar, y []float64) (best, least float64) {
	low, high := slices.Min(y), slices.Max(y)
	places := slices.Clone(y)
	for i := range 4001 {
		places = append(places, low+(high-low)*float64(i)/4000)
	}
	least = math.Inf(1)
	for _, f := range places {
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

// probability asks that a score is the best one for the probability that it stands
// for: p·l'(f, 1) + (1−p)·l'(f, −1) = 0.
func (c lossCheck) probability(t testing.TB) {
	l, ok := c.l.(loss.Probable)
	if !ok {
		return
	}
	for f := -20.0; f <= 20; f += 0.5 {
		p := l.Probability(f)
		if !(p >= 0 && p <= 1) || math.Abs(p+l.Probability(-f)-1) > 8*eps {
			t.Errorf("the probabilities of the scores %v and %v are %v and %v", f, -f, p, l.Probability(-f))
		}
		if s := p*l.Derivative(f, 1) + (1-p)*l.Derivative(f, -1); math.Abs(s) > 8*eps {
			t.Errorf("with the probability %v of the score %v the mean derivative is %v", p, f, s)
		}
	}
}

// probabilities asks the same of all classes: Σ_c p_c·∇l(f, c) = 0.
func (c lossCheck) probabilities(t testing.TB) {
	l, ok := c.l.(loss.MultiProbable)
	if !ok {
		return
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		f := normals(r, 2+r.IntN(5))
		p, g, sum, mean := make([]float64, len(f)), make([]float64, len(f)), 0.0, make([]float64, len(f))
		l.Probabilities(p, f)
		for k, v := range p {
			sum += v
			l.Gradient(g, f, k)
			for i := range mean {
				mean[i] += v * g[i]
			}
		}
		if !(slices.Min(p) >= 0) || math.Abs(sum-1) > 16*eps || dot(mean, mean) > 1e-28 {
			t.Errorf("the scores %.3g have the probabilities %.3g, of the sum %v, with the mean gradient %.3g", f, p, sum, mean)
		}
		if l.Probabilities(f, f); !slices.Equal(f, p) {
			t.Error("Probabilities over its own argument differ")
		}
	}
}

// gradient writes over its own argument, and to nothing of another length.
func (c lossCheck) gradient(t testing.TB) {
	l, ok := c.l.(loss.Multiclass)
	if !ok {
		return
	}
	f, g := []float64{0.2, -1, 0.7}, make([]float64, 3)
	given := slices.Clone(f)
	l.Gradient(g, f, 1)
	if !slices.Equal(f, given) {
		t.Error("Gradient wrote to the scores")
	}
	if l.Gradient(f, f, 1); !slices.Equal(f, g) {
		t.Errorf("Gradient over its own argument is %v, else %v", f, g)
	}
	for what, do := range map[string]func(){
		"Gradient of another length":       func() { l.Gradient(g[:2], f, 0) },
		"Gradient of a class too many":     func() { l.Gradient(g, f, 3) },
		"Value of a class too many":        func() { l.Value(f, 3) },
		"Gradient of a negative class":     func() { l.Gradient(g, f, -1) },
		"Value of a class below the first": func() { l.Value(f, -1) },
	} {
		if !panics(do) {
			t.Errorf("%s does not panic", what)
		}
	}
}

func panics(do func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	do()
	return false
}

func (c lossCheck) twins(t testing.TB) {
	want := c.answers(c.l)
	for _, twin := range twinsOfLoss(c.l) {
		if got := c.answers(twin.v); got != want {
			t.Errorf("%s %v answers\n%s\nwant\n%s", twin.name, c.l, got, want)
		}
	}
}

// answers are what l says to all questions, numbers by their bits.
func (c lossCheck) answers(l loss.Loss) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, l, loss.Check(l), l.Curvature(), loss.Kinked(l), loss.Quadratic(l), loss.Margin(l), loss.Rate(l), loss.StepCurvature(l))
	r := rand.New(rand.NewPCG(9, 10))
	if s, ok := l.(loss.Scalar); ok {
		y := []float64{c.target(r), c.target(r), c.target(r), c.target(r)}
		fmt.Fprintf(&b, "constant %x, values and derivatives", loss.Constant(s, y))
		for _, v := range y {
			f := r.NormFloat64()
			fmt.Fprintf(&b, " %x %x", s.Value(f, v), s.Derivative(f, v))
		}
	}
	if p, ok := l.(loss.Probable); ok {
		fmt.Fprintf(&b, " probability %x", p.Probability(0.3))
	}
	f, g := []float64{0.3, -0.1, 0.2}, make([]float64, 3)
	if m, ok := l.(loss.Multiclass); ok {
		m.Gradient(g, f, 1)
		fmt.Fprintf(&b, " value %x gradient %x", m.Value(f, 1), g)
	}
	if p, ok := l.(loss.MultiProbable); ok {
		p.Probabilities(g, f)
		fmt.Fprintf(&b, " probabilities %x", g)
	}
	return b.String()
}

func (c lossCheck) text(t testing.TB) {
	if _, err := parser.ParseExpr(c.l.String()); err != nil {
		t.Errorf("%s is no Go expression: %v", c.l, err)
	}
}

// file asks of a loss that is not registered for an error that says so. A pointer
// comes back as what it points to.
func (c lossCheck) file(t testing.TB) {
	data, err := loss.Marshal(c.l)
	if errors.Is(err, rkhs.ErrFormat) && bytes.Contains([]byte(err.Error()), []byte("registered")) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	back, err := loss.Unmarshal(data)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.answers(back), c.answers(c.l); got != want {
		t.Errorf("the loaded loss answers\n%s\nwant\n%s", got, want)
	}
	same := []loss.Loss{back}
	if twins := twinsOfLoss(c.l); len(twins) > 0 {
		same = append(same, twins[0].v) // the pointer
	}
	for _, l := range same {
		if again, err := loss.Marshal(l); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%T makes another file than %T (error %v)", l, c.l, err)
		}
	}
}
