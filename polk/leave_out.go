package polk

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/linalg"
)

// leaveOut predicts rows by functions that were not learned from them: each row, and the point
// that it is in the dictionary, are left out of the equations that the weights solve, which
// one factorisation does for all of them.
type leaveOut struct {
	*normal
	gram    *linalg.Cholesky // of the points
	weights compute.Matrix   // of these, M×q
	u       compute.Matrix   // M×n, memory of rows
	units   compute.Matrix   // of some points, and what pulls of them makes
	columns compute.Matrix
}

// pull is what Q, the inverse of the equations in the weights, tells of a row and the point that it is: (Qφ)_j and
// Q_jj.
type pull struct{ row, point float64 }

// leftOut returns what is predicted of each row by all others but for its copies. O(n·M² + M³).
func (d *descent) leftOut(all batch, r *monitor.Monitor) calibrate.Sample {
	n, coded := all.x.Rows, all.coded()
	s := calibrate.Sample{X: all.x, Scores: compute.NewMatrix(n, all.outputs), Targets: all.y, Class: all.class, Weights: all.weights}
	if !all.labelled() { // intervals go by it
		s.At = d.held(all).Scores
	}
	first := all.x.FirstCopies(all.y, all.class)
	o, own, weights := d.newLeaveOut(), d.own(all.x, first), all.weights.OfCopies(first)
	for from := 0; from < n; from += refitRows {
		if r.Stopped() {
			return calibrate.Sample{}
		}
		r.Report(d.progress("leave one out", from, n))
		to := min(from+refitRows, n)
		d.coordinates(all.x.Between(from, to))
		part := batch{y: compute.Rows(coded.y, from, to), weights: weights.Between(from, to)}
		o.predict(compute.Rows(s.Scores, from, to), d.z, part, own[from:to], n, d.set.Workers)
	}
	return s
}

func (d *descent) newLeaveOut() *leaveOut {
	m, q := d.f.order(), d.f.outputs
	o := &leaveOut{normal: d.solved, gram: d.f.factor, weights: compute.NewMatrix(m, q)}
	for j := range m {
		copy(compute.Row(o.weights, j), d.f.weight(j))
	}
	return o
}

// pullPoints is the number of points whose pulls are computed together.
const pullPoints = 64

// pulls returns those of rows that are points, 0 of others. With factors UᵀU of the equations and L·Lᵀ of the Gram
// matrix, Q is VᵀV for V = U⁻ᵀ·L⁻¹, and u = U⁻ᵀφ of each row is at hand. O(M²) for each point.
func (o *leaveOut) pulls(u compute.Matrix, own []int, workers int) []pull {
	list, rows := make([]pull, len(own)), []int{}
	for i, j := range own {
		if j >= 0 {
			rows = append(rows, i)
		}
	}
	for from, to := range compute.Chunks(len(rows), pullPoints) {
		units := compute.ReshapeZero(&o.units, to-from, u.Rows)
		for k, i := range rows[from:to] {
			compute.Row(units, k)[own[i]] = 1
		}
		o.gram.ForwardRows(units, workers)
		v := compute.Reshape(&o.columns, u.Rows, to-from)
		compute.TransposeTo(v, units)
		compute.SolveUpper(o.a, v, true, workers)
		squares := compute.ColumnDots(v, v)
		for k, i := range rows[from:to] {
			list[i] = pull{blas64.Dot(compute.Column(v, k), compute.Column(u, i)), squares[k]}
		}
	}
	return list
}

// own returns the place of each row in the dictionary, or -1; of rows that are the same the first has it, or all
// where they are left out together.
func (d *descent) own(x compute.Points, first []int) []int {
	places, points := map[string]int{}, d.f.points.matrix()
	var key []byte
	for j, slot := range d.f.slot {
		key = points.AppendKey(key[:0], slot)
		places[string(key)] = j
	}
	own := make([]int, x.Rows)
	for i := range own {
		own[i] = -1
		key = x.AppendKey(key[:0], i)
		if j, ok := places[string(key)]; ok {
			own[i] = j
			if first == nil {
				delete(places, string(key))
			}
		}
	}
	return own
}

// predict sets scores to what is predicted of rows, of n, whose coordinates are z, which it
// overwrites. With φ the coordinates of a row and of the constant, w its weight and h = w·φᵀQφ its
// leverage, the others predict it with the residual r/(1 − h) in place of r (Allen, "The
// relationship between variable selection and data augmentation and a method for prediction", 1974).
// Without point j, whose weight is c_j with the row and c_j − w·g·r/(1 − h) without it for g = (Qφ)_j,
// they predict
//
//	g/(1 − h)·(c_j − w·g·r/(1 − h)) / (Q_jj + w·g²/(1 − h))
//
// less.
func (o *leaveOut) predict(scores, z compute.Matrix, rows batch, own []int, n, workers int) {
	const rounding = 0x1p-44 // in 1 − h, where a row is all that its residual hangs on
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
	u := compute.Reshape(&o.u, z.Cols, z.Rows)
	compute.TransposeTo(u, z)
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
