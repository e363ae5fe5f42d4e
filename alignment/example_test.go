package alignment_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// waves draws points of a line and the sum of a slow and a fast wave.
func waves(n int) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		v := 10 * r.Float64()
		x.Set(i, 0, v)
		y.Set(i, 0, math.Sin(2*v)+math.Sin(9*v)+0.1*r.NormFloat64())
	}
	return x, y
}

// A search finds the frequencies of a signal.
func ExampleSearch() {
	x, y := waves(300)
	r, err := alignment.Search(context.Background(), x, y, &alignment.Options{Family: kernel.Dirichlet{}, Tolerance: 0.05})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Steps {
		fmt.Printf("frequency %.1f, alignment %.1f\n", s.Kernel.(kernel.Dirichlet).Sigma, s.Alignment)
	}
	// Output:
	// frequency 2.0, alignment 0.3
	// frequency 9.0, alignment 0.5
}

// The kernel learned from some rows is an ordinary kernel, here for a learner
// that takes any number of rows.
func ExampleSearch_largeData() {
	x, y := waves(20000)
	r, err := alignment.Search(context.Background(), x, y, &alignment.Options{SearchRows: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := slkl.Fit(context.Background(), x, y, &slkl.Options{Kernels: []kernel.Kernel{r.Kernel}, MaxPoints: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Predict(mat.NewDense(1, 1, []float64{5}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("f(5) = %.1f, the signal is %.1f\n", p.At(0, 0), math.Sin(10)+math.Sin(45))
	// Output:
	// f(5) = 0.3, the signal is 0.3
}

// The whole life of a classifier: fit, certificate, file, labels.
func ExampleFitClassifier() {
	x := mat.NewDense(40, 2, nil)
	labels := mat.NewDense(40, 1, nil)
	for i := range 40 {
		// Class 7 is a ring around class 3.
		radius := float64(1 + 2*(i%2))
		x.SetRow(i, []float64{radius * math.Cos(float64(i)), radius * math.Sin(float64(i))})
		labels.Set(i, 0, float64(3+4*(i%2)))
	}
	c, err := alignment.FitClassifier(context.Background(), x, labels, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("converged:", c.Report().Status)

	var file bytes.Buffer
	if _, err := c.WriteTo(&file); err != nil {
		fmt.Println(err)
		return
	}
	var loaded alignment.Classifier
	if _, err := loaded.ReadFrom(&file); err != nil {
		fmt.Println(err)
		return
	}
	p, err := loaded.Predict(mat.NewDense(2, 2, []float64{0, 0.9, -3, 0.2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.At(0, 0), p.At(1, 0))
	// Output:
	// converged: Converged
	// 3 7
}
