package linalg

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// problem is a matrix of columns with its products and a Woodbury over it.
type problem struct {
	c   *mat.Dense
	p   *mat.Dense
	lam float64
	w   *Woodbury
}

func newProblem(c blas64.General, lam float64) *problem {
	pr := &problem{c: toDense(c), p: new(mat.Dense), lam: lam, w: NewWoodbury(lam)}
	pr.p.Mul(pr.c.T(), pr.c)
	return pr
}

// set is Set with the inner products that it needs.
func (pr *problem) set(name int, mu float64) outcome {
	var cross []float64
	for _, a := range pr.w.Active() {
		cross = append(cross, pr.p.At(a, name))
	}
	return pr.w.set(name, mu, cross, pr.p.At(name, name))
}

// system returns D⁻¹ + P_AA/lam scaled as D^½(…)D^½, which balances weights of any size, and its
// inverse, G scaled as D^-½·G·D^-½.
func (pr *problem) system() (b, h *mat.Dense) {
	m := pr.w.Len()
	b, h = mat.NewDense(m, m, nil), inverse(pr.w)
	for i, mi := range pr.w.mu {
		for j, mj := range pr.w.mu {
			root := math.Sqrt(mi) * math.Sqrt(mj)
			b.Set(i, j, root*pr.p.At(pr.w.Active()[i], pr.w.Active()[j])/pr.lam)
			h.Set(i, j, h.At(i, j)/root)
		}
		b.Set(i, i, b.At(i, i)+1)
	}
	return b, h
}

// check fails unless G is the symmetric inverse with a residual of the order of rounding.
func (pr *problem) check(t testing.TB, name string) {
	t.Helper()
	m := pr.w.Len()
	if len(pr.w.Active()) != m || len(pr.w.mu) != m {
		t.Fatalf("%s: %d columns, names %v, weights %v", name, m, pr.w.Active(), pr.w.mu)
	}
	if m == 0 {
		return
	}
	b, h := pr.system()
	one := mat.NewDense(m, m, nil)
	for i := range m {
		one.Set(i, i, 1)
	}
	checkSolution(t, name, b, h, one)
}

func TestWoodburyFourCases(t *testing.T) {
	pr := newProblem(random(newRand(1), 30, 12), 0.7)
	type step struct {
		name   int
		mu     float64
		want   outcome
		active []int
	}
	for i, s := range []step{
		{4, 0, unchanged, nil},
		{4, 2, inserted, []int{4}},
		{4, 3, changed, []int{4}},
		{4, 3, unchanged, []int{4}},
		{4, 0, deleted, nil},
		{4, 5, inserted, []int{4}},
		{1, 0.5, inserted, []int{4, 1}},
		{9, 1e-6, inserted, []int{4, 1, 9}},
		{0, 1e6, inserted, []int{4, 1, 9, 0}},
		{1, 1e3, changed, []int{4, 1, 9, 0}},
		{1, 1e-3, changed, []int{4, 1, 9, 0}},
		{4, 0, deleted, []int{1, 9, 0}},
		{9, 0, deleted, []int{1, 0}},
		{9, 0, unchanged, []int{1, 0}},
		{0, 0, deleted, []int{1}},
		{0, 1, inserted, []int{1, 0}},
		{1, 0.1, changed, []int{1, 0}},
	} {
		name := fmt.Sprintf("step %d, column %d to %g", i, s.name, s.mu)
		if got := pr.set(s.name, s.mu); got != s.want {
			t.Errorf("%s: case %d, want %d", name, got, s.want)
		}
		if !slices.Equal(pr.w.Active(), s.active) {
			t.Fatalf("%s: active %v, want %v", name, pr.w.Active(), s.active)
		}
		if at := pr.w.position(s.name); s.mu > 0 && pr.w.mu[at] != s.mu || s.mu == 0 && at != -1 {
			t.Errorf("%s: at %d of weights %v", name, at, pr.w.mu)
		}
		pr.check(t, name)
	}
	if pr.w.Updates() != 14 {
		t.Errorf("%d updates, want 14", pr.w.Updates())
	}
}

func TestWoodburyDeleteAnywhere(t *testing.T) {
	for _, m := range []int{1, 2, 9, 40} {
		for _, at := range []int{0, m / 2, m - 1} {
			pr := newProblem(random(newRand(2), 50, m), 1)
			for j := range m {
				pr.set(j, 1+float64(j))
			}
			pr.set(at, 0)
			pr.check(t, fmt.Sprintf("%d of %d deleted", at, m))
			pr.set(at, 1)
			pr.check(t, fmt.Sprintf("%d of %d back", at, m))
		}
	}
}

// Equation (22), and Ki·c_p from a column of G.
func TestWoodburyStandsForLargeInverse(t *testing.T) {
	const n, m, lam = 40, 6, 0.3
	pr := newProblem(random(newRand(3), n, m), lam)
	big := mat.NewDense(n, n, nil)
	for j := range m {
		pr.set(j, 0.1*float64(j+1))
		big.RankOne(big, 0.1*float64(j+1), pr.c.ColView(j), pr.c.ColView(j))
	}
	for i := range n {
		big.Set(i, i, big.At(i, i)+lam)
	}
	var ki mat.Dense
	ki.Product(pr.c, inverse(pr.w), pr.c.T())
	ki.Scale(-1/(lam*lam), &ki)
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
		ki.Set(i, i, ki.At(i, i)+1/lam)
	}
	checkSolution(t, "equation (22)", big, &ki, one)

	g := make([]float64, m)
	pr.w.g.column(g, 4)
	var kc mat.Dense
	kc.Mul(pr.c, column(g))
	kc.Scale(1/(lam*pr.w.mu[4]), &kc)
	checkSolution(t, "Ki·c_p", big, &kc, pr.c.ColView(4))
}

func TestWoodburyMulVec(t *testing.T) {
	pr := newProblem(random(newRand(4), 40, 25), 1)
	for j := range 25 {
		pr.set(j, 1+float64(j))
	}
	v := toDense(random(newRand(5), 25, 1))
	dst := slices.Repeat([]float64{math.NaN()}, 25)
	pr.w.MulVecTo(dst, v.RawMatrix().Data)
	var want mat.Dense
	want.Mul(inverse(pr.w), v)
	for i, x := range dst {
		if math.Abs(x-want.At(i, 0)) > 50*eps*mat.Norm(&want, math.Inf(1)) {
			t.Errorf("entry %d is %v, want %v", i, x, want.At(i, 0))
		}
	}
}

func TestWoodburyNegligible(t *testing.T) {
	pr := newProblem(random(newRand(6), 20, 3), 1)
	norm2 := pr.p.At(0, 0)
	tiny := 1e-17 / norm2
	if c := pr.set(0, tiny); c != unchanged {
		t.Errorf("weight below rounding: case %d", c)
	}
	if c := pr.set(0, 1e-14/norm2); c != inserted {
		t.Errorf("weight above rounding: case %d", c)
	}
	pr.check(t, "small weight")
	if c := pr.set(0, tiny); c != deleted || pr.w.Len() != 0 {
		t.Errorf("back below rounding: case %d", c)
	}
	if c := pr.w.set(7, 1e9, nil, 0); c != unchanged {
		t.Errorf("zero column: case %d", c)
	}
	pr.set(1, 2)
	if c := pr.set(1, 2*(1+9e-13)); c != unchanged || pr.w.mu[0] != 2 {
		t.Errorf("change of 9e-13: case %d, weight %v", c, pr.w.mu[0])
	}
	if c := pr.set(1, 2*(1+2e-12)); c != changed {
		t.Errorf("change of 2e-12: case %d", c)
	}
}

// A weight that shrinks and grows by many orders of magnitude keeps all digits of
// its own column.
func TestWoodburyExtremeChanges(t *testing.T) {
	pr := newProblem(random(newRand(7), 20, 4), 1)
	for j := range 4 {
		pr.set(j, 1)
	}
	for _, mu := range []float64{1e-12, 1e-6, 1e-13, 1, 1e8, 1e-10, 1e3, 1e-14, 1} {
		pr.set(2, mu)
		pr.check(t, fmt.Sprintf("weight %g", mu))
		g := make([]float64, 4)
		pr.w.g.column(g, 2)
		if g[2] <= 0 || g[2] > mu*(1+4*eps) {
			t.Errorf("weight %g: G_pp is %v", mu, g[2])
		}
	}
}

func TestWoodburyDuplicates(t *testing.T) {
	c := random(newRand(8), 30, 9)
	for i := range c.Rows {
		row := compute.Row(c, i)
		row[3], row[4], row[5] = row[0], row[1], row[1]
		row[6] = row[2] + 1e-9*row[7]
		row[8] = 0
	}
	pr := newProblem(c, 1e-3)
	rng := newRand(9)
	for range 2000 {
		j := rng.IntN(9)
		pr.set(j, max(0, 3*rng.Float64()-1))
	}
	if d := pr.w.Drift(); !(d < 1e-8) {
		t.Errorf("drift %.3g after 2000 updates", d)
	}
	if !pr.w.Refactor(1) || pr.w.Updates() != 0 {
		t.Errorf("refactorisation failed, %d updates", pr.w.Updates())
	}
	pr.check(t, "refactored")
}

// Equal columns have such large weights that lam vanishes. Rounding may give a negative residual to a
// column in the span of other columns.
func TestWoodburyHugeWeights(t *testing.T) {
	c := random(newRand(12), 10, 3)
	for i := range c.Rows {
		row := compute.Row(c, i)
		row[1], row[2] = row[0], row[0]
	}
	for _, first := range []float64{1e14, 1e16, 3e17, 1e20} {
		for _, small := range []float64{1e-18, 1e-3, 1, 1e12} {
			for _, huge := range []float64{1e15, 1e18, 1e25} {
				pr := newProblem(c, 1)
				pr.set(0, first)
				pr.set(1, first/3)
				g := make([]float64, 3)
				for _, mu := range []float64{small, huge, 2 * huge, small, huge} {
					pr.set(2, mu)
					if pr.w.Len() < 3 {
						continue
					}
					pr.w.g.column(g, 2)
					if !(g[2] > 0 && g[2] <= mu*(1+4*eps)) {
						t.Errorf("weights %g, %g, then %g to %g: G_pp is %v", first, first/3, small, mu, g[2])
					}
				}
			}
		}
	}
}

// An inverse with drift above its bound G_pp ≤ mu_p remains positive when the weight increases.
func TestWoodburyGrowthAfterDrift(t *testing.T) {
	w := NewWoodbury(1)
	w.Set(0, 1e-5, nil, 1e6)
	w.g.row(0)[0] = 1e-5 * (1 + 1e-10)
	w.Set(0, 1e15, nil, 0)
	if g := w.g.row(0)[0]; !(g > 0) {
		t.Errorf("G is %v", g)
	}
}

func TestWoodburyEmpty(t *testing.T) {
	w := NewWoodbury(1)
	w.MulVecTo(nil, nil)
	if !w.Refactor(1) || w.Drift() != 0 || w.Len() != 0 || w.position(0) != -1 {
		t.Error("an empty Woodbury is not the inverse of nothing")
	}
}

func TestWoodburyPanics(t *testing.T) {
	pr := newProblem(random(newRand(10), 9, 3), 1)
	pr.set(0, 1)
	pr.set(1, 1)
	for name, f := range map[string]func(){
		"lam zero":     func() { NewWoodbury(0) },
		"lam NaN":      func() { NewWoodbury(math.NaN()) },
		"lam infinite": func() { NewWoodbury(math.Inf(1)) },
		"mu negative":  func() { pr.set(2, -1) },
		"mu NaN":       func() { pr.set(1, math.NaN()) },
		"mu infinite":  func() { pr.set(2, math.Inf(1)) },
		"short cross":  func() { pr.w.Set(2, 1, []float64{1}, 1) },
		"zero, short":  func() { pr.w.Set(2, 0, []float64{1}, 1) },
		"short dst":    func() { pr.w.MulVecTo(make([]float64, 1), make([]float64, 2)) },
		"short v":      func() { pr.w.MulVecTo(make([]float64, 2), make([]float64, 3)) },
	} {
		mustPanic(t, name, f)
	}
	pr.check(t, "after the panics")
}
