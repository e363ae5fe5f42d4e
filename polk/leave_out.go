package polk

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/linalg"
)

// leaveOut computes leave-one-out predictions. The equations of the weights omit the row and, if
// the row is in the dictionary, its point. One factorisation serves all rows.
type leaveOut struct {
	*normal
	gram    *linalg.Cholesky // of the points
	weights compute.Matrix   // of the points, M×q
}

// pull holds (Qφ)_j and Q_jj for a row that is point j, where Q is the inverse of the equations
// in the weights.
type pull struct{ row, point float64 }

// leaveOneOut returns the prediction of each row from all rows except itself and its copies.
// O(n·M² + M³).
func (d *descent) leaveOneOut(all batch, r *progress.Monitor) calibrate.Sample {
	n, coded := all.x.Rows, all.coded()
	s := calibrate.Sample{X: all.x, Scores: compute.NewMatrix(n, all.outputs), Targets: all.y, Class: all.class, Weights: all.weights}
	if !all.labelled() { // intervals depend on f(x)
		s.At = d.predictions(all).Scores
	}
	first := all.x.FirstCopies(all.y, all.class)
	own, weights := d.own(all.x, first), all.weights.OfCopies(first)
	o := &leaveOut{normal: d.solved, gram: d.f.factor, weights: compute.NewMatrix(d.f.order(), d.f.outputs)}
	for j := range d.f.order() {
		copy(compute.Row(o.weights, j), d.f.weight(j))
	}
	for from, to := range compute.Chunks(n, refitRows) {
		if r.Stopped() {
			return calibrate.Sample{}
		}
		r.Report(d.progress("leave one out", from, n))
		d.coordinates(all.x.Between(from, to))
		part := batch{y: compute.Rows(coded.y, from, to), weights: weights.Between(from, to)}
		o.predict(compute.Rows(s.Scores, from, to), d.z, part, own[from:to], n, d.set.Workers)
	}
	return s
}

// pulls returns the pulls of rows that are points, and zeros for other rows. With factors UᵀU of
// the equations and L·Lᵀ of the Gram matrix, Q is VᵀV for V = U⁻ᵀ·L⁻¹; u holds U⁻ᵀφ of each
// row. O(M²) per point.
func (o *leaveOut) pulls(u compute.Matrix, own []int, workers int) []pull {
	const pointsAtOnce = 64
	list, rows := make([]pull, len(own)), []int{}
	for i, j := range own {
		if j >= 0 {
			rows = append(rows, i)
		}
	}
	for from, to := range compute.Chunks(len(rows), pointsAtOnce) {
		units := compute.NewMatrix(to-from, u.Rows)
		for k, i := range rows[from:to] {
			compute.Row(units, k)[own[i]] = 1
		}
		o.gram.ForwardRows(compute.Dense(units), workers)
		v := compute.Transpose(units)
		compute.SolveUpper(o.a, v, true, workers)
		squares := compute.ColumnDots(v, v)
		for k, i := range rows[from:to] {
			list[i] = pull{blas64.Dot(compute.Column(v, k), compute.Column(u, i)), squares[k]}
		}
	}
	return list
}

// own returns the index of each row in the dictionary, or −1. Only the first of equal rows has it,
// unless the prediction excludes all copies.
func (d *descent) own(x compute.Points, first []int) []int {
	positions, points := map[string]int{}, d.f.points.matrix()
	var key []byte
	for j, slot := range d.f.slot {
		key = points.AppendKey(key[:0], slot)
		positions[string(key)] = j
	}
	own := make([]int, x.Rows)
	for i := range own {
		own[i] = -1
		key = x.AppendKey(key[:0], i)
		if j, ok := positions[string(key)]; ok {
			own[i] = j
			if first == nil {
				delete(positions, string(key))
			}
		}
	}
	return own
}

// predict stores the predictions of rows, out of n, with coordinates z, which it overwrites.
// For coordinates φ centred by the constant, weight w and leverage h = w·φᵀQφ, the residual
// without the row is r/(1 − h) instead of r (Allen, 1974, PRESS). Without its point j, of weight
// c_j, the prediction decreases further, for g = (Qφ)_j, by
//
//	g/(1 − h)·(c_j − w·g·r/(1 − h)) / (Q_jj + w·g²/(1 − h)).
func (o *leaveOut) predict(scores, z compute.Matrix, rows batch, own []int, n, workers int) {
	const rounding = 0x1p-44 // least 1 − h
	share := 0.0
	if o.constant {
		share = 1 / float64(n)
		for i := range z.Rows {
			floats.Sub(compute.Row(z, i), o.z)
		}
	}
	for i := range scores.Rows {
		copy(compute.Row(scores, i), o.y)
	}
	compute.MulNN(scores, z, o.b, workers)
	u := compute.Transpose(z)
	compute.SolveUpper(o.a, u, true, workers)
	pulls := o.pulls(u, own, workers)
	for i, spread := range compute.ColumnDots(u, u) {
		w := rows.weights.At(i)
		left := max(1-w*(spread+share), rounding)
		f, j := compute.Row(scores, i), own[i]
		g, gained := 0.0, 1.0
		if j >= 0 {
			g = pulls[i].row / left
			gained = pulls[i].point + float64(w*g*g*left)
		}
		for c, y := range compute.Row(rows.y, i) {
			residual := (y - f[c]) / left
			f[c] = y - residual
			if j >= 0 {
				f[c] -= g * (compute.Row(o.weights, j)[c] - float64(w*g*left*residual)) / gained
			}
		}
	}
}
