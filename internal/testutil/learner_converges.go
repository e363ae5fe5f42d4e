package testutil

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// converges checks that nil options, which ask for no tolerance, make a model of any rows without an error: how far it is
// from the minimum is a matter of the report.
func (l Learner[O, M]) converges(t testing.TB) {
	if l.Options != nil {
		return
	}
	r := rng.New(3, "rows that are hard to converge on", 0)
	const n = 150
	x := mat.NewDense(n, Inputs, nil)
	for i := range n {
		v := r.NormFloat64()
		x.SetRow(i, []float64{v, v + 1e-9*r.NormFloat64(), 1e6 + r.Float64()}) // columns that are all but one, and a far one
	}
	for name, f := range map[string]func(i int) float64{
		"a target without noise":    func(i int) float64 { return math.Exp(2 * x.At(i, 0)) },
		"a target that jumps":       func(i int) float64 { return math.Round(0.5 + 0.4*math.Sin(40*x.At(i, 0))) },
		"a target of noise":         func(int) float64 { return r.NormFloat64() },
		"a target of a huge spread": func(int) float64 { return 1e9 + math.Exp(10*r.NormFloat64()) },
	} {
		y := mat.NewDense(n, 1, nil)
		for i := range n {
			v := f(i)
			if l.Labels != nil {
				v = float64(l.Labels[int(math.Abs(math.Floor(v)))%len(l.Labels)])
			}
			y.Set(i, 0, v)
		}
		m, err := l.Fit(context.Background(), x, y, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		predict(t, m, x)
	}
}

// fails reports whether err is one of a fit on finite rows: with options that set a tolerance it may not converge.
func (l Learner[O, M]) fails(err error) bool {
	return err != nil && (l.Options == nil || !errors.Is(err, rkhs.ErrNotConverged))
}
