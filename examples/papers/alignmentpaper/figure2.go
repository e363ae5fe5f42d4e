package alignmentpaper

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/kernel"
)

var gammas = []float64{0, 1, 2, 5, 10, 20, 40}

func relevanceTask(gamma float64) task {
	return task{
		name:   fmt.Sprintf("gamma %v", gamma),
		split:  func(seed uint64) split { return relevance(gamma, seed) },
		search: kernel.Gaussian{},
		family: func(blas64.General) family { return gaussians(1e-1, 1e3) },
		grid:   func(blas64.General) []kernel.Kernel { return geometric(1e-3, 1.33, 50) },
	}
}

// figure2 prints and draws the errors and the seconds of all methods over gamma,
// in which the method with a bandwidth a column should be alone in its gain.
func figure2(ctx context.Context, s *settings) error {
	methods := all()
	errors := report.Table{Title: "Figure 2: percentage of errors on the 50-dimensional set", Head: []string{"gamma"}}
	seconds := report.Table{Title: "Figure 2: seconds", Head: []string{"gamma"}}
	chart := report.Chart{Title: "Figure 2: the 50-dimensional set", X: "gamma", Y: "errors, per cent"}
	for _, m := range methods {
		errors.Head, seconds.Head = append(errors.Head, m.name), append(seconds.Head, m.name)
		chart.Lines = append(chart.Lines, report.Line{Label: m.name})
	}
	for _, gamma := range first(gammas, s.tasks) {
		results, err := compare(ctx, s, relevanceTask(gamma), methods)
		if err != nil {
			return err
		}
		e, t := []string{fmt.Sprint(gamma)}, []string{fmt.Sprint(gamma)}
		for i, r := range results {
			e, t = append(e, r.errors.Text(1)), append(t, r.seconds.Text(2))
			chart.Lines[i].Points = append(chart.Lines[i].Points, plotter.XY{X: gamma, Y: r.errors.Mean()})
		}
		errors.Row(e...)
		seconds.Row(t...)
	}
	if err := errors.Print(s.W); err != nil {
		return err
	}
	if err := seconds.Print(s.W); err != nil {
		return err
	}
	return s.Figure("alignment-figure2.png", chart)
}

// first returns the first n of a list, or all if n is 0.
func first[T any](list []T, n int) []T {
	if n == 0 {
		return list
	}
	return list[:min(n, len(list))]
}
