package alignment_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// surface draws rows of d normal columns with targets that depend on three.
func surface(n, d int, noise float64, seed uint64) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 21))
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		y.Set(i, 0, 5+math.Sin(2*row[0])+row[1]*row[2]+noise*r.NormFloat64())
	}
	return x, y
}

// inUnits returns x with columns in units from 10⁻⁶ to 10⁶ and an offset of 10⁴ times their spread.
func inUnits(x *mat.Dense) *mat.Dense {
	var z mat.Dense
	z.Apply(func(_, j int, v float64) float64 { return math.Pow(10, float64(5*j%13-6)) * (v + 1e4*float64(j%3-1)) }, x)
	return &z
}

// testError returns the root mean squared error, or the fraction of wrong labels.
func testError(t *testing.T, p *mat.Dense, err error, y *mat.Dense, labels bool) float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	score := dataset.RMSE
	if labels {
		score = func(p, y mat.Matrix) (float64, error) {
			a, err := dataset.Accuracy(p, y)
			return 1 - a, err
		}
	}
	e, err := score(p, y)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestUnits expects the same test errors in any units of the columns, with one bandwidth and with
// one per column.
func TestUnits(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := surface(300, 5, 0.2, 1)
	testX, testY := surface(1000, 5, 0.2, 2)
	for name, o := range map[string]alignment.Options{
		"default": {}, "columns": {Family: kernel.ARD{Of: kernel.Gaussian{}}},
		"columns by alignment": {Criterion: alignment.Alignment, Family: kernel.ARD{Of: kernel.Gaussian{}}},
	} {
		var errors []float64
		for _, c := range []struct{ x, test *mat.Dense }{{x, testX}, {inUnits(x), inUnits(testX)}} {
			m, err := alignment.Fit(context.Background(), c.x, y, &o)
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Predict(c.test)
			errors = append(errors, testError(t, p, err, testY, false))
		}
		t.Logf("%s: %.4f, in other units %.4f", name, errors[0], errors[1])
		if !near(errors[0], errors[1], 0.02) {
			t.Errorf("%s: the error is %.4f, in other units %.4f", name, errors[0], errors[1])
		}
	}
}

// TestUnitsOfLabels is TestUnits for labels.
func TestUnitsOfLabels(t *testing.T) {
	label := func(y *mat.Dense) *mat.Dense {
		y.Apply(func(_, _ int, v float64) float64 { return math.Copysign(1, v-5) }, y)
		return y
	}
	x, y := surface(300, 5, 0.2, 1)
	testX, testY := surface(1000, 5, 0.2, 2)
	label(y)
	label(testY)
	if _, err := dataset.Standardize(x, testX); err != nil {
		t.Fatal(err)
	}
	var errors []float64
	for _, c := range []struct{ x, test *mat.Dense }{{x, testX}, {inUnits(x), inUnits(testX)}} {
		m, err := alignment.FitClassifier(context.Background(), c.x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(c.test)
		errors = append(errors, testError(t, p, err, testY, true))
	}
	if !near(errors[0], errors[1], 0.02) {
		t.Errorf("the error is %v, in other units %v", errors[0], errors[1])
	}
}

// TestMeanOfPredictions: predictions have the mean of the targets, since the constant is not penalised.
func TestMeanOfPredictions(t *testing.T) {
	x, y := surface(200, 4, 1, 3)
	for name, o := range map[string]alignment.Options{
		"default": {}, "heavy ridge": {Ridge: []float64{1e4}}, "alignment": {Criterion: alignment.Alignment, Ridge: []float64{10}},
		"points": {MemoryLimit: 250 << 10},
	} {
		m, err := alignment.Fit(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := mat.Sum(p)/200, mat.Sum(y)/200; !near(a, b, 1e-6) {
			t.Errorf("%s: predictions have the mean %v, targets %v", name, a, b)
		}
	}
}

// TestColumnsThatMatter expects bandwidths per column if many columns are noise, and a single
// bandwidth if all matter equally. The selected one must never be much worse.
func TestColumnsThatMatter(t *testing.T) {
	testutil.Long(t, "takes seconds")
	o := alignment.Options{Family: kernel.ARD{Of: kernel.Gaussian{}}}
	x, y := surface(400, 12, 0.2, 5)
	m, err := alignment.Fit(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Learned().Iterations) == 0 {
		t.Error("three of twelve columns matter, and all have one bandwidth")
	}
	c := m.Report().Search
	if c.Noise != m.Report().Ridge || len(c.Curve) < 10 || c.Stopped {
		t.Errorf("choice %+v for %+v", c.Trial, m.Report())
	}
	round, z := mat.NewDense(150, 12, nil), mat.NewDense(150, 1, nil)
	round.Copy(x)
	for i := range 150 {
		z.Set(i, 0, math.Tanh(mat.Norm(round.RowView(i), 2)-3))
	}
	if m, err = alignment.Fit(context.Background(), round, z, &o); err != nil {
		t.Fatal(err)
	}
	if len(m.Learned().Iterations) > 0 {
		t.Errorf("all columns matter alike, and %v was taken", m.Kernel())
	}
	if _, ok := m.Kernel().(kernel.ARD); !ok {
		t.Errorf("%v is not of the family", m.Kernel())
	}
}

// TestClimbIsCancelled cancels a search for bandwidths per column and expects it to end soon.
func TestClimbIsCancelled(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := surface(2000, 30, 0.2, 5)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const after = 300 * time.Millisecond
	defer time.AfterFunc(after, cancel).Stop()
	start := time.Now()
	r, err := alignment.Search(ctx, x, y, &alignment.Options{Criterion: alignment.Alignment, Family: kernel.ARD{Of: kernel.Gaussian{}}, Paper: alignment.Paper{Shrink: []float64{0}}})
	if took := time.Since(start); took > after+time.Second {
		t.Errorf("the search ended %v after it was cancelled", took-after)
	}
	if err == nil || r == nil || len(r.Kernel) == 0 {
		t.Errorf("result %v, error %v", r, err)
	}
}
