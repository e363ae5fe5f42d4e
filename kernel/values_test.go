package kernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rkhs-go/rkhs/internal/testutil"
	. "github.com/rkhs-go/rkhs/kernel"
)

func sum(x, y []float64, term func(a, b float64) float64) float64 {
	s := 0.0
	for i := range x {
		s += term(x[i], y[i])
	}
	return s
}

func product(x, y []float64, factor func(a, b float64) float64) float64 {
	return math.Exp(sum(x, y, func(a, b float64) float64 { return math.Log(factor(a, b)) }))
}

func distance2(x, y []float64) float64 {
	return sum(x, y, func(a, b float64) float64 { return (a - b) * (a - b) })
}

func inner(x, y []float64) float64 {
	return sum(x, y, func(a, b float64) float64 { return a * b })
}

// entropy is x·log2(x) with its limit at 0.
func entropy(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log2(x)
}

// formulas has each kernel in the notation of its source, with parameters that avoid special cases.
var formulas = []struct {
	k       Kernel
	point   testutil.Point
	formula func(x, y []float64) float64
}{
	{Gaussian{1.3}, normals, func(x, y []float64) float64 { return math.Exp(-distance2(x, y) / (2 * 1.3 * 1.3)) }},
	{Laplacian{1.3}, normals, func(x, y []float64) float64 {
		return math.Exp(-sum(x, y, func(a, b float64) float64 { return math.Abs(a - b) }) / 1.3)
	}},
	{Cauchy{1.3}, normals, func(x, y []float64) float64 {
		return product(x, y, func(a, b float64) float64 { return 1 / (1 + math.Pow((a-b)/1.3, 2)) })
	}},
	{Matern{0.5, 1.3}, normals, func(x, y []float64) float64 { return math.Exp(-math.Sqrt(distance2(x, y)) / 1.3) }},
	{Matern{1.5, 1.3}, normals, func(x, y []float64) float64 {
		t := math.Sqrt(3*distance2(x, y)) / 1.3
		return (1 + t) * math.Exp(-t)
	}},
	{Matern{2.5, 1.3}, normals, func(x, y []float64) float64 {
		t := math.Sqrt(5*distance2(x, y)) / 1.3
		return (1 + t + t*t/3) * math.Exp(-t)
	}},
	{Matern{3.5, 1.3}, normals, func(x, y []float64) float64 {
		t := math.Sqrt(7*distance2(x, y)) / 1.3
		return (1 + t + 2*t*t/5 + t*t*t/15) * math.Exp(-t)
	}},
	{RationalQuadratic{0.7, 1.3}, normals, func(x, y []float64) float64 {
		return math.Pow(1+distance2(x, y)/(2*0.7*1.3*1.3), -0.7)
	}},
	{Linear{}, normals, inner},
	{Polynomial{Degree: 5, Scale: 0.3, Offset: 0.7}, normals, func(x, y []float64) float64 {
		return math.Pow(0.3*inner(x, y)+0.7, 5)
	}},
	{DotProduct{[]float64{0.1, 0, 2, 0.5}}, normals, func(x, y []float64) float64 {
		s := inner(x, y)
		return 0.1 + 2*s*s + 0.5*s*s*s
	}},
	{Dirichlet{1.3}, normals, func(x, y []float64) float64 {
		p := 1.0
		for i := range x {
			p *= math.Sin(1.5*1.3*(x[i]-y[i])) / math.Sin(0.5*1.3*(x[i]-y[i]))
		}
		return p
	}},
	{AdditiveChiSquared{}, histogram, func(x, y []float64) float64 {
		return sum(x, y, func(a, b float64) float64 {
			if a+b == 0 {
				return 0
			}
			return 2 * a * b / (a + b)
		})
	}},
	{Hellinger{}, histogram, func(x, y []float64) float64 {
		return sum(x, y, func(a, b float64) float64 { return math.Sqrt(a * b) })
	}},
	{Intersection{}, histogram, func(x, y []float64) float64 { return sum(x, y, math.Min) }},
	{JensenShannon{}, histogram, func(x, y []float64) float64 {
		return sum(x, y, func(a, b float64) float64 { return (entropy(a+b) - entropy(a) - entropy(b)) / 2 })
	}},
	{SkewedChiSquared{0.5}, skewed, func(x, y []float64) float64 {
		return product(x, y, func(a, b float64) float64 { return 2 * math.Sqrt((a+0.5)*(b+0.5)) / (a + b + 1) })
	}},
	{SkewedIntersection{0.5}, skewed, func(x, y []float64) float64 {
		return product(x, y, func(a, b float64) float64 {
			return math.Min(math.Sqrt((a+0.5)/(b+0.5)), math.Sqrt((b+0.5)/(a+0.5)))
		})
	}},
	{ExponentialSemigroup{0.3}, histogram, func(x, y []float64) float64 {
		return math.Exp(-0.3 * sum(x, y, func(a, b float64) float64 { return math.Sqrt(a + b) }))
	}},
	{ReciprocalSemigroup{0.8}, histogram, func(x, y []float64) float64 {
		return product(x, y, func(a, b float64) float64 { return 0.8 / (a + b + 0.8) })
	}},
}

func TestFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range formulas {
		for d := 1; d <= 11; d++ {
			x, y := make([]float64, d), make([]float64, d)
			for range 50 {
				f.point(r, x)
				f.point(r, y)
				size := math.Sqrt(f.formula(x, x) * f.formula(y, y))
				if _, ok := f.k.(Dirichlet); ok {
					size = math.Pow(3, float64(d)) // the quotient of sines has no value at 0
				}
				if got, want := f.k.Eval(x, y), f.formula(x, y); !(math.Abs(got-want) <= 1e-13*size) {
					t.Fatalf("%v at %v, %v: %v, want %v", f.k, x, y, got, want)
				}
			}
		}
	}
}

// arcCosine is the definition: the mean of Θ(w·x)Θ(w·y)(w·x)^n(w·y)^n, doubled,
// over directions w in the plane of x and y.
func arcCosine(n int, x, y []float64) float64 {
	theta := math.Acos(inner(x, y) / math.Sqrt(inner(x, x)*inner(y, y)))
	const steps = 200000
	// Both are positive for angles from theta − π/2 to π/2.
	from, to := theta-math.Pi/2, math.Pi/2
	s := 0.0
	for i := range steps {
		a := from + (to-from)*(float64(i)+0.5)/steps
		s += math.Pow(math.Cos(a)*math.Cos(a-theta), float64(n))
	}
	// E ρ^2n for a normal vector in the plane is 2^n·n!.
	radial := []float64{1, 2, 8}[n]
	return 2 * radial * s * (to - from) / steps / (2 * math.Pi) * math.Pow(inner(x, x)*inner(y, y), float64(n)/2)
}

func TestArcCosineIsTheMeanOverDirections(t *testing.T) {
	x, y := []float64{1, 2, -0.5}, []float64{0.3, -1, 1}
	for n := range 3 {
		if got, want := (ArcCosine{n}).Eval(x, y), arcCosine(n, x, y); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("order %d: %v, the mean is %v", n, got, want)
		}
	}
}
