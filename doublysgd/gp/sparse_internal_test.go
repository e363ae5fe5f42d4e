package gp

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

// A file with sparse rows, which no fit writes and a variance could not be computed from, is
// refused.
func TestFileOfSparseRows(t *testing.T) {
	x, y := mat.NewDense(4, 2, []float64{0, 1, 1, 0, 2, 0, 0, 3}), mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	m, err := Fit(context.Background(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.f.sum.Points = testutil.Sparse(x)
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := new(Model).UnmarshalBinary(data); !errors.Is(err, rkhs.ErrFormat) {
		t.Errorf("error %v", err)
	}
}
