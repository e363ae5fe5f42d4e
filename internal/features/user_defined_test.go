package features_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// within composes k with other kernels in several positions.
func within(k kernel.Kernel, d int) kernel.Kernel {
	ones := make([]float64, d)
	for i := range ones {
		ones[i] = float64(i%2 + 1)
	}
	return kernel.Sum{kernel.Linear{}, kernel.Scale{By: 2, Of: kernel.Product{kernel.ARD{Scales: ones, Of: k}, kernel.Gaussian{Sigma: 3}}}}
}

func pointerTo(k kernel.Kernel) kernel.Kernel {
	p := reflect.New(reflect.TypeOf(k))
	p.Elem().Set(reflect.ValueOf(k))
	return p.Interface().(kernel.Kernel)
}

// TestUserDefinedCopies checks that embedded kernels and pointers have the same features bit for bit, and the same
// errors, for every sampler.
func TestUserDefinedCopies(t *testing.T) {
	type copied struct {
		k kernel.Kernel
		d int
	}
	points := denseOf(uniforms(5, 4, 2))
	all := []copied{
		{kernel.Linear{}, 4}, {kernel.Hellinger{}, 4},
		{kernel.LowRank{Base: kernel.Gaussian{Sigma: 1}, Points: points, Weights: []float64{1, 0, 2, 3, 0.5}}, 4},
	}
	for _, c := range table {
		all = append(all, copied{c.k, c.d})
	}
	for _, c := range combinations {
		switch c.k.(type) {
		case kernel.Sum, kernel.Product, kernel.Scale, kernel.ARD:
			all = append(all, copied{c.k, 4})
		}
	}
	for _, c := range all {
		embedded := testutil.UserDefinedKernel(c.k)
		for _, s := range allSamplers {
			for _, columns := range []int{2, 60} {
				opts := features.Options{Columns: columns, Seed: 5, Sampler: s}
				compareCopies(t, c.k, embedded, c.d, opts)
				compareCopies(t, c.k, pointerTo(c.k), c.d, opts)
				compareCopies(t, within(c.k, c.d), within(embedded, c.d), c.d, opts)
			}
		}
		x := uniforms(20, c.d, 3)
		compareCopies(t, c.k, embedded, c.d, features.Options{Columns: 20, Leverage: &features.Leverage{Points: denseOf(x)}})
	}
}

func compareCopies(t *testing.T, k, copied kernel.Kernel, d int, opts features.Options) {
	t.Helper()
	want, err := features.New(k, d, opts)
	got, copiedErr := features.New(copied, d, opts)
	if err != nil {
		if copiedErr == nil || !errors.Is(copiedErr, rkhs.ErrOption) {
			t.Errorf("%T, %v: %v, want %v", copied, opts.Sampler, copiedErr, err)
		}
		return
	}
	if copiedErr != nil {
		t.Errorf("%T, %v: %v", copied, opts.Sampler, copiedErr)
		return
	}
	x := uniforms(9, d, 1)
	if want.Columns() != got.Columns() || fingerprint(want, x) != fingerprint(got, x) {
		t.Errorf("%T, %v: other features than %T", copied, opts.Sampler, k)
	}
}

func TestSampledCopies(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.AdditiveChiSquared{}, kernel.Intersection{}, kernel.JensenShannon{}} {
		copied := testutil.UserDefinedKernel(k)
		want, err := features.Sampled(k, 4, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := features.Sampled(copied, 4, 2, 0)
		if x := uniforms(9, 4, 1); err != nil || fingerprint(want, x) != fingerprint(got, x) {
			t.Errorf("%T: %v", copied, err)
		}
	}
}

// User-defined kernels that embed a kernel but define a different one.
type (
	wider    struct{ kernel.Gaussian }
	offset   struct{ kernel.Linear }
	weighted struct{ kernel.Sum }
	embedsMy struct{ triangle }
	shifted  struct{ kernel.SkewedChiSquared }
)

func (k wider) Eval(x, y []float64) float64  { return kernel.Gaussian{Sigma: 2 * k.Sigma}.Eval(x, y) }
func (k offset) Eval(x, y []float64) float64 { return 1 + k.Linear.Eval(x, y) }
func (k weighted) Eval(x, y []float64) float64 {
	return k.Sum[0].Eval(x, y) + 1e-6*k.Sum[1].Eval(x, y)
}
func (k embedsMy) Eval(x, y []float64) float64 { return 2 * k.triangle.Eval(x, y) }
func (k shifted) Eval(x, y []float64) float64 {
	return kernel.SkewedChiSquared{C: k.C + 1}.Eval(x, y)
}

// sameInAnotherForm embeds a kernel and computes its values with different rounding.
type sameInAnotherForm struct{ kernel.Matern }

func (k sameInAnotherForm) Eval(x, y []float64) float64 {
	u := []float64{0}
	for i, v := range x {
		u[0] += (v - y[i]) * (v - y[i])
	}
	k.OfSquaredDistance(u)
	return u[0]
}

// TestAnotherEval checks that a kernel that embeds another and overrides Eval does not use the embedded
// features, at any scale and anywhere in an expression.
func TestAnotherEval(t *testing.T) {
	g := kernel.Gaussian{Sigma: 1}
	refused := []kernel.Kernel{
		offset{}, weighted{kernel.Sum{g, kernel.Linear{}}}, embedsMy{triangle{2}}, shifted{kernel.SkewedChiSquared{C: 0.2}},
		kernel.Scale{By: 2, Of: wider{g}}, kernel.Product{kernel.Linear{}, kernel.Sum{g, wider{g}}},
	}
	for _, sigma := range []float64{1e-10, 1e-4, 1, 1e4} {
		refused = append(refused, wider{kernel.Gaussian{Sigma: sigma}})
	}
	for _, k := range refused {
		for _, d := range []int{1, 3, 100} {
			_, err := features.New(k, d, features.Options{})
			if !errors.Is(err, rkhs.ErrOption) || !strings.Contains(err.Error(), "another Eval") {
				t.Errorf("%T, d = %d: %v", k, d, err)
			}
		}
	}
	for _, k := range []kernel.Matern{{Nu: 0.5, Length: 1}, {Nu: 1.2, Length: 30}} {
		compareCopies(t, k, sameInAnotherForm{k}, 3, features.Options{Columns: 60})
	}
}

// represented is a kernel with a representation of any kind.
type represented struct {
	plain
	r kernel.Representation
}

func (k represented) Representation(int) kernel.Representation { return k.r }

func TestBadRepresentation(t *testing.T) {
	linear := kernel.Linear{}
	for _, c := range []struct {
		name    string
		r       kernel.Representation
		message string
	}{
		{"no gain", kernel.Representation{Of: plain{}, Family: linear}, "Gain"},
		{"gain", kernel.Representation{Of: plain{}, Gain: -1, Family: linear}, "Gain"},
		{"no kernel", kernel.Representation{Gain: 1, Family: linear}, "Of"},
		{"no family", kernel.Representation{Of: plain{}, Gain: 1}, "Family"},
		{"no distribution", kernel.Representation{Of: plain{}, Gain: 1, Family: kernel.FourierTransform{}}, "Family"},
		{"no quantile", kernel.Representation{Of: plain{}, Gain: 1, Family: kernel.LaplaceTransform{Of: kernel.Separable{}}}, "Family"},
		{"no quantiles", kernel.Representation{Of: plain{}, Gain: 1, Family: kernel.Homogeneous{}}, "Family"},
		{"a family out of range", kernel.Representation{Of: plain{}, Gain: 1, Family: kernel.Polynomial{}}, "Degree"},
		{"unknown family", kernel.Representation{Of: plain{}, Gain: 1, Family: &linear}, "*kernel.Linear"},
		{"another kernel", kernel.Representation{Of: linear, Gain: 1, Family: linear}, "another Eval"},
	} {
		_, err := features.New(represented{r: c.r}, 3, features.Options{})
		if !errors.Is(err, rkhs.ErrOption) || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := features.Sampled(represented{r: kernel.Representation{Of: plain{}, Gain: 1, Family: kernel.Homogeneous{Quantile: func([]float64) {}}}}, 3, 1, 0); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("no density: %v", err)
	}
}
