package recipe_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

func table(t testing.TB, text string, opts dataset.TableOptions) *dataset.Table {
	t.Helper()
	list, err := dataset.ReadTable(strings.NewReader(text), opts)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestColumns compares the encoding of each kind of column with the documentation.
func TestColumns(t *testing.T) {
	train := table(t, `size,colour,sold,flat,price
1,red,2024-01-01,x,10
3,blue,2024-07-02,x,20
,red,2025-01-01,x,30
5,blue,2024-01-01,x,40
7,red,,x,50
9,blue,2024-01-01,x,60
11,green,2024-01-01,x,70.5
`, dataset.TableOptions{})
	r, err := recipe.Learn(train, recipe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"size", "size missing", "colour=blue", "colour=red", "colour other",
		"sold", "sold year sin", "sold year cos", "sold week sin", "sold week cos", "sold missing"}
	if got := r.Columns(); !slices.Equal(got, want) || r.Width() != len(want) {
		t.Fatalf("columns %q, want %q", got, want)
	}
	rows, err := r.Rows(train)
	if err != nil {
		t.Fatal(err)
	}
	x := rows.X.(*mat.Dense)
	if n, _ := x.Dims(); n != 7 || rows.Y.At(6, 0) != 70.5 {
		t.Errorf("%d rows, the last of target %v", n, rows.Y.At(6, 0))
	}
	check := func(row, from int, want ...float64) {
		t.Helper()
		for j, v := range want {
			if got := x.At(row, from+j); math.Abs(got-v) > 1e-12 {
				t.Errorf("row %d, %s: %v, want %v", row, r.Columns()[from+j], got, v)
			}
		}
	}
	check(0, 0, 1, 0, 0, 1, 0)
	check(2, 0, 6, 1, 0, 1, 0) // the median of 1 3 5 7 9 11
	check(6, 0, 11, 0, 0, 0, 1)
	check(4, 6, 0, 0, 0, 0, 1)                                // no date
	check(0, 6, 0, 1)                                         // start of a year
	check(0, 8, math.Sin(2*math.Pi/7), math.Cos(2*math.Pi/7)) // a Monday
	if d := x.At(2, 5) - x.At(0, 5); math.Abs(d-366/365.2425) > 1e-12 {
		t.Errorf("from 2024 to 2025 %v years", d)
	}
	other := table(t, "colour,size\npink,\nred,2\n", dataset.TableOptions{})
	z, counts, err := r.Inputs(other)
	if err != nil {
		t.Fatal(err)
	}
	x = z.(*mat.Dense)
	check(0, 0, 6, 1, 0, 0, 1)
	check(1, 0, 2, 0, 0, 1, 0)
	if want := []recipe.Count{{Column: "colour", Unknown: 1}, {Column: "sold", Missing: 2, Absent: true}}; !slices.Equal(counts, want) {
		t.Errorf("counts %v, want %v", counts, want)
	}
}

// houses draws a table of two numbers, a category and a date, with missing cells.
func houses(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 5))
	var b strings.Builder
	b.WriteString("area;rooms;town;price\n")
	for range n {
		area, rooms, town := 20+100*r.Float64(), 1+r.IntN(5), r.IntN(4)
		price := 100*math.Sin(area/20) + 30*float64(rooms) + 50*float64(town) + r.NormFloat64()
		cell := fmt.Sprintf("%.2f", area)
		if r.IntN(20) == 0 {
			cell = "NA"
		}
		fmt.Fprintf(&b, "%s;%d;%q;%.3f\n", cell, rooms, []string{"Ely", "Bath", "York", "a; \"b\""}[town], price)
	}
	return strings.ReplaceAll(b.String(), `\"b\"`, `""b""`)
}

// TestModel fits, scores, saves and loads a model of raw rows.
func TestModel(t *testing.T) {
	all := table(t, houses(600, 1), dataset.TableOptions{Missing: []string{"?"}, Dates: []string{"02/01/2006"}})
	train, test, err := all.Split(0.25, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := recipe.Fit(context.Background(), train, recipe.Options{Target: "price"}, ridge.Fit, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Score(test)
	if err != nil {
		t.Fatal(err)
	}
	if !(s.RMSE < 0.5*s.Baseline) || s.Rows != 150 {
		t.Errorf("RMSE %v of %d rows, that of the mean %v", s.RMSE, s.Rows, s.Baseline)
	}
	path := filepath.Join(t.TempDir(), "price.rkhs")
	if err := rkhs.Save(path, m); err != nil {
		t.Fatal(err)
	}
	loaded, err := rkhs.Load[*recipe.Model](path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(test)
	if err != nil {
		t.Fatal(err)
	}
	got, err := loaded.Predict(test)
	if err != nil || !slices.Equal(got.Values, want.Values) || loaded.Recipe().String() != m.Recipe().String() {
		t.Errorf("the loaded model predicts otherwise: %v", err)
	}
	if n := loaded.Recipe().Reading().Notations["town"]; n.Kind != dataset.Category || !slices.Equal(n.Missing, []string{"?"}) || !slices.Equal(n.Dates, []string{"02/01/2006"}) {
		t.Errorf("the loaded model is of rows read by %+v", n)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again, err := loaded.MarshalBinary()
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("the loaded model has another file: %v", err)
	}
	for at := 20; at < len(data); at += len(data) / 50 {
		bad := bytes.Clone(data)
		bad[at] ^= 1
		if err := new(recipe.Model).UnmarshalBinary(bad); !errors.Is(err, rkhs.ErrFormat) {
			t.Errorf("byte %d changed: %v, want %v", at, err, rkhs.ErrFormat)
		}
	}
}

// TestBatches: predictions of batches equal predictions of all rows.
func TestBatches(t *testing.T) {
	text := houses(200, 2)
	all := table(t, text, dataset.TableOptions{})
	m, err := recipe.Fit(context.Background(), all, recipe.Options{}, polk.Fit, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(all)
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for b, err := range dataset.TableBatches(strings.NewReader(text), 7, dataset.TableOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(b)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Values...)
	}
	if !floatsClose(got, want.Values) {
		t.Error("batches are predicted otherwise")
	}
}

func floatsClose(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Abs(v-w) <= 1e-9*(1+math.Abs(w)) })
}

// TestClasses predicts classes with any text, probabilities by name, and texts as sparse rows.
func TestClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var b strings.Builder
	b.WriteString("text\tsize\tlabel\n")
	goods, bads := strings.Fields("sun warm bright joy light"), strings.Fields("rain cold dark grief mud")
	for i := range 300 {
		list, label := goods, "good day"
		if i%3 == 0 {
			list, label = bads, "bad day"
		}
		fmt.Fprintf(&b, "%s %s and %s today no. %d\t%d\t%s\n", list[r.IntN(5)], list[r.IntN(5)], list[r.IntN(5)], i, r.IntN(100), label)
	}
	all := table(t, b.String(), dataset.TableOptions{})
	train, test, err := all.Split(0.3, 2)
	if err != nil {
		t.Fatal(err)
	}
	m, err := recipe.Fit(context.Background(), train, recipe.Options{}, polk.FitClassifier, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := m.Recipe().Rows(train)
	if _, ok := rows.X.(*rkhs.Sparse); !ok || err != nil {
		t.Fatalf("rows of texts are a %T: %v", rows.X, err)
	}
	s, err := m.Score(test)
	if err != nil || !(s.Errors < 0.1) || math.Abs(s.Baseline-1./3) > 0.1 {
		t.Errorf("%+v, %v", s, err)
	}
	p, err := m.Predict(test)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range p.Classes {
		if text, _ := test.Column("label").Text(i); name != "good day" && name != "bad day" || text == "" {
			t.Fatalf("row %d: %q for %q", i, name, text)
		}
	}
	if p.Proba != nil && !slices.Equal(p.Names, []string{"bad day", "good day"}) {
		t.Errorf("probabilities of %q", p.Names)
	}
}

// TestWeights: a row of weight two counts like two rows.
func TestWeights(t *testing.T) {
	m := table(t, "a,w,y\n1,1,1.5\n2,2,2.5\n3,0,1.25\n4,1,0.5\n", dataset.TableOptions{})
	r, err := recipe.Learn(m, recipe.Options{Weights: "w"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := r.Rows(m)
	if err != nil {
		t.Fatal(err)
	}
	if w, ok := rows.X.(rkhs.Weighted); !ok || !slices.Equal(w.Weights, []float64{1, 2, 0, 1}) {
		t.Errorf("rows are %v", rows.X)
	}
}

// TestTaskOf distinguishes labels from numbers that resemble them.
func TestTaskOf(t *testing.T) {
	repeat := func(times int, values ...float64) []float64 { return slices.Repeat(values, times) }
	for _, c := range []struct {
		what   string
		values []float64
		want   recipe.Task
	}{
		{"two numbers", repeat(5, -1, 1), recipe.Classification},
		{"two numbers that are not whole", repeat(5, 0.5, 1), recipe.Classification},
		{"digits", repeat(4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), recipe.Classification},
		{"one to three", repeat(4, 3, 1, 2), recipe.Classification},
		{"a value that is rare", append(repeat(400, 0, 1), 2, 2), recipe.Regression},
		{"a number between that is not there", repeat(9, 0, 1, 3), recipe.Regression},
		{"not whole", repeat(9, 0, 1, 1.5), recipe.Regression},
		{"from five", repeat(9, 5, 6, 7), recipe.Regression},
		{"one number", repeat(9, 5), recipe.Regression},
		{"nothing", nil, recipe.Regression},
	} {
		if got := recipe.TaskOf(c.values); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// TestRefused: invalid tables and options are errors that name the line or the column.
func TestRefused(t *testing.T) {
	many := strings.Repeat("1,2\n", 300)
	var distinct string
	for i := range 60 {
		distinct += fmt.Sprintf("%d,c%d\n", i, i)
	}
	good := table(t, "a,b,y\n1,u,0.5\n2,v,1.5\n3,u,2.5\n4,u,2.25\n5,u,0.75\n", dataset.TableOptions{})
	r, err := recipe.Learn(good, recipe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, text, says string
		opts             recipe.Options
		err              error
	}{
		{"a target that is not there", "a,b\n1,2\n", `no column "c"`, recipe.Options{Target: "c"}, rkhs.ErrOption},
		{"an ignored column that is not there", "a,b\n1,2\n", `no column "d"`, recipe.Options{Ignore: []string{"d"}}, rkhs.ErrOption},
		{"the target as weights", "a,b\n1,2\n", "both", recipe.Options{Target: "b", Weights: "b"}, rkhs.ErrOption},
		{"one class", "a,b\n1,u\n2,u\n", `"u"`, recipe.Options{}, rkhs.ErrLabels},
		{"no column left", "a,b\n1,1.5\n1,2.5\n", "a single value", recipe.Options{}, rkhs.ErrEmpty},
		{"a stray cell", "a,b\n" + many + "x?,1.5\n", `line 302: column "a": "x?"`, recipe.Options{}, rkhs.ErrFormat},
		{"a year in a header", "a,2020\n" + many, "Header takes line 1 for the names", recipe.Options{}, rkhs.ErrFormat},
		{"a stray target", "a,b\n1,1.5\n2,x\n", `line 3: column "b": "x"`, recipe.Options{Task: recipe.Regression}, rkhs.ErrFormat},
		{"a stray target among numbers", "a,b\n" + strings.Repeat("1,2.5\n3,4.25\n", 100) + "1,x\n", `line 202: column "b": "x"`, recipe.Options{}, rkhs.ErrFormat},
		{"as many classes as rows", "a,b\n" + distinct, `"b" has 60 different texts in 60 rows`, recipe.Options{}, rkhs.ErrLabels},
		{"an ignored target", "a,b\n1,2\n", `Ignore = ["b"]`, recipe.Options{Target: "b", Ignore: []string{"b"}}, rkhs.ErrOption},
		{"no target left", "a,b\n1,2\n", "no column is left", recipe.Options{Ignore: []string{"b", "a"}}, rkhs.ErrOption},
		{"a missing target", "a,b\n1,NA\n2,\n", "missing in all", recipe.Options{Target: "b", Task: recipe.Regression}, rkhs.ErrEmpty},
		{"levels", "a,b\n1,2\n", "Levels = 1", recipe.Options{Levels: 1}, rkhs.ErrOption},
		{"bits", "a,b\n1,2\n", "Bits = 31", recipe.Options{Bits: 31}, rkhs.ErrOption},
		{"a task", "a,b\n1,2\n", "Task(9)", recipe.Options{Task: 9}, rkhs.ErrOption},
	} {
		if _, err := recipe.Learn(table(t, c.text, dataset.TableOptions{}), c.opts); !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q and %v", c.what, err, c.says, c.err)
		}
	}
	if named, err := recipe.Learn(table(t, "a,b\n"+distinct, dataset.TableOptions{}), recipe.Options{Task: recipe.Classification}); err != nil || len(named.Classes()) != 60 {
		t.Errorf("as many classes as rows that were asked for: %v", err)
	}
	if last, err := recipe.Learn(good, recipe.Options{Ignore: []string{"y"}}); err != nil || last.Target() != "b" {
		t.Errorf("the last column is ignored, and the target is %q: %v", last.Target(), err)
	}
	if blank, err := recipe.Learn(table(t, "a,y,\n1,2.5,\n2,1.5,\n", dataset.TableOptions{}), recipe.Options{}); err != nil || blank.Target() != "y" {
		t.Errorf("the last column is blank, and the target is %q: %v", blank.Target(), err)
	}
	for _, c := range []struct {
		what, text, says string
		err              error
	}{
		{"none of the columns", "q\n1\n", `only ["q"]`, rkhs.ErrShape},
		{"a text among numbers", "a,b\n1,u\nx,v\n", `line 3: column "a"`, rkhs.ErrFormat},
	} {
		if _, _, err := r.Inputs(table(t, c.text, dataset.TableOptions{})); !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q and %v", c.what, err, c.says, c.err)
		}
	}
	if _, err := recipe.Learn(nil, recipe.Options{}); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no table: %v", err)
	}
	if _, err := recipe.PredictionsOf(nil, nil, 0); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("predictions of no model: %v", err)
	}
	if _, err := recipe.ScoreOf((*recipe.Model)(nil).Model(), nil, nil); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("score of no model: %v", err)
	}
	if _, err := new(recipe.Model).Predict(good); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("a model that is not fitted: %v", err)
	}
	if _, err := recipe.Fit(context.Background(), good, recipe.Options{}, ridge.FitClassifier, nil); !errors.Is(err, rkhs.ErrLabels) {
		t.Errorf("a classifier of numbers: %v", err)
	}
}

func TestScoreBearsClassesThatAreNotKnown(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d,%c\n", i, "uv"[i/20])
	}
	m, err := recipe.Fit(context.Background(), table(t, b.String(), dataset.TableOptions{}), recipe.Options{}, ridge.FitClassifier, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Score(table(t, "a,b\n2,u\n38,v\n5,w\n30,x\n", dataset.TableOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	if s.Rows != 4 || s.Unknown != 2 || s.Errors != 0.5 || s.LogLoss != 0 {
		t.Errorf("%d rows, %d unknown, errors %v, log loss %v; want 4, 2, 0.5, 0", s.Rows, s.Unknown, s.Errors, s.LogLoss)
	}
	if l := s.Confusion.Labels; !slices.Equal(l, []int{0, 1, 2}) {
		t.Errorf("labels %v, want those of u, v and what is neither", l)
	}
	known, err := m.Score(table(t, "a,b\n2,u\n38,v\n", dataset.TableOptions{}))
	if err != nil || known.Unknown != 0 || known.LogLoss == 0 {
		t.Errorf("classes that are known: %+v, error %v", known, err)
	}
}
