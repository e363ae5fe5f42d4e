package doublysgd_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
)

func streamNovelty(t testing.TB, x mat.Matrix, o *doublysgd.NoveltyOptions) *doublysgd.Novelty {
	t.Helper()
	l, err := doublysgd.NewNoveltyLearner(o)
	if err == nil {
		err = l.Update(x)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := l.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func streamRatio(t testing.TB, x, y mat.Matrix, o *doublysgd.RatioOptions) *doublysgd.Ratio {
	t.Helper()
	l, err := doublysgd.NewRatioLearner(o)
	if err == nil {
		err = l.Update(x, y)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := l.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// One pass without options: rows of the same kind are outside about as often as nu says,
// at any scale of rows or kernel, and rows far away always.
func TestNoveltyStreamElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	x, more := cloud(6000, 3, 1), cloud(1000, 3, 2)
	for _, scale := range []float64{1, 1e-3, 1e3} {
		var sx, sm mat.Dense
		sx.Scale(scale, x)
		sm.Scale(scale, more)
		m := streamNovelty(t, &sx, nil)
		t.Logf("× %g: %.3f outside; %v, r = %.4f, %+v", scale, outside(t, m, &sm), m.Kernel(), m.Offset(), m.Report())
		if o := outside(t, m, &sm); math.Abs(o-0.1) > 0.04 {
			t.Errorf("× %g: %.3f of rows of the same kind are outside, want .1", scale, o)
		}
		if o := outside(t, m, mat.NewDense(2, 3, []float64{100 * scale, 0, 0, -50 * scale, 50 * scale, 0})); o != 1 {
			t.Errorf("× %g: rows far away are not novel", scale)
		}
	}
	k := kernel.Gaussian{Sigma: 2}
	few := &doublysgd.NoveltyOptions{Kernel: k, Features: 1024}
	one := streamNovelty(t, x, few)
	few.Kernel = kernel.Scale{By: 1 << 20, Of: k}
	other := streamNovelty(t, x, few)
	if d := other.Offset()/one.Offset()/(1<<20) - 1; math.Abs(d) > 1e-9 {
		t.Errorf("with 2²⁰ times the kernel r is 2²⁰ times %v larger", 1+d)
	}
}

// One pass without options against the ratio of the densities.
func TestRatioStreamOfNormals(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it is about figures, and races are looked for elsewhere")
	}
	x, y := normals(8000, 1, 0.5, 0.7, 1), normals(8000, 1, 0, 1, 2)
	for _, scale := range []float64{1, 1e3} {
		var sx, sy mat.Dense
		sx.Scale(scale, x)
		sy.Scale(scale, y)
		for _, form := range []doublysgd.RatioForm{doublysgd.LogRatio, doublysgd.PlainRatio} {
			m := streamRatio(t, &sx, &sy, &doublysgd.RatioOptions{Form: form})
			differ := 0.0
			for i := range 41 {
				v := -1.5 + 0.1*float64(i)
				w, err := m.Predict(mat.NewDense(1, 1, []float64{scale * v}))
				if err != nil {
					t.Fatal(err)
				}
				exact := math.Exp(v*v/2-(v-0.5)*(v-0.5)/(2*0.49)) / 0.7
				differ = math.Hypot(differ, (w.At(0, 0)-exact)/math.Sqrt(41))
			}
			t.Logf("form %d, × %g: rms difference %.3f; %v %+v", form, scale, differ, m.Kernel(), m.Report())
			if differ > 0.2 {
				t.Errorf("form %d, × %g: rms difference %.3f", form, scale, differ)
			}
		}
	}
}

// Whatever the rows and however noisy the steps, a model or an error and never a NaN.
func TestUnlabelledStreamsDegenerate(t *testing.T) {
	far := normals(100, 2, 1e3, 1, 3)
	one := normals(100, 2, 0, 1, 1)
	for _, c := range []struct {
		name string
		x, y *mat.Dense
	}{
		{"one row", normals(1, 2, 0, 1, 1), normals(1, 2, 1, 1, 2)},
		{"few rows", normals(7, 2, 0, 1, 1), normals(90, 2, 1, 1, 2)},
		{"equal rows", mat.NewDense(100, 2, nil), mat.NewDense(80, 2, nil)},
		{"apart", one, far},
		{"narrow", normals(300, 2, 0, 1e-3, 1), normals(300, 2, 0, 1, 1)},
		{"huge", mat.NewDense(2, 1, []float64{1e200, 0}), mat.NewDense(2, 1, []float64{-1e200, 3})},
		{"tiny", mat.NewDense(2, 1, []float64{1e-200, 0}), mat.NewDense(2, 1, []float64{-1e-200, 3e-200})},
		{"wide", normals(3, 40, 0, 1, 1), normals(300, 40, 1, 1, 2)},
	} {
		for _, batch := range []int{0, 1} {
			o := doublysgd.NoveltyOptions{Batch: batch, Columns: 2 + 254*(1-batch), Features: 512, Nu: 0.01}
			n, err := doublysgd.NewNoveltyLearner(&o)
			if err != nil {
				t.Fatal(err)
			}
			if err = n.Update(c.x); err == nil {
				var m *doublysgd.Novelty
				if m, err = n.Model(); err == nil {
					isFinite(t, c.name, c.x, m.Scores)
				}
			}
			if err != nil && !errors.Is(err, rkhs.ErrDiverged) {
				t.Errorf("%s: %v", c.name, err)
			}
			for _, form := range []doublysgd.RatioForm{doublysgd.LogRatio, doublysgd.PlainRatio} {
				o := doublysgd.RatioOptions{Batch: batch, Columns: 2 + 254*(1-batch), Features: 512, Form: form}
				r, err := doublysgd.NewRatioLearner(&o)
				if err != nil {
					t.Fatal(err)
				}
				if err = r.Update(c.x, c.y); err == nil {
					var m *doublysgd.Ratio
					if m, err = r.Model(); err == nil {
						isFinite(t, c.name, c.x, m.Predict)
						isFinite(t, c.name, c.y, m.Scores)
					}
				}
				if err != nil && !errors.Is(err, rkhs.ErrDiverged) {
					t.Errorf("%s: %v", c.name, err)
				}
			}
		}
	}
}

func isFinite(t *testing.T, name string, x mat.Matrix, predict func(mat.Matrix) (*mat.Dense, error)) {
	t.Helper()
	p, err := predict(x)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, v := range p.RawMatrix().Data {
		if v-v != 0 {
			t.Errorf("%s: %v", name, v)
			return
		}
	}
}
