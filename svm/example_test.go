package svm_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/svm"
)

// rings draws points near three circles, which are their labels.
func rings(n int) (x, labels *mat.Dense) {
	r := rand.New(rand.NewPCG(1, 2))
	x, labels = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		ring := float64(1 + i%3)
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		length := ring + 0.15*r.NormFloat64()
		x.SetRow(i, []float64{length * cos, length * sin})
		labels.Set(i, 0, ring)
	}
	return x, labels
}

// Without options Fit selects the kernel and C. A classifier is saved and loaded like any model.
func ExampleFitClassifier() {
	x, labels := rings(300)
	c, err := svm.FitClassifier(context.Background(), x, labels, nil)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := rkhs.Write(&file, c); err != nil {
		log.Fatal(err)
	}
	var loaded *svm.Classifier
	if loaded, err = rkhs.Read[*svm.Classifier](&file); err != nil {
		log.Fatal(err)
	}
	p, err := loaded.Predict(mat.NewDense(3, 2, []float64{1, 0, 0, -2, -2.1, 2.1}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(loaded.Labels(), p.RawMatrix().Data)
	// Output:
	// [1 2 3] [1 2 3]
}

// One target in ten is an outlier. Errors below Epsilon have no loss, and larger errors have a linear loss.
func ExampleFit() {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(200, 1, nil), mat.NewDense(200, 1, nil)
	for i := range 200 {
		t := 6 * r.Float64()
		x.Set(i, 0, t)
		y.Set(i, 0, math.Sin(t)+0.05*r.NormFloat64())
		if i%10 == 0 {
			y.Set(i, 0, y.At(i, 0)+5)
		}
	}
	var m *svm.Model
	m, err := svm.Fit(context.Background(), x, y, &svm.Options{Kernel: kernel.Gaussian{Sigma: 1}, C: 1, Epsilon: 0.05})
	if err != nil {
		log.Fatal(err)
	}
	f, err := m.Predict(mat.NewDense(2, 1, []float64{math.Pi / 2, 3 * math.Pi / 2}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f %.1f\n", f.At(0, 0), f.At(1, 0))
	fmt.Println("fewer support vectors than half of the rows:", len(m.Support()) < 100)
	// Output:
	// 1.0 -1.0
	// fewer support vectors than half of the rows: true
}

// Points on the rings are not novel. The centre and a point outside are.
func ExampleFitNovelty() {
	x, _ := rings(600)
	var m *svm.Novelty
	m, err := svm.FitNovelty(context.Background(), x, &svm.Options{Nu: 0.05, Kernel: kernel.Gaussian{Sigma: 0.3}})
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict(mat.NewDense(4, 2, []float64{1, 0, 0, -2, 0, 0, 4, 4}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.RawMatrix().Data)
	// Output:
	// [1 1 -1 -1]
}

// The minimum is between Dual and Primal, which bound the distance of a function from the minimiser.
func ExampleReport() {
	x, labels := rings(200)
	fit := func(tolerance float64) *svm.Model {
		c, err := svm.FitClassifier(context.Background(), x, labels, &svm.Options{Kernel: kernel.Gaussian{Sigma: 1}, C: 1e4, Tolerance: tolerance})
		if err != nil {
			log.Fatal(err)
		}
		return c.Model()
	}
	rough, exact := fit(1e-2), fit(1e-9)
	distance, err := rough.Expansion().Distance(exact.Expansion())
	if err != nil {
		log.Fatal(err)
	}
	var r svm.Report = rough.Report()
	for pair, d := range distance {
		fmt.Println(r.Gap[pair] <= 1e-2, d <= math.Sqrt(2*(r.Primal[pair]-r.Dual[pair])))
	}
	// Output:
	// true true
	// true true
	// true true
}

// The curve holds the values of C that were compared.
func ExampleTrial() {
	x, labels := rings(300)
	c, err := svm.FitClassifier(context.Background(), x, labels, &svm.Options{Kernel: kernel.Gaussian{Sigma: 1}})
	if err != nil {
		log.Fatal(err)
	}
	var best svm.Trial
	r := c.Report()
	for _, t := range r.Curve[0] {
		if t.C == r.C[0] {
			best = t
		}
	}
	fmt.Printf("%d values, the best with %.1f %% wrong\n", len(r.Curve[0]), 100*best.Error)
	// Output:
	// 11 values, the best with 0.0 % wrong
}

// A model file of svm-train predicts labels and is written again.
func ExampleReadLIBSVM() {
	const file = `svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 2
rho 0
label 1 -1
nr_sv 1 1
SV
1 1:1 2:0.5
-1 1:-1 2:0.5
`
	m, err := svm.ReadLIBSVM(strings.NewReader(file), 2)
	if err != nil {
		log.Fatal(err)
	}
	c := m.(*svm.Classifier)
	p, err := c.Predict(mat.NewDense(2, 2, []float64{3, 0, -3, 0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.RawMatrix().Data, c.Model().Kernel())
	var again bytes.Buffer
	if err := c.WriteLIBSVM(&again); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Count(again.String(), "\n"), "lines")
	// Output:
	// [1 -1] kernel.Gaussian{Sigma: 1}
	// 11 lines
}
