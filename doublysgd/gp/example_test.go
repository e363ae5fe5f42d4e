package gp_test

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/kernel"
)

// This example computes the posterior mean of a noisy sine and its standard deviation,
// which grows outside the data.
func ExampleFit() {
	x, y := mat.NewVecDense(41, nil), mat.NewVecDense(41, nil)
	for i := range 41 {
		x.SetVec(i, float64(i)/10)
		y.SetVec(i, math.Sin(x.AtVec(i))+0.1*math.Cos(float64(i*i))) // noise of amplitude 0.1
	}
	at := mat.NewVecDense(3, []float64{0.5, 2.5, 4.5})
	m, err := gp.Fit(context.Background(), x, y, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	mean, err := m.Predict(at)
	if err != nil {
		fmt.Println(err)
		return
	}
	variance, err := m.Variance(context.Background(), at)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v\n", m.Report().Status)
	for i := range 3 {
		fmt.Printf("f(%v) = %.2f ± %.2f, true value %.2f\n", at.AtVec(i), mean.At(i, 0), math.Sqrt(variance.At(i, 0)), math.Sin(at.AtVec(i)))
	}
	// Output:
	// Converged
	// f(0.5) = 0.50 ± 0.02, true value 0.48
	// f(2.5) = 0.60 ± 0.02, true value 0.60
	// f(4.5) = -1.15 ± 0.15, true value -0.98
}

// This example computes the correlation between two points from a saved and loaded model.
func ExampleModel_Covariance() {
	x, y := mat.NewVecDense(41, nil), mat.NewVecDense(41, nil)
	for i := range 41 {
		x.SetVec(i, float64(i)/10)
		y.SetVec(i, math.Sin(x.AtVec(i))+0.1*math.Cos(float64(i*i)))
	}
	m, err := gp.Fit(context.Background(), x, y, &gp.Options{Kernel: kernel.Gaussian{Sigma: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := rkhs.Write(&file, m); err != nil {
		fmt.Println(err)
		return
	}
	loaded, err := rkhs.Read[*gp.Model](&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := loaded.Covariance(context.Background(), mat.NewVecDense(2, []float64{4.5, 5.5}), nil, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("correlation %.2f\n", c.At(0, 1)/math.Sqrt(c.At(0, 0)*c.At(1, 1)))
	// Output:
	// correlation 0.75
}
