package recipe_test

import (
	"fmt"
	"log"

	"github.com/rkhs-go/rkhs/recipe"
)

// Steps describe the encoding of the columns for other programs.
func ExampleStep() {
	r, err := recipe.Learn(flats(), recipe.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range r.Steps() {
		switch s.Use {
		case recipe.Numbers:
			fmt.Println(s.Column, s.Use, s.Median)
		case recipe.Levels:
			fmt.Println(s.Column, s.Use, s.Levels)
		}
	}
	fmt.Println(recipe.LeftOut, recipe.HashedLevels, recipe.Times, recipe.Words, recipe.Use(9))
	// Output:
	// area numbers 49.5
	// town levels [Bath Ely]
	// left out hashed levels times words Use(9)
}
