package linalg

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// copyOf returns a copy with the same gaps.
func copyOf(m blas64.General) blas64.General {
	m.Data = slices.Clone(m.Data)
	return m
}

// innerProducts returns X·Zᵀ.
func innerProducts(x, z blas64.General) blas64.General {
	var p mat.Dense
	p.Mul(toDense(x), toDense(z).T())
	k := general(x.Rows, z.Rows)
	for i := range k.Rows {
		copy(compute.Row(k, i), p.RawRowView(i))
	}
	return k
}

func maxDifference(a, b blas64.General) float64 {
	var d mat.Dense
	d.Sub(toDense(a), toDense(b))
	return math.Max(mat.Max(&d), -mat.Min(&d))
}

func TestCentreGram(t *testing.T) {
	for _, n := range []int{1, 2, 3, 17, 100} {
		rng := newRand(40)
		points := make([]point, n)
		for i := range points {
			points[i] = uniform(rng, 3)
		}
		k := kernelMatrix(points, points)
		want := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				want.Set(i, j, -1/float64(n))
			}
			want.Set(i, i, want.At(i, i)+1)
		}
		want.Product(want, toDense(k), want)

		c := CentreGram(compute.Dense(k), 1)
		for i := range n {
			// Each number of the row may have the rounding error of a number near 1.
			if got := mat.Sum(toDense(k).RowView(i)); math.Abs(got) > 2*float64(n)*eps {
				t.Errorf("n = %d: row %d sums to %.3g", n, i, got)
			}
			for j := range n {
				got := k.Data[i*k.Stride+j]
				if math.Abs(got-want.At(i, j)) > 10*eps {
					t.Errorf("n = %d: %v at %d, %d, want %v", n, got, i, j, want.At(i, j))
				}
				if got != k.Data[j*k.Stride+i] {
					t.Errorf("n = %d: not symmetric at %d, %d", n, i, j)
				}
			}
		}
		if len(c.Means) != n || math.Abs(c.Mean-mat.Sum(column(c.Means))/float64(n)) > 4*eps {
			t.Errorf("n = %d: mean %v of means %v", n, c.Mean, c.Means)
		}
	}
}

// Centred inner products equal the inner products of the points minus their mean, also for new
// points.
func TestCentringMovesTheOrigin(t *testing.T) {
	rng := newRand(41)
	x, z := random(rng, 30, 4), random(rng, 7, 4)
	k, cross := innerProducts(x, x), innerProducts(z, x)
	c := CentreGram(compute.Dense(k), 1)
	c.Cross(compute.Dense(cross), 1)
	means := CentreColumns(compute.Dense(x))
	for i := range z.Rows {
		for j := range means {
			z.Data[i*z.Stride+j] -= means[j]
		}
	}
	if d := maxDifference(k, innerProducts(x, x)); d > 1e-13 {
		t.Errorf("centred Gram matrix differs by %.3g from that of centred points", d)
	}
	if d := maxDifference(cross, innerProducts(z, x)); d > 1e-13 {
		t.Errorf("centred kernel values differ by %.3g from those of moved points", d)
	}
}

// Training points given again as new points get the same rows, and a centred matrix does not
// change.
func TestCentringConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.Custom(drawPoint), 1, 12).Draw(t, "points")
		scale := math.Ldexp(1, rapid.IntRange(-30, 30).Draw(t, "scale"))
		k := kernelMatrix(points, points)
		for i := range k.Data {
			k.Data[i] *= scale
		}
		cross := copyOf(k)
		c := CentreGram(compute.Dense(k), 1)
		c.Cross(compute.Dense(cross), 1)
		if d := maxDifference(k, cross); d > 8*eps*scale {
			t.Fatalf("rows of the training set differ by %.3g", d)
		}
		again := copyOf(k)
		CentreGram(compute.Dense(again), 1)
		if d := maxDifference(k, again); d > 8*eps*scale {
			t.Fatalf("centring twice differs by %.3g", d)
		}
	})
}

// An offset of a billion times the values loses only the digits that the sum lacks.
func TestCentreLargeOffset(t *testing.T) {
	const n, offset = 500, 0x1p30
	x := random(newRand(42), n, 3)
	k := innerProducts(x, x)
	for i := range k.Data {
		k.Data[i] += offset
	}
	shifted := copyOf(x)
	for i := range shifted.Data {
		shifted.Data[i] += offset
	}
	exact := copyOf(x)
	CentreColumns(compute.Dense(exact))
	CentreGram(compute.Dense(k), 1)
	if d := maxDifference(k, innerProducts(exact, exact)); d > 4*eps*offset {
		t.Errorf("Gram matrix off by %.3g, the numbers have %.3g", d, eps*offset)
	}
	means := CentreColumns(compute.Dense(shifted))
	if d := maxDifference(shifted, exact); d > 2*eps*offset {
		t.Errorf("columns off by %.3g, the numbers have %.3g", d, eps*offset)
	}
	for j, m := range means {
		if math.Abs(m-offset) > 1 {
			t.Errorf("mean %v of column %d", m, j)
		}
	}
}

func TestCentreWorkers(t *testing.T) {
	rng := newRand(43)
	x, z := random(rng, 60, 3), random(rng, 20, 3)
	k1, cross1 := innerProducts(x, x), innerProducts(z, x)
	k, cross := copyOf(k1), copyOf(cross1)
	CentreGram(compute.Dense(k1), 1).Cross(compute.Dense(cross1), 1)
	for _, workers := range []int{2, 8} {
		k, cross := copyOf(k), copyOf(cross)
		CentreGram(compute.Dense(k), workers).Cross(compute.Dense(cross), workers)
		if !slices.Equal(k.Data, k1.Data) || !slices.Equal(cross.Data, cross1.Data) {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
}

func TestCentreEdges(t *testing.T) {
	one := general(1, 1)
	one.Data[0] = 7
	if c := CentreGram(compute.Dense(one), 1); one.Data[0] != 0 || c.Mean != 7 {
		t.Errorf("one point: %v, mean %v", one.Data[0], c.Mean)
	}
	CentreGram(new(mat.Dense), 1).Cross(compute.Dense(general(3, 0)), 1)
	if m := CentreColumns(compute.Dense(general(0, 2))); !slices.Equal(m, []float64{0, 0}) {
		t.Errorf("means of no rows are %v", m)
	}
	constant := general(3, 2)
	for i := range constant.Data {
		constant.Data[i] = 0.1
	}
	if m := CentreColumns(compute.Dense(constant)); !slices.Equal(m, []float64{0.1, 0.1}) || mat.Norm(toDense(constant), 1) != 0 {
		t.Errorf("constant columns: means %v, left %v", m, constant.Data)
	}
	mustPanic(t, "not square", func() { CentreGram(mat.NewDense(3, 2, nil), 1) })
	mustPanic(t, "wrong width", func() { Centring{Means: make([]float64, 3)}.Cross(mat.NewDense(1, 2, nil), 1) })
}
