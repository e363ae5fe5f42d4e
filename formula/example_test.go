package formula_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

// Every model is a formula of expansions, independent of its learner.
func Example() {
	ctx := context.Background()
	x, y := mat.NewDense(60, 2, nil), mat.NewDense(60, 1, nil)
	for i := range 60 {
		x.SetRow(i, []float64{float64(i % 8), float64(i % 5)})
		y.Set(i, 0, float64((i%8)/4))
	}
	k := kernel.Gaussian{Sigma: 2}
	c, err := ridge.FitClassifier(ctx, x, y, &ridge.Options{Kernel: k})
	if err != nil {
		log.Fatal(err)
	}
	r, err := doublysgd.Fit(ctx, x, y, &doublysgd.Options{Kernel: k, Features: 128, Paper: doublysgd.Paper{Columns: 64}})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range []formula.Modeler{c, r} {
		f := m.Formula()
		fmt.Println(f.Inputs, "inputs,", f.Outputs(), "outputs; labels", f.Labels, "by", f.Rule)
		for _, e := range f.Expansions {
			fmt.Println(" ", e.ModelOrder(), "points of", e.Kernel)
		}
		for _, e := range f.Features {
			fmt.Println(" ", e.ModelOrder(), "blocks of features of", e.Map.Kernel())
		}
	}
	var zero formula.Formula
	fmt.Println(zero.Output == formula.AsIs, zero.Rule == formula.NoRule)
	// Output:
	// 2 inputs, 1 outputs; labels [0 1] by positive
	//   60 points of kernel.Gaussian{Sigma: 2}
	// 2 inputs, 1 outputs; labels [] by none
	//   2 blocks of features of kernel.Gaussian{Sigma: 2}
	// true true
}

// A formula contains the map from scores to probabilities.
func ExampleProbabilities() {
	x, y := mat.NewDense(60, 1, nil), mat.NewDense(60, 1, nil)
	for i := range 60 {
		x.Set(i, 0, float64(i))
		y.Set(i, 0, float64((i/3*3+i%2)/30))
	}
	c, err := ridge.FitClassifier(context.Background(), x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: 10}, Ridge: 0.01})
	if err != nil {
		log.Fatal(err)
	}
	var p *formula.Probabilities = c.Formula().Probabilities
	var kind formula.Kind = p.Kind
	var curves []formula.Curve = p.Curves
	fmt.Println(kind, len(p.Slopes), len(curves))
	// Output: sigmoid 1 0
}

// The label with the highest score is also the most probable one.
func ExampleAgree() {
	p := []float64{0.52, 0.48}
	formula.Agree(p, 1)
	fmt.Printf("%.3f %v\n", p, p[1] > p[0] && formula.LeastProbability > 0 && formula.AgreeMargin > 0)
	// Output: [0.500 0.500] true
}
