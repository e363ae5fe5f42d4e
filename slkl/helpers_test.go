package slkl_test

import (
	"bytes"
	"context"
	"encoding"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/slkl"
)

// sample draws n rows of d standard normals, and q smooth targets with noise. Targets are multiples of
// 2⁻²⁰, so that adding a large integer is exact.
func sample(n, d, q int, seed uint64) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 11))
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, q, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		for o := range q {
			v := math.Sin(2*row[0]+float64(o)) + row[d-1]*row[0] + 0.1*r.NormFloat64()
			y.Set(i, o, math.Round(v*0x1p20)*0x1p-20)
		}
	}
	return x, y
}

// rowsOf returns the listed rows of m.
func rowsOf(m *mat.Dense, list []int) *mat.Dense {
	_, c := m.Dims()
	out := mat.NewDense(len(list), c, nil)
	for i, r := range list {
		out.SetRow(i, m.RawRowView(r))
	}
	return out
}

// span returns from, from+1, … to−1.
func span(from, to int) []int {
	list := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

func fit(t testing.TB, x, y mat.Matrix, o slkl.Options) *slkl.Model {
	t.Helper()
	m, err := slkl.Fit(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func learner(t testing.TB, o slkl.Options) *slkl.Learner {
	t.Helper()
	a, err := slkl.NewLearner(&o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func add(t testing.TB, a *slkl.Learner, x, y mat.Matrix) {
	t.Helper()
	if err := a.Update(x, y); err != nil {
		t.Fatal(err)
	}
}

func merge(t testing.TB, a, b *slkl.Learner) {
	t.Helper()
	if err := a.Merge(b); err != nil {
		t.Fatal(err)
	}
}

func solve(t testing.TB, a *slkl.Learner) *slkl.Model {
	t.Helper()
	m, err := a.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func predict(t testing.TB, m interface {
	Predict(mat.Matrix) (*mat.Dense, error)
}, x mat.Matrix) *mat.Dense {
	t.Helper()
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func marshal(t testing.TB, v encoding.BinaryMarshaler) []byte {
	t.Helper()
	data, err := v.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// far returns the largest difference between elements of a and b.
func far(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, math.Inf(1))
}

func finite(m *mat.Dense) bool {
	for _, v := range m.RawMatrix().Data {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// close reports whether a and b agree to the relative tolerance tol.
func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*math.Abs(b) }

// unchanged reports whether the file of v is still data.
func unchanged(t testing.TB, v encoding.BinaryMarshaler, data []byte) bool {
	t.Helper()
	return bytes.Equal(marshal(t, v), data)
}
