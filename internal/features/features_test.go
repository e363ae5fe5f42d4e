package features_test

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSamplerErrors compares 1024 frequencies of the Gaussian with errors measured by a different
// implementation, to a tenth, which is their noise.
func TestSamplerErrors(t *testing.T) {
	testutil.Long(t, "errors of few blocks are noise")
	dims := []int{2, 16, 50}
	for sampler, want := range map[features.Sampler][3]float64{
		features.Independent: {.0160, .0189, .0190},
		features.Orthogonal:  {.0151, .0110, .0102},
		features.Fastfood:    {.0168, .0237, .0238},
		features.Halton:      {.0023, .0138, .0419},
		features.Sobol:       {.0011, .0106, .0111},
		features.Auto:        {.0011, .0106, .0102},
	} {
		for i, d := range dims {
			x, z := normals(60, d, 1), normals(60, d, 2)
			k := kernel.Gaussian{Sigma: math.Sqrt(float64(d))}
			e := spread(mapOf(t, k, d, features.Options{Sampler: sampler, Seed: 1}), x, z, 20)[0]
			t.Logf("d = %d, %v: %.4f, want %.4f", d, sampler, e, want[i])
			if e > 1.1*want[i] {
				t.Errorf("d = %d, %v: rmse %.4f, want %.4f", d, sampler, e, want[i])
			}
		}
	}
}
