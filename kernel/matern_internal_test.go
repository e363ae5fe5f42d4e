package kernel

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// The reference values reach from ν = 1e-8 to 1e8 and down to 1e-300. Rounding of t changes exp(−t) by t·2⁻⁵³, hence
// the term in log M.
func TestMaternReference(t *testing.T) {
	f, err := os.Open("testdata/matern.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	worst := 0.0
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		var nu, at, want float64
		if _, err := fmt.Sscan(s.Text(), &nu, &at, &want); err != nil {
			t.Fatal(err)
		}
		lines++
		got := newMaternProfile(nu, 1).value(at)
		e := math.Abs(got-want) / want
		if tol := 2e-14 + 4e-16*math.Abs(math.Log(want)); e > tol {
			t.Errorf("nu = %v, t = %v: %v, want %v: relative error %.2g", nu, at, got, want, e)
		}
		worst = max(worst, e)
	}
	if lines < 200 {
		t.Fatalf("%d reference values read", lines)
	}
	t.Logf("largest relative error %.2g over %d values", worst, lines)
}

// integralK is exp(t)·K_nu(t) by the trapezoidal rule for
// ∫ exp(−t·(cosh u − 1))·cosh(nu·u) du, which converges faster than any power of
// the step.
func integralK(nu, t float64) float64 {
	h := min(1./32, 1/(8*math.Sqrt(t)))
	sum := 0.5
	for u := h; ; u += h {
		v := math.Exp(-2*t*math.Pow(math.Sinh(u/2), 2)) * math.Cosh(nu*u)
		sum += v
		if v < 1e-18*sum {
			return sum * h
		}
	}
}

// The series is least accurate near t = 2, where its first term is −4 times the sum.
func TestBesselK(t *testing.T) {
	worst := 0.0
	for mu := -0.5; mu <= 0.5; mu += 1. / 64 {
		for at := 1e-6; at < 700; at *= 1.17 {
			k0, k1 := besselK(mu, at)
			for i, got := range [2]float64{k0, k1} {
				want := integralK(mu+float64(i), at)
				e := math.Abs(got-want) / want
				if e > 1e-14 {
					t.Fatalf("order %v, t = %v: %v, want %v: relative error %.2g", mu+float64(i), at, got, want, e)
				}
				worst = max(worst, e)
			}
		}
	}
	t.Logf("largest relative error %.2g", worst)
}

// NaN ends the series, and the result is NaN.
func TestMaternNaN(t *testing.T) {
	for _, k := range []Matern{{}, {0.3, 1}, {1, 0}, {1, 1}, {2.2, 1}, {80, 1}} {
		if v := k.Eval([]float64{math.NaN()}, []float64{0}); v == v {
			t.Errorf("%v at NaN is %v", k, v)
		}
	}
}

// K_{1/2} and K_{3/2} have closed forms.
func TestBesselKHalf(t *testing.T) {
	for _, at := range []float64{1e-150, 1e-8, 0.3, 2, 2.5, 1e3, 1e12} {
		c := math.Sqrt(math.Pi / (2 * at))
		for mu, want := range map[float64][2]float64{-0.5: {c, c}, 0.5: {c, c * (1 + 1/at)}} {
			k0, k1 := besselK(mu, at)
			if math.Abs(k0-want[0]) > 1e-14*want[0] || math.Abs(k1-want[1]) > 1e-14*want[1] {
				t.Errorf("mu = %v, t = %v: %v and %v, want %v", mu, at, k0, k1, want)
			}
		}
	}
}

// The value falls from 1 to 0 in t and is smooth in ν. The changes of method at t = 2 and at debyeNu are not visible.
func TestMaternSeams(t *testing.T) {
	for _, nu := range []float64{0.2, 0.5, 1, 7.3, debyeNu, math.Nextafter(debyeNu, 100), 1e4, 1e8} {
		p := newMaternProfile(nu, 1)
		last := 1.0
		for at := 0.0; at < 4*maternFar; at = at*1.01 + 1e-3 {
			v := p.value(at)
			if !(v >= 0 && v <= last*(1+1e-14)) {
				t.Fatalf("nu = %v: %v at t = %v after %v", nu, v, at, last)
			}
			last = v
		}
		for _, far := range []float64{1e100, math.MaxFloat64, math.Inf(1)} {
			if v := p.value(far); nu < 1e3 && v != 0 {
				t.Errorf("nu = %v: %v at t = %v", nu, v, far)
			}
		}
	}
	below, above := newMaternProfile(debyeNu, 1), newMaternProfile(math.Nextafter(debyeNu, 100), 1)
	for at := 0.1; at < 300; at *= 1.1 {
		a, b := below.value(at), above.value(at)
		if math.Abs(a-b) > (1e-14+5e-16*math.Abs(math.Log(a)))*a {
			t.Errorf("t = %v: %v below and %v above the seam", at, a, b)
		}
	}
}

// The derivative by log ℓ against differences of the kernel.
func TestMaternSlope(t *testing.T) {
	for _, nu := range []float64{0.01, 0.3, 0.5, 0.8, 1, 1.0001, 1.5, 2.7, 30.2, 51.3, 1e3} {
		for _, r := range []float64{1e-3, 0.1, 1, 4} {
			at := func(h float64) float64 { return newMaternProfile(nu, math.Exp(h)).at(r * r) }
			const h = 1e-3
			want := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
			if got := newMaternProfile(nu, 1).slope(r * r); math.Abs(got-want) > 2e-11+1e-10*want {
				t.Errorf("nu = %v, r = %v: slope %v, differences give %v", nu, r, got, want)
			}
		}
	}
}
