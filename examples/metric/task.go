package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

const (
	inputs = 20
	active = 3 // relevant directions
	noise  = 0.1
	side   = 1.5 // coordinates in the rotated basis lie in [−side, side]
)

// task is sin(2a) + b·c of the first three coordinates of rows in a rotated basis.
type task struct {
	basis *mat.Dense // inputs×inputs, orthonormal rows
}

// active returns the directions of a, b and c as rows.
func (t task) active() mat.Matrix { return t.basis.Slice(0, active, 0, inputs) }

func newTask(r *rand.Rand) task {
	g := mat.NewDense(inputs, inputs, nil)
	g.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, g)
	return task{orthonormal(g)}
}

// draw draws rows and noisy targets.
func (t task) draw(rows int, noise float64, r *rand.Rand) (x, y *mat.Dense) {
	at := mat.NewDense(rows, inputs, nil)
	at.Apply(func(int, int, float64) float64 { return side * (2*r.Float64() - 1) }, at)
	y = mat.NewDense(rows, 1, nil)
	for i := range rows {
		a, b, c := at.At(i, 0), at.At(i, 1), at.At(i, 2)
		y.Set(i, 0, math.Sin(2*a)+b*c+noise*r.NormFloat64())
	}
	x = new(mat.Dense)
	x.Mul(at, t.basis)
	return x, y
}

// orthonormal returns an orthonormal basis of the column space of a, as columns.
func orthonormal(a mat.Matrix) *mat.Dense {
	var qr mat.QR
	qr.Factorize(a)
	var q mat.Dense
	qr.QTo(&q)
	rows, columns := a.Dims()
	return q.Slice(0, rows, 0, columns).(*mat.Dense)
}

// angle returns the largest principal angle between the row spaces of a and b. With
// orthonormal bases P and Q, its cosine is the least singular value of PᵀQ.
func angle(a, b mat.Matrix) float64 {
	var product mat.Dense
	product.Mul(orthonormal(a.T()).T(), orthonormal(b.T()))
	var svd mat.SVD
	svd.Factorize(&product, mat.SVDNone)
	values := svd.Values(nil)
	return math.Acos(min(1, values[len(values)-1]))
}
