package slkl

import (
	"math"
	"testing"
)

// TestDenseFirst runs the search on known errors, which fall to the error of ridge regression
// with the fraction.
func TestDenseFirst(t *testing.T) {
	for _, c := range []struct {
		name        string
		onset       float64
		base, floor float64
		dense       float64 // negative logarithm from which on nearly all columns stay
		want        float64 // negative logarithm of the fraction, +Inf for ridge regression
		edge        bool
	}{
		{"begins dense", 1e-8, 10, 1, 9, 5, false},
		{"begins sparse", 1e-3, 10, 1, 9, 5, false},
		{"ends before", 0.09, 10, 1, 9, math.Inf(1), true},
		{"leaves out too little", 1e-3, 10, 1, 4, math.Inf(1), true},
		{"explains little", 1e-4, 1.001, 1, 9, 5, false},
		{"explains nothing", 1e-4, 1, 1, 9, 0, false},
	} {
		s := newDenseFirst(c.onset, c.floor, c.base)
		tries := 0
		for ; !s.over() && tries < 30; tries++ {
			at, kept := math.Round(-math.Log10(s.fraction())), 0.5
			if at >= c.dense {
				kept = 1
			}
			s.add(c.floor+(c.base-c.floor)*math.Pow(10, 3-1.2*at), kept)
		}
		got, edge := s.selected()
		if at := -math.Log10(got); at != c.want && math.Abs(at-c.want) > 0.01 || edge != c.edge {
			t.Errorf("%s: 10^-%.2f after %d, edge %v, want 10^-%g, edge %v", c.name, at, tries, edge, c.want, c.edge)
		}
	}
}
