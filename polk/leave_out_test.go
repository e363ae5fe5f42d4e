package polk

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// Leave-one-out predictions equal solutions of the equations without the row and, if it is in the
// dictionary, without its point.
func TestLeaveOneOut(t *testing.T) {
	const n, q = 42, 2 // weights of mean one
	for _, c := range []struct {
		name     string
		opts     Options
		weighted bool
	}{
		{"plain", Options{}, false},
		{"weighted", Options{}, true},
		{"no constant", Options{Paper: Paper{NoIntercept: true}}, true},
	} {
		o := c.opts
		o.Kernel, o.Ridge, o.MaxPoints, o.Passes = kernel.Gaussian{Sigma: .5}, 1e-3, 12, 2
		all := leaveOneOutRows(n, q)
		if !c.weighted {
			all.weights = nil
		}
		d := solvedDescent(t, &o, all)
		r := progress.New(context.Background(), nil, pkg)
		defer r.Close()
		got, own, points := d.leaveOneOut(all, r), d.own(all.x, nil), 0
		for i := range n {
			if own[i] >= 0 {
				points++
			}
			for k := range q {
				want := predictWithout(t, d, all, i, own[i], k)
				if v := compute.Row(got.Scores, i)[k]; math.Abs(v-want) > 1e-6 {
					t.Errorf("%s: row %d, point %d, output %d: %v, want %v", c.name, i, own[i], k, v, want)
				}
			}
		}
		if points != d.f.order() || points == 0 {
			t.Errorf("%s: %d rows are points, of %d", c.name, points, d.f.order())
		}
	}
}

func leaveOneOutRows(n, q int) batch {
	s := rng.New(5, "rows", 0)
	all := batch{x: compute.DensePoints(compute.NewMatrix(n, 2)), y: compute.NewMatrix(n, q), weights: make(compute.Weights, n), outputs: q}
	for i := range n {
		x, y := all.x.Values(i), compute.Row(all.y, i)
		x[0], x[1] = s.Float64(), s.Float64()
		y[0], y[1] = 3+math.Sin(6*x[0])+.1*s.NormFloat64(), x[0]*x[1]+.1*s.NormFloat64()
		all.weights[i] = .5 + float64(i%3)/2
	}
	return all
}

// solvedDescent returns a descent after training.
func solvedDescent(t *testing.T, o *Options, all batch) *descent {
	t.Helper()
	s, err := regression(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.forRows(all.x.Rows); err != nil {
		t.Fatal(err)
	}
	r := progress.New(context.Background(), nil, pkg)
	defer r.Close()
	d, err := newDescent(s, all, all.x.Rows, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.passes(all, batch{}, r); err != nil {
		t.Fatal(err)
	}
	return d
}

// predictWithout predicts an output of a row from all other rows, on all points but one.
func predictWithout(t *testing.T, d *descent, all batch, row, point, output int) float64 {
	t.Helper()
	n, m := all.x.Rows, d.f.order()
	phi, gram := compute.NewMatrix(n, m), compute.NewMatrix(m, m)
	d.f.cross(phi, all.x)
	d.f.cross(gram, d.f.points.matrix().Pick(d.f.slot))
	size := m
	if !d.set.NoIntercept {
		size++
	}
	noise := d.ridge() * float64(n)
	a, b := mat.NewDense(size, size, nil), mat.NewVecDense(size, nil)
	at := func(i, j int) float64 {
		if j == m {
			return 1
		}
		return compute.Row(phi, i)[j]
	}
	for j := range size {
		for k := range size {
			sum := 0.0
			if j < m && k < m {
				sum = noise * compute.Row(gram, j)[k]
			}
			if j == k && j < m {
				sum += noise * d.f.factor.Jitter()
			}
			for i := range n {
				if i != row {
					sum += all.weights.At(i) * at(i, j) * at(i, k)
				}
			}
			a.Set(j, k, sum)
		}
		for i := range n {
			if i != row {
				b.SetVec(j, b.AtVec(j)+all.weights.At(i)*at(i, j)*compute.Row(all.y, i)[output])
			}
		}
	}
	for k := 0; point >= 0 && k < size; k++ {
		a.Set(point, k, 0)
		a.Set(k, point, 0)
	}
	if point >= 0 {
		a.Set(point, point, 1)
		b.SetVec(point, 0)
	}
	var w mat.VecDense
	if err := w.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	f := 0.0
	for j := range size {
		f += w.AtVec(j) * at(row, j)
	}
	return f
}
