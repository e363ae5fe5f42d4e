package slkl_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/slkl"
)

// writeYields writes a CSV file with a head: two columns in different units, the
// target in the last, with noise of standard deviation 5.
func writeYields() (path string) {
	f, err := os.CreateTemp("", "yields.*.csv")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(f, "pressure,acidity,yield")
	r := rand.New(rand.NewPCG(1, 0))
	for range 800 {
		pressure, acidity := 5000*r.Float64(), r.Float64()
		fmt.Fprintf(f, "%.0f,%.3f,%.2f\n", pressure, acidity, pressure*acidity/50+5*r.NormFloat64())
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	return f.Name()
}

// The example fits a regression to a CSV file and measures the error on a quarter of the rows.
func ExampleFit_csv() {
	path := writeYields()
	defer os.Remove(path)
	all, err := dataset.Load(path, dataset.Options{}) // the target is in the last column
	if err != nil {
		log.Fatal(err)
	}
	trainRows, testRows, err := dataset.Random(len(all.Y), 1).Split(0.25)
	if err != nil {
		log.Fatal(err)
	}
	train, test := all.Select(trainRows), all.Select(testRows)
	if _, err := dataset.Standardize(train.X, test.X); err != nil {
		log.Fatal(err)
	}
	model, err := slkl.Fit(context.Background(), train.X, train.Targets(), nil)
	if err != nil {
		log.Fatal(err)
	}
	predicted, err := model.Predict(test.X)
	if err != nil {
		log.Fatal(err)
	}
	rmse, err := dataset.RMSE(predicted, test.Targets())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d rows to train on, %d to test on, RMSE %.0f\n", len(train.Y), len(test.Y), rmse)
	// Output: 600 rows to train on, 200 to test on, RMSE 5
}
