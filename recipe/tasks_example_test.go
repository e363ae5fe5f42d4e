package recipe_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

// The example fits a regression to a file with a header, categories and missing cells. It saves the
// model and prints the error on held-out rows.
func Example_file() {
	table, err := dataset.LoadTable("testdata/flats.csv", dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	train, test, err := table.Split(0.25, 1)
	if err != nil {
		log.Fatal(err)
	}
	model, err := recipe.Fit(context.Background(), train, recipe.Options{Target: "rent"}, ridge.Fit, nil)
	if err != nil {
		log.Fatal(err)
	}
	score, err := model.Score(test)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(score.RMSE < score.Baseline/2, rkhs.Save(filepath.Join(os.TempDir(), "rent.rkhs"), model))
	// Output: true <nil>
}
