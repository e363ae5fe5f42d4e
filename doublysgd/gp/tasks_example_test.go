package gp_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/gp"
)

// This example predicts a function with its standard deviation at a point among the rows
// and at a point far from them, where the posterior equals the prior.
func ExampleFit_deviation() {
	r := rand.New(rand.NewPCG(1, 0))
	x, y := mat.NewDense(200, 1, nil), mat.NewDense(200, 1, nil)
	for i := range 200 {
		v := 6 * r.Float64()
		x.Set(i, 0, v)
		y.Set(i, 0, math.Sin(v)+0.1*r.NormFloat64())
	}
	ctx := context.Background()
	model, err := gp.Fit(ctx, x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	at := mat.NewDense(2, 1, []float64{math.Pi / 2, 30})
	mean, err := model.Predict(at)
	if err != nil {
		log.Fatal(err)
	}
	variance, err := model.Variance(ctx, at)
	if err != nil {
		log.Fatal(err)
	}
	near, far := math.Sqrt(variance.At(0, 0)), math.Sqrt(variance.At(1, 0))
	fmt.Printf("among the rows: %.1f, to less than 0.1: %v\n", mean.At(0, 0), near < 0.1)
	fmt.Printf("far beyond: the prior, ten times as uncertain: %v\n", far > 10*near)
	fmt.Printf("standard deviation of the noise: %.1f\n", math.Sqrt(model.Noise()[0]))
	// Output:
	// among the rows: 1.0, to less than 0.1: true
	// far beyond: the prior, ten times as uncertain: true
	// standard deviation of the noise: 0.1
}
