package metric_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/metric"
)

// plane returns rows of d normal columns and targets sin(2a) + a·b with noise .1. Here a and b are the
// coordinates along two orthonormal directions, the rows of the matrix b.
func plane(n, d int) (x, y, b *mat.Dense) {
	s := rng.New(7, "plane", 0)
	b = mat.NewDense(2, d, nil)
	for j := range d {
		b.Set(0, j, s.NormFloat64())
		b.Set(1, j, s.NormFloat64())
	}
	first, second := b.RowView(0).(*mat.VecDense), b.RowView(1).(*mat.VecDense)
	first.ScaleVec(1/mat.Norm(first, 2), first)
	second.AddScaledVec(second, -mat.Dot(first, second), first)
	second.ScaleVec(1/mat.Norm(second, 2), second)
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, s.NormFloat64())
		}
		u, v := mat.Dot(x.RowView(i), first), mat.Dot(x.RowView(i), second)
		y.Set(i, 0, math.Sin(2*u)+u*v+0.1*s.NormFloat64())
	}
	return x, y, b
}

// angle returns the largest principal angle between the first two directions of a result
// and the rows of b.
func angle(t *testing.T, r *metric.Result, b *mat.Dense) float64 {
	t.Helper()
	k, d := r.Directions.Dims()
	if k < 2 {
		t.Fatalf("%d directions", k)
	}
	var cosines mat.Dense
	cosines.Mul(r.Directions.Slice(0, 2, 0, d), b.T())
	var svd mat.SVD
	if !svd.Factorize(&cosines, mat.SVDNone) {
		t.Fatal("no singular values")
	}
	return math.Acos(min(1, svd.Values(nil)[1]))
}

// TestPlane expects the plane on which the targets depend, in 20 columns. The angle is .011 to .035 rad
// for 2000 to 500 rows.
func TestPlane(t *testing.T) {
	n, most := 2000, 0.05
	if !testutil.LongTests() {
		n, most = 500, 0.15
	}
	x, y, b := plane(n, 20)
	r, err := metric.Learn(context.Background(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, full := r.Kernel.(kernel.Projected); !r.Learned || !full {
		t.Fatalf("learned %v: %v", r.Learned, r.Kernel)
	}
	if a := angle(t, r, b); !(a < most) {
		t.Errorf("the largest principal angle is %v rad, want less than %v", a, most)
	}
	if r.Shares[0]+r.Shares[1] < 0.7 || r.Error > r.Curve[0].Error/2 {
		t.Errorf("shares %v, error %v, without a metric %v", r.Shares, r.Error, r.Curve[0].Error)
	}
}

// columns returns rows of d normal columns in very different units. The targets depend on three
// columns.
func columns(n, d int) (x, y *mat.Dense) {
	s := rng.New(8, "columns", 0)
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, s.NormFloat64())
		}
		y.Set(i, 0, math.Sin(2*x.At(i, 0))+x.At(i, 1)*x.At(i, 2)+0.1*s.NormFloat64())
		for j := range d {
			x.Set(i, j, x.At(i, j)*math.Pow(10, float64(j%7-3)))
		}
	}
	return x, y
}

func TestImportance(t *testing.T) {
	x, y := columns(500, 13)
	r, err := metric.Learn(context.Background(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	matter, sum := 0.0, 0.0
	for j, v := range r.Importance {
		sum += v
		if j < 3 {
			matter += v
		}
	}
	if !r.Learned || matter < 0.9 || math.Abs(sum-1) > 1e-12 {
		t.Errorf("learned %v, the three columns have %v of %v: %v", r.Learned, matter, sum, r.Importance)
	}
}

// TestNothingToLearn uses targets that depend equally on all directions, or on no direction. The result
// must not be worse than the kernel without a metric.
func TestNothingToLearn(t *testing.T) {
	x, y := columns(200, 3)
	one, err := metric.Learn(context.Background(), x.Slice(0, 200, 1, 2), y, nil)
	if err != nil || one.Learned || one.Importance[0] != 1 {
		t.Errorf("of one column: %+v, %v", one, err)
	}
	s := rng.New(9, "nothing", 0)
	z, noise := mat.NewDense(200, 3, nil), mat.NewDense(200, 1, nil)
	for i := range 200 {
		for j := range 3 {
			z.Set(i, j, s.NormFloat64())
		}
		noise.Set(i, 0, s.NormFloat64())
	}
	none, err := metric.Learn(context.Background(), z, noise, nil)
	if err != nil || none.Error < 0.8 {
		t.Errorf("of noise: %+v, %v", none, err)
	}
}

// TestClasses labels by the sign of a product of two of eight columns.
func TestClasses(t *testing.T) {
	x, _ := columns(400, 8)
	labels := mat.NewDense(400, 1, nil)
	for i := range 400 {
		labels.Set(i, 0, 5)
		if x.At(i, 0)*x.At(i, 1) > 0 {
			labels.Set(i, 0, -3)
		}
	}
	r, err := metric.LearnClasses(context.Background(), x, labels, nil)
	if err != nil || !r.Learned || r.Wrong > r.Curve[0].Wrong || r.Importance[0]+r.Importance[1] < 0.8 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestSameForAnyWorkers expects the same bits.
func TestSameForAnyWorkers(t *testing.T) {
	x, y := columns(150, 5)
	for _, rank := range []int{0, 2} {
		one, err := metric.Learn(context.Background(), x, y, &metric.Options{Rank: rank, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		three, err := metric.Learn(context.Background(), x, y, &metric.Options{Rank: rank, Workers: 3})
		if err != nil || !reflect.DeepEqual(one, three) {
			t.Errorf("rank %d: by one worker %+v, by three %+v, %v", rank, one, three, err)
		}
	}
}

func TestStops(t *testing.T) {
	x, y := columns(300, 5)
	errStop := errors.New("enough")
	for _, after := range []int{1, 30, 200} {
		calls := 0
		r, err := metric.Learn(context.Background(), x, y, &metric.Options{Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
			if p.Phase != "search" || p.Done > p.Total {
				t.Errorf("%+v", p)
			}
			if calls++; calls == after {
				return errStop
			}
			return nil
		})})
		if !errors.Is(err, errStop) || r == nil || r.Kernel == nil || !r.Stopped {
			t.Errorf("stopped at report %d: %+v, %v", after, r, err)
		}
	}
}

func TestErrors(t *testing.T) {
	x, y := columns(100, 3)
	ctx := context.Background()
	for name, c := range map[string]struct {
		x, y mat.Matrix
		opts *metric.Options
		want error
	}{
		"few rows to look at": {x, y, &metric.Options{Rows: 10}, rkhs.ErrOption},
		"workers":             {x, y, &metric.Options{Workers: -1}, rkhs.ErrOption},
		"no rows":             {nil, y, nil, rkhs.ErrEmpty},
		"shape":               {x, y.Slice(0, 9, 0, 1), nil, rkhs.ErrShape},
	} {
		if r, err := metric.Learn(ctx, c.x, c.y, c.opts); r != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
		if r, err := metric.LearnClasses(ctx, c.x, c.y, c.opts); r != nil || err == nil {
			t.Errorf("%s, labels: %v, %v", name, r, err)
		}
	}
	var none context.Context
	if _, err := metric.Learn(none, x, y, nil); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("nil context: %v", err)
	}
}

// TestDegenerate expects a kernel and no panic for rows and targets with little information.
func TestDegenerate(t *testing.T) {
	x, y := columns(90, 4)
	same, constant := mat.NewDense(90, 4, nil), mat.DenseCopyOf(x)
	for i := range 90 {
		constant.Set(i, 2, 3)
		constant.Set(i, 3, constant.At(i, 0))
	}
	huge := mat.DenseCopyOf(x)
	huge.Scale(1e200, huge)
	for name, rows := range map[string]*mat.Dense{"equal rows": same, "constant and equal columns": constant, "huge": huge,
		"three rows": x.Slice(0, 3, 0, 4).(*mat.Dense)} {
		n, _ := rows.Dims()
		r, err := metric.Learn(context.Background(), rows, y.Slice(0, n, 0, 1), nil)
		if err != nil || r.Kernel == nil || kernel.Check(r.Kernel, rows) != nil {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}
