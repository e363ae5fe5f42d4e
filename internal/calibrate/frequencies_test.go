package calibrate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Log losses are finite for a class of one row that some folds lack, separable classes, useless scores
// and weights. On unseen rows they do not exceed the loss of the class frequencies, up to chance.
func TestNeverWorseThanFrequencies(t *testing.T) {
	for name, c := range map[string]struct {
		rows, rare  int
		noise       float64
		own, weight bool
	}{
		"single row": {rows: 60, rare: 1, noise: .5}, "two rows": {rows: 60, rare: 2, noise: .5}, "separable": {rows: 90, noise: 0},
		"useless": {rows: 40, noise: 1e6}, "weights": {rows: 80, rare: 1, noise: .5, weight: true}, "few": {rows: 12, noise: 2},
		"loss that is certain": {rows: 60, rare: 1, noise: 1, own: true},
	} {
		for _, layout := range []calibrate.Layout{calibrate.OfClasses, calibrate.OfPairs} {
			train, test := noisy(c.rows, c.rare, c.noise, layout, 1), noisy(2000, 0, c.noise, layout, 2)
			if c.weight {
				train.Weights = make([]float64, c.rows)
				for i := range train.Weights {
					train.Weights[i] = 1 + float64(i%5)/2
				}
			}
			var own func(p, scores []float64)
			if c.own { // probabilities of zero and one
				own = func(p, scores []float64) { clear(p); p[0] = 1 }
			}
			f := calibrate.FitClasses(train, 3, layout, own)
			if l := f.Report().LogLoss; !(l < 700) {
				t.Errorf("%s: log loss %v in the sample", name, l)
			}
			got, frequent := testLoss(f, test), frequencyLoss(train, test)
			if !(got < frequent+.1) {
				t.Errorf("%s, layout %d: log loss %.3f by %s, that of the frequencies %.3f", name, layout, got, f.Report().Method, frequent)
			}
			if name == "separable" && got > .2 {
				t.Errorf("separable classes, layout %d: log loss %.3f by %s", layout, got, f.Report().Method)
			}
		}
	}
}

// Over many samples without information, probabilities are nearly as good as the class frequencies.
// Without a margin, the best of several methods often beats the frequencies by chance.
func TestUselessScores(t *testing.T) {
	const samples = 40
	for _, n := range []int{15, 25, 60} {
		excess := 0.0
		for seed := range uint64(samples) {
			train, test := noisy(n, 0, 1e6, calibrate.OfClasses, seed), noisy(1000, 0, 1e6, calibrate.OfClasses, seed+1000)
			f := calibrate.FitClasses(train, 3, calibrate.OfClasses, nil)
			excess += (testLoss(f, test) - frequencyLoss(train, test)) / samples
		}
		if !(excess < 0.02) {
			t.Errorf("%d rows: log loss %.3f above that of the frequencies", n, excess)
		}
	}
}

// testLoss returns the log loss at unseen rows.
func testLoss(f calibrate.Classes, test calibrate.Sample) (loss float64) {
	p := make([]float64, 3)
	for i, k := range test.Class {
		f.To(p, slices.Clone(compute.Row(test.Scores, i)))
		loss -= math.Log(p[k]) / float64(test.Rows())
	}
	return loss
}

// frequencyLoss returns the log loss of the class frequencies of the training rows.
func frequencyLoss(train, test calibrate.Sample) (loss float64) {
	var count [3]float64
	for i, k := range train.Class {
		count[k] += train.Weights.At(i)
	}
	for _, k := range test.Class {
		loss -= math.Log((count[k]+1)/(train.Weights.Total(train.Rows())+3)) / float64(test.Rows())
	}
	return loss
}

// noisy draws rows of two classes, or three if rare is positive. Scores are 1 for the class and −1
// otherwise, plus noise. The third class has rare rows.
func noisy(n, rare int, noise float64, layout calibrate.Layout, seed uint64) calibrate.Sample {
	r := rand.New(rand.NewPCG(seed, 11))
	s := calibrate.Sample{Scores: compute.NewMatrix(n, 3), Class: make([]int, n)}
	for i := range n {
		k := r.IntN(3)
		if rare > 0 {
			k = r.IntN(2)
		}
		if i < rare {
			k = 2
		}
		s.Class[i] = k
		v := []float64{-1, -1, -1}
		v[k] = 1
		row := compute.Row(s.Scores, i)
		copy(row, v)
		if layout == calibrate.OfPairs {
			row[0], row[1], row[2] = (v[1]-v[0])/2, (v[2]-v[0])/2, (v[2]-v[1])/2
		}
		for j := range row {
			row[j] += noise * r.NormFloat64()
		}
	}
	return s
}
