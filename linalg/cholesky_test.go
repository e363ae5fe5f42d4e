package linalg

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// sizes are below and above the block size of the triangular solves.
var sizes = []int{1, 2, 5, 15, 63, 64, 65, 130, 200}

// newStream returns a tracked factor of n points in a square. Their distances are about a third of a
// bandwidth.
func newStream(t testing.TB, n int, jitter float64) (*Cholesky, []point) {
	t.Helper()
	rng := newRand(uint64(n))
	c := NewCholesky(jitter)
	c.TrackInverseDiag()
	var points []point
	for len(points) < n {
		x := uniform(rng, math.Sqrt(float64(n))/3)
		if _, ok := c.Append(kernelRow(x, points), 1, 0); !ok {
			t.Fatalf("point %d rejected", len(points))
		}
		points = append(points, x)
	}
	return c, points
}

func TestCholeskyAppend(t *testing.T) {
	for _, n := range sizes {
		c, points := newStream(t, n, 1e-6)
		a := gram(points, 1e-6)
		checkFactor(t, c, a)
		if e := relativeError(c.InverseDiag(), inverseDiag(t, a)); e > 1e-8 {
			t.Errorf("n = %d: diagonal of the inverse off by %.3g", n, e)
		}
	}
}

// The Schur complement is the squared distance from the span: for one point
// present, 1 + jitter − k²/(1 + jitter).
func TestCholeskySchurComplement(t *testing.T) {
	const jitter = 0.25
	c := NewCholesky(jitter)
	if s, ok := c.Append(nil, 1, 0); s != 1+jitter || !ok {
		t.Errorf("first point: s = %v, %v", s, ok)
	}
	if s, ok := c.Append([]float64{0.5}, 1, 0); math.Abs(s-(1.25-0.2)) > 4*eps || !ok {
		t.Errorf("second point: s = %v, %v, want 1.05", s, ok)
	}
}

func TestCholeskyAppendRefuses(t *testing.T) {
	c, points := newStream(t, 20, 0)
	_, before, diag := c.State()
	for _, tc := range []struct {
		name      string
		k         []float64
		diag, tol float64
	}{
		{"exact duplicate", kernelRow(points[7], points), 1, 1e-12},
		{"not above the tolerance", make([]float64, 20), 1, 1},
		{"indefinite, negative tolerance", kernelRow(points[7], points), 0.5, -1},
		{"not a number", slices.Repeat([]float64{math.NaN()}, 20), 1, 0},
		{"infinite", make([]float64, 20), math.Inf(1), 0},
	} {
		if s, ok := c.Append(tc.k, tc.diag, tc.tol); ok {
			t.Errorf("%s: admitted with s = %v", tc.name, s)
		}
		if _, rows, d := c.State(); !slices.Equal(rows, before) || !slices.Equal(d, diag) {
			t.Errorf("%s: rejected, but the state has changed", tc.name)
		}
	}
	points = append(points, point{50, 50})
	if s, ok := c.Append(make([]float64, 20), 1, 0.99); !ok || s != 1 {
		t.Errorf("a point far away: s = %v, %v", s, ok)
	}
	checkFactor(t, c, gram(points, 0))
}

func TestCholeskyDelete(t *testing.T) {
	for _, n := range sizes {
		for _, i := range []int{0, n / 3, n / 2, n - 1} {
			t.Run(fmt.Sprintf("%d of %d", i, n), func(t *testing.T) {
				c, points := newStream(t, n, 1e-6)
				full := gram(points, 1e-6)
				g := make([]float64, n)
				c.Delete(i, g)
				unit := make([]float64, n)
				unit[i] = 1
				checkSolution(t, "column of the inverse", full, column(g), column(unit))
				points = slices.Delete(points, i, i+1)
				if c.Len() != n-1 {
					t.Fatalf("%d points are left of %d", c.Len(), n)
				}
				if n == 1 {
					return
				}
				a := gram(points, 1e-6)
				checkFactor(t, c, a)
				if e := relativeError(c.InverseDiag(), inverseDiag(t, a)); e > 1e-8 {
					t.Errorf("diagonal of the inverse off by %.3g", e)
				}
			})
		}
	}
}

// After the deletion of all points the factor must behave like a new one.
func TestCholeskyEmptied(t *testing.T) {
	fresh, points := newStream(t, 30, 1e-6)
	c := cloneOf(fresh)
	for c.Len() > 0 {
		c.Delete(c.Len()/2, nil)
	}
	if len(c.InverseDiag()) != 0 {
		t.Errorf("an empty factor has the inverse diagonal %v", c.InverseDiag())
	}
	for i, x := range points {
		c.Append(kernelRow(x, points[:i]), 1, 0)
	}
	_, rows, diag := c.State()
	_, rows0, diag0 := fresh.State()
	if !slices.Equal(rows, rows0) || !slices.Equal(diag, diag0) {
		t.Error("a factor that was emptied and filled again differs from a new one")
	}
}

// The cost of removing a point, and the weights afterwards: the identities that pruning uses.
// The function with weights w has squared norm wᵀKw; its projection onto the other points has
// weights K_RR⁻¹·K_R·w.
func TestCholeskyDeletionIsProjection(t *testing.T) {
	const n, i, jitter = 25, 9, 1e-3
	c, points := newStream(t, n, jitter)
	w := random(newRand(1), n, 1)
	full, weights := gram(points, jitter), toDense(w)
	cost := math.Pow(weights.At(i, 0), 2) / c.InverseDiag()[i]

	g := make([]float64, n)
	c.Delete(i, g)
	updated := mat.NewDense(n, 1, nil)
	for j := range n {
		updated.Set(j, 0, weights.At(j, 0)-g[j]*weights.At(i, 0)/g[i])
	}
	rest := slices.Delete(slices.Clone(points), i, i+1)
	var kw, lost, norm mat.Dense
	kw.Mul(full, weights)
	rhs := slices.Delete(mat.Col(nil, 0, &kw), i, i+1)
	fitted := slices.Delete(mat.Col(nil, 0, updated), i, i+1)
	checkSolution(t, "projected weights", gram(rest, jitter), column(fitted), column(rhs))

	lost.Sub(weights, updated)
	norm.Product(lost.T(), full, &lost)
	if got := norm.At(0, 0); math.Abs(got-cost) > 1e-11*cost {
		t.Errorf("removal costs %v, w²/G gives %v", got, cost)
	}
}

func TestCholeskyTrackInverseDiagLater(t *testing.T) {
	tracked, points := newStream(t, 70, 1e-6)
	late := NewCholesky(1e-6)
	mustPanic(t, "InverseDiag untracked", func() { late.InverseDiag() })
	for i, x := range points {
		late.Append(kernelRow(x, points[:i]), 1, 0)
	}
	late.TrackInverseDiag()
	if e := relativeError(tracked.InverseDiag(), late.InverseDiag()); e > 1e-9 {
		t.Errorf("tracked from the start and computed at the end differ by %.3g", e)
	}
}

func TestCholeskyPanics(t *testing.T) {
	c, _ := newStream(t, 3, 1)
	for name, f := range map[string]func(){
		"negative jitter":      func() { NewCholesky(-1) },
		"jitter NaN":           func() { NewCholesky(math.NaN()) },
		"infinite jitter":      func() { NewCholesky(math.Inf(1)) },
		"short k":              func() { c.Append(make([]float64, 2), 1, 0) },
		"delete −1":            func() { c.Delete(-1, nil) },
		"delete n":             func() { c.Delete(3, nil) },
		"short g":              func() { c.Delete(0, make([]float64, 2)) },
		"solve, short dst":     func() { c.SolveVecTo(make([]float64, 2), make([]float64, 3)) },
		"solve, short b":       func() { c.SolveVecTo(make([]float64, 3), make([]float64, 2)) },
		"solve, wrong rows":    func() { c.SolveTo(mat.NewDense(3, 2, nil), mat.NewDense(4, 2, nil), nil, 1) },
		"solve, wrong dst":     func() { c.SolveTo(mat.NewDense(3, 2, nil), mat.NewDense(3, 2, nil), []int{0}, 1) },
		"solve, column −1":     func() { c.SolveTo(mat.NewDense(3, 1, nil), mat.NewDense(3, 2, nil), []int{-1}, 1) },
		"solve, column q":      func() { c.SolveTo(mat.NewDense(3, 1, nil), mat.NewDense(3, 2, nil), []int{2}, 1) },
		"forward, wrong width": func() { c.ForwardRows(mat.NewDense(1, 2, nil), 1) },
		"backward, wrong":      func() { c.BackwardRows(mat.NewDense(1, 2, nil), 1) },
		"rank one, short x":    func() { c.RankOne(make([]float64, 2)) },
		"batch, cross":         func() { c.AppendBatch(mat.NewDense(2, 2, nil), mat.NewDense(2, 2, nil), 0, 1) },
		"batch, gram":          func() { c.AppendBatch(mat.NewDense(2, 3, nil), mat.NewDense(2, 3, nil), 0, 1) },
	} {
		mustPanic(t, name, f)
	}
	if c.Len() != 3 {
		t.Errorf("a panic has changed the order to %d", c.Len())
	}
}
