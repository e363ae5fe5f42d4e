package nystrom

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Centres drawn in groups are valid: e·eᵀ equals K if one of the two rows is a centre, and e at the rows
// equals At. Their residual is within a tenth of the residual of New with as many centres.
func TestDraw(t *testing.T) {
	const n, q = 700, 90
	x, of := points(n, 2), gram.Evaluator{Kernel: kernel.Matern{Nu: 1.5, Length: 1}}
	s, err := Draw(of, compute.DensePoints(x), q, 0, 3, func(int, int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if s.Count() != q || len(s.At) != q {
		t.Fatalf("%d centres, %d rows, want %d", s.Count(), len(s.At), q)
	}
	got, want := compute.NewMatrix(n, q), compute.NewMatrix(n, q)
	compute.MulNT(got, s.E, compute.Pick(s.E, s.At), 0)
	of.CrossOf(want, compute.DensePoints(x), s.Points)
	for i, v := range got.Data {
		if math.Abs(v-want.Data[i]) > 1e-12 {
			t.Fatalf("<e(x), e(c)> = %v, want %v", v, want.Data[i])
		}
	}
	for i, v := range s.Centres.At(compute.DensePoints(x)).Data {
		if math.Abs(v-s.E.Data[i]) > 1e-9 {
			t.Fatalf("e(x) = %v, want %v", s.E.Data[i], v)
		}
	}
	one, _, err := New(of, compute.DensePoints(x), q, 0, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	if residual := one.Residual(compute.DensePoints(x), one.At(compute.DensePoints(x))); math.Abs(s.Residual/residual-1) > 0.1 {
		t.Errorf("%d centres leave %v, one at a time %v", q, s.Residual, residual)
	}
}

// Fewer centres suffice if rows repeat, and a zero kernel needs no centres.
func TestDrawStops(t *testing.T) {
	x, go1 := points(200, 2), func(int, int) bool { return true }
	for i := 20; i < x.Rows; i++ {
		copy(compute.Row(x, i), compute.Row(x, i%20))
	}
	for _, c := range []struct {
		of   kernel.Kernel
		want int
	}{{kernel.Laplacian{Sigma: 1}, 20}, {kernel.Linear{}, 2}} {
		s, err := Draw(gram.Evaluator{Kernel: c.of}, compute.DensePoints(x), 100, 0, 3, go1)
		if err != nil {
			t.Fatal(err)
		}
		if s.Count() != c.want {
			t.Errorf("%v: %d centres of 20 different rows, want %d", c.of, s.Count(), c.want)
		}
	}
	s, err := Draw(gram.Evaluator{Kernel: kernel.Linear{}}, compute.DensePoints(compute.NewMatrix(5, 2)), 3, 0, 3, go1)
	if err != nil || s.Count() != 1 || s.Residual != 0 {
		t.Errorf("a kernel that is zero: %+v, error %v", s, err)
	}
}
