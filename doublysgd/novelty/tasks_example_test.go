package novelty_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/kernel"
)

// This example fits points near a circle and classifies a point on the circle, its centre
// and a distant point.
func ExampleFit_circle() {
	r := rand.New(rand.NewPCG(1, 0))
	x := mat.NewDense(500, 2, nil)
	for i := range 500 {
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		x.SetRow(i, []float64{cos + 0.1*r.NormFloat64(), sin + 0.1*r.NormFloat64()})
	}
	model, err := novelty.Fit(context.Background(), x, &novelty.Options{
		Nu:     0.05, // fraction of training rows that may be novel
		Kernel: kernel.Gaussian{Sigma: 0.3},
	})
	if err != nil {
		log.Fatal(err)
	}
	labels, err := model.Predict(mat.NewDense(3, 2, []float64{0, 1, 0, 0, 2, 2}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("like the others (1) or novel (-1):", mat.Col(nil, 0, labels))
	// Output: like the others (1) or novel (-1): [1 -1 -1]
}
