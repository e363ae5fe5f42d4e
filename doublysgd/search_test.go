package doublysgd_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// surface returns rows of four columns with different spreads and a function with noise.
func surface(n int, seed uint64) (x, y *mat.Dense) {
	s := rng.New(seed, "doublysgd surface", 0)
	x, y = mat.NewDense(n, 4, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		r := x.RawRowView(i)
		for j := range r {
			r[j] = 2*s.Float64() - 1
		}
		y.Set(i, 0, math.Sin(3*r[0]+r[1])+r[2]*r[3]+0.1*s.NormFloat64())
		for j := range r {
			r[j] *= math.Ldexp(1, 2*j)
		}
	}
	return x, y
}

// signs returns the signs of targets.
func signs(y *mat.Dense) *mat.Dense {
	var s mat.Dense
	s.Apply(func(_, _ int, v float64) float64 { return math.Copysign(1, v) }, y)
	return &s
}

// inUnits multiplies columns by powers of ten and shifts them by 10⁴ times their spread.
func inUnits(x *mat.Dense) *mat.Dense {
	var z mat.Dense
	z.Apply(func(_, j int, v float64) float64 {
		return []float64{1e6, 1e-6, 1e3, 1e-2}[j] * (v + math.Ldexp(1e4, 2*j))
	}, x)
	return &z
}

func rootMeanSquare(p, y *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(p, y)
	n, _ := y.Dims()
	return mat.Norm(&d, 2) / math.Sqrt(float64(n))
}

func TestUnitsOfColumns(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := surface(300, 1)
	test, want := surface(1000, 2)
	ctx, o := context.Background(), &doublysgd.Options{Features: 1024}
	predicted := func(x, y, test *mat.Dense, labels bool) (p *mat.Dense) {
		var m rkhs.Model
		var err error
		if labels {
			m, err = doublysgd.FitClassifier(ctx, x, y, o)
		} else {
			m, err = doublysgd.Fit(ctx, x, y, o)
		}
		if err != nil {
			t.Fatal(err)
		}
		if p, err = m.Predict(test); err != nil {
			t.Fatal(err)
		}
		return p
	}
	a := rootMeanSquare(predicted(x, y, test, false), want)
	b := rootMeanSquare(predicted(inUnits(x), y, inUnits(test), false), want)
	if a > 0.2 || b > 1.02*a {
		t.Errorf("error %v, in other units %v; the noise is .1", a, b)
	}
	a = rootMeanSquare(predicted(x, signs(y), test, true), signs(want))
	b = rootMeanSquare(predicted(inUnits(x), signs(y), inUnits(test), true), signs(want))
	if wrongA, wrongB := a*a/4, b*b/4; wrongA > 0.12 || wrongB > wrongA+0.002 {
		t.Errorf("%v wrong, in other units %v", wrongA, wrongB)
	}
}

// TestWork checks that Work limits a fit, independent of the number of workers.
func TestWork(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := surface(800, 1)
	fit := func(work float64, workers int) *doublysgd.Model {
		m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Work: work, Workers: workers, Paper: doublysgd.Paper{Columns: 64}})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	one, two := fit(2e8, 1), fit(2e8, 3)
	if p, q := must(one.Predict(x)), must(two.Predict(x)); !mat.Equal(p, q) {
		t.Error("the number of workers makes a difference")
	}
	more := fit(1e11, 0)
	few, many := one.Report(), more.Report()
	if few.Features >= many.Features || few.Search.Rows >= many.Search.Rows {
		t.Errorf("with less work %d features and a sample of %d rows, with more %d and %d", few.Features, few.Search.Rows, many.Features, many.Search.Rows)
	}
}

func must(p *mat.Dense, err error) *mat.Dense {
	if err != nil {
		panic(err)
	}
	return p
}

// TestChoice checks that Report.Search has the selected kernel and ridge, also after loading. It
// is empty if both are given.
func TestChoice(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := surface(300, 1)
	ctx := context.Background()
	m, err := doublysgd.Fit(ctx, x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := m.Report()
	if c := r.Search; !reflect.DeepEqual(c.Kernel, m.Kernel()) || r.Ridge != c.Ridge(300) || len(c.Curve) < 10 || c.Error < c.Exact.Error*0.99 {
		t.Errorf("kernel %v, ridge %v, choice %+v", m.Kernel(), r.Ridge, c.Trial)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var loaded doublysgd.Model
	if err := loaded.UnmarshalBinary(data); err != nil || !reflect.DeepEqual(loaded.Report().Search, r.Search) {
		t.Errorf("the file has another choice, error %v", err)
	}
	given, err := doublysgd.Fit(ctx, x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-4})
	if err != nil || given.Report().Search.Kernel != nil {
		t.Errorf("with kernel and ridge given: %v, error %v", given.Report().Search.Trial, err)
	}
	c, err := doublysgd.FitClassifier(ctx, x, signs(y), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err = c.MarshalBinary()
	var classifier doublysgd.Classifier
	if err == nil {
		err = classifier.UnmarshalBinary(data)
	}
	if err != nil || !reflect.DeepEqual(classifier.Report().Search, c.Report().Search) || c.Report().Search.Kernel == nil {
		t.Errorf("the file of a classifier has another choice, error %v", err)
	}
}

// TestSearchWithWildTarget has one target of 10⁹, to which the absolute loss is robust.
func TestSearchWithWildTarget(t *testing.T) {
	testutil.Long(t, "takes seconds")
	x, y := surface(400, 1)
	test, want := surface(500, 2)
	o := &doublysgd.Options{Loss: loss.Absolute{}, Features: 512}
	clean, err := doublysgd.Fit(context.Background(), x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	y.Set(7, 0, 1e9)
	wild, err := doublysgd.Fit(context.Background(), x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	a, b := rootMeanSquare(must(clean.Predict(test)), want), rootMeanSquare(must(wild.Predict(test)), want)
	// The search without this row may select another kernel.
	if max(a, b) > 0.2 {
		t.Errorf("error %v, with a wild target %v; the noise is .1, and the deviation .8", a, b)
	}
}

// TestSampledNormalEquations computes normal equations from a sample of the rows. The fit must
// still reach the minimum over all rows.
func TestSampledNormalEquations(t *testing.T) {
	testutil.Long(t, "it is about figures")
	x, y := surface(3000, 1)
	k := kernel.ARD{Scales: []float64{1, 4, 16, 64}, Of: kernel.Gaussian{Sigma: 1}}
	o := doublysgd.Options{Kernel: k, Ridge: 1e-3, Features: 128, Tolerance: 1e-5, Paper: doublysgd.Paper{Columns: 16}}
	m, err := doublysgd.Fit(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	if e := rootMeanSquare(must(m.Predict(x)), y); e > 0.35 || m.Report().Gradient > 1e-5 {
		t.Errorf("error %v, gradient %v", e, m.Report().Gradient)
	}
}
