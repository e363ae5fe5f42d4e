package alignment_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
)

// drawQuadrants draws rows of six columns. The label is the sign of the product of the first two.
func drawQuadrants(n int) *dataset.Set {
	r := rand.New(rand.NewPCG(1, 0))
	s := &dataset.Set{X: mat.NewDense(n, 6, nil), Y: make([]float64, n)}
	for i := range n {
		row := s.X.RawRowView(i)
		for j := range row {
			row[j] = 2*r.Float64() - 1
		}
		s.Y[i] = 1
		if row[0]*row[1] < 0 {
			s.Y[i] = -1
		}
	}
	return s
}

// Support vector machines on a learned kernel with a bandwidth per column. Irrelevant columns get
// wide bandwidths. C is selected on held-out rows.
func ExampleFitClassifier_columns() {
	all := drawQuadrants(600)
	trainRows, testRows, err := dataset.Stratified(all.Y, 1).Split(0.25)
	if err != nil {
		log.Fatal(err)
	}
	train, test := all.Select(trainRows), all.Select(testRows)
	model, err := alignment.FitClassifier(context.Background(), train.X, train.Targets(),
		&alignment.Options{Family: kernel.ARD{Of: kernel.Gaussian{}}})
	if err != nil {
		log.Fatal(err)
	}
	predicted, err := model.Predict(test.X)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := dataset.Accuracy(predicted, test.Targets())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("more than 9 in 10 right:", accuracy > 0.9)
	var matter []int
	for j, bandwidth := range model.Model().Learned().Iterations[0].Kernel.(kernel.ARD).Scales {
		if bandwidth < 2 { // the width of the columns
			matter = append(matter, j+1)
		}
	}
	fmt.Println("columns that matter:", matter)
	// Output:
	// more than 9 in 10 right: true
	// columns that matter: [1 2]
}
