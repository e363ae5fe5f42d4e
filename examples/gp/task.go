package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// The rows lie in [from, to] but for a gap, with noise of this standard deviation.
const (
	from, to       = 0.0, 10.0
	gapFrom, gapTo = 4.5, 6.5
	noise          = 0.3
)

func truth(x float64) float64 { return math.Sin(x) + math.Sin(2.3*x)/2 }

// task is the data: values y at rows x.
type task struct{ x, y *mat.VecDense }

func drawTask(rows int, seed uint64) task {
	r := rand.New(rand.NewPCG(seed, 0))
	t := task{mat.NewVecDense(rows, nil), mat.NewVecDense(rows, nil)}
	for i := range rows {
		x := from + (to-from-(gapTo-gapFrom))*r.Float64()
		if x > gapFrom {
			x += gapTo - gapFrom
		}
		t.x.SetVec(i, x)
		t.y.SetVec(i, truth(x)+noise*r.NormFloat64())
	}
	return t
}

// grid returns points beyond both ends of the rows.
func grid() []float64 {
	at := make([]float64, 241)
	for i := range at {
		at[i] = from - 1 + (to-from+2)*float64(i)/float64(len(at)-1)
	}
	return at
}
