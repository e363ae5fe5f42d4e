package linalg

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs"
)

// A restored factor continues with the same bits.
func TestCholeskyRestore(t *testing.T) {
	c, points := newStream(t, 40, 1e-6)
	c.Delete(11, nil)
	points = slices.Delete(points, 11, 12)
	n, rows, diag := c.State()
	restored, err := RestoreCholesky(c.Jitter(), n, rows, diag)
	if err != nil {
		t.Fatal(err)
	}
	clear(rows)
	clear(diag)
	for _, d := range []*Cholesky{c, restored} {
		d.Append(kernelRow(point{7, 7}, points), 1, 0)
		d.Delete(5, nil)
		d.Delete(30, nil)
	}
	_, rows, diag = c.State()
	_, rows2, diag2 := restored.State()
	if !slices.Equal(rows, rows2) || !slices.Equal(diag, diag2) {
		t.Error("the restored factor went another way")
	}
}

func TestCholeskyRestoreUntracked(t *testing.T) {
	for _, tracked := range []bool{false, true} {
		c := NewCholesky(0)
		if tracked {
			c.TrackInverseDiag()
		}
		n, rows, diag := c.State()
		if (diag != nil) != tracked {
			t.Errorf("tracked %v: diagonal %v", tracked, diag)
		}
		restored, err := RestoreCholesky(0, n, rows, diag)
		if err != nil {
			t.Fatal(err)
		}
		restored.Append(nil, 4, 0)
		if _, _, d := restored.State(); tracked && !slices.Equal(d, []float64{0.25}) || !tracked && d != nil {
			t.Errorf("tracked %v: restored and appended, the diagonal is %v", tracked, d)
		}
	}
}

func TestCholeskyRestoreErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, tc := range map[string]struct {
		jitter     float64
		n          int
		rows, diag []float64
	}{
		"negative jitter":       {-1, 0, nil, nil},
		"jitter NaN":            {nan, 0, nil, nil},
		"negative order":        {0, -1, nil, nil},
		"rows missing":          {0, 2, []float64{1, 0}, nil},
		"rows too many":         {0, 1, []float64{1, 0, 1}, nil},
		"order overflows":       {0, math.MaxInt, []float64{1}, nil},
		"order whose square is": {0, 1 << 32, nil, nil},
		"diagonal too short":    {0, 1, []float64{1}, []float64{}},
		"NaN":                   {0, 2, []float64{1, nan, 1}, nil},
		"infinite":              {0, 2, []float64{1, 0, inf}, nil},
		"zero on the diagonal":  {0, 2, []float64{1, 0, 0}, nil},
		"negative diagonal":     {0, 1, []float64{-1}, nil},
		"inverse diagonal NaN":  {0, 1, []float64{1}, []float64{nan}},
		"inverse diagonal zero": {0, 1, []float64{1}, []float64{0}},
	} {
		if c, err := RestoreCholesky(tc.jitter, tc.n, tc.rows, tc.diag); !errors.Is(err, rkhs.ErrFormat) || c != nil {
			t.Errorf("%s: %v, %v, want ErrFormat", name, c, err)
		}
	}
}
