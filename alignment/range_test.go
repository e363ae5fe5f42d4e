package alignment_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestOutOfRange: if kernel values, bandwidths or targets overflow, the fit returns an error or a
// model that predicts and can be saved.
func TestOutOfRange(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(40, 2, nil), mat.NewDense(40, 1, nil)
	for i := range 40 {
		x.SetRow(i, []float64{random.NormFloat64(), random.NormFloat64()})
		y.Set(i, 0, x.At(i, 0)+random.NormFloat64()/10)
	}
	for _, c := range []struct {
		family kernel.Kernel
		x, y   float64
	}{
		{kernel.Polynomial{Degree: 5, Scale: 1, Offset: 1}, 1e70, 1},
		{kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1}, 1e100, 1},
		{kernel.Laplacian{}, 1e150, 1},
		{kernel.ARD{Of: kernel.Gaussian{}}, 1e-150, 1},
		{kernel.Gaussian{}, 1, 1e160},
		{kernel.Gaussian{}, 1, 1e300},
	} {
		xs, ys := mat.NewDense(40, 2, nil), mat.NewDense(40, 1, nil)
		xs.Scale(c.x, x)
		ys.Scale(c.y, y)
		m, err := alignment.Fit(context.Background(), xs, ys, &alignment.Options{Family: c.family})
		if err != nil {
			if !errors.Is(err, rkhs.ErrDiverged) && !errors.Is(err, rkhs.ErrOption) {
				t.Errorf("%v, x·%g, y·%g: error %v", c.family, c.x, c.y, err)
			}
			continue
		}
		p, err := m.Predict(xs)
		if err != nil || math.IsNaN(mat.Sum(p)) {
			t.Errorf("%v, x·%g, y·%g: the model does not predict: %v", c.family, c.x, c.y, err)
			continue
		}
		data, err := m.MarshalBinary()
		if err == nil {
			err = new(alignment.Model).UnmarshalBinary(data)
		}
		if err != nil {
			t.Errorf("%v, x·%g, y·%g: the model does not come back from its file: %v", c.family, c.x, c.y, err)
		}
	}
}
