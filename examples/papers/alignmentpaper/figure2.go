package alignmentpaper

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

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

// figure2 prints and draws the errors and seconds of all methods over gamma (figure 2), and the
// alignment of their kernels on the test rows (figure 4). In the paper only the method with one
// bandwidth per column improves with gamma.
func figure2(ctx context.Context, s *settings) error {
	methods := all()
	parts := relevanceParts()
	for i := range parts {
		parts[i].table.Title, parts[i].chart.X = parts[i].chart.Title, "gamma"
		parts[i].table.Head = []string{"gamma"}
		for _, m := range methods {
			parts[i].table.Head = append(parts[i].table.Head, m.name)
			parts[i].chart.Lines = append(parts[i].chart.Lines, report.Line{Label: m.name})
		}
	}
	for _, gamma := range first(gammas, s.tasks) {
		results, err := compare(ctx, s, relevanceTask(gamma), methods)
		if err != nil {
			return err
		}
		for i := range parts {
			parts[i].add(gamma, results)
		}
	}
	for _, p := range parts {
		if err := p.table.Print(s.W); err != nil {
			return err
		}
		if err := s.Figure(p.file, p.chart); err != nil {
			return err
		}
	}
	return nil
}

// relevancePart is one quantity of all methods over gamma.
type relevancePart struct {
	file     string
	decimals int
	of       func(*result) report.Sample
	table    report.Table
	chart    report.Chart
}

func relevanceParts() []relevancePart {
	return []relevancePart{
		{file: "alignment-figure2.png", decimals: 1, of: func(r *result) report.Sample { return r.errors },
			chart: report.Chart{Title: "Figure 2: errors on the 50-dimensional set", Y: "errors on the test rows, %"}},
		{file: "alignment-figure2-seconds.png", decimals: 2, of: func(r *result) report.Sample { return r.seconds },
			chart: report.Chart{Title: "Figure 2: running time on the 50-dimensional set", Y: "seconds"}},
		{file: "alignment-figure4.png", decimals: 3, of: func(r *result) report.Sample { return r.alignment },
			chart: report.Chart{Title: "Figure 4: alignment on the 50-dimensional set", Y: "centred alignment on the test rows"}},
	}
}

func (p *relevancePart) add(gamma float64, results []*result) {
	fields := []string{fmt.Sprint(gamma)}
	for i, r := range results {
		fields = append(fields, p.of(r).Text(p.decimals))
		p.chart.Lines[i].Add(gamma, p.of(r))
	}
	p.table.Row(fields...)
}

// first returns the first n elements of a list, or all if n is 0.
func first[T any](list []T, n int) []T {
	if n == 0 {
		return list
	}
	return list[:min(n, len(list))]
}
