package slkl_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/slkl"
)

// TestLearnerScales scales the sample, the rows and the targets of a stream by powers of two. Predictions
// keep their bits, or an error names the cause.
func TestLearnerScales(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	x, y := mat.NewDense(60, 2, nil), mat.NewDense(60, 1, nil)
	for i := range 60 {
		x.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
		y.Set(i, 0, math.Sin(2*x.At(i, 0))+x.At(i, 1)*x.At(i, 1))
	}
	predict := func(ofX, ofY int) (*mat.Dense, error) {
		var xs, ys, p mat.Dense
		xs.Scale(math.Ldexp(1, ofX), x)
		ys.Scale(math.Ldexp(1, ofY), y)
		l, err := slkl.LearnerFrom(context.Background(), &xs, &ys, nil)
		if err != nil {
			return nil, err
		}
		if err := l.Update(&xs, &ys); err != nil {
			return nil, err
		}
		m, err := l.Model(context.Background())
		if err != nil {
			return nil, err
		}
		f, err := m.Predict(&xs)
		if err == nil {
			p.Scale(math.Ldexp(1, -ofY), f)
		}
		return &p, err
	}
	want, err := predict(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []int{-1000, -700, -498, -400, -130, 130, 400, 498, 700, 1000} {
		for _, of := range [][2]int{{e, 0}, {0, e}} {
			got, err := predict(of[0], of[1])
			if errors.Is(err, rkhs.ErrDiverged) && max(e, -e) > 130 {
				continue
			}
			if err != nil || !mat.Equal(got, want) {
				t.Errorf("rows times 2^%d, targets times 2^%d: other predictions, error %v", of[0], of[1], err)
			}
		}
	}
}
