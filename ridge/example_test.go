package ridge_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

// rows draws points in four columns and a function of two of the columns.
func rows(n int) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(1, 0))
	x, y = mat.NewDense(n, 4, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = 2*r.Float64() - 1
		}
		y.Set(i, 0, math.Sin(4*row[0])+row[1]*row[1]+0.05*r.NormFloat64())
	}
	return x, y
}

// Without options Fit selects the kernel, its metric and the ridge. The leave-one-out error estimates the error
// on unseen rows.
func ExampleFit() {
	x, y := rows(500)
	m, err := ridge.Fit(context.Background(), x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	f, err := m.Predict(mat.NewDense(1, 4, []float64{0.3, 0.5, 0, 0}))
	if err != nil {
		log.Fatal(err)
	}
	r := m.Report()
	fmt.Printf("f = %.1f, true value %.1f\n", f.At(0, 0), math.Sin(1.2)+0.25)
	fmt.Printf("%v, residual below 1e-5: %v\n", r.Status, r.Residual[0] < 1e-5)
	fmt.Printf("leave-one-out root mean squared error: %.2f\n", math.Sqrt(r.LeaveOneOut[0]))
	// Output:
	// f = 1.2, true value 1.2
	// Converged, residual below 1e-5: true
	// leave-one-out root mean squared error: 0.05
}

// The report bounds the distance from the exact solution in the space of the kernel, also for a
// fit that stops early.
func ExampleReport() {
	x, y := rows(300)
	ctx := context.Background()
	opts := ridge.Options{Kernel: kernel.Matern{Nu: 1.5, Length: 1}, Ridge: 1e-4, MaxPoints: 60, Tolerance: 1e-2}
	rough, err := ridge.Fit(ctx, x, y, &opts)
	if err != nil {
		log.Fatal(err)
	}
	opts.Tolerance = 1e-12
	exact, err := ridge.Fit(ctx, x, y, &opts)
	if err != nil {
		log.Fatal(err)
	}
	distance, err := rough.Expansion().Distance(exact.Expansion())
	if err != nil {
		log.Fatal(err)
	}
	var r ridge.Report = rough.Report()
	fmt.Println("within the bound:", distance[0] <= r.Error[0])
	// Output:
	// within the bound: true
}

// Each label is trained against all others. A classifier is saved and loaded like any model.
func ExampleFitClassifier() {
	x, y := rows(300)
	for i := range 300 {
		y.Set(i, 0, math.Round(y.At(i, 0))) // labels −1, 0, 1 and 2
	}
	c, err := ridge.FitClassifier(context.Background(), x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := rkhs.Write(&file, c); err != nil {
		log.Fatal(err)
	}
	var loaded *ridge.Classifier
	if loaded, err = rkhs.Read[*ridge.Classifier](&file); err != nil {
		log.Fatal(err)
	}
	label, err := loaded.Predict(mat.NewDense(2, 4, []float64{0.4, 0.9, 0, 0, -0.4, 0, 0, 0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(loaded.Labels(), label.At(0, 0), label.At(1, 0))
	// Output:
	// [-1 0 1 2] 2 -1
}

// Sixty of five hundred points support a smooth function. The report has the compression error.
func ExampleModel_Compress() {
	x, y := rows(500)
	ctx := context.Background()
	var m *ridge.Model
	m, err := ridge.Fit(ctx, x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: 1e-4})
	if err != nil {
		log.Fatal(err)
	}
	small, err := m.Compress(ctx, 60)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d points in place of %d, moved by less than a tenth: %v\n",
		small.ModelOrder(), m.ModelOrder(), small.Report().CompressionError[0] < 0.1*m.Report().Norm[0])
	// Output:
	// 60 points in place of 500, moved by less than a tenth: true
}

// A function with known weights becomes a model that predicts and has a file.
func ExampleNewModel() {
	m, err := ridge.NewModel(kernel.Expansion{
		Kernel:  kernel.Linear{},
		Points:  mat.NewDense(1, 2, []float64{1, 0}),
		Weights: mat.NewDense(1, 1, []float64{3}),
	}, []float64{0.5}, ridge.Report{Rows: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := m.Predict(mat.NewDense(1, 2, []float64{2, 7}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.At(0, 0))
	// Output:
	// 6.5
}

// Scores computed by another program become a classifier that can be saved.
func ExampleNewClassifier() {
	scores, err := ridge.NewModel(kernel.Expansion{
		Kernel:  kernel.Gaussian{Sigma: 1},
		Points:  mat.NewDense(2, 1, []float64{-1, 1}),
		Weights: mat.NewDense(2, 1, []float64{-0.5, 0.5}),
	}, []float64{0.1}, ridge.Report{Rows: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := ridge.NewClassifier(scores, []int{3, 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := c.Predict(mat.NewDense(2, 1, []float64{-0.9, 1.1}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(labels.At(0, 0), labels.At(1, 0))
	// Output:
	// 3 7
}
