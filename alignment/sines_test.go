package alignment_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// sineFrequencies are the frequencies of section 3.1.
var sineFrequencies = []float64{math.Sqrt2, math.Sqrt(12), math.Sqrt(60)}

// sines draws points of [−10, 10] with the signs of the sum of sines.
func sines(n int, r *rand.Rand) (x, y *mat.Dense) {
	x, y = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		v, f := 20*r.Float64()-10, 0.0
		for _, w := range sineFrequencies {
			f += math.Sin(w * v)
		}
		x.Set(i, 0, v)
		y.Set(i, 0, math.Copysign(1, f))
	}
	return x, y
}

// split holds training, validation and test rows.
type split struct{ x, y, checkX, checkY, testX, testY *mat.Dense }

func (s split) options() alignment.Options {
	return alignment.Options{Criterion: alignment.Alignment, ValidationX: s.checkX, ValidationY: s.checkY}
}

// fit returns the classifier and its percentage of errors.
func (s split) fit(t testing.TB, o alignment.Options) (*alignment.Classifier, float64) {
	t.Helper()
	c, err := alignment.FitClassifier(context.Background(), s.x, s.y, &o)
	if err != nil {
		t.Error(err)
	}
	return c, errorsOf(t, c, s.testX, s.testY)
}

func errorsOf(t testing.TB, c *alignment.Classifier, x, y *mat.Dense) float64 {
	t.Helper()
	p, err := c.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	n, _ := y.Dims()
	for i := range n {
		if p.At(i, 0) != y.At(i, 0) {
			wrong++
		}
	}
	return 100 * float64(wrong) / float64(n)
}

func drawSines(seed uint64) split {
	r := rand.New(rand.NewPCG(seed, 12))
	var s split
	s.x, s.y = sines(500, r)
	s.checkX, s.checkY = sines(500, r)
	s.testX, s.testY = sines(1000, r)
	return s
}

// TestSines finds the three frequencies. The error with the learned kernel must be near the error
// with the true frequencies.
func TestSines(t *testing.T) {
	testutil.Long(t, "takes seconds")
	learned, gaussian, found := 0.0, 0.0, 0
	const seeds = 10
	for seed := range uint64(seeds) {
		s := drawSines(seed)
		o := s.options()
		o.Family = kernel.Dirichlet{}
		c, e := s.fit(t, o)
		learned += e / seeds
		if finds(c.Model().Learned(), 0.08) {
			found++
		}
		o.Family = kernel.Gaussian{}
		_, e = s.fit(t, o)
		gaussian += e / seeds
	}
	t.Logf("errors %.2f %%, with Gaussians %.2f %%; all frequencies in %d of %d draws", learned, gaussian, found, seeds)
	if learned > 5 {
		t.Errorf("%.2f %% errors, want 5 %% at most", learned)
	}
	if gaussian > 5 {
		t.Errorf("%.2f %% errors with Gaussians, want 5 %% at most", gaussian)
	}
	if found < 9 {
		t.Errorf("all frequencies were found in %d of %d draws", found, seeds)
	}
}

// TestSinesWithFixedFrequencies uses the true frequencies, which are all needed, and a grid that
// misses them.
func TestSinesWithFixedFrequencies(t *testing.T) {
	table(t)
	grid := []float64{1e-3, 1, 2, 3, 4, 5, 6, 7, 8, 9} // the paper's 0 is constant
	three, one, uniform, aligned := 0.0, 0.0, 0.0, 0.0
	const seeds = 5
	for seed := range uint64(seeds) {
		s := drawSines(seed)
		three += s.fitKernel(t, dirichlets(sineFrequencies)) / seeds
		one += s.fitKernel(t, dirichlets(sineFrequencies[:1])) / seeds
		uniform += s.fitKernel(t, dirichlets(grid)) / seeds
		sum, err := alignment.Aligned(kernelsOf(dirichlets(grid)), s.x, s.y)
		if err != nil {
			t.Fatal(err)
		}
		aligned += s.fitKernel(t, sum) / seeds
	}
	t.Logf("errors: true frequencies %.2f %%, the first alone %.2f %%, grid with equal weights %.2f %%, aligned %.2f %%", three, one, uniform, aligned)
	if three > 2.5 || one < 20 || uniform < 35 || aligned < 35 {
		t.Error("want 2.5 % at most, 20 % and more, 35 % and more, and again")
	}
}

func dirichlets(frequencies []float64) (sum kernel.Sum) {
	for _, w := range frequencies {
		sum = append(sum, kernel.Scale{By: 1, Of: kernel.Dirichlet{Sigma: w}})
	}
	return sum
}

func kernelsOf(sum kernel.Sum) (list []kernel.Kernel) {
	for _, k := range sum {
		list = append(list, k.(kernel.Scale).Of)
	}
	return list
}

// fitKernel returns the percentage of errors with a given kernel.
func (s split) fitKernel(t testing.TB, k kernel.Sum) float64 {
	t.Helper()
	o := s.options()
	c, err := alignment.FitKernel(s.x, s.y, k, &o)
	if err != nil {
		t.Fatal(err)
	}
	return errorsOf(t, c, s.testX, s.testY)
}

// finds reports whether each frequency occurs in a kernel of the sum.
func finds(r alignment.Result, tol float64) bool {
	for _, w := range sineFrequencies {
		near := false
		for _, k := range r.Kernel {
			near = near || math.Abs(k.(kernel.Scale).Of.(kernel.Dirichlet).Sigma-w) <= tol
		}
		if !near {
			return false
		}
	}
	return true
}
