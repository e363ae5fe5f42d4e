package score

import "testing"

func TestMeanSquare(t *testing.T) {
	if got := MeanSquare([]float64{1, 2, 5}, []float64{1, 4, 4}); got != 5.0/3 {
		t.Errorf("got %v, want 5/3", got)
	}
}

func TestErrors(t *testing.T) {
	if got := Errors([]float64{1, -1, 2}, []float64{1, 1, 3}); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
}
