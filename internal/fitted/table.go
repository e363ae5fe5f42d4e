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

// Table draws n rows with numbers and categories, missing cells, rare and new levels, a constant
// column, a numeric target and a target of names. Some columns have names that tensors and fields
// of exported models also have.
func Table(n int, seed uint64) (t *dataset.Table, cells [][]string) {
	r := rng.New(seed, "table", 0)
	cells = [][]string{{"x", "labels", "scores", "Exp_1", "same", "price", "class"}}
	for i := range n {
		x, town, kind := 10*r.Float64(), r.IntN(5), r.IntN(3)
		row := []string{
			fmt.Sprintf("%.3f", x),
			[]string{"Bath", "Ely", "Rye", "Wells", "Hay on Wye"}[town],
			[]string{"flat", "house", "hut"}[kind],
			fmt.Sprintf("%.2f", 1000+r.Float64()),
			"1",
			fmt.Sprintf("%.3f", math.Sin(x)+float64(town*kind)),
			[]string{"low", "high"}[kind/2],
		}
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
		cells = append(cells, row)
	}
	return read(cells), cells
}

// read returns the table of cells. The first row has the names.
func read(cells [][]string) *dataset.Table {
	var b strings.Builder
	for _, row := range cells {
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	t, err := dataset.ReadTable(strings.NewReader(b.String()), dataset.TableOptions{Missing: []string{"?"}})
	if err != nil {
		panic(err)
	}
	return t
}

// Recipes returns a regression and a classification of a Table.
func Recipes() (regression, classification *recipe.Model, err error) {
	t, _ := Table(150, 1)
	ctx := context.Background()
	regression, err = recipe.Fit(ctx, t, recipe.Options{Target: "price", Ignore: []string{"class"}}, ridge.Fit, nil)
	if err != nil {
		return nil, nil, err
	}
	names := recipe.Options{Target: "class", Ignore: []string{"price"}}
	classification, err = recipe.Fit(ctx, t, names, ridge.FitClassifier, nil)
	return regression, classification, err
}

// PredictEncoded predicts the encoded rows of a table, as an exported model does. It does not average
// predictions over the training values of missing cells.
func PredictEncoded(m *recipe.Model, t *dataset.Table) (*recipe.Predictions, error) {
	x, _, err := m.Recipe().Inputs(t)
	if err != nil {
		return nil, err
	}
	p, err := recipe.PredictionsOf(m.Model(), x, 0)
	if err != nil {
		return nil, err
	}
	if names := m.Recipe().Classes(); names != nil {
		for _, v := range p.Values {
			p.Classes = append(p.Classes, names[int(v)])
		}
	}
	return p, nil
}
