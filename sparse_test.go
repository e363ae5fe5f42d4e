package rkhs_test

import (
	"context"
	"encoding"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
)

// wideRows returns rows with ten elements among 2³¹−1 columns. The label is the group of most of
// the columns in a row.
func wideRows(n int, seed uint64) (*rkhs.Sparse, *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 3))
	x := &rkhs.Sparse{Rows: n, Cols: math.MaxInt32, Offsets: []int{0}}
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		label := r.IntN(2)
		for k := range 10 {
			group := label
			if r.IntN(4) == 0 {
				group = 1 - label
			}
			// The 10 parts of the columns ascend. Each has 20 columns of each group.
			x.Columns = append(x.Columns, int32(k*(math.MaxInt32/10)+r.IntN(20)+1000*group))
			x.Values = append(x.Values, 1)
		}
		x.Offsets = append(x.Offsets, len(x.Columns))
		y.Set(i, 0, float64(2*label-1))
	}
	return x, y
}

type wideModel interface {
	Predict(x mat.Matrix) (*mat.Dense, error)
	encoding.BinaryMarshaler
}

// seenOnce lists the fits of TestWideRows that see each of 400 rows once.
var seenOnce = []string{"Newton", "polk learner", "doublysgd learner"}

// TestWideRows checks that the memory of learners and the size of files depend on the listed
// elements only, not on the number of columns. It tests batch fits and streams.
func TestWideRows(t *testing.T) {
	testutil.Long(t, "takes seconds")
	ctx := context.Background()
	x, y := wideRows(400, 1)
	testX, testY := wideRows(400, 2)
	for name, fit := range map[string]func() (wideModel, error){
		"slkl":  func() (wideModel, error) { return slkl.FitClassifier(ctx, x, y, nil) },
		"polk":  func() (wideModel, error) { return polk.FitClassifier(ctx, x, y, nil) },
		"ridge": func() (wideModel, error) { return ridge.FitClassifier(ctx, x, y, nil) },
		"ridge on points": func() (wideModel, error) {
			return ridge.FitClassifier(ctx, x, y, &ridge.Options{MaxPoints: 100})
		},
		"doublysgd": func() (wideModel, error) {
			return doublysgd.FitClassifier(ctx, x, y, &doublysgd.Options{Features: 1024})
		},
		"Newton": func() (wideModel, error) {
			return doublysgd.FitClassifier(ctx, x, y, &doublysgd.Options{Features: 1024, Paper: doublysgd.Paper{Mode: doublysgd.Newton}})
		},
		"polk learner": func() (wideModel, error) {
			l, err := polk.NewClassLearner([]int{-1, 1}, nil)
			return wideStream(ctx, l, err, x, y)
		},
		"doublysgd learner": func() (wideModel, error) {
			l, err := doublysgd.NewClassLearner([]int{-1, 1}, nil)
			return wideStream(ctx, l, err, x, y)
		},
	} {
		m, err := fit()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, err := m.Predict(testX)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wrong := 0
		for i := range 400 {
			if p.At(i, 0) != testY.At(i, 0) {
				wrong++
			}
		}
		most := 60 // a majority of ten columns is wrong in 5 % of the rows
		if slices.Contains(seenOnce, name) {
			most = 160 // four standard deviations below chance
		}
		if wrong > most {
			t.Errorf("%s: %d of 400 labels are wrong", name, wrong)
		}
		if data, err := m.MarshalBinary(); err != nil || len(data) > 1<<20 {
			t.Errorf("%s: a file of %d bytes, %v", name, len(data), err)
		}
	}
}

// wideStream trains a classifier on a stream of two batches.
func wideStream[M wideModel](ctx context.Context, l interface {
	Update(x, labels mat.Matrix) error
	Model(ctx context.Context) (M, error)
}, err error, x *rkhs.Sparse, y *mat.Dense) (wideModel, error) {
	if err != nil {
		return nil, err
	}
	half := *x
	half.Rows, half.Offsets = 200, x.Offsets[:201]
	rest := *x
	rest.Rows, rest.Offsets = 200, x.Offsets[200:]
	if err := errors.Join(l.Update(&half, y.Slice(0, 200, 0, 1)), l.Update(&rest, y.Slice(200, 400, 0, 1))); err != nil {
		return nil, err
	}
	return l.Model(ctx)
}

// TestSparse tests the methods of Sparse.
func TestSparse(t *testing.T) {
	s := &rkhs.Sparse{Rows: 2, Cols: 3, Offsets: []int{0, 2, 3}, Columns: []int32{0, 2, 1}, Values: []float64{1, 0, 3}}
	want := mat.NewDense(2, 3, []float64{1, 0, 0, 0, 3, 0})
	if s.Check() != nil || !mat.Equal(s, want) || !mat.Equal(s.T(), want.T()) {
		t.Errorf("%v is %v", s, mat.Formatted(s))
	}
	count := 0
	s.DoNonZero(func(i, j int, v float64) {
		if count++; want.At(i, j) != v {
			t.Errorf("element %d, %d is %v", i, j, v)
		}
	})
	if count != 2 {
		t.Errorf("%d elements that are not zero", count)
	}
	if err := (*rkhs.Sparse)(nil).Check(); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("nil: %v", err)
	}
	for _, bad := range []rkhs.Sparse{
		{}, {Rows: -1}, {Rows: 1, Cols: 1, Offsets: []int{0}},
		{Rows: 1, Cols: 1, Offsets: []int{0, 1}}, {Rows: 1, Cols: 1, Offsets: []int{-1, 0}},
		{Rows: 2, Cols: 2, Offsets: []int{0, 1, 0}, Columns: []int32{0}, Values: []float64{1}},
		{Rows: 1, Cols: 2, Offsets: []int{0, 2}, Columns: []int32{1, 1}, Values: []float64{1, 1}},
		{Rows: 1, Cols: 2, Offsets: []int{0, 1}, Columns: []int32{2}, Values: []float64{1}},
		{Rows: 1, Cols: 2, Offsets: []int{0, 1}, Columns: []int32{-1}, Values: []float64{1}},
	} {
		if err := bad.Check(); !errors.Is(err, rkhs.ErrShape) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// Learning a metric from sparse rows is an error, but the default metric is valid.
func TestMetricOfSparseRows(t *testing.T) {
	ctx := context.Background()
	x, y := wideRows(60, 1)
	for _, metric := range []kernel.Metric{kernel.DiagonalMetric, kernel.FullMetric} {
		fits := map[string]func() error{
			"ridge": func() error { _, err := ridge.Fit(ctx, x, y, &ridge.Options{Metric: metric}); return err },
			"slkl":  func() error { _, err := slkl.Fit(ctx, x, y, &slkl.Options{Metric: metric}); return err },
			"polk":  func() error { _, err := polk.FitClassifier(ctx, x, y, &polk.Options{Metric: metric}); return err },
			"doublysgd": func() error {
				_, err := doublysgd.FitClassifier(ctx, x, y, &doublysgd.Options{Metric: metric})
				return err
			},
		}
		for name, fit := range fits {
			if err := fit(); !errors.Is(err, rkhs.ErrOption) || !strings.HasPrefix(err.Error(), name+":") {
				t.Errorf("%s, %v: %v, want %v", name, metric, err, rkhs.ErrOption)
			}
		}
	}
}
