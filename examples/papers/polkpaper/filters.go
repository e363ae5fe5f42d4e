package polkpaper

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/examples/papers/internal/baseline"
	"github.com/rkhs-go/rkhs/examples/papers/internal/score"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
)

// filtered is the result of an adaptive filter on the Mackey-Glass series: the mean squared error
// relative to the power of the series.
type filtered struct {
	name  string
	nmse  float64
	order int
}

// filters trains online on 5000 noisy rows to predict one step ahead from 7 values. It tests on
// the 1000 clean rows that follow.
func filters(ctx context.Context, seed uint64) ([]filtered, error) {
	const length, train, test = 7, 5000, 1000
	noisy, clean := synthetic.MackeyGlass(train+test+2*length, seed)
	past := synthetic.Embed(noisy[:train+length], noisy[:train+length], length)
	next := synthetic.Embed(clean[train+length:], clean[train+length:], length)
	k := kernel.Gaussian{Sigma: math.Sqrt(0.5)}

	klms := baseline.NewKLMS(k, length, 0.8, 0.4, 0.05) // best of a grid with at most 32 points
	krls := baseline.NewKRLS(k, length, 0.05)
	for i, y := range past.Y {
		klms.Update(past.X.RawRowView(i), y)
		krls.Update(past.X.RawRowView(i), y)
	}
	ours, err := polk.Fit(ctx, past.X, mat.NewVecDense(train, past.Y), &polk.Options{Kernel: k, Passes: 1, MaxPoints: 30, Paper: polk.Paper{Batch: 1}})
	if err != nil {
		return nil, err
	}
	p, err := ours.Predict(next.X)
	if err != nil {
		return nil, err
	}
	power := score.MeanSquare(make([]float64, len(next.Y)), next.Y)
	nmse := func(f *mat.Dense) float64 { return score.MeanSquare(f.RawMatrix().Data, next.Y) / power }
	return []filtered{
		{"KLMS, novelty criterion", nmse(klms.Function().Scores(next.X)), klms.Function().Order()},
		{"KRLS, approximate linear dependence", nmse(krls.Function().Scores(next.X)), krls.Function().Order()},
		{"POLK, single rows, up to 30 points", nmse(p), ours.ModelOrder()},
	}, nil
}

// filterTable compares filters named in the introduction of the paper. The paper has no such
// table.
func filterTable(ctx context.Context, s *settings) error {
	r, err := filters(ctx, s.Seed)
	if err != nil {
		return err
	}
	t := report.Table{Title: "Mackey-Glass, one step ahead: mean squared error on clean rows, relative to the power of the series", Head: []string{"", "error", "order"}}
	for _, f := range r {
		t.Row(f.name, fmt.Sprintf("%.4f", f.nmse), fmt.Sprint(f.order))
	}
	return t.Print(s.W)
}
