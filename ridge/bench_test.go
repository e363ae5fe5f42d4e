package ridge_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/ridge"
)

// BenchmarkMNIST fits 60000 digits in their first 100 principal components with default options. It
// reports the errors on 10000 test digits and the peak memory of the process, including the pixels
// and their decomposition.
func BenchmarkMNIST(b *testing.B) {
	train, test := digits(b, "train"), digits(b, "t10k")
	var components stat.PC
	if !components.PrincipalComponents(train.X, nil) {
		b.Fatal("no principal components")
	}
	var directions, x, z mat.Dense
	components.VectorsTo(&directions)
	_, d := train.X.Dims()
	first := directions.Slice(0, d, 0, 100)
	x.Mul(train.X, first)
	z.Mul(test.X, first)
	var c *ridge.Classifier
	for b.Loop() {
		var err error
		if c, err = ridge.FitClassifier(context.Background(), &x, mat.NewDense(len(train.Y), 1, train.Y), nil); err != nil {
			b.Fatal(err)
		}
	}
	reportPeak(b)
	f, err := c.Predict(&z)
	if err != nil {
		b.Fatal(err)
	}
	wrong := 0
	for i, y := range test.Y {
		if f.At(i, 0) != y {
			wrong++
		}
	}
	b.ReportMetric(100*float64(wrong)/float64(len(test.Y)), "errors-%")
	b.ReportMetric(float64(c.Report().Iterations), "steps")
}

func digits(b *testing.B, part string) *dataset.Set {
	dir, ok := testutil.DataDir()
	if !ok {
		b.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	s, err := dataset.LoadIDXPair(filepath.Join(dir, part+"-images-idx3-ubyte.gz"), filepath.Join(dir, part+"-labels-idx1-ubyte.gz"))
	if err != nil {
		b.Fatal(err)
	}
	s.X.Scale(1./255, s.X)
	return s
}

// BenchmarkMillion fits 10⁶ rows of 20 columns with 5000 points and otherwise default options. It reports the
// root mean squared error to the function without the noise of .1.
func BenchmarkMillion(b *testing.B) {
	x, y := uniform(1000000, .1, rng.New(1, "rows", 0))
	test, truth := uniform(10000, 0, rng.New(2, "rows", 0))
	var m *ridge.Model
	for b.Loop() {
		var err error
		if m, err = ridge.Fit(context.Background(), x, y, nil); err != nil {
			b.Fatal(err)
		}
	}
	reportPeak(b)
	f, err := m.Predict(test)
	if err != nil {
		b.Fatal(err)
	}
	f.Sub(f, truth)
	b.ReportMetric(mat.Norm(f, 2)/math.Sqrt(10000), "rmse")
	b.ReportMetric(float64(m.Report().Iterations), "steps")
}

// uniform returns n rows of 20 columns and a function of the first five columns with noise.
func uniform(n int, noise float64, s *rng.Stream) (x, y *mat.Dense) {
	x, y = mat.NewDense(n, 20, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		r := x.RawRowView(i)
		for j := range r {
			r[j] = s.Float64()
		}
		y.Set(i, 0, 2*math.Sin(math.Pi*r[0]*r[1])+4*(r[2]-.5)*(r[2]-.5)+r[3]+r[4]/2+noise*s.NormFloat64())
	}
	return x, y
}

func reportPeak(b *testing.B) {
	if peak := testutil.PeakMemory(); peak > 0 {
		b.ReportMetric(peak, "peak-MB")
	}
}
