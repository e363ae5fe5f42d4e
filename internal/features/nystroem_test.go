package features_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestNystroem compares with k(x, Z)·K_ZZ⁻¹·k(Z, z), solved by a different method.
func TestNystroem(t *testing.T) {
	x := normals(80, 3, 1)
	for _, k := range []kernel.Kernel{kernel.Laplacian{Sigma: 3}, kernel.Polynomial{Degree: 2, Offset: 1}, kernel.Gaussian{Sigma: 4}} {
		m, err := features.Nystroem(k, denseOf(x), features.NystroemOptions{MaxPoints: 25, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := estimates(m, x, x, 0, 1)
		want := nystroemOracle(t, k, x, got, 25)
		for i, w := range want.RawMatrix().Data {
			if math.Abs(got.Data[i]-w) > 1e-9 {
				t.Fatalf("%v: element %d is %v, want %v", k, i, got.Data[i], w)
			}
		}
		if p, ok := k.(kernel.Polynomial); ok && m.Columns() != 10 {
			t.Errorf("%v of 3 columns has %d features, want 10", p, m.Columns())
		}
	}
}

// nystroemOracle finds the landmarks as rows where the features are exact, and computes the pseudo-inverse
// by eigenvalues.
func nystroemOracle(t *testing.T, k kernel.Kernel, x, got compute.Matrix, landmarks int) *mat.Dense {
	t.Helper()
	full := exactly(k, x, x)
	var rows []int
	for i := range x.Rows {
		if math.Abs(rowOf(full, i)[i]-rowOf(got, i)[i]) < 1e-10*rowOf(full, i)[i] {
			rows = append(rows, i)
		}
	}
	if len(rows) < landmarks {
		t.Fatalf("%v: the features are exact on %d rows, want %d", k, len(rows), landmarks)
	}
	across := mat.NewDense(x.Rows, len(rows), nil)
	gram := mat.NewSymDense(len(rows), nil)
	for j, r := range rows {
		for i := range x.Rows {
			across.Set(i, j, rowOf(full, i)[r])
		}
		for i, s := range rows[:j+1] {
			gram.SetSym(i, j, rowOf(full, s)[r])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(gram, true) {
		t.Fatal("no eigenvalues")
	}
	var v, p, w mat.Dense
	e.VectorsTo(&v)
	values := e.Values(nil)
	p.Mul(across, &v)
	scaled := mat.DenseCopyOf(&p)
	scaled.Apply(func(_, j int, a float64) float64 {
		if values[j] < 1e-11*values[len(values)-1] {
			return 0
		}
		return a / values[j]
	}, scaled)
	w.Mul(scaled, p.T())
	return &w
}

// Repeated landmarks add no column, also if all points are equal.
func TestNystroemDegenerate(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 1, 2})
	m, err := features.Nystroem(kernel.Gaussian{Sigma: 1}, x, features.NystroemOptions{})
	if err != nil || m.Columns() != 2 {
		t.Fatalf("%v, %d columns, want 2", err, m.Columns())
	}
	got, _ := estimates(m, x.RawMatrix(), x.RawMatrix(), 0, 1)
	for i, want := range exactly(m.Kernel(), x.RawMatrix(), x.RawMatrix()).Data {
		if math.Abs(got.Data[i]-want) > 1e-15 {
			t.Errorf("element %d is %v, want %v", i, got.Data[i], want)
		}
	}
	for _, c := range []struct {
		k    kernel.Kernel
		x    mat.Matrix
		opts features.NystroemOptions
		want error
	}{
		{kernel.Linear{}, mat.NewDense(3, 2, nil), features.NystroemOptions{}, rkhs.ErrEmpty},
		{kernel.Linear{}, mat.NewDense(1, 1, []float64{1e200}), features.NystroemOptions{}, rkhs.ErrNotFinite},
		{kernel.Linear{}, x, features.NystroemOptions{MaxPoints: -1}, rkhs.ErrOption},
		{nil, x, features.NystroemOptions{}, rkhs.ErrOption},
		{kernel.Hellinger{}, mat.NewDense(1, 1, []float64{-1}), features.NystroemOptions{}, rkhs.ErrDomain},
		{kernel.Linear{}, nil, features.NystroemOptions{}, rkhs.ErrEmpty},
	} {
		if _, err := features.Nystroem(c.k, c.x, c.opts); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.k, err, c.want)
		}
	}
}
