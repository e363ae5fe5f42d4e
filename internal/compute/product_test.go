package compute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a matrix of standard normals. Each row is followed by pad elements of NaN,
// which no routine may access.
func random[T float](rnd *rand.Rand, rows, cols, pad int) matrix[T] {
	m := matrix[T]{rows, cols, cols + pad, make([]T, rows*(cols+pad))}
	for i := range m.data {
		m.data[i] = T(math.NaN())
	}
	for i := range rows {
		for j := range cols {
			m.data[i*m.stride+j] = T(rnd.NormFloat64())
		}
	}
	return m
}

func (m matrix[T]) clone() matrix[T] {
	m.data = append([]T(nil), m.data...)
	return m
}

// same fails unless got and want have the same bits; all NaNs are equal.
func same[T float](t *testing.T, name string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", name, len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g != g && w != w {
			continue
		}
		if g != w || math.Signbit(float64(g)) != math.Signbit(float64(w)) {
			t.Fatalf("%s: element %d is %v, want %v", name, i, g, w)
		}
	}
}

// element returns entry k of vector i.
func (f factor[T]) element(i, k int) T {
	v := f.data[min(i*f.stride+k, len(f.data)-1)]
	if f.transposed {
		v = f.data[k*f.stride+i]
	}
	if f.negated {
		return -v
	}
	return v
}

// naive computes a product by its definition.
func naive[T float](c matrix[T], a, b factor[T], upper bool) {
	for i := range c.rows {
		for j := range c.cols {
			if upper && j < i {
				continue
			}
			for k0 := 0; k0 < a.inner(); k0 += innerBlock {
				var s T
				for k := k0; k < min(k0+innerBlock, a.inner()); k++ {
					s = fma(a.element(i, k), b.element(j, k), s)
				}
				c.data[i*c.stride+j] += s
			}
		}
	}
}

func testMultiply[T float](t *testing.T, engines []*engine[T]) {
	rnd := rand.New(rand.NewPCG(1, 2))
	sizes := [][3]int{
		{0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}, {1, 40, 7}, {40, 1, 7}, {12, 16, 4}, {13, 17, 5},
		{24, 48, 256}, {25, 49, 257}, {97, 33, 11}, {96, 192, 3}, {5, 3000, 2}, {100, 50, 300}, {200, 100, 1},
		{10, 500, 300}, {16, 97, 513}, {103, 10, 300}, {8, 3, 513}, {500, 16, 257}, {97, 32, 600},
	}
	for _, s := range sizes {
		n, m, k := s[0], s[1], s[2]
		for flags := range 8 {
			a := factor[T]{random[T](rnd, n, k, 3), false, flags&1 != 0}
			b := factor[T]{random[T](rnd, m, k, 1), false, false}
			if flags&2 != 0 {
				a.matrix, a.transposed = random[T](rnd, k, n, 2), true
			}
			if flags&4 != 0 {
				b.matrix, b.transposed = random[T](rnd, k, m, 5), true
			}
			c := random[T](rnd, n, m, 3)
			want := c.clone()
			naive(want, a, b, false)
			for _, e := range engines {
				for _, workers := range []int{1, 2, 8} {
					if e.name == "go" && workers != 2 {
						continue
					}
					got := c.clone()
					e.multiply(got, a, b, false, workers)
					same(t, fmt.Sprint(e.name, s, flags, workers), got.data, want.data)
				}
			}
		}
	}
}

func TestMultiply(t *testing.T)   { testMultiply(t, engines64) }
func TestMultiply32(t *testing.T) { testMultiply(t, engines32) }

func testUpper[T float](t *testing.T, engines []*engine[T]) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, s := range [][2]int{{1, 1}, {7, 5}, {300, 50}, {10, 193}, {3, 300}, {513, 30}} {
		a := columnsOf(random[T](rnd, s[0], s[1], 2))
		c := random[T](rnd, s[1], s[1], 3)
		want := c.clone()
		naive(want, a, a, true)
		for _, e := range engines {
			for _, workers := range []int{1, 2, 8} {
				got := c.clone()
				e.multiply(got, a, a, true, workers)
				same(t, fmt.Sprint(e.name, s, workers), got.data, want.data)
			}
		}
	}
}

func TestMultiplyUpper(t *testing.T)   { testUpper(t, engines64) }
func TestMultiplyUpper32(t *testing.T) { testUpper(t, engines32) }

// AddRowGram gives the same bits as AddGram for the transpose.
func TestAddRowGram(t *testing.T) {
	a := normals(130, 300, 1)
	rows, columns := NewMatrix(130, 130), NewMatrix(130, 130)
	AddRowGram(rows, a, 2)
	AddGram(columns, Transpose(a), 2)
	rows32, columns32 := NewMatrix32(130, 130), NewMatrix32(130, 130)
	AddRowGram32(rows32, single(a), 2)
	AddGram32(columns32, single(Transpose(a)), 2)
	if !slices.Equal(rows.Data, columns.Data) || !slices.Equal(rows32.Data, columns32.Data) || rows.Data[129] == 0 {
		t.Error("other products")
	}
}

// SubtractTN gives the same bits as MulTN with a negated factor.
func TestSubtractTN(t *testing.T) {
	for _, s := range [][3]int{{1, 1, 1}, {7, 5, 300}, {40, 9, 3}, {130, 70, 20}} {
		a, b := normals(s[2], s[0], 1), normals(s[2], s[1], 2)
		got, want := normals(s[0], s[1], 3), normals(s[0], s[1], 3)
		SubtractTN(got, a, b, 2)
		for i := range a.Data {
			a.Data[i] = -a.Data[i]
		}
		MulTN(want, a, b, 2)
		same(t, "a difference", got.Data, want.Data)
	}
}
