package metric_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/metric"
)

// Targets depend on one of three columns. The metric finds it, and a Gaussian process uses the
// kernel.
func ExampleLearn() {
	x, y := mat.NewDense(150, 3, nil), mat.NewDense(150, 1, nil)
	for i := range 150 {
		for j := range 3 {
			x.Set(i, j, math.Sin(float64(i*(7+4*j*j))))
		}
		y.Set(i, 0, math.Sin(3*x.At(i, 1)))
	}
	ctx := context.Background()
	found, err := metric.Learn(ctx, x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("learned: %v, importance %.1f\n", found.Learned, found.Importance)
	process, err := gp.Fit(ctx, x, y, &gp.Options{Kernel: found.Kernel})
	if err != nil {
		log.Fatal(err)
	}
	f, err := process.Predict(mat.NewDense(1, 3, []float64{0.9, 0.5, -0.9}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f of %.2f\n", f.At(0, 0), math.Sin(1.5))
	// Output:
	// learned: true, importance [0.0 1.0 0.0]
	// 1.00 of 1.00
}

// Labels are the signs of a product of two of four columns.
func ExampleLearnClasses() {
	x, labels := mat.NewDense(200, 4, nil), mat.NewDense(200, 1, nil)
	for i := range 200 {
		for j := range 4 {
			x.Set(i, j, math.Sin(float64(i*(7+4*j*j))))
		}
		if x.At(i, 0)*x.At(i, 1) > 0 {
			labels.Set(i, 0, 1)
		}
	}
	found, err := metric.LearnClasses(context.Background(), x, labels, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("the first two columns have %.0f %% of the importance\n", 100*(found.Importance[0]+found.Importance[1]))
}
