package input_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		y             []float64
		labels, index []int
	}{
		{[]float64{3, -2, 3, 0}, []int{-2, 0, 3}, []int{2, 0, 2, 1}},
		{[]float64{math.Copysign(0, -1), 1, 0}, []int{0, 1}, []int{0, 1, 0}},
		{[]float64{1 << 53, -(1 << 53)}, []int{-(1 << 53), 1 << 53}, []int{1, 0}},
	} {
		labels, index, err := input.Labels("pkg", column(c.y...))
		if err != nil || !slices.Equal(labels, c.labels) || !slices.Equal(index, c.index) {
			t.Errorf("%v: labels %v, index %v, error %v", c.y, labels, index, err)
		}
	}
}

func TestLabelsOfAColumnOfAWiderMatrix(t *testing.T) {
	m := slice(numbered(4, 1)).RawMatrix()
	labels, index, err := input.Labels("pkg", m)
	if err != nil || !slices.Equal(labels, []int{0, 10, 20, 30}) || !slices.Equal(index, []int{0, 1, 2, 3}) {
		t.Errorf("labels %v, index %v, error %v", labels, index, err)
	}
}

func TestLabelsRefuses(t *testing.T) {
	// Adjacent whole numbers above 2⁵³ are the same float64.
	for _, v := range []float64{0.5, -1e-9, 1<<53 + 2, -math.MaxFloat64} {
		_, _, err := input.Labels("pkg", column(1, 2, v))
		if !errors.Is(err, rkhs.ErrLabels) || !strings.Contains(err.Error(), "row 2") || !strings.HasPrefix(err.Error(), "pkg: ") {
			t.Errorf("label %v: error %v", v, err)
		}
	}
	if _, _, err := input.Labels("pkg", column(4, 4)); !errors.Is(err, rkhs.ErrLabels) || !strings.HasPrefix(err.Error(), "pkg: all labels are 4") {
		t.Errorf("a single label: error %v", err)
	}
	two := numbered(3, 2).RawMatrix()
	if _, _, err := input.Labels("pkg", two); !errors.Is(err, rkhs.ErrShape) || !strings.Contains(err.Error(), "2") {
		t.Errorf("two columns: error %v", err)
	}
}

func TestAnnounced(t *testing.T) {
	given := []int{7, -1, 3}
	labels, err := input.Announced("pkg", given)
	if err != nil || !slices.Equal(labels, []int{-1, 3, 7}) || !slices.Equal(given, []int{7, -1, 3}) {
		t.Errorf("%v of %v, error %v", labels, given, err)
	}
	for _, bad := range [][]int{nil, {1}, {2, 1, 2}} {
		if _, err := input.Announced("pkg", bad); !errors.Is(err, rkhs.ErrLabels) || !strings.HasPrefix(err.Error(), "pkg: labels ") {
			t.Errorf("%v: error %v", bad, err)
		}
	}
}

func TestKnown(t *testing.T) {
	labels := []int{-(1 << 53), -1, 3, 7}
	index, err := input.Known("pkg", column(3, 7, -(1<<53), 3), labels)
	if err != nil || !slices.Equal(index, []int{2, 3, 0, 2}) {
		t.Errorf("index %v, error %v", index, err)
	}
	for _, v := range []float64{0, 3.5, -1.5, 1e300, -1e300} {
		_, err := input.Known("pkg", column(3, v), labels)
		if !errors.Is(err, rkhs.ErrLabels) || !strings.Contains(err.Error(), "row 1") || !strings.HasPrefix(err.Error(), "pkg: ") {
			t.Errorf("label %v: error %v", v, err)
		}
	}
	if _, err := input.Known("pkg", numbered(3, 2).RawMatrix(), labels); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("two columns: error %v", err)
	}
}

// Class returns the class of its targets.
func TestTargets(t *testing.T) {
	for _, c := range []struct {
		outputs int
		index   []int
		want    []float64
	}{
		{1, []int{1, 0, 0}, []float64{1, -1, -1}},
		{2, []int{1, 0}, []float64{-1, 1, 1, -1}},
		{3, []int{2, 0}, []float64{-1, -1, 1, 1, -1, -1}},
	} {
		y := input.Targets(c.index, c.outputs)
		if y.Rows != len(c.index) || y.Cols != c.outputs || !slices.Equal(y.Data, c.want) {
			t.Errorf("targets of %v: %v", c.index, y)
		}
		for i, k := range c.index {
			if got := input.Class(y.Data[i*y.Stride : i*y.Stride+y.Cols]); got != k {
				t.Errorf("class of row %d of %v is %d, want %d", i, y, got, k)
			}
		}
	}
}

func TestClassOfEqualScores(t *testing.T) {
	for _, c := range []struct {
		scores []float64
		want   int
	}{{[]float64{0}, 0}, {[]float64{-2, -1, -1}, 1}, {[]float64{3, 3}, 0}} {
		if got := input.Class(c.scores); got != c.want {
			t.Errorf("class of %v is %d, want %d", c.scores, got, c.want)
		}
	}
}

func TestClasses(t *testing.T) {
	x := numbered(3, 2)
	w, names, index, err := input.WeighedClasses("pkg", input.Dense, x, mat.NewDense(3, 1, []float64{7, -2, 7}))
	if err != nil || w.X.Rows != 3 || !slices.Equal(names, []int{-2, 7}) || !slices.Equal(index, []int{1, 0, 1}) {
		t.Errorf("%v of %v, error %v", index, names, err)
	}
	for _, c := range []struct {
		labels  mat.Matrix
		want    error
		message string
	}{
		{nil, rkhs.ErrEmpty, "pkg: labels is nil"},
		{numbered(2, 1), rkhs.ErrShape, "pkg: x has 3 rows, labels has 2"},
		{mat.NewDense(3, 1, []float64{4, 4, 4}), rkhs.ErrLabels, "pkg: all labels are 4"},
	} {
		if _, _, _, err := input.WeighedClasses("pkg", input.Dense, x, c.labels); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), c.message) {
			t.Errorf("error %v, want %q", err, c.message)
		}
	}
}
