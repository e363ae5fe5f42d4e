package slklpaper

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// figures draws figures 1 to 3 of the paper, all on sinc.
func figures(ctx context.Context, s *report.Settings) error {
	if err := iterations(ctx, s); err != nil {
		return fmt.Errorf("figures 1 and 3: %w", err)
	}
	if err := orders(ctx, s); err != nil {
		return fmt.Errorf("figure 2: %w", err)
	}
	return nil
}

// iterations draws the objective and m0 over the steps for M = 1000. The runs differ in the random
// order of the coordinates.
func iterations(ctx context.Context, s *report.Settings) error {
	d, err := sincSource(s.Seed)
	if err != nil {
		return err
	}
	objective := report.Chart{Title: "Figure 1: objective on sinc, nu = 0.01, M = 1000", X: "accepted step", Y: "F", LogX: true}
	order := report.Chart{Title: "Figure 3: m0 on sinc, nu = 0.01, M = 1000", X: "accepted step", Y: "m0", LogX: true}
	err = s.Each(ctx, func(seed uint64) error {
		f, m0, err := trace(ctx, d.train, seed)
		objective.Lines = append(objective.Lines, report.Line{Points: f})
		order.Lines = append(order.Lines, report.Line{Points: m0})
		return err
	})
	if err != nil {
		return err
	}
	if err := s.Figure("slkl-figure1.png", objective); err != nil {
		return err
	}
	return s.Figure("slkl-figure3.png", order)
}

// trace records the coordinate steps of one fit. Their progress has an objective and no gap.
func trace(ctx context.Context, train *dataset.Set, seed uint64) (f, m0 plotter.XYs, err error) {
	o := paperOptions(gaussian(1), len(train.Y), seed)
	o.Recorder = rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if !math.IsNaN(p.Objective) && math.IsNaN(p.Gap) {
			f = append(f, plotter.XY{X: float64(p.Iteration), Y: p.Objective})
			m0 = append(m0, plotter.XY{X: float64(p.Iteration), Y: float64(p.ModelOrder)})
		}
		return nil
	})
	_, err = slkl.Fit(ctx, train.X, mat.NewVecDense(len(train.Y), train.Y), o)
	return f, m0, err
}

// orders draws m0 at the optimum over M for several nu.
func orders(ctx context.Context, s *report.Settings) error {
	nus := []float64{1, 0.1, 0.01, 0.001}
	counts := []int{50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000}
	mean := make([]plotter.XYs, len(nus))
	for _, m := range counts {
		samples := make([]report.Sample, len(nus))
		err := s.Each(ctx, func(seed uint64) error {
			d, err := sincSource(seed)
			if err != nil {
				return err
			}
			return addOrders(ctx, d.train, m, nus, samples)
		})
		if err != nil {
			return err
		}
		for i := range nus {
			mean[i] = append(mean[i], plotter.XY{X: float64(m), Y: samples[i].Mean()})
		}
	}
	c := report.Chart{Title: "Figure 2: m0 of the optimal mu on sinc", X: "M", Y: "m0"}
	for i, v := range nus {
		c.Lines = append(c.Lines, report.Line{Label: fmt.Sprintf("nu = %v", v), Points: mean[i]})
	}
	return s.Figure("slkl-figure2.png", c)
}

// addOrders solves for all nu with the same CᵀC.
func addOrders(ctx context.Context, train *dataset.Set, m int, nus []float64, samples []report.Sample) error {
	a, err := slkl.NewLearner(&slkl.Options{Kernels: []kernel.Kernel{gaussian(1)}, Points: train.X.Slice(0, m, 0, 2), Penalty: nus[0], Paper: slkl.Paper{Ridge: lam, NoIntercept: true}})
	if err != nil {
		return err
	}
	if err := a.Update(train.X, mat.NewVecDense(len(train.Y), train.Y)); err != nil {
		return err
	}
	models, err := a.Path(ctx, nus)
	if err != nil {
		return err
	}
	for i, model := range models {
		samples[i].Add(float64(model.ModelOrder()))
	}
	return nil
}
