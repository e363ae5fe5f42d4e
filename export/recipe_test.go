package export_test

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/export"
	"github.com/rkhs-go/rkhs/internal/fitted"
	"github.com/rkhs-go/rkhs/recipe"
)

// rowsBy converts cells to numbers by the document.
func rowsBy(r *export.Recipe, cells [][]string) (rows [][]float64) {
	for _, cell := range cells[1:] {
		var x []float64
		for _, s := range r.Steps {
			if s.Use == "left out" {
				continue
			}
			text := cell[slices.Index(cells[0], s.Column)]
			part, missing := make([]float64, s.Width), slices.Contains(s.Missing, strings.ToLower(text)) || slices.Contains(s.Missing, text)
			switch {
			case s.Use == "numbers" && missing:
				part[0] = *s.Median
			case s.Use == "numbers":
				part[0], _ = strconv.ParseFloat(text, 64)
			case s.Use == "levels" && !(missing && s.Flag):
				at := slices.Index(s.Levels, text)
				if at < 0 {
					at = len(s.Levels)
				}
				part[at] = 1
			}
			if missing && s.Flag {
				part[s.Width-1] = 1
			}
			x = append(x, part...)
		}
		rows = append(rows, x)
	}
	return rows
}

func TestRecipeJSON(t *testing.T) {
	regression, classes, err := fitted.Recipes()
	if err != nil {
		t.Fatal(err)
	}
	table, cells := fitted.Table(60, 2)
	for _, m := range []*recipe.Model{regression, classes} {
		var b bytes.Buffer
		if err := export.RecipeJSON(&b, m); err != nil {
			t.Fatal(err)
		}
		var d document
		var of export.Document
		for _, to := range []any{&d, &of} {
			if err := json.Unmarshal(b.Bytes(), to); err != nil {
				t.Fatal(err)
			}
		}
		want, err := fitted.PredictEncoded(m, table)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range rowsBy(of.Recipe, cells) {
			got := d.predict(x)[0]
			if !(math.Abs(got-want.Values[i]) <= 1e-10*math.Max(1, math.Abs(got))) {
				t.Fatalf("row %d: %v, want %v", i, got, want.Values[i])
			}
			if want.Classes != nil && of.Recipe.Classes[int(got)] != want.Classes[i] {
				t.Fatalf("row %d: %v, want %v", i, of.Recipe.Classes[int(got)], want.Classes[i])
			}
		}
	}
}
