package doublysgdpaper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// The mean over many seeds equals the posterior variance. With one set of features in place of two
// it would be 50 standard errors too low.
func TestOperatorHasNoBias(t *testing.T) {
	testutil.Long(t, "it is about figures")
	const n, tests, seeds = 20, 4, 300
	p := &process{noise: n, y: mat.NewDense(n, 1, nil), kernel: kernel.Gaussian{Sigma: 3}}
	p.x, _, _ = plane(n, 1, "plane")
	p.test, _, _ = plane(tests, 2, "plane test")
	_, want, err := p.posterior()
	if err != nil {
		t.Fatal(err)
	}
	var values [tests][]float64
	for seed := range uint64(seeds) {
		op, err := fitOperator(p.kernel, p.x, operatorOptions{noise: n, steps: 40, columns: 8, batch: 4, seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range op.variance(p.test) {
			values[j] = append(values[j], v)
		}
	}
	for j, v := range values {
		mean, deviation := stat.MeanStdDev(v, nil)
		if standard := deviation / math.Sqrt(seeds); !(math.Abs(mean-want[j]) < 5*standard) || standard > 0.002 {
			t.Errorf("row %d: mean %.5f ± %.5f, want %.5f", j, mean, standard, want[j])
		}
	}
}
