package testutil

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/loss"
)

// probability checks that a score minimises the mean loss for its probability p:
// p·l'(f, 1) + (1−p)·l'(f, −1) = 0.
func (c lossCheck) probability(t testing.TB) {
	l, ok := c.l.(loss.Probable)
	if !ok {
		return
	}
	for f := -20.0; f <= 20; f += 0.5 {
		p, q := l.Probability(f), l.Probability(-f)
		expect(t, p >= 0 && p <= 1 && math.Abs(p+q-1) <= 8*eps,
			"the probabilities of the scores %v and %v are %v and %v", f, -f, p, q)
		s := p*l.Derivative(f, 1) + (1-p)*l.Derivative(f, -1)
		expect(t, math.Abs(s) <= 8*eps, "with the probability %v of the score %v the mean derivative is %v", p, f, s)
	}
}

// probabilities checks the same for the scores of all classes: Σ_c p_c·∇l(f, c) = 0.
func (c lossCheck) probabilities(t testing.TB) {
	l, ok := c.l.(loss.MultiProbable)
	if !ok {
		return
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		f := normals(r, 2+r.IntN(5))
		p, g, mean := make([]float64, len(f)), make([]float64, len(f)), make([]float64, len(f))
		l.Probabilities(p, f)
		for k, v := range p {
			l.Gradient(g, f, k)
			floats.AddScaled(mean, v, g)
		}
		sum := floats.Sum(p)
		expect(t, slices.Min(p) >= 0 && math.Abs(sum-1) <= 16*eps && floats.Norm(mean, 2) <= 1e-14,
			"the scores %.3g have the probabilities %.3g, sum %v, mean gradient %.3g", f, p, sum, mean)
		l.Probabilities(f, f)
		expect(t, slices.Equal(f, p), "Probabilities over its own argument differ")
	}
}

// gradient checks that Gradient may write over its own argument and panics for invalid arguments.
func (c lossCheck) gradient(t testing.TB) {
	l, ok := c.l.(loss.Multiclass)
	if !ok {
		return
	}
	f, g := []float64{0.2, -1, 0.7}, make([]float64, 3)
	given := slices.Clone(f)
	l.Gradient(g, f, 1)
	expect(t, slices.Equal(f, given), "Gradient wrote to the scores")
	l.Gradient(f, f, 1)
	expect(t, slices.Equal(f, g), "Gradient over its own argument is %v, else %v", f, g)
	for name, do := range map[string]func(){
		"Gradient of another length":   func() { l.Gradient(g[:2], f, 0) },
		"Gradient of a class too many": func() { l.Gradient(g, f, 3) },
		"Value of a class too many":    func() { l.Value(f, 3) },
		"Gradient of a negative class": func() { l.Gradient(g, f, -1) },
		"Value of a negative class":    func() { l.Value(f, -1) },
	} {
		expect(t, panics(do), "%s does not panic", name)
	}
}

func panics(do func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	do()
	return false
}

func (c lossCheck) userDefined(t testing.TB) {
	for _, l := range userDefinedLosses(c.l) {
		c.behavesAlike(t, l.name, l.v)
	}
}

func (c lossCheck) behavesAlike(t testing.TB, name string, l loss.Loss) {
	got, want := c.behaviour(l), c.behaviour(c.l)
	expect(t, got == want, "%s %v behaves like\n%s\nwant\n%s", name, c.l, got, want)
}

// behaviour returns the results of all methods and functions of a loss, with the bits of values.
func (c lossCheck) behaviour(l loss.Loss) string {
	var b strings.Builder
	fmt.Fprintln(&b, l, loss.Check(l), loss.Kinked(l), loss.Quadratic(l), loss.Margin(l))
	fmt.Fprintln(&b, l.Curvature(), loss.Rate(l), loss.StepCurvature(l))
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

// file checks Marshal and Unmarshal. The error for an unregistered loss must name the reason. A
// pointer is saved as its target.
func (c lossCheck) file(t testing.TB) {
	data, err := loss.Marshal(c.l)
	if errors.Is(err, rkhs.ErrFormat) && strings.Contains(err.Error(), "registered") {
		return
	}
	noError(t, err)
	back := must(loss.Unmarshal(data))(t)
	c.behavesAlike(t, "the loaded", back)
	same := []loss.Loss{back}
	if list := userDefinedLosses(c.l); len(list) > 0 {
		same = append(same, list[0].v) // the pointer
	}
	for _, l := range same {
		again, err := loss.Marshal(l)
		expect(t, err == nil && bytes.Equal(again, data), "%T makes another file than %T (error %v)", l, c.l, err)
	}
}
