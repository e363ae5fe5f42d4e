package loss_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/loss"
)

var (
	regression = []loss.Scalar{
		loss.Squared{}, loss.Huber{Delta: 0.7}, loss.EpsilonInsensitive{Epsilon: 0.3}, loss.EpsilonInsensitive{},
		loss.Absolute{}, loss.Pinball{Tau: 0.2}, loss.Pinball{Tau: 0.5}, loss.Pinball{Tau: 0.9},
	}
	margins    = []loss.Scalar{loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}}
	multiclass = []loss.Multiclass{loss.Softmax{}, loss.MulticlassHinge{}}
)

// smooth lists the losses with a bounded Curvature.
func smooth(l loss.Loss) bool {
	switch l.(type) {
	case loss.Squared, loss.Huber, loss.SquaredHinge, loss.Logistic, loss.Softmax:
		return true
	}
	return false
}

// scalarCases calls do with scores and targets.
func scalarCases(do func(l loss.Scalar, f, y float64)) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		f := math.Round(random.NormFloat64()*2e3)/1e3 + 0.00037
		for _, l := range regression {
			do(l, f, math.Round(random.NormFloat64()*1e3)/1e3)
		}
		for _, l := range margins {
			do(l, f, float64(2*random.IntN(2)-1))
		}
	}
}

// TestCurvatureBounds checks l(g) ≤ l(f) + l'(f)(g−f) + c/2·(g−f)², which majorising steps require.
// 0.9·c must not satisfy it.
func TestCurvatureBounds(t *testing.T) {
	tightest := map[string]float64{}
	random := rand.New(rand.NewPCG(5, 6))
	scalarCases(func(l loss.Scalar, _, y float64) {
		if !smooth(l) {
			return
		}
		f := random.NormFloat64() / 2
		g := f + random.NormFloat64()/4
		excess := 2 * (l.Value(g, y) - l.Value(f, y) - l.Derivative(f, y)*(g-f)) / ((g - f) * (g - f))
		if math.Abs(g-f) > 1e-3 && excess > l.Curvature()*(1+1e-9) {
			t.Errorf("%v, y=%v, from %v to %v: curvature %v is above the bound %v", l, y, f, g, excess, l.Curvature())
		}
		tightest[l.String()] = max(tightest[l.String()], excess/l.Curvature())
	})
	if len(tightest) != 4 {
		t.Fatalf("bounds seen: %v", tightest)
	}
	for l, ratio := range tightest {
		if ratio < 0.9 {
			t.Errorf("%s: the largest curvature seen is %.2g of its bound", l, ratio)
		}
	}
}

func scores(random *rand.Rand, classes int) []float64 {
	f := make([]float64, classes)
	for c := range f {
		f[c] = 2 * random.NormFloat64()
	}
	return f
}

func TestSoftmaxCurvature(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	largest := 0.0
	for range 200 {
		f := scores(random, 2+random.IntN(4))
		for c := range f {
			f[c] /= 8
		}
		p := make([]float64, len(f))
		loss.Softmax{}.Probabilities(p, f)
		hessian := mat.NewSymDense(len(p), nil)
		for i := range p {
			for j := i; j < len(p); j++ {
				hessian.SetSym(i, j, -p[i]*p[j])
			}
			hessian.SetSym(i, i, p[i]-p[i]*p[i])
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(hessian, false) {
			t.Fatal("eigenvalues of a small matrix")
		}
		largest = max(largest, eigen.Values(nil)[len(p)-1])
	}
	if bound := (loss.Softmax{}).Curvature(); largest > bound || largest < 0.9*bound {
		t.Errorf("largest eigenvalue seen %v, bound %v", largest, bound)
	}
}

// TestTwoClasses: for two classes a multiclass loss is the binary loss of the difference of the
// scores.
func TestTwoClasses(t *testing.T) {
	for _, margin := range []float64{-800, -3, -0.2, 0, 0.5, 2, 800} {
		f := []float64{0.3, 0.3 + margin}
		if got, want := (loss.Softmax{}).Value(f, 1), (loss.Logistic{}).Value(f[1]-f[0], 1); math.Abs(got-want) > 1e-15*(1+want) {
			t.Errorf("softmax at margin %v: %v, logistic %v", margin, got, want)
		}
		if got, want := (loss.MulticlassHinge{}).Value(f, 1), (loss.Hinge{}).Value(f[1]-f[0], 1); math.Abs(got-want) > 1e-15*(1+want) {
			t.Errorf("multi-class hinge at margin %v: %v, hinge %v", margin, got, want)
		}
		p := make([]float64, 2)
		loss.Softmax{}.Probabilities(p, f)
		if want := (loss.Logistic{}).Probability(f[1] - f[0]); math.Abs(p[1]-want) > 1e-15 {
			t.Errorf("probability at margin %v: %v, logistic %v", margin, p[1], want)
		}
	}
}

func TestNoOverflow(t *testing.T) {
	for _, f := range []float64{-1e308, -1e5, 1e5, 1e308} {
		for _, l := range append(regression, margins...) {
			if l == (loss.Squared{}) || l == (loss.SquaredHinge{}) {
				continue
			}
			if v, d := l.Value(f, 1), l.Derivative(f, 1); math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(d) > 1 {
				t.Errorf("%v at %v: value %v, derivative %v", l, f, v, d)
			}
		}
		g := make([]float64, 3)
		for _, l := range multiclass {
			l.Gradient(g, []float64{f, 0, -1}, 1)
			if v := l.Value([]float64{f, 0, -1}, 1); math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(g[0]+g[1]+g[2]) > 1e-15 {
				t.Errorf("%v at %v: value %v, gradient %v", l, f, v, g)
			}
		}
	}
}

// TestMinimisers checks the minimiser of each regression loss on the targets 1, …, 99, with the
// last one an outlier.
func TestMinimisers(t *testing.T) {
	var y []float64
	for i := 1; i < 99; i++ {
		y = append(y, float64(i))
	}
	y = append(y, 1e4)
	for _, c := range []struct {
		l    loss.Scalar
		want float64
	}{
		{loss.Squared{}, (98*99/2 + 1e4) / 99},
		{loss.Absolute{}, 50},
		{loss.Pinball{Tau: 0.5}, 50},
		{loss.Pinball{Tau: 0.9}, 90},
		{loss.Pinball{Tau: 0.1}, 10},
		{loss.Huber{Delta: 1e6}, (98*99/2 + 1e4) / 99},
	} {
		if got := minimise(c.l, y); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%v: minimiser %v, want %v", c.l, got, c.want)
		}
	}
	if got := minimise(loss.Huber{Delta: 5}, y); math.Abs(got-50) > 1 {
		t.Errorf("Huber with small Delta went to %v for one far target", got)
	}
}

// minimise bisects on the sign of the summed derivative.
func minimise(l loss.Scalar, y []float64) float64 {
	low, high := -1e5, 1e5
	for range 60 {
		middle, slope := (low+high)/2, 0.0
		for _, v := range y {
			slope += l.Derivative(middle, v)
		}
		if slope > 0 {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

func TestRivals(t *testing.T) {
	g := make([]float64, 4)
	loss.MulticlassHinge{}.Gradient(g, []float64{2, 0.5, 2, 0}, 0)
	if want := "[-1 0 1 0]"; fmt.Sprint(g) != want {
		t.Errorf("gradient %v, want %v", g, want)
	}
	loss.MulticlassHinge{}.Gradient(g, []float64{0, 2, 0.5, 2}, 0)
	if want := "[-1 1 0 0]"; fmt.Sprint(g) != want {
		t.Errorf("of equal rivals the first: %v, want %v", g, want)
	}
	one := []float64{3}
	if v := (loss.MulticlassHinge{}).Value(one, 0); v != 0 {
		t.Errorf("one class has loss %v", v)
	}
	loss.MulticlassHinge{}.Gradient(one, one, 0)
	if one[0] != 0 {
		t.Errorf("one class has gradient %v", one)
	}
}
