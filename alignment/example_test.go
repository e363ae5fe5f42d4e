package alignment_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// waves draws points on a line with the sum of a slow and a fast wave.
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
	r, err := alignment.Search(context.Background(), x, y, &alignment.Options{Family: kernel.Dirichlet{}, Paper: alignment.Paper{Tolerance: 0.05}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Iterations {
		fmt.Printf("frequency %.1f, alignment %.1f\n", s.Kernel.(kernel.Dirichlet).Sigma, s.Alignment)
	}
	// Output:
	// frequency 2.0, alignment 0.3
	// frequency 9.0, alignment 0.5
}

// The learned kernel is an ordinary kernel, used here with a learner for any number of rows.
func ExampleSearch_largeData() {
	x, y := waves(20000)
	r, err := alignment.Search(context.Background(), x, y, &alignment.Options{Paper: alignment.Paper{SearchRows: 1000}})
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

// Learn a kernel from labels without a classifier, for use with a different learner.
func ExampleSearchClasses() {
	x, labels := rings(40)
	r, err := alignment.SearchClasses(context.Background(), x, labels, &alignment.Options{Criterion: alignment.Alignment, Paper: alignment.Paper{MaxKernels: 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: %d kernels from %d rows\n", r.Status, len(r.Iterations), r.Rows)
	// Output:
	// Converged: 1 kernels from 40 rows
}

// A regression with a bandwidth per column, where only the first column matters. The example shows
// how the kernel was selected and the parts of the model.
func ExampleFit() {
	r := rand.New(rand.NewPCG(3, 4))
	x, y := mat.NewDense(200, 4, nil), mat.NewDense(200, 1, nil)
	for i := range 200 {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = 4 * r.Float64()
		}
		y.Set(i, 0, math.Sin(2*row[0])+0.1*r.NormFloat64())
	}
	m, err := alignment.Fit(context.Background(), x, y, &alignment.Options{Family: kernel.ARD{Of: kernel.Gaussian{}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	scales := m.Learned().Iterations[0].Kernel.(kernel.ARD).Scales
	fmt.Println("the second column counts less:", scales[1] > 3*scales[0])
	fmt.Println("more than 10 trials were compared:", len(m.Report().Search.Curve) > 10)

	// The model is b + f(x), where f is in the space of the kernel.
	f, b := m.Expansion(), m.Intercept()
	at := mat.NewDense(1, 4, []float64{1, 2, 3, 0.5})
	p, err := m.Predict(at)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := f.Predict(at)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f = %.2f for sin 2 = %.2f\n", p.At(0, 0), b[0]+v.At(0, 0), math.Sin(2))
	fmt.Println("points:", m.ModelOrder(), "converged:", m.Report().Status)
	// Output:
	// the second column counts less: true
	// more than 10 trials were compared: true
	// 0.93 = 0.93 for sin 2 = 0.91
	// points: 200 converged: Converged
}

// rings draws points of class 3 and, in a ring around them, of class 7.
func rings(n int) (x, labels *mat.Dense) {
	x, labels = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		radius := float64(1 + 2*(i%2))
		x.SetRow(i, []float64{radius * math.Cos(float64(i)), radius * math.Sin(float64(i))})
		labels.Set(i, 0, float64(3+4*(i%2)))
	}
	return x, labels
}

// The life cycle of a classifier: fit, certificate, file, labels.
func ExampleFitClassifier() {
	x, labels := rings(40)
	c, err := alignment.FitClassifier(context.Background(), x, labels, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("converged:", c.Report().Status)

	var file bytes.Buffer
	if err := rkhs.Write(&file, c); err != nil {
		fmt.Println(err)
		return
	}
	loaded, err := rkhs.Read[*alignment.Classifier](&file)
	if err != nil {
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
