package dataset_test

import (
	"fmt"
	"strings"

	"github.com/rkhs-go/rkhs/dataset"
)

// From a file to scaled rows to train and to test on.
func Example() {
	const file = `height; width; class
		1.5; 20; 1
		2.5; 20; -1
		1.0; 30; 1
		3.0; 10; -1`
	s, err := dataset.ReadCSV(strings.NewReader(file), dataset.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	trainRows, testRows, err := dataset.Split(len(s.Y), 0.25, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	train, test := s.Select(trainRows), s.Select(testRows)
	scale := dataset.Standardize(train.X, test.X)
	fmt.Println(len(train.Y), "rows to train on,", len(test.Y), "to test on")
	fmt.Printf("means %.2f, standard deviations %.2f\n", scale.Mean, scale.Std)
	// Output:
	// 3 rows to train on, 1 to test on
	// means [1.67 23.33], standard deviations [0.62 4.71]
}

// An error names the place.
func ExampleReadCSV_missingValue() {
	_, err := dataset.ReadCSV(strings.NewReader("1,2,3\n4,,6\n"), dataset.Options{})
	fmt.Println(err)
	// Output: dataset: line 2, column 2: no value: invalid format
}
