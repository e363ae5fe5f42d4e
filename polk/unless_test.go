package polk

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// For labels the model keeps the weights, of the steps or of least squares, with the higher accuracy
// on held-out rows. Steps are better for few points and a winding boundary, least squares for noisy
// labels.
func TestWeightsThatRowsApartPrefer(t *testing.T) {
	kept, solved := 0, 0
	for seed := range uint64(4) {
		noise := float64(seed%2) * .4
		all, apart := windingRows(1200, seed, noise), windingRows(1000, seed+100, noise)
		fit := func(codes bool, apart batch) *descent {
			s, err := classification(&Options{Kernel: kernel.Gaussian{Sigma: .2}, Ridge: 1e-6, MaxPoints: 40, Passes: 2, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			s.codes = codes
			if err := s.forRows(all.x.Rows); err != nil {
				t.Fatal(err)
			}
			d, err := newDescent(s, all, all.x.Rows, quiet(t))
			if err != nil {
				t.Fatal(err)
			}
			if err := d.passes(all, apart, quiet(t)); err != nil {
				t.Fatal(err)
			}
			return d
		}
		steps, squares, better := fit(false, batch{}), fit(true, batch{}), fit(true, apart)
		if got, want := better.wrong(apart), min(steps.wrong(apart), squares.wrong(apart)); math.Abs(got-want) > 0 {
			t.Errorf("seed %d: %v wrong, want %v", seed, got, want)
		}
		if better.solved == nil {
			kept++
		} else {
			solved++
		}
	}
	if kept == 0 || solved == 0 {
		t.Errorf("weights of the steps were kept %d times, those of least squares %d times", kept, solved)
	}
}

// windingRows returns rows of the unit square on both sides of a wave, with some random labels.
func windingRows(n int, seed uint64, noise float64) batch {
	r := newRand(seed)
	b := batch{x: compute.DensePoints(compute.NewMatrix(n, 2)), class: make([]int, n), outputs: 2}
	for i := range n {
		x := b.x.Values(i)
		x[0], x[1] = r.Float64(), r.Float64()
		if x[1] > .5+.3*math.Sin(12*x[0]) {
			b.class[i] = 1
		}
		if r.Float64() < noise {
			b.class[i] = r.IntN(2)
		}
	}
	return b
}
