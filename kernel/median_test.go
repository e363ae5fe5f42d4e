package kernel_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	. "github.com/rkhs-go/rkhs/kernel"
)

// naiveMedian sorts all positive distances.
func naiveMedian(x *mat.Dense, distance func(a, b []float64) float64) float64 {
	n, _ := x.Dims()
	var d []float64
	for i := range n {
		for j := range i {
			if v := distance(x.RawRowView(i), x.RawRowView(j)); v > 0 {
				d = append(d, v)
			}
		}
	}
	if len(d) == 0 {
		return 1
	}
	slices.Sort(d)
	return d[(len(d)-1)/2]
}

func TestMedianDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 300 {
		n, d := 1+r.IntN(30), 1+r.IntN(6)
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x.Set(i, j, float64(r.IntN(5))) // many ties and duplicates
			}
		}
		got, err := MedianDistance(x, 1)
		if want := naiveMedian(x, func(a, b []float64) float64 { return math.Sqrt(distance2(a, b)) }); err != nil || got != want {
			t.Fatalf("n = %d, d = %d: %v, %v, want %v", n, d, got, err, want)
		}
	}
}

// MedianDistance of many rows uses a sample, which the seed determines.
func TestMedianDistanceOfManyRows(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	x := mat.NewDense(3000, 2, nil)
	for i := range 3000 {
		normals(r, x.RawRowView(i))
	}
	a, _ := MedianDistance(x, 1)
	b, _ := MedianDistance(x, 1)
	c, _ := MedianDistance(x, 2)
	if a != b || a == c {
		t.Errorf("seed 1: %v and %v, seed 2: %v", a, b, c)
	}
	// The squared distance of two such rows is 4 times an exponential variable.
	if want := math.Sqrt(4 * math.Ln2); math.Abs(a-want) > 0.06 {
		t.Errorf("median %v, want about %v", a, want)
	}
}

// Close rows far from the origin lose digits in ‖x‖² + ‖z‖² − 2·x·z.
func TestMedianDistanceFarFromTheOrigin(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{1e9, 1e9 + 1, 1e9 + 3})
	if m, err := MedianDistance(x, 1); err != nil || m != 2 {
		t.Errorf("%v, %v, want 2", m, err)
	}
}

// Squared distances may overflow or underflow although distances do not. A median that cannot be a bandwidth is an
// error.
func TestMedianDistanceOfExtremes(t *testing.T) {
	for _, scale := range []float64{0x1p-490, 0x1p490} { // 3e-148, 3e147
		x := mat.NewDense(4, 2, []float64{0, 0, 3 * scale, 4 * scale, 0, 0, 3 * scale, 4 * scale})
		if m, err := MedianDistance(x, 1); err != nil || m != 5*scale {
			t.Errorf("%v, %v, want %v", m, err, 5*scale)
		}
	}
	for _, scale := range []float64{1e-160, 1e-300, 1e160, 1e300} {
		x := mat.NewDense(3, 1, []float64{0, scale, -scale})
		if m, err := MedianDistance(x, 1); !errors.Is(err, rkhs.ErrDiverged) {
			t.Errorf("scale %v: %v, %v", scale, m, err)
		}
	}
	outlier := mat.NewDense(4, 1, []float64{1, 2, 3, 1e300})
	if m, err := MedianDistance(outlier, 1); err != nil || m != 2 {
		t.Errorf("with an outlier %v, %v, want 2", m, err)
	}
}

func TestMedianDistanceErrors(t *testing.T) {
	if _, err := MedianDistance(&mat.Dense{}, 1); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := MedianDistance(mat.NewDense(1, 2, []float64{1, math.NaN()}), 1); !errors.Is(err, rkhs.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
	if _, err := MedianDistance(nil, 1); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("nil: %v", err)
	}
}
