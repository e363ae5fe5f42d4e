package slkl

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// review certifies the solution at hand against all M columns and returns the
// next working set: the columns with weight, and of the others those that
// violate their condition most, as many again.
func (l *lowMemory) review(round int) (next []int, done bool, err error) {
	res := l.residual()
	g := compute.NewMatrix(l.cols.count(), l.y.Cols)
	l.cols.correlate(g, l.x, res)
	if err := checkSums(g.Data); err != nil {
		return nil, false, err
	}
	violation := make([]float64, l.cols.count())
	done = true
	for i, t := range l.tasks {
		rep := &l.reports[i]
		part := window(g, t.output, t.w.Cols)
		if round == 0 {
			largest := largestNorm(part)
			*rep = Report{Nu: l.s.Nu * l.s.Lambda, Lambda: 1, NuMax: largest * largest}.withLambda(l.s.Lambda)
		}
		tau := math.Sqrt(rep.Lambda * rep.Nu)
		c := l.certificate(t, window(res, t.output, t.w.Cols), part, tau)
		rep.take(c)
		done = done && l.meets(rep)
		for m := range violation {
			violation[m] = max(violation[m], blas64.Nrm2(vector(row(part, m)))/tau-1)
		}
		l.r.Report(c.progress(round, len(l.set)))
	}
	return l.choose(violation), done, nil
}

// residual returns Y − CW.
func (l *lowMemory) residual() compute.Matrix {
	res := compute.NewMatrix(l.y.Rows, l.y.Cols)
	for i := range res.Rows {
		copy(row(res, i), row(l.y, i))
	}
	if len(l.set) == 0 {
		return res
	}
	w := compute.NewMatrix(len(l.set), l.y.Cols)
	for _, t := range l.tasks {
		for j := range l.set {
			for o, v := range row(t.w, j) {
				row(w, j)[t.output+o] = -v
			}
		}
	}
	compute.MulNN(res, l.c, w, l.s.Workers)
	return res
}

// certificate is that of a task whose residual is r and whose correlations with
// all columns are g.
func (l *lowMemory) certificate(t *task, r, g compute.Matrix, tau float64) certificate {
	var rr, yr, norm float64
	for i := range r.Rows {
		y := vector(row(l.y, i)[t.output : t.output+r.Cols])
		rr += blas64.Dot(vector(row(r, i)), vector(row(r, i)))
		yr += blas64.Dot(vector(row(r, i)), y)
	}
	kkt := 0.0
	for j, m := range l.set {
		w := vector(row(t.w, j))
		size := blas64.Nrm2(w)
		norm += size
		if size > 0 {
			gm := slices.Clone(row(g, m))
			blas64.Axpy(-tau/size, w, vector(gm))
			kkt = max(kkt, blas64.Nrm2(vector(gm)))
		}
	}
	largest := largestNorm(g)
	c := dualityGap(rr, yr, norm, largest, tau)
	c.kkt = max(kkt, largest-tau) / tau
	return c
}

func (l *lowMemory) choose(violation []float64) []int {
	var set, out []int
	for j, m := range l.set {
		if anyWeight(l.tasks, j) {
			set = append(set, m)
			violation[m] = 0
		}
	}
	for m, v := range violation {
		if v > 0 {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(i, j int) int {
		return cmp.Or(cmp.Compare(violation[j], violation[i]), cmp.Compare(i, j))
	})
	set = append(set, out[:min(len(out), max(32, len(set)))]...)
	slices.Sort(set)
	return set
}

func largestNorm(g compute.Matrix) float64 {
	largest := 0.0
	for m := range g.Rows {
		largest = max(largest, blas64.Nrm2(vector(row(g, m))))
	}
	return largest
}
