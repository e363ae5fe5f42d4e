package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// strangers is the fraction of the points trained on that are strangers.
const strangers = 0.05

func drawMixture(n int, seed uint64) *mat.Dense {
	x := drawRings(n, seed)
	few := int(strangers * float64(n))
	x.Slice(0, few, 0, 2).(*mat.Dense).Copy(drawStrangers(few, seed))
	return x
}

// drawRings draws points near two half rings that reach into one another.
func drawRings(n int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		sin, cos := math.Sincos(math.Pi * r.Float64())
		if i%2 == 1 {
			cos, sin = 1-cos, 0.5-sin
		}
		x.SetRow(i, []float64{cos + 0.08*r.NormFloat64(), sin + 0.08*r.NormFloat64()})
	}
	return x
}

// drawStrangers draws points anywhere in the picture.
func drawStrangers(n int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 2))
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, []float64{left + (right-left)*r.Float64(), bottom + (top-bottom)*r.Float64()})
	}
	return x
}
