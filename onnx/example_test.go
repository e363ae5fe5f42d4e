package onnx_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/onnx"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

// Any ONNX runtime evaluates the file.
func ExampleWrite() {
	x, y := mat.NewDense(3, 1, []float64{0, 1, 2}), mat.NewDense(3, 1, []float64{1, 3, 2})
	m, err := ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := onnx.Write(&file, m, onnx.Options{Float32: true}); err != nil {
		log.Fatal(err)
	}
	m, err = ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: kernel.Dirichlet{Sigma: 1}, Ridge: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(onnx.Write(&file, m, onnx.Options{}))
	// Output: onnx: the kernel Dirichlet has no operators: invalid option
}

// The graph of a recipe with its model has one input for each column of the table.
func ExampleWriteRecipe() {
	t, err := dataset.ReadTable(strings.NewReader("area,town,rent\n"+strings.Repeat("20,Bath,310\n40,Ely,510\n,Bath,600\n", 5)), dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	m, err := recipe.Fit(context.Background(), t, recipe.Options{}, ridge.Fit, nil)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	fmt.Println(onnx.WriteRecipe(&file, m, onnx.Options{}))
	// Output: <nil>
}
