package features_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// Another program needs the frequencies of a block to compute its features.
func ExamplePartsOf() {
	m, err := features.New(kernel.Sum{kernel.Gaussian{Sigma: 2}, kernel.Linear{}}, 3, features.Options{Columns: 64, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	parts, err := features.PartsOf(m, 5)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range parts {
		r, c := p.W.Dims()
		fmt.Printf("%d columns of %d×%d frequencies, linear: %v\n", p.Columns(), r, c, p.Linear)
	}
	// Output:
	// 60 columns of 30×3 frequencies, linear: false
	// 3 columns of 3×3 frequencies, linear: true
}

// An Expansion is a function of the features of a kernel.
func ExampleExpansion() {
	m, err := features.New(kernel.Linear{}, 2, features.Options{})
	if err != nil {
		log.Fatal(err)
	}
	f := features.Expansion{Map: m, Coefficients: []*mat.Dense{mat.NewDense(2, 1, []float64{3, -1})}}
	y, err := f.Predict(mat.NewDense(2, 2, []float64{1, 1, 2, 0}))
	fmt.Println(mat.Formatted(y), err)
	// Output:
	// ⎡2⎤
	// ⎣6⎦ <nil>
}
