package polk

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

const testSigma = 0.7

func testKernel(workers int) gram.Evaluator {
	return gram.Evaluator{Kernel: kernel.Gaussian{Sigma: testSigma}, Workers: workers}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 11)) }

func normals(r *rand.Rand, rows, cols int) compute.Matrix {
	m := compute.NewMatrix(rows, cols)
	for i := range m.Data {
		m.Data[i] = r.NormFloat64()
	}
	return m
}

// extendBy calls extend as a learner does.
func extendBy(p *pursuit, x, w compute.Matrix, budget float64, limit int) change {
	k := compute.Matrix{Rows: x.Rows, Cols: p.order(), Stride: p.order(), Data: make([]float64, x.Rows*p.order())}
	p.cross(k, compute.DensePoints(x))
	p.eval.Gram(compute.Reshape(&p.kk, x.Rows, x.Rows), x)
	p.prepare(k)
	return p.extend(compute.DensePoints(x), cloneOf(w), budget, limit)
}

func cloneOf(m compute.Matrix) compute.Matrix {
	m.Data = slices.Clone(m.Data)
	return m
}

// naive is the algorithm of the paper: each removal refits all weights to the initial function.
type naive struct {
	points, weights [][]float64
	sigma, jitter   float64
}

func (f *naive) gram(a, b []int) *mat.Dense {
	k := mat.NewDense(len(a), len(b), nil)
	for i, p := range a {
		for j, q := range b {
			v := kernel.Gaussian{Sigma: f.sigma}.Eval(f.points[p], f.points[q])
			if p == q {
				v += f.jitter
			}
			k.Set(i, j, v)
		}
	}
	return k
}

// project returns the weights of the projection onto a subset of points and its squared distance.
func (f *naive) project(on []int) (w *mat.Dense, squared float64) {
	all := indices(len(f.points))
	weights := mat.NewDense(len(all), len(f.weights[0]), slices.Concat(f.weights...))
	norm := inner(weights, f.gram(all, all))
	if len(on) == 0 {
		return nil, norm
	}
	var b mat.Dense
	b.Mul(f.gram(on, all), weights)
	w = new(mat.Dense)
	if err := w.Solve(f.gram(on, on), &b); err != nil {
		if _, ok := err.(mat.Condition); !ok {
			panic(err)
		}
	}
	// ‖f − Pf‖² rather than ‖f‖² − ‖Pf‖², which loses half of the digits.
	diff := mat.DenseCopyOf(weights)
	for i, p := range on {
		for c := range f.weights[0] {
			diff.Set(p, c, diff.At(p, c)-w.At(i, c))
		}
	}
	return w, inner(diff, f.gram(all, all))
}

func inner(w, k *mat.Dense) float64 {
	var kw mat.Dense
	kw.Mul(k, w)
	kw.MulElem(&kw, w)
	return mat.Sum(&kw)
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// prune returns the remaining points, their weights and the squared error.
func (f *naive) prune(budget float64, limit int) (stay []int, w *mat.Dense, spent float64) {
	stay = indices(len(f.points))
	for len(stay) > 0 {
		best, least := -1, math.Inf(1)
		for j := range stay {
			if _, e := f.project(slices.Delete(slices.Clone(stay), j, j+1)); e < least {
				best, least = j, e
			}
		}
		if least > budget && len(stay) <= limit {
			break
		}
		stay = slices.Delete(stay, best, best+1)
		spent = least
	}
	w, _ = f.project(stay)
	return stay, w, spent
}

// naiveOf holds the function of p with new points.
func naiveOf(p *pursuit, x, w compute.Matrix, order []int) *naive {
	f := &naive{sigma: testSigma, jitter: p.factor.Jitter()}
	for j, s := range p.slot {
		f.points = append(f.points, slices.Clone(pointAt(p.dictionary, s)))
		f.weights = append(f.weights, slices.Clone(p.weight(j)))
	}
	for _, i := range order {
		f.points = append(f.points, compute.Row(x, i))
		f.weights = append(f.weights, compute.Row(w, i))
	}
	return f
}

// KOMP removes the same points as naive refitting, with the same error and weights, for several
// batch sizes, outputs, dimensions, budgets and bounds on points.
func TestKOMPAgainstNaive(t *testing.T) {
	removals, cases := 0, 60
	if !testutil.LongTests() {
		cases = 15
	}
	for seed := range uint64(cases) {
		r := newRand(seed)
		outputs, inputs := 1+int(seed%3), 2+int(seed%4)
		p := newPursuit(newDictionary(testKernel(1), points{inputs: inputs}, outputs, outputs, 1))
		for step := range 6 {
			x := normals(r, 1+r.IntN(9), inputs)
			w := normals(r, x.Rows, outputs)
			budget, limit := math.Pow(10, 2*r.Float64()-2), 1000
			if step%3 == 2 {
				budget, limit = 1e-3, 5
			}
			removals += checkAgainstNaive(t, p, x, w, budget, limit)
		}
	}
	if removals < 7*cases {
		t.Errorf("the test has seen %d removals only", removals)
	}
}

func checkAgainstNaive(t *testing.T, p *pursuit, x, w compute.Matrix, budget float64, limit int) (removals int) {
	t.Helper()
	f := naiveOf(p, x, w, indices(x.Rows))
	stay, want, spent := f.prune(budget, limit)
	c := extendBy(p, x, w, budget, limit)
	if c.folded > 0 {
		t.Fatalf("%d points were folded", c.folded)
	}
	if d := math.Abs(c.spent - spent); !(d <= 1e-8) {
		t.Errorf("squared error %v, want %v: they differ by %.1e", c.spent, spent, d)
	}
	if c.pruned != len(f.points)-len(stay) || p.order() != len(stay) {
		t.Fatalf("%d of %d points pruned, %d left; want %d left", c.pruned, len(f.points), p.order(), len(stay))
	}
	for i, at := range stay {
		j := p.find(f.points[at])
		if j < 0 {
			t.Fatalf("point %v is gone, which should stay", f.points[at])
		}
		for o, v := range p.weight(j) {
			if d := math.Abs(v - want.At(i, o)); !(d <= 1e-7) {
				t.Errorf("weight %v, want %v: they differ by %.1e", v, want.At(i, o), d)
			}
		}
	}
	checkExpansion(t, p.dictionary, 1e-10, 1e-6)
	return c.pruned
}

// find returns the index of a point in the factor, or -1.
func (e *dictionary) find(x []float64) int {
	return slices.IndexFunc(e.slot, func(s int) bool { return slices.Equal(pointAt(e, s), x) })
}

// checkExpansion compares the factor and the diagonal of the inverse with the Gram matrix of the
// points.
func checkExpansion(t failer, e *dictionary, gramTol, diagTol float64) {
	t.Helper()
	m := e.order()
	if err := e.consistent(); err != nil {
		t.Fatal(err)
	}
	if m == 0 {
		return
	}
	a := mat.NewSymDense(m, nil)
	for i := range m {
		for j := range i + 1 {
			a.SetSym(i, j, e.eval.Kernel.Eval(pointAt(e, e.slot[i]), pointAt(e, e.slot[j])))
		}
		a.SetSym(i, i, a.At(i, i)+e.factor.Jitter())
	}
	_, rows, _ := e.factor.State()
	l := mat.NewTriDense(m, mat.Lower, nil)
	for i := range m {
		for j := range i + 1 {
			l.SetTri(i, j, rows[i*(i+1)/2+j])
		}
	}
	var llt, diff mat.Dense
	llt.Mul(l, l.T())
	diff.Sub(&llt, a)
	scale := mat.Max(a)
	if d := mat.Max(&diff); !(d <= gramTol*scale) || !(-mat.Min(&diff) <= gramTol*scale) {
		t.Errorf("L·Lᵀ differs from K by %.1e, %.1e", d, mat.Min(&diff))
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		t.Fatal("the Gram matrix is not positive definite")
	}
	var inv mat.SymDense
	if err := chol.InverseTo(&inv); err != nil {
		if _, ok := err.(mat.Condition); !ok {
			t.Fatal(err)
		}
	}
	for i, g := range e.factor.InverseDiag() {
		if d := math.Abs(g/inv.At(i, i) - 1); !(d <= diagTol) {
			t.Errorf("diagonal %d of the inverse is %v, want %v: relative error %.1e", i, g, inv.At(i, i), d)
		}
	}
}

// failer is the common interface of tests and properties.
type failer interface {
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Helper()
}

// consistent checks sizes, distinct slots and finite weights.
func (e *dictionary) consistent() error {
	m := e.order()
	if e.points.count() != m || len(e.weights) != m*e.width || e.factor.Len() != m {
		return fmt.Errorf("%d points, %d weights and a factor of %d for %d slots", e.points.count(), len(e.weights), e.factor.Len(), m)
	}
	slots := slices.Sorted(slices.Values(e.slot))
	if !slices.Equal(slots, indices(m)) {
		return fmt.Errorf("slots %v", slots)
	}
	for i, w := range e.weights {
		if w-w != 0 {
			return fmt.Errorf("weight %d is %v", i, w)
		}
	}
	return nil
}
