package expansion_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// An empty expansion is zero at rows of any kind.
func TestRowFunctionOfNothing(t *testing.T) {
	f, dst := expansion.RowFunction(kernel.Expansion{}), []float64{3}
	if err := f.Check([]float64{1, 2}); err != nil {
		t.Error(err)
	}
	if f.AddTo(dst, []float64{1, 2}); dst[0] != 3 {
		t.Errorf("adds to %v", dst)
	}
}

// Every kernel of the table gives the same values at single rows as at many rows, with dense
// and sparse points, for one and several outputs.
func TestRowFunction(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const d, m = 5, 23
	for _, k := range []kernel.Kernel{
		kernel.Gaussian{Sigma: 1.3}, kernel.Matern{Nu: 0.5, Length: 1}, kernel.Matern{Nu: 1.5, Length: 1}, kernel.Matern{Nu: 2.5, Length: 2}, kernel.Matern{Nu: 3.5, Length: 2},
		kernel.Matern{Nu: 1.2, Length: 2}, kernel.Laplacian{Sigma: 3}, kernel.Cauchy{Sigma: 2}, kernel.RationalQuadratic{Length: 1, Alpha: 2}, kernel.Linear{}, kernel.Polynomial{Degree: 3, Scale: 1, Offset: 1},
		kernel.Hellinger{}, kernel.Intersection{}, kernel.JensenShannon{}, kernel.ArcCosine{Order: 1}, kernel.AdditiveChiSquared{}, kernel.SkewedChiSquared{C: 1}, kernel.SkewedIntersection{C: 1}, kernel.ExponentialSemigroup{Beta: 1}, kernel.ReciprocalSemigroup{Lambda: 1}, kernel.Dirichlet{Sigma: 2},
		kernel.Scale{By: 2, Of: kernel.Gaussian{Sigma: 2}}, kernel.ARD{Of: kernel.Matern{Nu: 1.5, Length: 1}, Scales: []float64{1, 2, 3, 4, 5}},
		kernel.Projected{L: mat.NewDense(2, d, []float64{1, 2, 3, 4, 5, 5, 4, 3, 2, 1}), Of: kernel.ARD{Of: kernel.Gaussian{Sigma: 4}, Scales: []float64{1, 2}}},
		kernel.Sum{kernel.Scale{By: 0.5, Of: kernel.Gaussian{Sigma: 1}}, kernel.Matern{Nu: 2.5, Length: 1}, kernel.Gaussian{Sigma: 4}},
		kernel.Sum{kernel.Linear{}, kernel.Gaussian{Sigma: 4}}, kernel.Product{kernel.Laplacian{Sigma: 4}, kernel.Gaussian{Sigma: 4}},
	} {
		for _, q := range []int{1, 3} {
			points, weights, x := mat.NewDense(m, d, nil), mat.NewDense(m, q, nil), mat.NewDense(4, d, nil)
			points.Apply(func(i, j int, _ float64) float64 { return max(0, 2*r.Float64()-float64((i+j)%3)/2) }, points)
			weights.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, weights)
			x.Apply(func(int, int, float64) float64 { return 2 * r.Float64() }, x)
			f := kernel.Expansion{Kernel: k, Points: points, Weights: weights}
			want, err := f.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			thin := testutil.Sparse(points)
			for name, f := range map[string]kernel.Expansion{"dense": f, "sparse": {Kernel: k, Points: thin, Weights: weights}} {
				rows, got := expansion.RowFunction(f), make([]float64, q)
				for i := range 4 {
					clear(got)
					rows.AddTo(got, x.RawRowView(i))
					for o, v := range got {
						if math.Abs(v-want.At(i, o)) > 1e-11*(1+math.Abs(want.At(i, o))) {
							t.Errorf("%v, %s points: %v, want %v", k, name, v, want.At(i, o))
						}
					}
				}
			}
		}
	}
}
