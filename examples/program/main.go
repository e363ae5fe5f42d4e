package main

import (
	"context"
	"fmt"
	"log"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

func main() {
	table, err := dataset.LoadTable("abalone.csv.gz", dataset.TableOptions{})
	check(err)
	train, test, err := table.Split(0.25, 1)
	check(err)
	model, err := recipe.Fit(context.Background(), train, recipe.Options{}, ridge.Fit, nil)
	check(err)
	score, err := model.Score(test)
	check(err)
	fmt.Printf("RMSE %.3f, of the mean %.3f\n", score.RMSE, score.Baseline)
	check(rkhs.Save("abalone.rkhs", model))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
