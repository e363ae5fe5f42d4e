package testutil

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/loss"
)

// outlier checks that one wild target moves the predictions of a robust loss by little. The error at unseen rows
// exceeds that of a fit without this row by a tenth at most, and by a fifth of the noise.
func (l Learner[O, M]) outlier(t testing.TB) {
	if l.Labels != nil {
		return
	}
	sets := map[string]func(*O){}
	if l.Robust {
		sets["default"] = func(*O) {}
	}
	for _, of := range l.Losses {
		if s, ok := of.(loss.Scalar); ok && !loss.Quadratic(s) {
			sets[fmt.Sprint(s)] = func(o *O) { l.Loss(o, s) }
		}
	}
	x, y := wiggle(200, 1, 1)
	test, want := wiggle(500, 2, 1)
	for name, set := range sets {
		of := func(x, y mat.Matrix) float64 {
			opts := l.options()
			set(opts)
			m, err := l.Fit(context.Background(), x, y, opts)
			if l.fails(err) {
				t.Fatalf("%s: %v", name, err)
			}
			p, sum := predict(t, m, test), 0.0
			for i := range 500 {
				sum += math.Pow(p.At(i, 0)-want.At(i, 0), 2) / 500
			}
			return math.Sqrt(sum)
		}
		clean := of(x.Slice(1, 200, 0, Inputs), y.Slice(1, 200, 0, 1))
		for _, v := range []float64{1e6, -1e12} {
			wild := mat.DenseCopyOf(y)
			wild.Set(0, 0, v)
			if e := of(x, wild); !(e < 1.1*clean+0.02) {
				t.Errorf("%s: with a target of %g the error is %.4g, without it %.4g", name, v, e, clean)
			}
		}
	}
}

// wiggle draws rows of one direction, up to the span, of which no column can be left out by chance, with noise of .1.
func wiggle(n int, seed uint64, span float64) (x, y *mat.Dense) {
	r := rng.New(seed, "rows of a sine", 0)
	x, y = mat.NewDense(n, Inputs, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		v := span * (2*r.Float64() - 1)
		for j := range Inputs {
			x.Set(i, j, v/float64(1+j))
		}
		y.Set(i, 0, math.Sin(2*x.At(i, 0))+0.1*r.NormFloat64())
	}
	return x, y
}
