package alignmentpaper

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/kernel"
)

// sinesTask is the sum of sines with Dirichlet kernels. The grid holds the frequencies 0 to 9.
func sinesTask() task {
	return task{
		name:   "sines",
		split:  sines,
		search: kernel.Dirichlet{},
		family: func(blas64.General) family {
			return family{member: dirichlet, low: 0.05, high: 12, points: 100, quadratic: dirichletQuadratic}
		},
		grid: func(blas64.General) (list []kernel.Kernel) {
			for i := range 10 {
				list = append(list, dirichlet(max(1e-3, float64(i)))) // a positive frequency, because 0 gives a constant kernel
			}
			return list
		},
	}
}

func dirichlet(frequency float64) kernel.Kernel { return kernel.Dirichlet{Sigma: frequency} }

// dirichletQuadratic returns Σ_jl c_j·c_l·(1 + 2cos(w·(x_j−x_l))) in O(n), as (Σ c_j)² + 2·|Σ
// c_j·exp(iwx_j)|².
func dirichletQuadratic(w float64, x blas64.General, c []float64) float64 {
	var sum, re, im float64
	for j, v := range c {
		sin, cos := math.Sincos(w * x.Data[j*x.Stride])
		sum, re, im = sum+v, re+v*cos, im+v*sin
	}
	return sum*sum + 2*(re*re+im*im)
}

// figure1 prints the errors on the sum of sines from section 3.1 and draws figure 1.
func figure1(ctx context.Context, s *settings) error {
	t := report.Table{Title: "Section 3.1 and figure 1(b): percentage of errors on the sum of sines", Head: []string{"", "here", "paper"}}
	for _, c := range []struct {
		name, paper string
		which       []int
	}{
		{"√2 alone", "26.1", []int{0}}, {"√12 alone", "26.8", []int{1}}, {"√60 alone", "28.6", []int{2}},
		{"√2 and √12", "16.4", []int{0, 1}}, {"√2 and √60", "20.0", []int{0, 2}}, {"√12 and √60", "21.3", []int{1, 2}},
		{"all three", "2.3", []int{0, 1, 2}},
	} {
		r, err := compare(ctx, s, sinesTask(), []named{{c.name, withFrequencies(c.which)}})
		if err != nil {
			return err
		}
		t.Row(c.name, r[0].errors.Text(1), c.paper)
	}
	methods := one()
	results, err := compare(ctx, s, sinesTask(), methods)
	if err != nil {
		return err
	}
	for i, m := range methods {
		t.Row(m.name, results[i].errors.Text(1), "")
	}
	if err := t.Print(s.W); err != nil {
		return err
	}
	return drawSines(ctx, s)
}

// withFrequencies returns a method that trains a machine on equal weights for some of the true
// frequencies.
func withFrequencies(which []int) method {
	return func(ctx context.Context, _ task, d split) (outcome, error) {
		var sum kernel.Sum
		for _, i := range which {
			sum = append(sum, kernel.Scale{By: 1 / (3 * float64(len(which))), Of: dirichlet(frequencies[i])})
		}
		return machine(ctx, sum, d)
	}
}

// drawSines draws parts (a) and (c) of figure 1.
func drawSines(ctx context.Context, s *settings) error {
	var f, sign plotter.XYs
	for x := -10.0; x <= 10; x += 0.01 {
		v := sumOfSines(x)
		f = append(f, plotter.XY{X: x, Y: v})
		sign = append(sign, plotter.XY{X: x, Y: math.Copysign(1, v)})
	}
	err := s.Figure("alignment-figure1a.png", report.Chart{
		Title: "Figure 1(a): the sum of sines and its sign", X: "x", Y: "y",
		Lines: []report.Line{{Label: "f", Points: f}, {Label: "sign f", Points: sign}},
	})
	if err != nil {
		return err
	}
	c, _, err := fit(ctx, kernel.Dirichlet{}, sines(s.Seed))
	if err != nil {
		return err
	}
	chart := report.Chart{Title: "Figure 1(c): frequencies found", X: "frequency", Y: "weight"}
	chart.Lines = []report.Line{{Points: plotter.XYs{{X: 0, Y: 0}, {X: 10, Y: 0}}}}
	for _, w := range frequencies {
		chart.Lines = append(chart.Lines, report.Line{Label: "true frequencies", Points: plotter.XYs{{X: w, Y: 0}, {X: w, Y: largestWeight(c)}}})
	}
	for _, k := range c.Model().Learned().Kernel {
		term := k.(kernel.Scale)
		w := term.Of.(kernel.Dirichlet).Sigma
		chart.Lines = append(chart.Lines, report.Line{Label: "found", Points: plotter.XYs{{X: w, Y: 0}, {X: w, Y: term.By}}})
	}
	return s.Figure("alignment-figure1c.png", chart)
}

// largestWeight returns the largest weight of a learned kernel.
func largestWeight(c *alignment.Classifier) (top float64) {
	for _, k := range c.Model().Learned().Kernel {
		top = max(top, k.(kernel.Scale).By)
	}
	return top
}
