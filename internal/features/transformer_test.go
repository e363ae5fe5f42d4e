package features_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

func denseOf(m compute.Matrix) *mat.Dense {
	d := mat.NewDense(m.Rows, m.Cols, nil)
	for i := range m.Rows {
		d.SetRow(i, rowOf(m, i))
	}
	return d
}

// onlyAt is a matrix without access to its data.
type onlyAt struct{ mat.Matrix }

// TestTransformAcceptsAnyMatrix compares kinds of matrices with the block itself.
func TestTransformAcceptsAnyMatrix(t *testing.T) {
	x := uniforms(7, 4, 1)
	m := mapOf(t, kernel.Gaussian{Sigma: 1}, 4, features.Options{Columns: 10})
	want := mat.NewDense(7, 10, nil)
	m.Block(0).TransformTo(want.RawMatrix(), x)
	tr := features.NewTransformer(m)
	wide := mat.NewDense(9, 8, nil)
	wide.Slice(1, 8, 2, 6).(*mat.Dense).Copy(denseOf(x))
	var turned mat.Dense
	turned.CloneFrom(denseOf(x).T())
	for name, kind := range map[string]mat.Matrix{
		"dense": denseOf(x), "strided": wide.Slice(1, 8, 2, 6), "transposed": turned.T(), "without raw data": onlyAt{denseOf(x)},
	} {
		if got, err := tr.Transform(kind); err != nil || !mat.Equal(got, want) {
			t.Errorf("%s: %v", name, err)
		}
		dst := mat.NewDense(10, 20, nil).Slice(1, 8, 3, 13).(*mat.Dense)
		if err := tr.TransformTo(dst, kind); err != nil || !mat.Equal(dst, want) {
			t.Errorf("%s, into a part of a matrix: %v", name, err)
		}
	}
	if tr.Columns() != 10 || tr.Kernel() != m.Kernel() {
		t.Errorf("%d columns, kernel %v", tr.Columns(), tr.Kernel())
	}
}

func TestTransformBadInput(t *testing.T) {
	tr := features.NewTransformer(mapOf(t, kernel.AdditiveChiSquared{}, 2, features.Options{Columns: 10}))
	var none *mat.Dense
	for _, c := range []struct {
		name    string
		x       mat.Matrix
		want    error
		message string
	}{
		{"nil", nil, rkhs.ErrEmpty, ""},
		{"a nil pointer", none, rkhs.ErrEmpty, ""},
		{"empty", &mat.Dense{}, rkhs.ErrEmpty, ""},
		{"columns", mat.NewDense(2, 3, nil), rkhs.ErrShape, "3 columns"},
		{"NaN", mat.NewDense(2, 2, []float64{0, 1, math.NaN(), 2}), rkhs.ErrNotFinite, "row 1, column 0"},
		{"domain", mat.NewDense(2, 2, []float64{0, 1, 2, -3}), rkhs.ErrDomain, "row 1, column 1: -3"},
	} {
		dst := mat.NewDense(2, 10, nil)
		dst.Set(1, 1, 7)
		err := tr.TransformTo(dst, c.x)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.message) || !strings.HasPrefix(err.Error(), "features: ") {
			t.Errorf("%s: %v", c.name, err)
		}
		if dst.At(1, 1) != 7 || mat.Sum(dst) != 7 {
			t.Errorf("%s: dst was written", c.name)
		}
	}
	if err := tr.TransformTo(mat.NewDense(2, 9, nil), mat.NewDense(2, 2, nil)); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("dst of another size: %v", err)
	}
}

// TestTransformScansOnce counts how many rows are scanned for values that are not finite.
func TestTransformScansOnce(t *testing.T) {
	tr := features.NewTransformer(mapOf(t, kernel.Gaussian{Sigma: 1}, 4, features.Options{Columns: 10}))
	for name, x := range map[string]mat.Matrix{"dense": denseOf(uniforms(7, 4, 1)), "without raw data": onlyAt{denseOf(uniforms(7, 4, 1))}} {
		before := input.Scanned()
		if _, err := tr.Transform(x); err != nil || input.Scanned()-before != 7 {
			t.Errorf("%s: %d of 7 rows scanned, %v", name, input.Scanned()-before, err)
		}
	}
}

func TestTransformerZero(t *testing.T) {
	var none *features.Transformer
	for _, tr := range []*features.Transformer{none, {}} {
		if _, err := tr.Transform(mat.NewDense(1, 1, nil)); !errors.Is(err, rkhs.ErrUnfitted) {
			t.Error(err)
		}
	}
}
