package search_test

import (
	"testing"

	"github.com/rkhs-go/rkhs/internal/search"
)

// Classes are balanced across folds. The only row of a class is never held out. From many rows,
// ClassFolds uses the requested number and holds out each once.
func TestClassFolds(t *testing.T) {
	const n = 1000
	order, class := make([]int, n), make([]int, n)
	for i := range order {
		order[i] = (i*7 + 3) % n
		class[i] = i % 2
	}
	class[500] = 2 // the only row of its class
	for _, most := range []int{n, 400} {
		scorePrediction, dealt := make([]int, n), 0
		for _, s := range search.ClassFolds(order, class, nil, 5, most) {
			var learn, check [3]int
			for _, i := range s.Learn {
				learn[class[i]]++
			}
			for _, i := range s.Check {
				check[class[i]]++
				scorePrediction[i]++
				dealt++
			}
			if learn[2] != 1 || check[2] != 0 {
				t.Errorf("the only row of a class is learned from %d times, judged %d times", learn[2], check[2])
			}
			for c := range 2 {
				if d := check[c] - most/10; d < -1 || d > 1 {
					t.Errorf("of %d rows %d of class %d are in a fold", most, check[c], c)
				}
			}
		}
		for i, v := range scorePrediction {
			if v > 1 || most == n && v != 1 && i != 500 {
				t.Errorf("row %d is judged %d times", i, v)
			}
		}
		if dealt < most-3 || dealt > most {
			t.Errorf("%d rows are judged, of %d", dealt, most)
		}
	}
}
