package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// blobs returns rows of three classes in the plane.
func blobs(n int) (x *mat.Dense, class []int) {
	r := rand.New(rand.NewPCG(1, 2))
	x, class = mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		class[i] = r.IntN(3)
		angle := 2 * math.Pi * float64(class[i]) / 3
		x.SetRow(i, []float64{math.Cos(angle) + 0.5*r.NormFloat64(), math.Sin(angle) + 0.5*r.NormFloat64()})
	}
	return x, class
}

func options(budget int, m Maintenance) SGDOptions {
	return SGDOptions{Kernel: kernel.Gaussian{Sigma: 0.6}, Loss: loss.Softmax{}, Step: 0.5, Lambda: 0.1, Budget: budget, Maintenance: m}
}

func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v within %v", name, got, want, tolerance)
	}
}

// Within its budget the function is the sum of the terms of all steps, each shrunk once per later
// step. NORMA keeps the last terms.
func TestTruncation(t *testing.T) {
	x, class := blobs(60)
	for _, budget := range []int{60, 7} {
		l := NewSGD(2, 3, options(budget, DropOldest{}))
		var added [][]float64
		score := make([]float64, 3)
		for i, c := range class {
			clear(score)
			for j := max(0, i-budget); j < i; j++ {
				floats.AddScaled(score, l.opts.Kernel.Eval(x.RawRowView(j), x.RawRowView(i))*math.Pow(1-0.05, float64(i-j-1)), added[j])
			}
			g := make([]float64, 3)
			loss.Softmax{}.Gradient(g, score, c)
			floats.Scale(-0.5, g)
			added = append(added, g)
			l.Update(x.RawRowView(i), c)
		}
		f := l.Function()
		if f.Order() != budget {
			t.Fatalf("%d points, want %d", f.Order(), budget)
		}
		for j := range budget {
			step := 60 - budget + j
			for c, v := range f.weight(j) {
				near(t, "weight", v, added[step][c]*math.Pow(0.95, float64(60-1-step)), 1e-13)
			}
		}
	}
}

func TestDropSmallest(t *testing.T) {
	f := newExpansion(kernel.Gaussian{Sigma: 1}, 1, 2)
	f.append([]float64{1}, []float64{3, 4})
	f.append([]float64{2}, []float64{1, -1})
	f.append([]float64{3}, []float64{0, 2})
	DropSmallest{}.reduce(f, kernel.Gaussian{Sigma: 1})
	if f.Order() != 2 || f.points[0] != 1 || f.points[1] != 3 || f.weight(1)[1] != 2 {
		t.Errorf("points %v with weights %v", f.points, f.weights)
	}
}

// A row with zero hinge loss adds no point.
func TestNoGradientNoPoint(t *testing.T) {
	o := options(10, Merge{})
	o.Loss, o.Step, o.Lambda = loss.MulticlassHinge{}, 3, 0
	l := NewSGD(2, 2, o)
	for range 3 {
		l.Update([]float64{0, 0}, 1)
	}
	if l.Function().Order() != 1 {
		t.Errorf("%d points, want 1", l.Function().Order())
	}
}

// Merge selects the partner and the point on the segment with the smallest change, and degradation
// matches that change.
func TestMerge(t *testing.T) {
	k := kernel.Gaussian{Sigma: 0.6}
	r := rand.New(rand.NewPCG(3, 4))
	rounds := 20
	if !testutil.LongTests() {
		rounds = 4
	}
	for range rounds {
		f := newExpansion(k, 2, 3)
		for range 6 {
			f.append([]float64{r.NormFloat64(), r.NormFloat64()}, []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		}
		before := copyOf(f)
		a, least := smallest(f), math.Inf(1)
		for b := range 6 {
			for h := 0.0; b != a && h <= 1; h += 0.01 {
				p := newPair(before.weight(a), before.weight(b), k.Eval(before.point(a), before.point(b)))
				g := copyOf(before)
				z := make([]float64, 2)
				floats.AddScaled(z, h, before.point(a))
				floats.AddScaled(z, 1-h, before.point(b))
				g.remove(max(a, b))
				g.remove(min(a, b))
				g.append(z, p.merged(h))
				change := distance(before, g)
				near(t, "degradation", p.degradation(h), change, 1e-12)
				least = min(least, change)
			}
		}
		Merge{}.reduce(f, k)
		if f.Order() != 5 {
			t.Fatalf("%d points, want 5", f.Order())
		}
		if d := distance(before, f); d > least*(1+1e-3)+1e-12 {
			t.Errorf("merging changes the function by %v, want %v", d, least)
		}
	}
}

// Equal points merge without loss. Distant points lose at most the smaller term.
func TestMergeExtremes(t *testing.T) {
	k := kernel.Gaussian{Sigma: 0.6}
	for _, c := range []struct{ at, change float64 }{{0, 0}, {1e6, 2}} {
		f := newExpansion(k, 1, 2)
		f.append([]float64{0}, []float64{1, 1})
		f.append([]float64{c.at}, []float64{2, 0})
		before := copyOf(f)
		Merge{}.reduce(f, k)
		near(t, "change", distance(before, f), c.change, 1e-12)
	}
}

func copyOf(f *Expansion) *Expansion {
	g := newExpansion(f.kernel.Kernel, f.inputs, f.outputs)
	g.append(f.points, f.weights)
	return g
}

// distance returns ‖f − g‖².
func distance(f, g *Expansion) float64 {
	d := copyOf(f)
	for j := range g.Order() {
		w := append([]float64(nil), g.weight(j)...)
		floats.Scale(-1, w)
		d.append(g.point(j), w)
	}
	return d.SquaredNorm()
}
