package recipe_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
	"github.com/rkhs-go/rkhs/svm"
)

// decided draws rows. Column a determines the target, a number or a class.
func decided(n int, seed uint64, class bool) (head string, rows [][]string) {
	r := rand.New(rand.NewPCG(seed, 9))
	for range n {
		a, b := r.Float64(), r.Float64()
		y := fmt.Sprint(50*a + 0.001*r.NormFloat64())
		if class {
			y = map[bool]string{true: "yes", false: "no"}[a > 0.3]
		}
		rows = append(rows, []string{fmt.Sprint(a), fmt.Sprint(b), y})
	}
	return "a,b,y", rows
}

func csvOf(head string, rows [][]string) string {
	lines := []string{head}
	for _, row := range rows {
		lines = append(lines, strings.Join(row, ","))
	}
	return strings.Join(lines, "\n") + "\n"
}

// without returns a table of rows. Column a is blank in every step-th row, or absent if step is 0.
func without(t *testing.T, rows [][]string, step int) *dataset.Table {
	head, list := "a,b,y", make([][]string, len(rows))
	for i, row := range rows {
		switch {
		case step == 0:
			head, list[i] = "b,y", row[1:]
		case i%step == 0:
			list[i] = []string{"", row[1], row[2]}
		default:
			list[i] = row
		}
	}
	return table(t, csvOf(head, list), dataset.TableOptions{})
}

type fit func(*dataset.Table) (*recipe.Model, error)

func fitBy[O any, M rkhs.Model](of func(context.Context, mat.Matrix, mat.Matrix, *O) (M, error)) fit {
	return func(t *dataset.Table) (*recipe.Model, error) {
		return recipe.Fit(context.Background(), t, recipe.Options{Target: "y"}, of, nil)
	}
}

// TestMissingCellWidensIntervals: without the column that determines the target, the intervals of
// every learner have their coverage, and the prediction is near the mean.
func TestMissingCellWidensIntervals(t *testing.T) {
	head, rows := decided(200, 1, false)
	train := table(t, csvOf(head, rows), dataset.TableOptions{})
	_, unseen := decided(100, 2, false)
	for name, by := range map[string]fit{"ridge": fitBy(ridge.Fit), "slkl": fitBy(slkl.Fit), "svm": fitBy(svm.Fit),
		"doublysgd": fitBy(doublysgd.Fit), "alignment": fitBy(alignment.Fit), "polk": fitBy(polk.Fit)} {
		m, err := by(train)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, step := range []int{0, 1} {
			test := without(t, unseen, step)
			s, err := m.Score(test)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if s.Width > 0 && !(s.Coverage >= 0.85) || s.Averaged == nil || s.Averaged.Rows != 100 || !slices.Equal(s.Averaged.Columns, []string{"a"}) {
				t.Errorf("%s: coverage %v, width %v, %+v", name, s.Coverage, s.Width, s.Averaged)
			}
			if !(s.RMSE < 1.2*s.Baseline) {
				t.Errorf("%s: RMSE %v, of the mean %v", name, s.RMSE, s.Baseline)
			}
		}
	}
}

// TestMissingCellLeavesOtherRows: the predictions of rows without missing cells do not change. The
// model from a file predicts the same.
func TestMissingCellLeavesOtherRows(t *testing.T) {
	head, rows := decided(200, 1, false)
	m, err := fitBy(ridge.Fit)(table(t, csvOf(head, rows), dataset.TableOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	_, unseen := decided(40, 2, false)
	full, err := m.PredictIntervals(without(t, unseen, 1000), 0.9)
	if err != nil {
		t.Fatal(err)
	}
	some, err := m.PredictIntervals(without(t, unseen, 4), 0.9)
	if err != nil {
		t.Fatal(err)
	}
	if some.Averaged == nil || some.Averaged.Rows != 10 {
		t.Fatalf("averaged: %+v, want 10 rows", some.Averaged)
	}
	for i := range unseen {
		if i%4 != 0 && (some.Values[i] != full.Values[i] || some.Lower[i] != full.Lower[i]) {
			t.Errorf("row %d without missing cells: %v, want %v", i, some.Values[i], full.Values[i])
		}
		if width := some.Upper[i] - some.Lower[i]; i%4 == 0 && width < 20 {
			t.Errorf("row %d with a missing cell: interval of width %v", i, width)
		}
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := rkhs.Read[*recipe.Model](bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	again, err := loaded.PredictIntervals(without(t, unseen, 4), 0.9)
	if err != nil || !slices.Equal(again.Values, some.Values) || !slices.Equal(again.Upper, some.Upper) {
		t.Errorf("the loaded model predicts otherwise: %v", err)
	}
}

// TestMissingCellMovesProbabilities: without the column that determines the class, probabilities are
// near the frequencies of the classes, and labels are most probable.
func TestMissingCellMovesProbabilities(t *testing.T) {
	head, rows := decided(200, 1, true)
	train := table(t, csvOf(head, rows), dataset.TableOptions{})
	_, unseen := decided(20, 2, true)
	for name, by := range map[string]fit{"ridge": fitBy(ridge.FitClassifier), "slkl": fitBy(slkl.FitClassifier), "svm": fitBy(svm.FitClassifier),
		"doublysgd": fitBy(doublysgd.FitClassifier), "alignment": fitBy(alignment.FitClassifier), "polk": fitBy(polk.FitClassifier)} {
		m, err := by(train)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p, err := m.Predict(without(t, unseen, 0))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range unseen {
			yes := p.Proba.At(i, slices.Index(p.Names, "yes"))
			if math.Abs(yes-0.7) > 0.25 || p.Classes[i] != map[bool]string{true: "yes", false: "no"}[yes > 0.5] {
				t.Errorf("%s, row %d: probability %v, class %s", name, i, yes, p.Classes[i])
			}
		}
	}
}

// TestUnseenLevelWidensIntervals predicts rows with an unseen level, of indicator columns and of
// hashed columns, and with a missing date.
func TestUnseenLevelWidensIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	var rows [][]string
	for range 400 {
		k := r.IntN(10)
		rows = append(rows, []string{fmt.Sprintf("level%d", k), fmt.Sprintf("20%02d-03-05", 10+k), fmt.Sprint(r.Float64()), fmt.Sprint(10*k + r.IntN(2))})
	}
	train := table(t, csvOf("town,day,b,y", rows), dataset.TableOptions{})
	for _, o := range []recipe.Options{{Target: "y", Ignore: []string{"day"}}, {Target: "y", Ignore: []string{"day"}, Levels: 4}, {Target: "y", Ignore: []string{"town"}}} {
		o.Task = recipe.Regression
		m, err := recipe.Fit(context.Background(), train, o, ridge.Fit, nil)
		if err != nil {
			t.Fatal(err)
		}
		test := table(t, "town,day,b\nnowhere,,.5\nlevel3,2013-03-05,.5\n", dataset.TableOptions{})
		p, err := m.PredictIntervals(test, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		if p.Averaged == nil || p.Averaged.Rows != 1 || p.Upper[0]-p.Lower[0] < 60 || p.Upper[1]-p.Lower[1] > 20 {
			t.Errorf("%+v: intervals %v to %v, %+v", o, p.Lower, p.Upper, p.Averaged)
		}
	}
}

// TestFewMissingCells: intervals have their coverage if some training rows lack the column that
// determines the target.
func TestFewMissingCells(t *testing.T) {
	_, rows := decided(200, 1, false)
	_, unseen := decided(100, 2, false)
	m, err := fitBy(ridge.Fit)(without(t, rows, 40))
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Score(without(t, unseen, 0))
	if err != nil || !(s.Coverage >= 0.85) || s.Averaged == nil {
		t.Errorf("coverage %v, %+v: %v", s.Coverage, s.Averaged, err)
	}
}
