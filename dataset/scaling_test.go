package dataset

import (
	"bytes"
	"math"
	"math/big"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
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
	s := standardize(t, x)
	for j := range 6 {
		mean, std := momentsOf(original, j)
		if std == 0 {
			std = 1
		}
		if math.Abs(s.Centre[j]-mean) > 1e-15*(math.Abs(mean)+std) {
			t.Errorf("column %d: mean %v, want %v", j, s.Centre[j], mean)
		}
		if math.Abs(s.Scale[j]-std) > 1e-13*std {
			t.Errorf("column %d: standard deviation %v, want %v", j, s.Scale[j], std)
		}
		for i := range 500 {
			if got, want := x.At(i, j), (original.At(i, j)-s.Centre[j])/s.Scale[j]; got != want {
				t.Fatalf("(%d, %d) is %v, want %v", i, j, got, want)
			}
		}
	}
}

func TestStandardizeConstantColumns(t *testing.T) {
	x := hardColumns(777)
	s := standardize(t, x)
	for _, j := range []int{3, 4} {
		if s.Scale[j] != 1 {
			t.Errorf("column %d: standard deviation %v, want 1", j, s.Scale[j])
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
	s := standardize(t, train, one, two)
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
	if err := s.Apply(view); err != nil || view.At(2, 1) != -5 {
		t.Errorf("a view becomes %v, error %v", view.At(2, 1), err)
	}
	checkError(t, s.Apply(mat.NewDense(1, 3, nil)), rkhs.ErrShape, "3 columns", "2 were fitted")
}

func standardize(t *testing.T, train *mat.Dense, others ...*mat.Dense) *Scaler {
	t.Helper()
	s, err := Standardize(train, others...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scaled returns a copy of x on its own scale.
func scaled(t *testing.T, s Scaling, x mat.Matrix) (*Scaler, *mat.Dense) {
	t.Helper()
	f, err := s.Fit(x)
	if err != nil {
		t.Fatal(err)
	}
	out := mat.DenseCopyOf(x)
	if err := f.Apply(out); err != nil {
		t.Fatal(err)
	}
	return f, out
}

func TestMinMax(t *testing.T) {
	f, x := scaled(t, MinMax, mat.NewDense(4, 2, []float64{3, 7, -1, 7, 1, 7, 0, 7}))
	if !sameBits(x.RawMatrix().Data, []float64{1, 0, 0, 0, 0.5, 0, 0.25, 0}) {
		t.Errorf("scaled %v by %+v", x.RawMatrix().Data, f)
	}
	_, x = scaled(t, MinMax, hardColumns(300))
	if mat.Min(x) != 0 || mat.Max(x) != 1 {
		t.Errorf("values from %v to %v", mat.Min(x), mat.Max(x))
	}
}

// The quartiles of 1, 2, 3, 4, 10 are 2, 3 and 4; of 0, 1, 2, 3 they are 0.75, 1.5
// and 2.25. In the third column they are equal, and the deviation of 0, 0, 0, 0, 5
// is 2.
func TestRobust(t *testing.T) {
	f, x := scaled(t, Robust, mat.NewDense(5, 3, []float64{10, 5, 0, 1, 5, 0, 3, 5, 5, 2, 5, 0, 4, 5, 0}))
	if !sameBits(f.Centre, []float64{3, 5, 0}) || !floats.EqualApprox(f.Scale, []float64{2, 1, 2}, 1e-15) {
		t.Errorf("centre %v, scale %v", f.Centre, f.Scale)
	}
	if x.At(0, 0) != 3.5 || x.At(4, 1) != 0 || math.Abs(x.At(2, 2)-2.5) > 1e-15 {
		t.Errorf("scaled %v", x.RawMatrix().Data)
	}
	f, _ = scaled(t, Robust, mat.NewVecDense(4, []float64{3, 1, 0, 2}))
	if f.Centre[0] != 1.5 || f.Scale[0] != 1.5 {
		t.Errorf("centre %v, scale %v", f.Centre, f.Scale)
	}
	if f, _ = scaled(t, Robust, mat.NewDense(1, 1, []float64{4})); f.Centre[0] != 4 || f.Scale[0] != 1 {
		t.Errorf("one row: centre %v, scale %v", f.Centre, f.Scale)
	}
}

func TestUnitRows(t *testing.T) {
	_, x := scaled(t, UnitRows, mat.NewDense(4, 2, []float64{3, 4, 0, 0, 3e200, -4e200, 3e-320, 4e-320}))
	want := []float64{0.6, 0.8, 0, 0, 0.6, -0.8, 0.6, 0.8}
	for i, v := range x.RawMatrix().Data {
		if tolerance := 1e-15 + 1e-3*float64(i/6); math.Abs(v-want[i]) > tolerance { // 3e-320 has few digits
			t.Errorf("value %d is %v, want %v", i, v, want[i])
		}
	}
}

func TestInvert(t *testing.T) {
	for _, s := range []Scaling{Standard, MinMax, Robust} {
		original := hardColumns(100)
		f, x := scaled(t, s, original)
		if err := f.Invert(x); err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			for j, v := range x.RawRowView(i) {
				if want := original.At(i, j); math.Abs(v-want) > 1e-15*(math.Abs(want)+math.Abs(f.Centre[j])+f.Scale[j]) {
					t.Fatalf("%v: (%d, %d) comes back as %v, was %v", s, i, j, v, want)
				}
			}
		}
	}
	f, x := scaled(t, UnitRows, hardColumns(3))
	checkError(t, f.Invert(x), rkhs.ErrOption, "UnitRows")
}

func TestScalingErrors(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	for s := Standard; s <= UnitRows; s++ {
		for _, c := range []struct {
			x        mat.Matrix
			sentinel error
			part     string
		}{
			{nil, rkhs.ErrEmpty, "nil"},
			{(*mat.VecDense)(nil), rkhs.ErrEmpty, "nil"},
			{new(mat.Dense), rkhs.ErrEmpty, "0×0"},
			{mat.NewDense(2, 2, []float64{1, 2, math.NaN(), 4}), rkhs.ErrNotFinite, "row 1, column 0"},
			{mat.NewDense(1, 1, []float64{math.Inf(1)}), rkhs.ErrNotFinite, "row 0, column 0"},
		} {
			_, err := s.Fit(c.x)
			checkError(t, err, c.sentinel, s.String(), c.part)
		}
		f, err := s.Fit(x)
		if err != nil {
			t.Fatal(err)
		}
		good, bad := mat.DenseCopyOf(x), mat.NewDense(1, 2, []float64{1, math.NaN()})
		checkError(t, f.Apply(good, bad), rkhs.ErrNotFinite, "row 0, column 1")
		checkError(t, f.Apply(good, nil), rkhs.ErrEmpty, "nil")
		if !mat.Equal(good, x) {
			t.Errorf("%v: rows before the refused ones were changed", s)
		}
	}
	for _, s := range []Scaling{Standard, MinMax} {
		_, err := s.Fit(mat.NewDense(2, 1, []float64{math.MaxFloat64, -math.MaxFloat64}))
		checkError(t, err, rkhs.ErrNotFinite, "column 0")
	}
	_, err := Scaling(9).Fit(x)
	checkError(t, err, rkhs.ErrOption, "Scaling(9)")
	for _, f := range []*Scaler{nil, {}, {Scaling: 9}, {Scaling: UnitRows, Centre: []float64{1}, Scale: []float64{1}}, {Centre: []float64{1, 1}, Scale: []float64{1, 0}}} {
		checkError(t, f.Apply(x), rkhs.ErrOption)
		checkError(t, f.Invert(x), rkhs.ErrOption)
		_, err := f.MarshalBinary()
		checkError(t, err, rkhs.ErrOption)
	}
	checkError(t, (&Scaler{Centre: []float64{1}}).Apply(x), rkhs.ErrShape)
}

func TestScalerFile(t *testing.T) {
	for s := Standard; s <= UnitRows; s++ {
		f, _ := scaled(t, s, hardColumns(50))
		data, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var g Scaler
		if err := g.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if h, err := rkhs.Read[*Scaler](bytes.NewReader(data)); err != nil || !reflect.DeepEqual(*h, g) {
			t.Errorf("Read returns %+v and %v, want %+v", h, err, g)
		}
		if g.Scaling != s || !sameBits(f.Centre, g.Centre) || !sameBits(f.Scale, g.Scale) {
			t.Errorf("%+v comes back as %+v", f, g)
		}
		before := g
		for i := range data {
			bad := bytes.Clone(data)
			bad[i] ^= 1
			checkError(t, g.UnmarshalBinary(bad), rkhs.ErrFormat)
			checkError(t, g.UnmarshalBinary(data[:i]), rkhs.ErrFormat)
		}
		if !reflect.DeepEqual(g, before) {
			t.Error("a refused file changes the scaler")
		}
	}
	for _, f := range []func(e *codec.Encoder){
		func(e *codec.Encoder) { e.Int(4) },
		func(e *codec.Encoder) { e.Int(0); e.Float64s([]float64{1}); e.Float64s([]float64{1, 2}) },
		func(e *codec.Encoder) { e.Int(0); e.Float64s([]float64{1}); e.Float64s([]float64{0}) },
		func(e *codec.Encoder) { e.Int(0); e.Float64s(nil); e.Float64s(nil) },
		func(e *codec.Encoder) { e.Int(3); e.Float64s([]float64{1}); e.Float64s([]float64{1}) },
	} {
		data, _ := scalerFormat.Marshal(func(e *codec.Encoder) error { f(e); return nil })
		checkError(t, new(Scaler).UnmarshalBinary(data), rkhs.ErrFormat)
	}
}
