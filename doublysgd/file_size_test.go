package doublysgd_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestFileSize checks that the size of a file does not depend on the numbers of rows and
// columns. In Newton mode blocks that do not help are dropped.
func TestFileSize(t *testing.T) {
	const features, outputs = 256, 2
	for _, mode := range []doublysgd.Mode{doublysgd.Revisit, doublysgd.Plain} {
		first := 0
		for _, shape := range [][2]int{{100, 2}, {100, 300}, {900, 2}} {
			n, d := shape[0], shape[1]
			r := rand.New(rand.NewPCG(1, 2))
			normal := func(int, int, float64) float64 { return r.NormFloat64() }
			x, y := mat.NewDense(n, d, nil), mat.NewDense(n, outputs, nil)
			x.Apply(normal, x)
			y.Apply(normal, y)
			o := &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: 1e-3, Features: features, NoCalibration: true, Paper: doublysgd.Paper{Mode: mode, Columns: features, Passes: 2}}
			if mode == doublysgd.Plain {
				o.Batch = 50
			}
			m, err := doublysgd.Fit(context.Background(), x, y, o)
			if err != nil {
				t.Fatal(err)
			}
			file, err := m.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if first == 0 {
				first = len(file)
			}
			if len(file) != first || len(file) > 8*features*outputs+500 {
				t.Errorf("%v, %d×%d: %d bytes for %d coefficients, %d for fewer rows or columns", mode, n, d, len(file), features*outputs, first)
			}
		}
	}
}
