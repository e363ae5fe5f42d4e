package alignmentpaper

import (
	"context"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/report"
)

// Score is what a method has reached over some runs.
type Score struct {
	Method string
	Errors report.Sample // per cent
}

// SinesScores runs the methods that search one parameter, and those on a grid, on
// draws of the sum of sines; it is figure 1(b) of the paper.
func SinesScores(ctx context.Context, runs int, seed uint64) ([]Score, error) {
	methods := one()
	results, err := compare(ctx, &settings{Settings: report.Settings{Runs: runs, Seed: seed}}, sinesTask(), methods)
	if err != nil {
		return nil, err
	}
	scores := make([]Score, len(methods))
	for i, m := range methods {
		scores[i] = Score{m.name, results[i].errors}
	}
	return scores, nil
}

// Sines draws the data of a run: 500 rows to train on, 500 to choose by, 1000 to
// test on.
func Sines(seed uint64) (train, check, test *dataset.Set) {
	d := sines(seed)
	return d.train, d.check, d.test
}

// SumOfSines is the function whose sign is the label.
func SumOfSines(x float64) float64 { return sumOfSines(x) }

// Frequencies returns √2, √12 and √60.
func Frequencies() []float64 { return append([]float64(nil), frequencies...) }
