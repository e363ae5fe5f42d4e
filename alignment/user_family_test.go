package alignment_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/kernel"
)

// plain is exp(−Gamma·‖x−z‖²) with only its gradient.
type plain struct{ Gamma float64 }

func (k plain) Eval(x, y []float64) float64 { return math.Exp(-k.Gamma * distance(x, y)) }

func (k plain) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "Gamma", Value: k.Gamma}}
}

func (k plain) WithParameters(v []float64) kernel.Kernel { return plain{v[0]} }

func (k plain) LogGradient(dst, x, y []float64) int {
	t := k.Gamma * distance(x, y)
	dst[0] = -t * math.Exp(-t)
	return 1
}

func distance(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += (v - y[i]) * (v - y[i])
	}
	return s
}

// radial is plain, declared as a function of the distance.
type radial struct{ plain }

func (k radial) WithParameters(v []float64) kernel.Kernel { return radial{plain{v[0]}} }

func (k radial) OfSquaredDistance(d []float64) {
	for i, v := range d {
		d[i] = math.Exp(-k.Gamma * v)
	}
}

// own embeds a Gaussian.
type own struct{ kernel.Gaussian }

// TestOwnGaussian expects the same bits from a user-defined type that embeds a Gaussian.
func TestOwnGaussian(t *testing.T) {
	x, y := circles(150, 2, 4)
	for _, c := range []struct{ builtin, own kernel.Kernel }{
		{kernel.Gaussian{}, own{}},
		{kernel.ARD{Of: kernel.Gaussian{}}, kernel.ARD{Of: own{}}},
	} {
		o := alignment.Options{Criterion: alignment.Alignment, Family: c.builtin, Paper: alignment.Paper{MaxKernels: 3}}
		want, err := alignment.Fit(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		o.Family = c.own
		got, err := alignment.Fit(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := want.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		a, b := got.Report(), want.Report()
		if q, err := got.Predict(x); err != nil || !mat.EqualApprox(p, q, 1e-12) || !scalar.EqualWithinRel(a.Objective, b.Objective, 1e-12) ||
			!scalar.EqualWithinRel(a.Search.Error, b.Search.Error, 1e-12) || a.Status != b.Status || a.ModelOrder != b.ModelOrder {
			t.Errorf("%v: %+v by a type of the user's, %+v by the built-in; error %v", c.builtin, a, b, err)
		}
	}
}

// changed embeds a Gaussian but defines a different kernel.
type changed struct{ kernel.Gaussian }

func (changed) Eval(x, y []float64) float64 { return 1 / (1 + distance(x, y)) }

func TestFamilyThatChangesWhatItEmbeds(t *testing.T) {
	x, y := circles(40, 2, 1)
	liar := changed{kernel.Gaussian{Sigma: 1}}
	for _, f := range []kernel.Kernel{liar, kernel.ARD{Scales: []float64{1, 2}, Of: liar}, kernel.Scale{By: 2, Of: liar}} {
		_, err := alignment.Search(context.Background(), x, y, &alignment.Options{Family: f})
		checkError(t, err, rkhs.ErrOption, "Eval", "embeds")
	}
}

// TestFamilyOfTheUser expects the same result from user-defined kernels as from package kernel, by
// histograms and by gradients.
func TestFamilyOfTheUser(t *testing.T) {
	x, y := circles(150, 2, 1)
	want := search(t, x, y, alignment.Options{Paper: alignment.Paper{MaxKernels: 1}})
	gamma := 1 / (2 * math.Pow(want.Iterations[0].Kernel.(kernel.Gaussian).Sigma, 2))
	for name, f := range map[string]kernel.Kernel{"gradient": plain{2 * gamma}, "distance": radial{plain{0.3 * gamma}}} {
		got := search(t, x, y, alignment.Options{Family: f, Paper: alignment.Paper{MaxKernels: 1}})
		if v := kernel.Parameters(got.Iterations[0].Kernel)[0].Value; !near(v, gamma, 0.01) || !near(got.Alignment, want.Alignment, 1e-4) {
			t.Errorf("%s: gamma %v with alignment %v, want %v with %v", name, v, got.Alignment, gamma, want.Alignment)
		}
	}
}

// TestBounds checks that parameters and weights stay within their bounds.
func TestBounds(t *testing.T) {
	x, y := circles(150, 2, 2)
	free := search(t, x, y, alignment.Options{Paper: alignment.Paper{Tolerance: 1e-6}})
	sigma := free.Iterations[0].Kernel.(kernel.Gaussian).Sigma
	r := search(t, x, y, alignment.Options{Paper: alignment.Paper{Tolerance: 1e-6, Low: 2 * sigma, High: 3 * sigma, MaxStep: 0.25}})
	for i, s := range r.Iterations {
		if v := s.Kernel.(kernel.Gaussian).Sigma; v < 2*sigma*(1-1e-12) || v > 3*sigma*(1+1e-12) {
			t.Errorf("sigma %v is not in [%v, %v]", v, 2*sigma, 3*sigma)
		}
		if i > 0 && !(s.Eta > 0 && s.Eta <= 0.25) {
			t.Errorf("eta %v is not in (0, 0.25]", s.Eta)
		}
	}
	if r.Alignment > free.Alignment {
		t.Errorf("alignment %v within bounds, %v without", r.Alignment, free.Alignment)
	}
}

// TestStepsRaiseTheAlignment checks that every step raises the alignment and that the last one equals
// the result.
func TestStepsRaiseTheAlignment(t *testing.T) {
	x, y := circles(150, 2, 3)
	for name, f := range searched() {
		r := search(t, x, y, alignment.Options{Family: f, Paper: alignment.Paper{Tolerance: 1e-4, Shrink: shrink(f, 0.01)}})
		before := 0.0
		for _, s := range r.Iterations {
			if !(s.Alignment > before+1e-4) || s.Evaluations < 1 {
				t.Errorf("%s: alignment %v after %v, %d evaluations", name, s.Alignment, before, s.Evaluations)
			}
			before = s.Alignment
		}
		if r.Alignment != before || len(r.Kernel) != len(r.Iterations) {
			t.Errorf("%s: %d kernels with %v at the end, %d steps to %v", name, len(r.Kernel), r.Alignment, len(r.Iterations), before)
		}
	}
}
