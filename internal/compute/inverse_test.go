package compute

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Products with the original matrix verify both inverses. InvertUpper must not modify the
// elements below the diagonal.
func TestInverseInPlace(t *testing.T) {
	for _, n := range []int{1, 5, 64, 96, 97, 200, 333} {
		random := rand.New(rand.NewPCG(uint64(n), 1))
		u := NewMatrix(n, n)
		for i := range n {
			row := Row(u, i)
			for j := range row {
				row[j] = random.NormFloat64() / float64(n)
			}
			row[i] = 1 + random.Float64()
		}
		v, inverse := Clone(u), Clone(u)
		InvertUpper(v, nil, 2)
		InvertFactored(inverse, nil, 2)
		upper, full := triangleOf(u), triangleOf(inverse)
		Mirror(full)
		gram := NewMatrix(n, n)
		AddGram(gram, upper, 1)
		Mirror(gram)
		for name, product := range map[string]Matrix{"triangle": productOf(upper, triangleOf(v)), "factored": productOf(gram, full)} {
			for i := range n {
				for j, p := range Row(product, i) {
					want := 0.0
					if i == j {
						want = 1
					}
					if math.Abs(p-want) > 1e-12 {
						t.Fatalf("%s of %d: %v in place %d, %d of the product", name, n, p, i, j)
					}
				}
			}
		}
		for i := range n {
			for j := range i {
				if Row(v, i)[j] != Row(u, i)[j] || Row(inverse, i)[j] != 0 {
					t.Fatalf("%d: %v and %v below the diagonal, want %v and 0", n, Row(v, i)[j], Row(inverse, i)[j], Row(u, i)[j])
				}
			}
		}
	}
}

func triangleOf(m Matrix) Matrix {
	u := Clone(m)
	for i := range u.Rows {
		clear(Row(u, i)[:i])
	}
	return u
}

func productOf(a, b Matrix) Matrix {
	p := NewMatrix(a.Rows, b.Cols)
	MulNN(p, a, b, 1)
	return p
}

func TestInverseStops(t *testing.T) {
	u, asked := NewMatrix(400, 400), 0
	for i := range 400 {
		Row(u, i)[i] = 2
	}
	InvertFactored(u, func() bool { asked++; return true }, 1)
	if asked == 0 || u.Data[0] == .25 {
		t.Errorf("asked %d times, and the first number is %v: it went on", asked, u.Data[0])
	}
}
