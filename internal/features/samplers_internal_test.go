package features

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// TestOrthogonal checks full, short and single-row groups. Some of the many small groups are ill
// conditioned and need a second round.
func TestOrthogonal(t *testing.T) {
	for _, c := range []struct{ d, rows, blocks int }{{3, 3000, 10}, {2, 3000, 10}, {8, 20, 1}, {60, 150, 1}, {40, 11, 1}, {1, 5, 1}, {300, 310, 1}} {
		squares, n := 0.0, 0.0
		for b := range c.blocks {
			w := compute.NewMatrix(c.rows, c.d)
			orthogonalNormals(w, newSource(3, uint64(b)), 2)
			for i := range c.rows {
				own := floats.Norm(compute.Row(w, i), 2)
				squares += own * own
				n++
				for j := i / c.d * c.d; j < i; j++ {
					if p := floats.Dot(compute.Row(w, i), compute.Row(w, j)); math.Abs(p) > 1e-7*own*floats.Norm(compute.Row(w, j), 2) {
						t.Fatalf("d = %d: rows %d and %d have the inner product %g", c.d, i, j, p)
					}
				}
			}
		}
		// Squared lengths have mean d and variance 2d.
		if z := (squares/n - float64(c.d)) / math.Sqrt(2*float64(c.d)/n); math.Abs(z) > 5 {
			t.Errorf("d = %d: the mean squared length is %.3f, %.1f standard errors from d", c.d, squares/n, z)
		}
	}
}

// TestSobolNet checks two properties that scrambling preserves. In each dimension 2^k points fall into
// distinct intervals of length 2^−k. In the first two dimensions each box of that volume has one point.
func TestSobolNet(t *testing.T) {
	const k = 8
	u := compute.NewMatrix(1<<k, sobolLimit)
	order := make([]int, 1<<k)
	for i := range order {
		order[i] = i
	}
	sobolPoints(u, order, newSource(1, 2))
	for j := range u.Cols {
		checkBoxes(t, u, j, j, k, 0)
	}
	for first := range k + 1 {
		checkBoxes(t, u, 0, 1, first, k-first)
	}
}

// checkBoxes asserts one point in each box of 2^−first by 2^−second.
func checkBoxes(t *testing.T, u compute.Matrix, i, j, first, second int) {
	t.Helper()
	seen := map[[2]int]bool{}
	for p := range u.Rows {
		row := compute.Row(u, p)
		seen[[2]int{int(row[i] * float64(int(1)<<first)), int(row[j] * float64(int(1)<<second))}] = true
	}
	if len(seen) != u.Rows {
		t.Errorf("dimensions %d and %d: points in %d of %d boxes", i, j, len(seen), u.Rows)
	}
}

// TestSobolPolynomials checks that polynomials are primitive and distinct, and that initial numbers are odd
// and small enough.
func TestSobolPolynomials(t *testing.T) {
	var all []uint64
	for j, d := range directions()[1:] {
		all = append(all, d.polynomial)
		if s := len(d.initial); bits.Len64(d.polynomial) != s+1 || !primitive(d.polynomial, s) {
			t.Errorf("dimension %d: polynomial %b is not primitive of degree %d", j+2, d.polynomial, s)
		}
		for i, m := range d.initial {
			if m%2 == 0 || m>>(i+1) != 0 {
				t.Errorf("dimension %d: m_%d = %d", j+2, i+1, m)
			}
		}
	}
	if len(all) != sobolLimit-1 || len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
		t.Errorf("%d polynomials, some of them equal or missing", len(all))
	}
}

// primitive reports whether x has the order 2^s − 1 modulo p over two elements.
func primitive(p uint64, s int) bool {
	x := uint64(1)
	for order := 1; ; order++ {
		x <<= 1
		if x>>s&1 == 1 {
			x ^= p
		}
		if x <= 1 {
			return x == 1 && order == 1<<s-1
		}
	}
}

func TestRadicalInverse(t *testing.T) {
	for _, c := range []struct {
		n, base uint64
		want    float64
	}{{0, 2, 0}, {1, 2, .5}, {6, 2, 3. / 8}, {5, 3, 7. / 9}, {7, 5, 11. / 25}} {
		if got := radicalInverse(c.n, c.base); got != c.want {
			t.Errorf("%d in base %d: %v, want %v", c.n, c.base, got, c.want)
		}
	}
	if got := primes(8); !slices.Equal(got, []uint64{2, 3, 5, 7, 11, 13, 17, 19}) {
		t.Errorf("primes %v", got)
	}
}

// TestHadamard compares with the definition H_ij = (−1)^popcount(i & j).
func TestHadamard(t *testing.T) {
	for _, n := range []int{1, 2, 4, 8, 16, 32} {
		v, want := make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = float64(i*i%7) - 2
		}
		for i := range want {
			for j, x := range v {
				want[i] += x * (1 - 2*float64(bits.OnesCount(uint(i&j))%2))
			}
		}
		if hadamard(v); !slices.Equal(v, want) {
			t.Errorf("n = %d: %v, want %v", n, v, want)
		}
	}
}

// TestFastfoodRows checks that the rows of the matrix of a group have the lengths of normal vectors.
func TestFastfoodRows(t *testing.T) {
	const n = 64
	squares, rows := 0.0, 0.0
	for b := range 100 {
		g := newFastfoodGroup(standardNormal(n), quantile.Gamma(n/2.0), n, newSource(1, uint64(b)))
		w := compute.NewMatrix(n, n)
		for j := range n {
			e, column := make([]float64, n), make([]float64, n)
			e[j] = 1
			g.product(column, e, make([]float64, n), make([]float64, n))
			for i, v := range column {
				compute.Row(w, i)[j] = v
			}
		}
		for i := range n {
			squares += floats.Dot(compute.Row(w, i), compute.Row(w, i))
			rows++
		}
	}
	if z := (squares/rows - n) / math.Sqrt(2*n/rows); math.Abs(z) > 5 {
		t.Errorf("the mean squared length is %.3f, %.1f standard errors from %d", squares/rows, z, n)
	}
}

// TestPermutation counts the orders of three elements.
func TestPermutation(t *testing.T) {
	counts := map[[3]int]int{}
	for b := range 6000 {
		counts[[3]int(permutation(3, newSource(2, uint64(b))))]++
	}
	for p, n := range counts {
		if math.Abs(float64(n)-1000) > 5*math.Sqrt(1000) {
			t.Errorf("%v comes %d times of 6000", p, n)
		}
	}
	if len(counts) != 6 {
		t.Errorf("%d orders", len(counts))
	}
}

// The first points of the sequence as published with the direction numbers.
func TestSobolVectors(t *testing.T) {
	want := [][]float64{
		{0, 0, 0}, {.5, .5, .5}, {.75, .25, .25}, {.25, .75, .75}, {.375, .375, .625},
		{.875, .875, .125}, {.625, .125, .875}, {.125, .625, .375}, {.1875, .3125, .9375}, {.6875, .8125, .4375},
	}
	for j := range 3 {
		var v [4]uint64
		directions()[j].vectors(v[:])
		x := uint64(0)
		for i, w := range want {
			if i > 0 {
				x ^= v[trailing(i)]
			}
			if got := float64(x) * 0x1p-64; got != w[j] {
				t.Errorf("dimension %d, point %d is %v, want %v", j, i, got, w[j])
			}
		}
	}
}

func trailing(i int) int {
	n := 0
	for ; i&1 == 0; i >>= 1 {
		n++
	}
	return n
}
