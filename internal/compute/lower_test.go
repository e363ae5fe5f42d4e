package compute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Solves invert products with the triangle, for any size and after any sequence of Push and
// Pop. All engines and numbers of workers give the same bits.
func TestLower(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{0, 1, 7, 8, 9, 40, 133, 300} {
		var l Lower
		for l.N < n+20 {
			pushRandom(&l, r)
		}
		for l.N > n/2 {
			l.Pop()
		}
		for l.N < n {
			pushRandom(&l, r)
		}
		for _, q := range []int{1, 3, 8, 9, 40, 150} {
			x := NewMatrix(q, n)
			for i := range x.Data {
				x.Data[i] = r.NormFloat64()
			}
			for _, trans := range []bool{false, true} {
				checkSolves(t, fmt.Sprintf("%d rows, %d right-hand sides, transposed %v", n, q, trans), &l, x, trans)
			}
		}
		same := LowerOf(n, l.Packed())
		if same.N != n || !slices.Equal(same.Packed(), l.Packed()) {
			t.Errorf("%d rows: a copy is another triangle", n)
		}
	}
}

func pushRandom(l *Lower, r *rand.Rand) {
	row := l.Push()
	for j := range row {
		row[j] = r.NormFloat64() / math.Sqrt(float64(len(row)))
	}
	row[len(row)-1] = 1 + r.Float64()
}

// checkSolves multiplies the rows of x by the triangle and then solves.
func checkSolves(t *testing.T, name string, l *Lower, x Matrix, trans bool) {
	t.Helper()
	b := NewMatrix(x.Rows, x.Cols)
	for q := range x.Rows {
		for i := range l.N {
			for j, v := range l.Row(i) {
				if trans {
					Row(b, q)[j] += v * Row(x, q)[i]
				} else {
					Row(b, q)[i] += v * Row(x, q)[j]
				}
			}
		}
	}
	var want []float64
	for i := range engines64 {
		e := engines64[len(engines64)-1-i]
		for _, workers := range []int{1, 3} {
			got := Clone(b)
			l.solve(e, got, trans, workers)
			if want == nil {
				want = got.Data
			}
			if !slices.Equal(got.Data, want) {
				t.Errorf("%s: %s with %d workers gives other bits", name, e.name, workers)
			}
		}
	}
	for i, v := range want {
		if !(math.Abs(v-x.Data[i]) < 1e-9) {
			t.Fatalf("%s: number %d is %v, want %v", name, i, v, x.Data[i])
		}
	}
}
