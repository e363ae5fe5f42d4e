package alignmentpaper

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// objective is the function of the bandwidth that an iteration of the search minimises,
//
//	h(sigma) = −<K(sigma), F'(K)>·‖K‖.
//
// F is the centred alignment with the labels y. K is the centred Gram matrix of the current
// kernel. With the factor ‖K‖, iterations are comparable.
type objective struct{ slope, distances blas64.General }

// newObjective uses the current kernel, or nil before the first iteration.
func newObjective(sofar kernel.Kernel, x blas64.General, y []float64) *objective {
	n := x.Rows
	o := &objective{compute.NewMatrix(n, n), compute.NewMatrix(n, n)}
	compute.KernelSym(o.distances, x, compute.Func{Family: compute.SquaredDistance}, 0)
	values := compute.NewMatrix(n, n)
	if sofar == nil {
		for i := range n {
			values.Data[i*n+i] = 1
		}
	} else {
		gram.Evaluator{Kernel: sofar}.Gram(values, x)
	}
	k, target := centre(values), outer(y)
	floats.Scale(1/floats.Norm(k, 2), k)
	floats.Scale(1/floats.Norm(target, 2), target)
	floats.AddScaledTo(o.slope.Data, target, -floats.Dot(k, target), k)
	return o
}

// outer returns C·yyᵀ·C.
func outer(y []float64) []float64 {
	n, mean := len(y), floats.Sum(y)/float64(len(y))
	out := make([]float64, n*n)
	for i, a := range y {
		for j, b := range y {
			out[i*n+j] = (a - mean) * (b - mean)
		}
	}
	return out
}

// at returns h(sigma) for the Gaussian exp(−‖x−z‖²/sigma²).
func (o *objective) at(sigma float64) (h float64) {
	for i, d := range o.distances.Data {
		h -= o.slope.Data[i] * math.Exp(-d/(sigma*sigma))
	}
	return h
}

// searchPoints gives a curve a hundred points per power of ten.
const searchPoints = 201

// curve returns h for sigma between 0.1 and 10 times the median distance. X is in units of the
// median distance and Y in units of the range of h.
func (o *objective) curve(median float64) plotter.XYs {
	points := make(plotter.XYs, searchPoints)
	least, most := math.Inf(1), math.Inf(-1)
	for i := range points {
		points[i].X = math.Pow(10, 2*float64(i)/(searchPoints-1)-1)
		points[i].Y = o.at(points[i].X * median)
		least, most = min(least, points[i].Y), max(most, points[i].Y)
	}
	for i := range points {
		points[i].Y /= most - least
	}
	return points
}

// minima counts the local minima of a curve. It ignores differences due to rounding.
func minima(points plotter.XYs) (count int) {
	falling := false
	for i := 1; i < len(points); i++ {
		switch d := points[i].Y - points[i-1].Y; {
		case d < -1e-9:
			falling = true
		case d > 1e-9 && falling:
			count, falling = count+1, false
		}
	}
	return count
}

// searches draws figure 3, the objectives of the first three iterations on two tasks each from the
// digits and the letters.
func searches(ctx context.Context, s *settings) error {
	digits, err := digitTasks(s)
	if err != nil {
		return err
	}
	letters, err := letterTasks(s)
	if err != nil {
		return err
	}
	t := report.Table{Title: "Figure 3: minima of what an iteration minimises over the bandwidth (the paper: no more than two)",
		Head: []string{"", "iteration", "local minima", "minimum at sigma / median distance"}}
	for _, set := range []struct {
		name  string
		tasks []task
	}{{"MNIST", []task{digits[0], digits[2]}}, {"Letter", []task{letters[0], letters[11]}}} {
		c := report.Chart{Title: "Figure 3: what iterations minimise, " + set.name, X: "sigma / median distance", Y: "h(sigma), in units of its range", LogX: true}
		for _, k := range set.tasks {
			for i := range 3 {
				points, err := iteration(ctx, k, s.Seed, i)
				if err != nil {
					return err
				}
				t.Row(k.name, fmt.Sprint(i+1), fmt.Sprint(minima(points)), fmt.Sprintf("%.2f", lowest(points)))
				c.Lines = append(c.Lines, report.Line{Label: fmt.Sprintf("%s (%d)", k.name, i+1), Family: k.name, Points: points})
			}
		}
		if err := s.Figure("alignment-figure3-"+set.name+".png", c); err != nil {
			return err
		}
	}
	return t.Print(s.W)
}

// iteration returns the curve after the given number of iterations.
func iteration(ctx context.Context, t task, seed uint64, after int) (plotter.XYs, error) {
	d := t.split(seed)
	x, _, _ := d.rows()
	sofar, err := kernelAfter(ctx, d, after)
	if err != nil {
		return nil, err
	}
	return newObjective(sofar, x, d.train.Y).curve(medianOf(x)), nil
}

// kernelAfter returns the kernel after count iterations, or nil if count is 0.
func kernelAfter(ctx context.Context, d split, count int) (kernel.Kernel, error) {
	if count == 0 {
		return nil, nil
	}
	r, err := alignment.Search(ctx, d.train.X, labels(d.train), &alignment.Options{Criterion: alignment.Alignment, Family: kernel.Gaussian{}, Paper: alignment.Paper{MaxKernels: count, Tolerance: 1e-9}})
	if err != nil {
		return nil, err
	}
	return r.Kernel, nil
}

func lowest(points plotter.XYs) float64 {
	best := points[0]
	for _, p := range points {
		if p.Y < best.Y {
			best = p
		}
	}
	return best.X
}
