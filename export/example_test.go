package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/export"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

func ExampleJSON() {
	x, y := mat.NewDense(2, 1, []float64{0, 1}), mat.NewDense(2, 1, []float64{1, 3})
	m, err := ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: kernel.Scale{By: 2, Of: kernel.Gaussian{Sigma: 1}}, Ridge: 0.5, NoIntercept: true})
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	if err := export.JSON(&b, m); err != nil {
		log.Fatal(err)
	}
	var d export.Document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		log.Fatal(err)
	}
	d.Expansions[0].Weights = export.Rows{} // weights with many digits
	if err := json.NewEncoder(os.Stdout).Encode(d); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"format":"rkhs model","version":1,"inputs":1,"outputs":1,"intercept":[0],"expansions":[{"kernel":{"family":"Scale","parameters":{"by":2},"of":[{"family":"Gaussian","parameters":{"sigma":1}}]},"points":[[0],[1]],"weights":[]}],"output":"as is"}
}

// The document contains the frequencies of random features.
func ExampleFeatures() {
	x, y := mat.NewDense(20, 3, nil), mat.NewDense(20, 1, nil)
	for i := range 20 {
		x.SetRow(i, []float64{float64(i), float64(i % 3), float64(i % 7)})
		y.Set(i, 0, float64(i%5))
	}
	m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 3}, Features: 32, Paper: doublysgd.Paper{Columns: 16}})
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	if err := export.JSON(&b, m); err != nil {
		log.Fatal(err)
	}
	var d export.Document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		log.Fatal(err)
	}
	for _, block := range d.Features[0].Blocks {
		for _, p := range block.Parts {
			r, c := p.Frequencies.Dims()
			fmt.Printf("%s of %d×%d frequencies\n", p.Function, r, c)
		}
	}
	// Output:
	// fourier of 8×3 frequencies
	// fourier of 8×3 frequencies
}

// The document of a model contains its recipe.
func ExampleRecipeJSON() {
	t, err := dataset.ReadTable(strings.NewReader("area,town,rent\n"+strings.Repeat("20,Bath,310\n40,Ely,510\n,Bath,600\n", 5)), dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	m, err := recipe.Fit(context.Background(), t, recipe.Options{}, ridge.Fit, &ridge.Options{Kernel: kernel.Linear{}, Ridge: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	if err := export.RecipeJSON(&b, m); err != nil {
		log.Fatal(err)
	}
	var d export.Document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		log.Fatal(err)
	}
	for _, s := range d.Recipe.Steps {
		fmt.Println(s.Column, s.Use, s.Width, s.Flag, s.Levels)
	}
	// Output:
	// area numbers 2 true []
	// town levels 3 false [Bath Ely]
}

// The document of a classifier contains the map from scores to probabilities.
func ExampleProbabilities() {
	x, y := mat.NewDense(40, 1, nil), mat.NewDense(40, 1, nil)
	for i := range 40 {
		x.Set(i, 0, float64(i))
		y.Set(i, 0, float64(i/20))
	}
	c, err := ridge.FitClassifier(context.Background(), x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: 10}, Ridge: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	if err := export.JSON(&b, c); err != nil {
		log.Fatal(err)
	}
	var d export.Document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		log.Fatal(err)
	}
	var p *export.Probabilities = d.Probabilities
	var curves []export.Curve = p.Curves
	fmt.Println(p.Kind, len(p.Slopes), len(curves))
	// Output: sigmoid 1 0
}
