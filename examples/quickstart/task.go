package main

import (
	"math"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/internal/score"
	"github.com/rkhs-go/rkhs/internal/synthetic"
)

// task is the data: noisy rows to train on, and rows with the true values of
// the function to test on.
type task struct {
	train, test *dataset.Set
	noise       float64 // root of the mean square of the noise in train
}

func drawTask(rows int, seed uint64) task {
	all, clean := synthetic.Sinc(2*rows, seed)
	train, test := make([]int, rows), make([]int, rows)
	for i := range rows {
		train[i], test[i] = i, rows+i
	}
	t := task{train: all.Select(train), test: all.Select(test)}
	copy(t.test.Y, clean[rows:])
	t.noise = math.Sqrt(score.MeanSquare(t.train.Y, clean[:rows]))
	return t
}
