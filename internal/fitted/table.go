package fitted

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

// TableOptions are those that Table and Cells are read by.
var TableOptions = dataset.TableOptions{Missing: []string{"?"}}

// Table draws n rows of raw cells: numbers and categories with and without missing ones, rare
// and new levels, a column of a single value, a target of numbers and one of names. Names of
// columns are such as tensors and fields have elsewhere.
func Table(n int, seed uint64) (*dataset.Table, [][]string) {
	r := rng.New(seed, "table", 0)
	rows := [][]string{{"x", "labels", "scores", "Exp_1", "same", "price", "class"}}
	for i := range n {
		x, town, kind := 10*r.Float64(), r.IntN(5), r.IntN(3)
		row := []string{fmt.Sprintf("%.3f", x), []string{"Bath", "Ely", "Rye", "Wells", "Hay on Wye"}[town], []string{"flat", "house", "hut"}[kind],
			fmt.Sprintf("%.2f", 1000+r.Float64()), "1", fmt.Sprintf("%.3f", math.Sin(x)+float64(town*kind)), []string{"low", "high"}[kind/2]}
		switch i % 20 {
		case 3:
			row[0] = ""
		case 7:
			row[1] = "?"
		case 11:
			row[1] = fmt.Sprint("Village ", seed, i)
		case 13:
			row[1] = "NA"
		case 17:
			row[1] = ""
		}
		rows = append(rows, row)
	}
	return Cells(rows), rows
}

// Cells is the table of cells, the first row of which has the names.
func Cells(rows [][]string) *dataset.Table {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	t, err := dataset.ReadTable(strings.NewReader(b.String()), TableOptions)
	if err != nil {
		panic(err)
	}
	return t
}

// Recipes are a regression and a classification of a Table.
func Recipes() (regression, classification *recipe.Model, err error) {
	t, _ := Table(150, 1)
	ctx := context.Background()
	regression, err = recipe.Fit(ctx, t, recipe.Options{Target: "price", Ignore: []string{"class"}}, ridge.Fit, nil)
	if err != nil {
		return nil, nil, err
	}
	classification, err = recipe.Fit(ctx, t, recipe.Options{Target: "class", Ignore: []string{"price"}}, ridge.FitClassifier, nil)
	return regression, classification, err
}
