package slkl

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func loadMNIST(tb testing.TB, part string) *dataset.Set {
	tb.Helper()
	dir, ok := testutil.DataDir()
	if !ok {
		tb.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	s, err := dataset.LoadIDXPair(filepath.Join(dir, part+"-images-idx3-ubyte.gz"), filepath.Join(dir, part+"-labels-idx1-ubyte.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	s.X.Scale(1./255, s.X)
	return s
}

// BenchmarkMNIST fits ten classes on 60000 rows of 784 pixels with 1000
// landmarks in one pass. It reports the fraction of time in the solver, the
// speed of the pass relative to its two products, the errors on the 10000
// test digits, and the peak memory of the process including the data.
func BenchmarkMNIST(b *testing.B) {
	for _, nu := range []float64{.01, 1} {
		name := "nu=" + strconv.FormatFloat(nu, 'g', -1, 64)
		b.Run(name, func(b *testing.B) { benchmarkMNIST(b, nu, false) })
		b.Run(name+",single", func(b *testing.B) { benchmarkMNIST(b, nu, true) })
	}
}

func benchmarkMNIST(b *testing.B, nu float64, single bool) {
	train, test := loadMNIST(b, "train"), loadMNIST(b, "t10k")
	const landmarks = 1000
	var pass, solver float64
	var c *Classifier
	for b.Loop() {
		var now float64
		var passed time.Time
		opts := Options{Penalty: nu, MaxPoints: landmarks, Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 5}}, Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
			if p.Iteration == len(train.Y) {
				now, passed = p.Elapsed.Seconds(), time.Now()
			}
			return nil
		}), Paper: Paper{SinglePrecision: single}}
		var err error
		if c, err = FitClassifier(context.Background(), train.X, targetsOf(train), &opts); err != nil {
			b.Fatal(err)
		}
		pass += now
		solver += time.Since(passed).Seconds()
	}
	n, d := train.X.Dims()
	flops := 2 * float64(n) * landmarks * (float64(d) + landmarks/2) * float64(b.N)
	b.ReportMetric(100*solver/b.Elapsed().Seconds(), "solver-%")
	b.ReportMetric(flops/pass/1e9, "pass-GFLOPS")
	b.ReportMetric(float64(mistakes(b, c, test)), "errors")
	b.ReportMetric(float64(c.Model().ModelOrder()), "order")
	if peak := testutil.PeakMemory(); peak > 0 {
		b.ReportMetric(peak, "peak-MB")
	}
}

func mistakes(tb testing.TB, c *Classifier, s *dataset.Set) int {
	tb.Helper()
	p, err := c.Predict(s.X)
	if err != nil {
		tb.Fatal(err)
	}
	wrong := 0
	for i, y := range s.Y {
		if p.At(i, 0) != y {
			wrong++
		}
	}
	return wrong
}

// TestMNIST trains on all digits with 300 landmarks, nu selected by
// cross-validation.
func TestMNIST(t *testing.T) {
	testutil.Long(t, "takes seconds")
	train, test := loadMNIST(t, "train"), loadMNIST(t, "t10k")
	c, err := FitClassifier(context.Background(), train.X, mat.NewDense(len(train.Y), 1, train.Y), &Options{MaxPoints: 300})
	if err != nil {
		t.Fatal(err)
	}
	if wrong := mistakes(t, c, test); wrong > 700 {
		t.Errorf("%d of 10000 digits are wrong", wrong)
	} else {
		t.Logf("%d of 10000 digits are wrong", wrong)
	}
	for _, r := range c.Model().Report().Outputs {
		if r.RelativeGap() > 1e-9 {
			t.Errorf("relative gap %.1e", r.RelativeGap())
		}
	}
}
