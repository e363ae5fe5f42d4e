package polk_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/polk"
)

// writeReadings writes a CSV file into a new folder, with an hour and a reading with noise of
// standard deviation 0.1.
func writeReadings() (folder, path string) {
	folder, err := os.MkdirTemp("", "readings")
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.Create(filepath.Join(folder, "readings.csv"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(f, "hour,reading")
	r := rand.New(rand.NewPCG(1, 0))
	for range 20000 {
		hour := 24 * r.Float64()
		fmt.Fprintf(f, "%.2f,%.3f\n", hour, math.Sin(2*math.Pi*hour/24)+0.1*r.NormFloat64())
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	return folder, f.Name()
}

// A file is processed as a stream with few rows in memory. The learner tracks its progressive error
// and is saved to continue later.
func ExampleLearner_csv() {
	folder, path := writeReadings()
	defer os.RemoveAll(folder)
	learner, err := polk.NewLearner(nil)
	if err != nil {
		log.Fatal(err)
	}
	for rows, err := range dataset.Batches(path, 32, dataset.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if err := learner.Update(rows.X, rows.Targets()); err != nil {
			log.Fatal(err)
		}
	}
	totals := learner.Report().Totals // the squared loss is half the square
	fmt.Printf("progressive RMSE over %d rows: %.1f\n", totals.Rows, math.Sqrt(2*totals.Loss))
	if err := rkhs.Save(filepath.Join(folder, "learner"), learner); err != nil {
		log.Fatal(err)
	}
	again, err := rkhs.Load[*polk.Learner](filepath.Join(folder, "learner"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("goes on after", again.Rows(), "rows")
	// Output:
	// progressive RMSE over 20000 rows: 0.1
	// goes on after 20000 rows
}
