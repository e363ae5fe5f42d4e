package features_test

import (
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// A linear method can use a matrix of random features.
func Example() {
	x := mat.NewDense(3, 2, []float64{
		0, 0,
		1, 0,
		1, 2,
	})
	m, err := features.New(kernel.Gaussian{Sigma: 1}, 2, features.Options{Columns: 4096, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	phi, err := features.NewTransformer(m).Transform(x)
	if err != nil {
		log.Fatal(err)
	}
	var gram mat.Dense
	gram.Mul(phi, phi.T())
	fmt.Printf("k(x0, x1) = %.2f, want %.2f\n", gram.At(0, 1), math.Exp(-0.5))
	fmt.Printf("k(x1, x2) = %.2f, want %.2f\n", gram.At(1, 2), math.Exp(-2))
	// Output:
	// k(x0, x1) = 0.61, want 0.61
	// k(x1, x2) = 0.14, want 0.14
}

// Learners use one block after the other, and draw a block again when they need it.
func ExampleMap() {
	k := kernel.Sum{kernel.Matern{Nu: 1.5, Length: 2}, kernel.Linear{}}
	m, err := features.New(k, 3, features.Options{Columns: 200, Seed: 7})
	if err != nil {
		log.Fatal(err)
	}
	x := mat.NewDense(1, 3, []float64{1, 2, 3})
	first, err := m.Block(41).Transform(x)
	if err != nil {
		log.Fatal(err)
	}
	again, err := m.Block(41).Transform(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Columns(), "columns, 3 of them exact; the same again:", mat.Equal(first, again))
	// Output: 199 columns, 3 of them exact; the same again: true
}

// The features of the Nyström approximation are exact on the landmarks. Here two of
// three landmarks are equal.
func ExampleNystroem() {
	x := mat.NewDense(3, 1, []float64{0, 1, 0})
	m, err := features.Nystroem(kernel.Laplacian{Sigma: 1}, x, features.NystroemOptions{})
	if err != nil {
		log.Fatal(err)
	}
	phi, err := features.NewTransformer(m).Transform(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Columns(), "features")
	fmt.Printf("%.4f, want %.4f\n", mat.Dot(phi.RowView(0), phi.RowView(1)), math.Exp(-1))
	// Output:
	// 2 features
	// 0.3679, want 0.3679
}

// Sampled features of a histogram kernel are not random.
func ExampleSampled() {
	m, err := features.Sampled(kernel.AdditiveChiSquared{}, 2, 5, 0.3)
	if err != nil {
		log.Fatal(err)
	}
	phi, err := features.NewTransformer(m).Transform(mat.NewDense(2, 2, []float64{0.25, 0.75, 0.5, 0.5}))
	if err != nil {
		log.Fatal(err)
	}
	want := kernel.AdditiveChiSquared{}.Eval([]float64{0.25, 0.75}, []float64{0.5, 0.5})
	fmt.Printf("%d features, %.3f, want %.3f\n", m.Columns(), mat.Dot(phi.RowView(0), phi.RowView(1)), want)
	// Output: 22 features, 0.930, want 0.933
}

// The features of some kernels are exact if a block has enough columns.
func ExampleMap_Exact() {
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Sigma: 1}} {
		m, err := features.New(k, 3, features.Options{Columns: 100})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(k, m.Columns(), m.Exact())
	}
	// Output:
	// kernel.Linear{} 3 true
	// kernel.Gaussian{Sigma: 1} 100 false
}

// If x has few columns, points of low discrepancy reduce the error.
func ExampleSampler() {
	x := mat.NewDense(2, 2, []float64{0, 0, 1, 1})
	for _, s := range []features.Sampler{features.Independent, features.Sobol} {
		m, err := features.New(kernel.Gaussian{Sigma: 1}, 2, features.Options{Columns: 1024, Sampler: s})
		if err != nil {
			log.Fatal(err)
		}
		phi, err := features.NewTransformer(m).Transform(x)
		if err != nil {
			log.Fatal(err)
		}
		e := math.Abs(mat.Dot(phi.RowView(0), phi.RowView(1)) - math.Exp(-1))
		fmt.Println(s, "is closer than 0.002:", e < 0.002)
	}
	// Output:
	// Independent is closer than 0.002: false
	// Sobol is closer than 0.002: true
}

// Leverage adapts the frequencies to the data and the ridge of a learner.
func ExampleLeverage() {
	x := mat.NewDense(4, 1, []float64{0, 0.1, 5, 5.1})
	m, err := features.New(kernel.Laplacian{Sigma: 1}, 1, features.Options{
		Columns:  4000,
		Leverage: &features.Leverage{Points: x, Ridge: 1e-2, Candidates: 8},
	})
	if err != nil {
		log.Fatal(err)
	}
	phi, err := features.NewTransformer(m).Transform(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f, want %.1f\n", mat.Dot(phi.RowView(0), phi.RowView(1)), math.Exp(-0.1))
	// Output: 0.9, want 0.9
}

// The number of landmarks bounds the number of features.
func ExampleNystroemOptions() {
	x := mat.NewDense(200, 1, nil)
	for i := range 200 {
		x.Set(i, 0, float64(i)/100)
	}
	m, err := features.Nystroem(kernel.Matern{Nu: 0.5, Length: 1}, x, features.NystroemOptions{MaxPoints: 20, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Columns(), "features of", m.Kernel())
	// Output: 20 features of kernel.Matern{Nu: 0.5, Length: 1}
}
