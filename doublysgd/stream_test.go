package doublysgd_test

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
)

// distort shifts an image of 28×28 pixels by up to two pixels and rotates it by up to 0.2, with
// bilinear interpolation.
func distort(dst, src []float64, r *rand.Rand) {
	const side = 28
	dx, dy, a := 4*r.Float64()-2, 4*r.Float64()-2, 0.4*r.Float64()-0.2
	sin, cos := math.Sincos(a)
	at := func(i, j int) float64 {
		if i < 0 || j < 0 || i >= side || j >= side {
			return 0
		}
		return src[i*side+j]
	}
	for i := range side {
		for j := range side {
			u, v := float64(i)-13.5-dx, float64(j)-13.5-dy
			x, y := cos*u-sin*v+13.5, sin*u+cos*v+13.5
			fx, fy := math.Floor(x), math.Floor(y)
			p, q, k, l := x-fx, y-fy, int(fx), int(fy)
			dst[i*side+j] = (1-p)*((1-q)*at(k, l)+q*at(k, l+1)) + p*((1-q)*at(k+1, l)+q*at(k+1, l+1))
		}
	}
}

// TestDistortedDigits trains on a stream of randomly distorted digits. Memory must not grow with
// the number of rows.
func TestDistortedDigits(t *testing.T) {
	s := digits(t, data(t, true))
	l, err := doublysgd.NewClassLearner([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, &doublysgd.Options{Features: 2048, Paper: doublysgd.Paper{Columns: 256}})
	if err != nil {
		t.Fatal(err)
	}
	const batch, batches = 1000, 60
	r := rand.New(rand.NewPCG(1, 2))
	n, d := s.x.Dims()
	x, y := mat.NewDense(batch, d, nil), mat.NewDense(batch, 1, nil)
	var early uint64
	for b := range batches {
		for i := range batch {
			from := r.IntN(n)
			distort(x.RawRowView(i), s.x.RawRowView(from), r)
			y.Set(i, 0, s.y.At(from, 0))
		}
		if err := l.Update(x, y); err != nil {
			t.Fatal(err)
		}
		if b == batches/2 {
			early = inUse()
		}
	}
	if late := inUse(); late > early+early/10 {
		t.Errorf("%d MiB in use after half of the rows, %d MiB after all", early>>20, late>>20)
	}
	c, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s.errs(t, "distorted digits", 8, c)
}

// inUse returns the number of bytes of live objects.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
