package dataset

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/rng"
)

// Columns that break naive formulas: a large offset, a tiny and a huge scale, a
// constant that sums inexactly, a constant 0, an ordinary one.
func hardColumns(n int) *mat.Dense {
	s := rng.New(1, "columns", 0)
	x := mat.NewDense(n, 6, nil)
	for i := range n {
		v := s.NormFloat64()
		x.SetRow(i, []float64{1e9 + v, 1e-200 * v, 1e200 * v, 0.1, 0, 3 + 2*v})
	}
	return x
}

// momentsOf computes mean and standard deviation of a column with 300 bits.
func momentsOf(x *mat.Dense, column int) (mean, std float64) {
	n, _ := x.Dims()
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	zero := func() *big.Float { return number(0) }
	m, v := zero(), zero()
	for i := range n {
		m.Add(m, number(x.At(i, column)))
	}
	m.Quo(m, number(float64(n)))
	for i := range n {
		d := zero().Sub(number(x.At(i, column)), m)
		v.Add(v, d.Mul(d, d))
	}
	mean, _ = m.Float64()
	std, _ = v.Sqrt(v.Quo(v, number(float64(n)))).Float64()
	return mean, std
}

func TestStandardizeMoments(t *testing.T) {
	x := hardColumns(500)
	original := mat.DenseCopyOf(x)
	s := Standardize(x)
	for j := range 6 {
		mean, std := momentsOf(original, j)
		if std == 0 {
			std = 1
		}
		if math.Abs(s.Mean[j]-mean) > 1e-15*(math.Abs(mean)+std) {
			t.Errorf("column %d: mean %v, want %v", j, s.Mean[j], mean)
		}
		if math.Abs(s.Std[j]-std) > 1e-13*std {
			t.Errorf("column %d: standard deviation %v, want %v", j, s.Std[j], std)
		}
		for i := range 500 {
			if got, want := x.At(i, j), (original.At(i, j)-s.Mean[j])/s.Std[j]; got != want {
				t.Fatalf("(%d, %d) is %v, want %v", i, j, got, want)
			}
		}
	}
}

func TestStandardizeConstantColumns(t *testing.T) {
	x := hardColumns(777)
	s := Standardize(x)
	for _, j := range []int{3, 4} {
		if s.Std[j] != 1 {
			t.Errorf("column %d: standard deviation %v, want 1", j, s.Std[j])
		}
		for i := range 777 {
			if x.At(i, j) != 0 {
				t.Fatalf("(%d, %d) is %v, want 0", i, j, x.At(i, j))
			}
		}
	}
}

func TestStandardizeAppliesToOthers(t *testing.T) {
	train := mat.NewDense(2, 2, []float64{1, 5, 3, 5})
	one, two := mat.NewDense(1, 2, []float64{4, 7}), mat.NewDense(2, 2, []float64{2, 5, 0, 4})
	s := Standardize(train, one, two)
	for _, c := range []struct {
		got  *mat.Dense
		want []float64
	}{
		{train, []float64{-1, 0, 1, 0}}, {one, []float64{2, 2}}, {two, []float64{0, 0, -2, -1}},
	} {
		if !sameBits(c.got.RawMatrix().Data, c.want) {
			t.Errorf("got %v, want %v", c.got.RawMatrix().Data, c.want)
		}
	}
	view := mat.NewDense(3, 3, nil).Slice(0, 3, 0, 2).(*mat.Dense)
	s.Apply(view)
	if view.At(2, 1) != -5 {
		t.Errorf("a view becomes %v", view.At(2, 1))
	}
	defer func() {
		if recover() == nil {
			t.Error("3 columns are standardized by 2")
		}
	}()
	s.Apply(mat.NewDense(1, 3, nil))
}
