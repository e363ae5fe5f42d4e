package kernel_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/testutil"
	. "github.com/rkhs-go/rkhs/kernel"
)

func randomMatrix(r *rand.Rand, n, d int) *mat.Dense {
	m := mat.NewDense(n, d, nil)
	for i := range n {
		normals(r, m.RawRowView(i))
	}
	return m
}

func randomExpansion(r *rand.Rand, k Kernel, m, d, q int) Expansion {
	return Expansion{k, randomMatrix(r, m, d), randomMatrix(r, m, q)}
}

// naiveProduct is Σ_ij w_i·k(p_i, p'_j)·w'_j.
func naiveProduct(f, g Expansion, output int) float64 {
	s := 0.0
	for i := range f.ModelOrder() {
		for j := range g.ModelOrder() {
			s += f.Weights.At(i, output) * g.Weights.At(j, output) * f.Kernel.Eval(mat.Row(nil, i, f.Points), mat.Row(nil, j, g.Points))
		}
	}
	return s
}

func dense(m mat.Matrix) *mat.Dense { return m.(*mat.Dense) }

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-10*(1+math.Abs(b)) }

func TestExpansionGeometry(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []Kernel{Gaussian{1.5}, Sum{Linear{}, Laplacian{2}}, evalOnly{2}} {
		for _, sizes := range [][2]int{{1, 1}, {3, 7}, {40, 300}} {
			f, g := randomExpansion(r, k, sizes[0], 3, 2), randomExpansion(r, k, sizes[1], 3, 2)
			dense(g.Points).SetRow(0, dense(f.Points).RawRowView(0))
			product, errP := f.InnerProduct(g)
			norm, errN := f.Norm()
			distance, errD := f.Distance(g)
			if err := errors.Join(errP, errN, errD); err != nil {
				t.Fatal(err)
			}
			for o := range 2 {
				ff, gg, fg := naiveProduct(f, f, o), naiveProduct(g, g, o), naiveProduct(f, g, o)
				if !near(product[o], fg) || !near(norm[o], math.Sqrt(ff)) || !near(distance[o], math.Sqrt(ff+gg-2*fg)) {
					t.Errorf("%v of %v points: product %v, norm %v, distance %v", k, sizes, product, norm, distance)
				}
			}
			if d, err := f.Distance(f); err != nil || d[0] != 0 || d[1] != 0 {
				t.Errorf("%v: distance to itself %v, %v", k, d, err)
			}
		}
	}
}

func TestExpansionAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	f, g := randomExpansion(r, Gaussian{1}, 4, 3, 2), randomExpansion(r, Gaussian{1}, 5, 3, 2)
	dense(g.Points).SetRow(2, dense(f.Points).RawRowView(1))
	sum, err := f.Add(0.5, g)
	if err != nil || sum.ModelOrder() != 8 || !mat.Equal(dense(sum.Points).Slice(0, 4, 0, 3), f.Points) {
		t.Fatalf("%v, %d points", err, sum.ModelOrder())
	}
	x := randomMatrix(r, 10, 3)
	a, errA := f.Predict(x)
	b, errB := g.Scale(0.5).Predict(x)
	c, errC := sum.Predict(x)
	if err := errors.Join(errA, errB, errC); err != nil {
		t.Fatal(err)
	}
	a.Add(a, b)
	if !mat.EqualApprox(a, c, 1e-12) {
		t.Errorf("%v is not the sum %v", c, a)
	}
}

func TestExpansionAddTo(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	f := randomExpansion(r, Matern{1.5, 1}, 30, 4, 3)
	for _, n := range []int{1, 5, 40000} {
		x := randomMatrix(r, n, 4)
		want := randomMatrix(r, n, 3)
		got := mat.DenseCopyOf(want)
		expansion.AddTo(got.RawMatrix(), f, compute.DensePoints(x.RawMatrix()), 2)
		var p mat.Dense
		if err := Mul(&p, f.Kernel, x, f.Points, f.Weights); err != nil {
			t.Fatal(err)
		}
		want.Add(want, &p)
		if !mat.Equal(got, want) {
			t.Errorf("%d rows: not the bits of Mul", n)
		}
	}
}

func TestZeroExpansion(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	zero, f := Expansion{Kernel: Gaussian{1}}, randomExpansion(r, Gaussian{1}, 3, 2, 2)
	if zero.ModelOrder() != 0 || zero.Check() != nil || !expansion.Fits(zero, 5, 6) {
		t.Error("zero function: order, check or size")
	}
	p, err := zero.Predict(mat.NewDense(3, 2, nil))
	if err != nil || !mat.Equal(p, mat.NewDense(3, 1, nil)) {
		t.Errorf("prediction %v, %v", p, err)
	}
	for _, pair := range [][2]Expansion{{f, zero}, {zero, f}} {
		sum, err := pair[0].Add(1, pair[1])
		if err != nil || !mat.Equal(sum.Points, f.Points) || !mat.Equal(sum.Weights, f.Weights) {
			t.Errorf("sum with zero: %v, %v", sum, err)
		}
		if s, err := pair[0].InnerProduct(pair[1]); err != nil || len(s) != 2 || s[0] != 0 || s[1] != 0 {
			t.Errorf("product with zero: %v, %v", s, err)
		}
	}
	if n, err := zero.Norm(); err != nil || len(n) != 1 || n[0] != 0 {
		t.Errorf("norm of zero: %v, %v", n, err)
	}
	if s, err := zero.Scale(2).Clone().Add(1, zero); err != nil || s.ModelOrder() != 0 {
		t.Errorf("zero and zero: %v, %v", s, err)
	}
}

func TestExpansionErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	f := randomExpansion(r, Gaussian{1}, 3, 2, 2)
	for name, c := range map[string]struct {
		g    Expansion
		want error
	}{
		"another kernel":    {randomExpansion(r, Gaussian{2}, 3, 2, 2), rkhs.ErrOption},
		"no kernel":         {Expansion{}, rkhs.ErrOption},
		"bad kernel":        {randomExpansion(r, Gaussian{-1}, 3, 2, 2), rkhs.ErrOption},
		"more columns":      {randomExpansion(r, Gaussian{1}, 3, 4, 2), rkhs.ErrShape},
		"more outputs":      {randomExpansion(r, Gaussian{1}, 3, 2, 3), rkhs.ErrShape},
		"weights left out":  {Expansion{Gaussian{1}, f.Points, nil}, rkhs.ErrShape},
		"points left out":   {Expansion{Gaussian{1}, nil, f.Weights}, rkhs.ErrShape},
		"empty matrices":    {Expansion{Gaussian{1}, &mat.Dense{}, &mat.Dense{}}, rkhs.ErrShape},
		"other weights":     {Expansion{Gaussian{1}, f.Points, randomMatrix(r, 4, 2)}, rkhs.ErrShape},
		"scales of another": {randomExpansion(r, ARD{[]float64{1}, Gaussian{1}}, 3, 2, 2), rkhs.ErrShape},
	} {
		_, errAdd := f.Add(1, c.g)
		_, errProduct := c.g.InnerProduct(f)
		_, errDistance := f.Distance(c.g)
		for _, err := range []error{errAdd, errProduct, errDistance} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
	}
	bad := f.Clone()
	bad.Weights.Set(1, 1, math.NaN())
	if err := bad.Check(); !errors.Is(err, rkhs.ErrDiverged) {
		t.Errorf("NaN weight: %v", err)
	}
	if err := randomExpansion(r, Hellinger{}, 9, 2, 1).Check(); !errors.Is(err, rkhs.ErrDomain) {
		t.Errorf("points outside: %v", err)
	}
	for x, want := range map[*mat.Dense]error{
		mat.NewDense(1, 3, nil):                       rkhs.ErrShape,
		mat.NewDense(1, 2, []float64{0, math.Inf(1)}): rkhs.ErrNotFinite,
		{}: rkhs.ErrEmpty,
	} {
		if _, err := f.Predict(x); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

func TestExpansionFile(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, f := range []Expansion{randomExpansion(r, Sum{Gaussian{1}, Linear{}}, 3, 2, 2), {Kernel: Gaussian{1}}} {
		data, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var g Expansion
		if err := g.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if d, err := f.Distance(g); err != nil || d[0] != 0 || g.ModelOrder() != f.ModelOrder() {
			t.Errorf("distance %v from what was saved, %v", d, err)
		}
	}
	if _, err := (Expansion{}).MarshalBinary(); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("without a kernel: %v", err)
	}
}

func FuzzExpansion(f *testing.F) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, e := range []Expansion{randomExpansion(r, Sum{Gaussian{1}, LowRank{Linear{}, mat.NewDense(1, 1, []float64{2}), []float64{1}}}, 1, 1, 1), {Kernel: Linear{}}} {
		file, err := e.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		_, payload, err := codec.Unmarshal(file, "kernel expansion")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		var e Expansion
		if err := e.UnmarshalBinary(codec.Marshal("kernel expansion", 1, payload)); err != nil {
			if !errors.Is(err, rkhs.ErrFormat) {
				t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
			}
			return
		}
		if err := e.Check(); err != nil {
			t.Errorf("what was loaded is wrong: %v", err)
		}
		if _, err := e.MarshalBinary(); err != nil {
			t.Errorf("what was loaded cannot be saved: %v", err)
		}
	})
}

// TestExpansionOfSparsePoints: sparse points give the function of the same dense points. Invalid points are errors.
func TestExpansionOfSparsePoints(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	f, g := randomExpansion(r, Gaussian{1.5}, 7, 4, 2), randomExpansion(r, Gaussian{1.5}, 5, 4, 2)
	dense(g.Points).SetRow(1, dense(f.Points).RawRowView(2))
	dense(f.Points).Set(0, 0, 0)
	s := f
	s.Points = testutil.Sparse(f.Points)
	x := randomMatrix(r, 9, 4)
	want, errW := f.Predict(x)
	got, errG := s.Predict(testutil.Sparse(x))
	if err := errors.Join(errW, errG, s.Check()); err != nil || !mat.EqualApprox(got, want, 1e-13) {
		t.Errorf("%v, error %v", got, err)
	}
	both, err := s.Add(1, g)
	if err != nil || both.ModelOrder() != 11 {
		t.Fatalf("%d points, error %v", both.ModelOrder(), err)
	}
	if d, err := s.Distance(f); err != nil || d[0] != 0 || d[1] != 0 {
		t.Errorf("distance %v to the same points dense, %v", d, err)
	}
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back Expansion
	if err := back.UnmarshalBinary(data); err != nil || !mat.Equal(back.Points, s.Points) {
		t.Errorf("%v, error %v", back.Points, err)
	}
	if _, sparse := back.Clone().Points.(*rkhs.Sparse); !sparse {
		t.Errorf("a copy of the points is a %T", back.Clone().Points)
	}
	for _, bad := range []*rkhs.Sparse{{Rows: 7, Cols: 4}, {Rows: 7, Cols: 4, Offsets: make([]int, 3)}} {
		s.Points = bad
		if _, err := s.Predict(x); !errors.Is(err, rkhs.ErrShape) || !errors.Is(s.Check(), rkhs.ErrShape) {
			t.Errorf("%+v: %v, %v", bad, err, s.Check())
		}
	}
}
