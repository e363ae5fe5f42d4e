package recipe_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

// flats is a table of flats with their rents.
func flats() *dataset.Table {
	var b strings.Builder
	b.WriteString("area,town,rent\n")
	for i := range 60 {
		area, town := 20+i, []string{"Bath", "Ely"}[i%2]
		fmt.Fprintf(&b, "%d,%s,%.1f\n", area, town, 10*float64(area)+200*float64(i%2))
	}
	t, err := dataset.ReadTable(strings.NewReader(b.String()), dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	return t
}

// The example fits a regression to a table with a category and predicts a new row.
func ExampleFit() {
	model, err := recipe.Fit(context.Background(), flats(), recipe.Options{Target: "rent"}, ridge.Fit, nil)
	if err != nil {
		log.Fatal(err)
	}
	fresh, err := dataset.ReadTable(strings.NewReader("town,area\nEly,50\nRome,\n"), dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	p, err := model.Predict(fresh)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f\n", p.Values[0])
	for _, c := range p.Counts {
		fmt.Printf("%s: %d missing, %d unknown\n", c.Column, c.Missing, c.Unknown)
	}
	// Output:
	// 700
	// area: 1 missing, 0 unknown
	// town: 0 missing, 1 unknown
}

func ExampleLearn() {
	r, err := recipe.Learn(flats(), recipe.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(r)
	fmt.Println(r.Columns())
	fmt.Println(recipe.TaskOf([]float64{0, 1, 0, 1}))
	// Output:
	// rent: target, a number
	// area: number, as it is, median 49.5
	// town: category, a column for each of 2 levels, one for others
	// [area town=Bath town=Ely town other]
	// classification
}

// The program passes the rows of a recipe to a learner itself.
func ExampleNew() {
	r, err := recipe.Learn(flats(), recipe.Options{Target: "town", Task: recipe.Classification})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := r.Rows(flats())
	if err != nil {
		log.Fatal(err)
	}
	c, err := ridge.FitClassifier(context.Background(), rows.X, rows.Y, nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := recipe.New(r, c)
	if err != nil {
		log.Fatal(err)
	}
	s, err := m.Score(flats())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Classes(), s.Rows, s.Baseline, s.Errors < s.Baseline)
	if s, err = recipe.ScoreOf(c, rows.X, rows.Y); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Rows)
	// Output:
	// [Bath Ely] 60 0.5 true
	// 60
}

// The first rows of a stream determine the recipe.
func ExampleLearner() {
	r, err := recipe.Learn(flats(), recipe.Options{Target: "rent"})
	if err != nil {
		log.Fatal(err)
	}
	var of recipe.Updater
	if of, err = polk.NewLearner(nil); err != nil {
		log.Fatal(err)
	}
	l, err := recipe.NewLearner(r, of)
	if err != nil {
		log.Fatal(err)
	}
	for range 20 {
		if _, err := l.Update(flats()); err != nil {
			log.Fatal(err)
		}
	}
	m, err := l.Model(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	s, err := m.Score(flats())
	fmt.Println(l.Rows(), s.RMSE < s.Baseline, err)
	// Output: 1200 true <nil>
}

// The example predicts numeric rows with intervals.
func ExamplePredictionsOf() {
	model, err := recipe.Fit(context.Background(), flats(), recipe.Options{Target: "rent"}, ridge.Fit, nil)
	if err != nil {
		log.Fatal(err)
	}
	x, _, err := model.Recipe().Inputs(flats())
	if err != nil {
		log.Fatal(err)
	}
	p, err := recipe.PredictionsOf(model.Model(), x, 0.8)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(p.Values), p.Lower[0] < p.Values[0], p.Values[0] < p.Upper[0])
	// Output: 60 true true
}

// If a row lacks a cell that all training rows have, the prediction is an average over similar rows.
func ExampleAveraged() {
	model, err := recipe.Fit(context.Background(), flats(), recipe.Options{Target: "rent"}, ridge.Fit, nil)
	if err != nil {
		log.Fatal(err)
	}
	t, err := dataset.ReadTable(strings.NewReader("town\nBath\nEly\n"), dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	p, err := model.PredictIntervals(t, 0.9)
	if err != nil {
		log.Fatal(err)
	}
	var averaged *recipe.Averaged = p.Averaged
	fmt.Println(averaged.Rows, averaged.Columns)
	// Output: 2 [area]
}
