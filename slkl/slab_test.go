package slkl

import (
	"context"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestFitInSlab holds a fit whose folds, problem and factors lend each other memory to one where
// all have their own, to the bit: of one part, of two where one scores, of two that both do, and of five; for a
// kernel that is positive, and for one of which the norm has numbers below zero.
func TestFitInSlab(t *testing.T) {
	const columns = 30
	random := rng.New(1, "slab", 0)
	gaussian, linear := kernel.Gaussian{Sigma: 1}, kernel.Linear{}
	for name, c := range map[string]struct {
		rows int
		of   kernel.Kernel
		set  Options
	}{
		"one part":         {1200, gaussian, Options{Penalty: 1e-3, Noise: 1e-2}},
		"one scores":       {6000, gaussian, Options{}},
		"no intercept":     {6000, gaussian, Options{Paper: Paper{NoIntercept: true}}},
		"two score":        {300, gaussian, Options{Paper: Paper{Folds: 2}}},
		"five":             {400, gaussian, Options{}},
		"penalties alone":  {6000, gaussian, Options{Paper: Paper{PenaltyGrid: []float64{.1, .01}}}},
		"linear":           {6000, linear, Options{Noise: 1e-2}},
		"linear, no mean":  {6000, linear, Options{Noise: 1e-2, Paper: Paper{NoIntercept: true}}},
		"linear, in steps": {6000, linear, Options{Noise: 1e-2, Paper: Paper{PenaltyGrid: []float64{.1, .01}}}},
	} {
		k := task{x: compute.DensePoints(compute.NewMatrix(c.rows, 2)), y: compute.NewMatrix(c.rows, 2)}
		for i := range k.x.Data {
			k.x.Data[i] = random.NormFloat64()
		}
		for i := range c.rows {
			row := compute.Row(k.x.Matrix, i)
			copy(compute.Row(k.y, i), []float64{row[0]*row[1] + random.NormFloat64()/4, 3 + row[0]})
		}
		var models [2]*Model
		var scores [2][]float64
		for i := range models {
			s, err := c.set.settings()
			if err != nil {
				t.Fatal(err)
			}
			points := k.x.Between(0, columns)
			cols, err := newColumns(s, []kernel.Kernel{c.of}, points)
			if err != nil {
				t.Fatal(err)
			}
			l := &Learner{settings: s, columns: cols, count: s.parts(c.rows)}
			if i == 1 {
				l.memory = compute.NewSlab(fitNumbers(columns, l.count, false))
			}
			if err := l.begin(2); err != nil {
				t.Fatal(err)
			}
			r := monitor.New(context.Background(), nil, pkg)
			l.take(k, r)
			f, err := newFit(l, r)
			if err != nil {
				t.Fatal(err)
			}
			m, sample, err := f.calibrated(k)
			r.Close()
			if err != nil {
				t.Fatal(err)
			}
			models[i], scores[i] = m, sample.Scores.Data
		}
		want, got := models[0].sum.Terms[0].Weights.RawMatrix(), models[1].sum.Terms[0].Weights.RawMatrix()
		if !slices.Equal(want.Data, got.Data) || !slices.Equal(models[0].sum.Intercept, models[1].sum.Intercept) || !slices.Equal(scores[0], scores[1]) || len(scores[0]) == 0 {
			t.Errorf("%s: other bits in a slab", name)
		}
	}
}
