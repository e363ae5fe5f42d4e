package features_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

func someRows(n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	x.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(3*i + 7*j + 1)) }, x)
	return x
}

// written returns the features of parts by the documented formula.
func written(parts []features.Part, x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	columns := 0
	for _, p := range parts {
		columns += p.Columns()
	}
	z, at := mat.NewDense(n, columns, nil), 0
	for _, p := range parts {
		var a mat.Dense
		a.Mul(x, p.W.T())
		m, _ := p.W.Dims()
		for i := range n {
			for j := range m {
				if p.Linear {
					z.Set(i, at+j, p.Scale*a.At(i, j))
					continue
				}
				z.Set(i, at+j, p.Scale*math.Cos(a.At(i, j)))
				z.Set(i, at+m+j, p.Scale*math.Sin(a.At(i, j)))
			}
		}
		at += p.Columns()
	}
	return z
}

func TestParts(t *testing.T) {
	l := mat.NewDense(2, 3, []float64{1, 0.5, -1, 0, 2, 0.25})
	scales := []float64{1, 2, 0.5}
	g := kernel.Gaussian{Sigma: 1.5}
	for _, k := range []kernel.Kernel{
		g, kernel.Matern{Nu: 1.5, Length: 2}, kernel.Laplacian{Sigma: 3}, kernel.Cauchy{Sigma: 2},
		kernel.RationalQuadratic{Alpha: 1, Length: 2}, kernel.ARD{Scales: scales, Of: g}, kernel.Projected{L: l, Of: g},
		kernel.Projected{L: l, Of: kernel.ARD{Scales: scales[:2], Of: g}}, kernel.Linear{}, kernel.Scale{By: 3, Of: kernel.ARD{Scales: scales, Of: kernel.Linear{}}},
		kernel.Sum{kernel.Scale{By: 2, Of: g}, kernel.Linear{}, kernel.Laplacian{Sigma: 1}},
		kernel.Product{g, kernel.Laplacian{Sigma: 2}}, kernel.Product{kernel.Projected{L: l, Of: g}, kernel.Laplacian{Sigma: 2}},
	} {
		for _, sampler := range []features.Sampler{features.Auto, features.Independent} {
			comparesParts(t, k, 3, features.Options{Columns: 64, Seed: 5, Sampler: sampler})
		}
	}
	comparesParts(t, g, 5, features.Options{Columns: 50, Sampler: features.Fastfood})
	comparesParts(t, kernel.Gaussian{Sigma: 100}, 1<<14+3, features.Options{Columns: 8})
}

func comparesParts(t *testing.T, k kernel.Kernel, d int, o features.Options) {
	t.Helper()
	m, err := features.New(k, d, o)
	if err != nil {
		t.Fatal(err)
	}
	const block = 3
	parts, err := features.PartsOf(m, block)
	if err != nil {
		t.Fatal(err)
	}
	x := someRows(4, d)
	got := written(parts, x)
	want := mat.NewDense(4, m.Columns(), nil)
	m.Block(block).TransformTo(want.RawMatrix(), x.RawMatrix())
	if !mat.EqualApprox(got, want, 1e-11) {
		t.Errorf("%v, %v: parts are not the block", k, o.Sampler)
	}
}

func TestPartsRefuses(t *testing.T) {
	l, err := features.New(kernel.Gaussian{Sigma: 1}, 3, features.Options{Leverage: &features.Leverage{Points: someRows(9, 3)}})
	if err != nil {
		t.Fatal(err)
	}
	maps := []features.Map{nil, l}
	for _, k := range []kernel.Kernel{kernel.ArcCosine{Order: 1}, kernel.Polynomial{Degree: 2}, kernel.Hellinger{}, kernel.JensenShannon{},
		kernel.Sum{kernel.Gaussian{Sigma: 1}, kernel.Hellinger{}}, kernel.Product{kernel.Gaussian{Sigma: 1}, kernel.Linear{}},
		kernel.Product{kernel.Linear{}, kernel.Linear{}}} {
		m, err := features.New(k, 3, features.Options{Columns: 64})
		if err != nil {
			t.Fatal(err)
		}
		maps = append(maps, m)
	}
	for _, m := range maps {
		if parts, err := features.PartsOf(m, 0); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%d parts, error %v", len(parts), err)
		}
	}
	wide, err := features.New(kernel.Gaussian{Sigma: 1}, 1<<20, features.Options{Columns: 1024})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := features.PartsOf(wide, 0); !errors.Is(err, rkhs.ErrMemory) {
		t.Errorf("error %v", err)
	}
}

func TestExpansion(t *testing.T) {
	m, err := features.New(kernel.Gaussian{Sigma: 1}, 3, features.Options{Columns: 16})
	if err != nil {
		t.Fatal(err)
	}
	a := someRows(16, 2)
	f := features.Expansion{Map: m, Coefficients: []*mat.Dense{a, a}}
	x := someRows(5, 3)
	var want, part mat.Dense
	for b := range 2 {
		parts, err := features.PartsOf(f.Map, uint64(b))
		if err != nil {
			t.Fatal(err)
		}
		part.Mul(written(parts, x), a)
		if b == 0 {
			want.CloneFrom(&part)
		} else {
			want.Add(&want, &part)
		}
	}
	got, err := f.Predict(x)
	if err != nil || !mat.EqualApprox(got, &want, 1e-12) || f.ModelOrder() != 2 {
		t.Errorf("%v, want %v, error %v", mat.Formatted(got), mat.Formatted(&want), err)
	}
	if _, err := f.Predict(someRows(2, 2)); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("rows of two columns: error %v", err)
	}
	if _, err := f.Predict(nil); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no rows: error %v", err)
	}
	if _, err := (features.Expansion{Coefficients: []*mat.Dense{a}}).Predict(x); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("no map: error %v", err)
	}
	zero, err := features.Expansion{}.Predict(x)
	if err != nil || mat.Norm(zero, 1) != 0 {
		t.Errorf("the zero function is %v, error %v", zero, err)
	}
	if _, err := (features.Expansion{Map: m, Coefficients: []*mat.Dense{x, a}}).Predict(x); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("5 coefficients for 16 features: error %v", err)
	}
}
