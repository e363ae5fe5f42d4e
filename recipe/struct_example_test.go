package recipe_test

import (
	"context"
	"fmt"
	"iter"
	"log"
	"slices"

	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

type house struct {
	Area  float64
	Rooms *int // nil: unknown
	Town  string
	Price float64 `rkhs:"price,target"`
}

// houseSeq returns houses with a price of 10 per unit of area, and 200 more in Ely.
func houseSeq(n int) iter.Seq[house] {
	return func(yield func(house) bool) {
		for i := range n {
			h := house{Area: float64(20 + i%80), Town: []string{"Bath", "Ely"}[i%2]}
			h.Price = 10*h.Area + 200*float64(i%2)
			if !yield(h) {
				return
			}
		}
	}
}

// A model of structs predicts structs with intervals.
func ExampleFitStructs() {
	var m *recipe.StructModel[house]
	m, err := recipe.FitStructs(context.Background(), slices.Collect(houseSeq(160)), ridge.Fit, nil)
	if err != nil {
		log.Fatal(err)
	}
	var p recipe.Prediction
	p, err = m.Predict(house{Area: 50, Town: "Ely"})
	fmt.Printf("%.0f %v %v\n", p.Value, p.Lower <= p.Value && p.Value <= p.Upper, err)
	// Output: 700 true <nil>
}

// A learner trains on a stream of structs in constant memory.
func ExampleNewStructLearner() {
	learner, err := polk.NewLearner(nil)
	if err != nil {
		log.Fatal(err)
	}
	var l *recipe.StructLearner[house]
	if l, err = recipe.NewStructLearner(slices.Collect(houseSeq(200)), learner); err != nil {
		log.Fatal(err)
	}
	if _, err = l.UpdateSeq(houseSeq(2000), 32); err != nil {
		log.Fatal(err)
	}
	m, err := l.Model(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict(house{Area: 50, Town: "Ely"})
	fmt.Println(p.Value > 650 && p.Value < 750, err)
	// Output: true <nil>
}

// A model of tables, such as one from a file, predicts structs in batches.
func ExampleForStructs() {
	fitted, err := recipe.FitStructs(context.Background(), slices.Collect(houseSeq(160)), ridge.Fit, nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := recipe.ForStructs[house](fitted.Model())
	if err != nil {
		log.Fatal(err)
	}
	for p, err := range m.PredictSeq(houseSeq(3), 2) {
		fmt.Printf("%.0f %v\n", p.Value, err)
	}
	all, err := m.PredictAll([]house{{Area: 40, Town: "Bath"}})
	fmt.Printf("%.0f %v\n", all[0].Value, err)
	// Output:
	// 200 <nil>
	// 410 <nil>
	// 220 <nil>
	// 400 <nil>
}
