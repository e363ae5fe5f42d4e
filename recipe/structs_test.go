package recipe_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

type place struct {
	Town string
	Code string
}

type flat struct {
	Area *float64
	place
	Rent float64 `rkhs:",target"`
	Note []int   `rkhs:"-"`
}

func flatOf(area float64, town, code string) flat {
	rent := 10 * area
	if town == "Ely" {
		rent += 200
	}
	return flat{Area: &area, place: place{town, code}, Rent: rent}
}

func flatStructs(n int) (list []flat) {
	for i := range n {
		list = append(list, flatOf(float64(20+i%97), []string{"Bath", "Ely"}[i%2], []string{"1.50", "2", "x"}[i%3]))
	}
	return list
}

// A model of structs predicts like the model of the table with the same cells: row by row, in a
// sequence, and from a file.
func TestFitStructs(t *testing.T) {
	rows := flatStructs(120)
	m, err := recipe.FitStructs(context.Background(), rows, ridge.Fit, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(flatOf(50, "Ely", "1.50"))
	if err != nil || math.Abs(p.Value-700) > 5 || !(p.Lower <= p.Value && p.Value <= p.Upper) || p.Coverage != 0.9 || p.Class != "" {
		t.Errorf("%+v, %v", p, err)
	}
	table, err := dataset.FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Model().PredictIntervals(table, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m")
	if err := rkhs.Save(path, m.Model()); err != nil {
		t.Fatal(err)
	}
	loaded, err := rkhs.Load[*recipe.Model](path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := recipe.ForStructs[flat](loaded)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for p, err := range again.PredictSeq(slices.Values(rows), 7) {
		if err != nil || p.Value != want.Values[i] || p.Lower != want.Lower[i] || p.Upper != want.Upper[i] {
			t.Fatalf("row %d: %+v, %v, want %v", i, p, err, want.Values[i])
		}
		i++
	}
	// A level that looks like a number is the same level in a single struct.
	for i := range 3 {
		one, err := m.Predict(rows[i])
		if err != nil || one.Value != want.Values[i] {
			t.Errorf("row %d has %v, want %v, %v", i, one.Value, want.Values[i], err)
		}
	}
	if i != len(rows) {
		t.Errorf("%d predictions", i)
	}
}

// A classifier of structs returns the class and its probability.
func TestFitStructsClassifier(t *testing.T) {
	type sample struct {
		X, Y   float64
		Sort   string  `rkhs:",target"`
		Weight float64 `rkhs:",weights"`
	}
	var rows []sample
	for i := range 200 {
		x := math.Sin(float64(i))
		rows = append(rows, sample{x, math.Cos(float64(i)), map[bool]string{true: "up", false: "down"}[x > 0], float64(1 + i%2)})
	}
	m, err := recipe.FitStructs(context.Background(), rows, ridge.FitClassifier, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(sample{X: .9})
	if err != nil || p.Class != "up" || len(p.Proba) != 2 || p.Proba["up"] < .9 || p.Coverage != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	all, err := m.PredictAll(rows[:3])
	if err != nil || len(all) != 3 || reflect.DeepEqual(all[0], all[1]) {
		t.Errorf("%+v, %v", all, err)
	}
}

// A learner of structs has the same model as a learner of the same tables.
func TestStructLearner(t *testing.T) {
	rows := flatStructs(400)
	of, err := polk.NewLearner(nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := recipe.NewStructLearner(rows[:100], of)
	if err != nil {
		t.Fatal(err)
	}
	rows[300].Rent = math.NaN()
	if encoded, err := l.Update(rows[:32]); err != nil || encoded.Dropped != 0 {
		t.Fatal(encoded, err)
	}
	if dropped, err := l.UpdateSeq(slices.Values(rows[32:]), 32); dropped != 1 || err != nil || l.Learner().Rows() != 399 {
		t.Fatal(dropped, err, l.Learner().Rows())
	}
	got, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if of, err = polk.NewLearner(nil); err != nil {
		t.Fatal(err)
	}
	plain, err := recipe.NewLearner(l.Learner().Recipe(), of)
	if err != nil {
		t.Fatal(err)
	}
	for batch := range slices.Chunk(rows, 32) {
		table, err := dataset.FromStructs(batch)
		if err == nil {
			_, err = plain.Update(table)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want, err := plain.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	table, err := dataset.FromStructs(rows[:50])
	if err != nil {
		t.Fatal(err)
	}
	p, err := want.Predict(table)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[:50] {
		if q, err := got.Predict(row); err != nil || q.Value != p.Values[i] {
			t.Fatalf("row %d: %v, want %v, %v", i, q, p.Values[i], err)
		}
	}
}

// A target that the reader ignored is an error that gives the reason.
func TestIgnoredTarget(t *testing.T) {
	table, err := dataset.FromMaps([]map[string]any{{"a": 1, "b": []int{1}}, {"a": 2, "b": []int{2}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = recipe.Learn(table, recipe.Options{Target: "b"})
	if !errors.Is(err, rkhs.ErrOption) || !strings.Contains(err.Error(), `"b" has nested values`) {
		t.Errorf("%v", err)
	}
}

func TestStructErrors(t *testing.T) {
	ctx := context.Background()
	if _, err := recipe.FitStructs[flat](ctx, nil, ridge.Fit, nil); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no structs: %v", err)
	}
	if _, err := recipe.FitStructs(ctx, flatStructs(50), ridge.FitClassifier, nil); !errors.Is(err, rkhs.ErrLabels) {
		t.Errorf("a classifier of numbers: %v", err)
	}
	if _, err := recipe.ForStructs[flat](nil); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("no model: %v", err)
	}
	var m *recipe.StructModel[flat]
	if _, err := m.Predict(flat{}); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("a nil model: %v", err)
	}
	var l recipe.StructLearner[flat]
	if _, err := l.Update(flatStructs(3)); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("a zero learner: %v", err)
	}
	if _, err := l.Model(ctx); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("a zero learner: %v", err)
	}
	good, err := recipe.FitStructs(ctx, flatStructs(60), ridge.Fit, nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := recipe.ForStructs[struct{ Other int }](good.Model())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Predict(struct{ Other int }{1}); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("a struct of other columns: %v", err)
	}
}
