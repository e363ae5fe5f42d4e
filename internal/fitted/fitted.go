// Package fitted fits small models of all kinds, for tests of packages that export models.
package fitted

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
	"github.com/rkhs-go/rkhs/svm"
)

// Model is a fitted model with its name.
type Model struct {
	Name string
	rkhs.Model
}

// Data holds rows with a mean that is not zero, targets of one and of two columns, and labels of
// two and of three classes.
type Data struct{ X, Y, Both, Two, Three *mat.Dense }

// Draw returns n rows of d columns.
func Draw(n, d int, seed uint64) Data {
	r := rng.New(seed, "fitted", 0)
	column := func() *mat.Dense { return mat.NewDense(n, 1, nil) }
	s := Data{mat.NewDense(n, d, nil), column(), mat.NewDense(n, 2, nil), column(), column()}
	for i := range n {
		for j := range d {
			v := float64(j+1) + 4*r.Float64()
			s.X.Set(i, j, float64(float32(v))) // codes are equal in single precision too
		}
		a, b := s.X.At(i, 0), s.X.At(i, d-1)
		f := math.Sin(a) + 0.3*b + 0.1*r.Float64()
		s.Y.Set(i, 0, f)
		s.Both.SetRow(i, []float64{f, math.Cos(b)})
		if f > 2.2 {
			s.Two.Set(i, 0, 7)
		}
		s.Three.Set(i, 0, math.Floor(3*math.Mod(math.Abs(f), 1))-1)
	}
	return s
}

// Models returns fits to 120 rows of three columns. It needs a second.
func Models() ([]Model, error) {
	c := &collector{ctx: context.Background(), Data: Draw(120, 3, 1)}
	c.learners()
	for k, y := range []*mat.Dense{c.Two, c.Three} {
		c.classifiers([]string{"two", "three"}[k], y, []loss.Loss{loss.Logistic{}, loss.Softmax{}}[k])
	}
	c.oneLabel()
	c.features()
	for _, k := range c.kernels() {
		c.add(fmt.Sprint("ridge, ", k), fit(ridge.Fit(c.ctx, c.X, c.Y, &ridge.Options{Kernel: k, Ridge: 1e-3})))
	}
	return c.all, c.err
}

type collector struct {
	Data
	ctx context.Context
	all []Model
	err error // the first
}

// result is a model or an error.
type result struct {
	model rkhs.Model
	err   error
}

func fit[M rkhs.Model](m M, err error) result { return result{m, err} }

func (c *collector) add(name string, r result) {
	if r.err != nil && c.err == nil {
		c.err = fmt.Errorf("%s: %w", name, r.err)
	}
	c.all = append(c.all, Model{name, r.model})
}

func (c *collector) learners() {
	g, others := kernel.Gaussian{Sigma: 2}, Draw(80, 3, 2).X
	kernels := slkl.Options{Kernels: []kernel.Kernel{g, kernel.Laplacian{Sigma: 2}, kernel.Linear{}}, MaxPoints: 30}
	normal := novelty.Options{Nu: 0.1, MaxPoints: 20, Columns: 64, Features: 128}
	relative := ratio.Options{MaxPoints: 20, Columns: 64, Features: 128, Kernel: g}
	c.add("ridge", fit(ridge.Fit(c.ctx, c.X, c.Both, nil)))
	c.add("ridge, metric", fit(ridge.Fit(c.ctx, c.X, c.Y, &ridge.Options{Metric: kernel.FullMetric})))
	c.add("slkl", fit(slkl.Fit(c.ctx, c.X, c.Both, nil)))
	c.add("slkl, kernels", fit(slkl.Fit(c.ctx, c.X, c.Y, &kernels)))
	c.add("alignment", fit(alignment.Fit(c.ctx, c.X, c.Y, nil)))
	c.add("polk", fit(polk.Fit(c.ctx, c.X, c.Y, nil)))
	c.add("gp", fit(gp.Fit(c.ctx, c.X, c.Both, nil)))
	c.add("novelty", fit(novelty.Fit(c.ctx, c.X, &normal)))
	c.add("ratio", fit(ratio.Fit(c.ctx, c.X, others, &relative)))
	c.add("ratio, plain", fit(ratio.Fit(c.ctx, c.X, others, &ratio.Options{Form: ratio.Plain, Kernel: g})))
}

// classifiers fits labels, with the default loss and with a loss that has probabilities.
func (c *collector) classifiers(name string, y *mat.Dense, probable loss.Loss) {
	random := doublysgd.Options{Features: 256, Paper: doublysgd.Paper{Columns: 128}}
	raw := random
	raw.Loss, raw.NoCalibration = probable, true
	c.add("ridge, "+name, fit(ridge.FitClassifier(c.ctx, c.X, y, nil)))
	c.add("slkl, "+name, fit(slkl.FitClassifier(c.ctx, c.X, y, nil)))
	c.add("alignment, "+name, fit(alignment.FitClassifier(c.ctx, c.X, y, nil)))
	c.add("alignment machines, "+name, fit(alignment.FitClassifier(c.ctx, c.X, y, &alignment.Options{C: []float64{10}})))
	c.add("svm, "+name, fit(svm.FitClassifier(c.ctx, c.X, y, nil)))
	c.add("polk, "+name, fit(polk.FitClassifier(c.ctx, c.X, y, nil)))
	c.add("doublysgd, "+name, fit(doublysgd.FitClassifier(c.ctx, c.X, y, &random)))
	c.add("polk, probabilities of the loss, "+name,
		fit(polk.FitClassifier(c.ctx, c.X, y, &polk.Options{Loss: probable, NoCalibration: true})))
	c.add("doublysgd, probabilities of the loss, "+name, fit(doublysgd.FitClassifier(c.ctx, c.X, y, &raw)))
}

// oneLabel adds a stream classifier with rows of a single label.
func (c *collector) oneLabel() {
	l, err := polk.NewClassLearner(nil, &polk.Options{Kernel: kernel.Gaussian{Sigma: 2}, Loss: loss.Hinge{}})
	if err == nil {
		err = l.Update(c.X, mat.NewDense(120, 1, nil))
	}
	if err != nil {
		c.err = err
		return
	}
	c.add("polk, one label", fit(l.Model(c.ctx)))
}

// features adds random feature models of several kernels, of coded columns and of quantiles.
func (c *collector) features() {
	g, paper := kernel.Gaussian{Sigma: 2}, doublysgd.Paper{Columns: 128}
	random := func(name string, y *mat.Dense, o doublysgd.Options) {
		o.Features = 256
		c.add(name, fit(doublysgd.Fit(c.ctx, c.X, y, &o)))
	}
	for _, k := range []kernel.Kernel{
		nil, g, kernel.Laplacian{Sigma: 4}, kernel.Sum{kernel.Matern{Nu: 1.5, Length: 2}, kernel.Linear{}},
		kernel.ARD{Scales: []float64{1, 2, 3}, Of: kernel.Cauchy{Sigma: 2}},
	} {
		random(fmt.Sprintf("doublysgd, %v", k), c.Both, doublysgd.Options{Kernel: k, Seed: 3, Paper: paper})
	}
	l := mat.NewDense(2, 5, []float64{1, 0.5, -0.2, 0.1, 1.5, 0.3, -1, 0.7, 0, 1})
	for _, of := range []kernel.Kernel{
		g, kernel.ARD{Scales: []float64{1, 2, 3, 1, 1}, Of: kernel.Laplacian{Sigma: 4}}, kernel.Linear{},
		kernel.Projected{L: l, Of: kernel.Matern{Nu: 1.5, Length: 2}},
	} {
		coded := kernel.OneHot{Levels: c.levels(), Of: of}
		random(fmt.Sprintf("doublysgd, codes, %v", of), c.Y, doublysgd.Options{Kernel: coded, Paper: paper})
	}
	for _, of := range []kernel.Kernel{g, kernel.ARD{Scales: []float64{1, 2, 3}, Of: kernel.Laplacian{Sigma: 4}}, kernel.Linear{}} {
		random(fmt.Sprintf("doublysgd, warped, %v", of), c.Y, doublysgd.Options{Kernel: c.warped(of), Paper: paper})
	}
	fastfood := doublysgd.Paper{Columns: 64, Sampler: features.Fastfood}
	random("doublysgd, Fastfood", c.Y, doublysgd.Options{Kernel: g, Paper: fastfood})
	levels := []float64{0.1, 0.45, 0.5, 0.9}
	random("quantiles", c.Y, doublysgd.Options{Quantiles: levels, Kernel: g, Paper: doublysgd.Paper{Columns: 64}})
}

// levels returns levels for kernel.OneHot: some values of the second column.
func (s Data) levels() [][]float64 {
	values := mat.Col(nil, 1, s.X)[:60]
	slices.Sort(values)
	return [][]float64{nil, values[:3], nil}
}

// warped returns a kernel of columns of which two are warped. The knots do not reach the ends of the first.
func (s Data) warped(of kernel.Kernel) kernel.Kernel {
	first := mat.Col(nil, 0, s.X)
	slices.Sort(first)
	n := len(first)
	from := []float64{first[n/10], first[n/2], first[n-1-n/10]}
	return kernel.Warped{From: [][]float64{from, nil, {-5, 0, 5}}, To: [][]float64{{-1, 0, 2}, nil, {0, 1, 1}}, Of: of}
}

// kernels returns the kernels of the ridge regressions.
func (s Data) kernels() []kernel.Kernel {
	l := mat.NewDense(2, 3, []float64{1, 0.5, -0.2, 0.1, 1.5, 0.3})
	points := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 3, 3, 4})
	g, linear, laplacian := kernel.Gaussian{Sigma: 2}, kernel.Linear{}, kernel.Laplacian{Sigma: 3}
	levels := s.levels()
	return []kernel.Kernel{
		g, kernel.Gaussian{Sigma: 0.1}, kernel.Matern{Nu: 0.5, Length: 3}, kernel.Matern{Nu: 1.5, Length: 3},
		kernel.Matern{Nu: 2.5, Length: 3}, kernel.Matern{Nu: 3.5, Length: 3}, kernel.Laplacian{Sigma: 4},
		kernel.Cauchy{Sigma: 3}, kernel.RationalQuadratic{Alpha: 1.5, Length: 2},
		linear, kernel.Polynomial{Degree: 3, Scale: 0.1, Offset: 1}, kernel.Polynomial{Degree: 2},
		kernel.DotProduct{Coefficients: []float64{1, 0.5, 0.1}},
		kernel.Sum{g, kernel.Scale{By: 0.5, Of: linear}, kernel.Matern{Nu: 1.5, Length: 1}},
		kernel.Product{g, kernel.Laplacian{Sigma: 5}}, kernel.Product{linear, g},
		kernel.Product{kernel.Gaussian{Sigma: 200}, kernel.Gaussian{Sigma: 300}},
		kernel.ARD{Scales: []float64{1, 2, 4}, Of: g},
		kernel.ARD{Scales: []float64{1, 2, 4}, Of: kernel.Sum{laplacian, linear}},
		kernel.Projected{L: l, Of: g},
		kernel.Projected{L: l, Of: kernel.ARD{Scales: []float64{2, 3}, Of: kernel.Matern{Nu: 0.5, Length: 2}}},
		kernel.Projected{L: l, Of: kernel.Polynomial{Degree: 2, Offset: 1}},
		kernel.Scale{By: 2, Of: kernel.Projected{L: l, Of: laplacian}},
		kernel.OneHot{Levels: levels, Of: g},
		kernel.OneHot{Levels: levels, Of: kernel.ARD{Scales: []float64{1, 2, 3, 4, 5}, Of: laplacian}},
		kernel.OneHot{Levels: levels, Of: linear},
		s.warped(g), s.warped(kernel.ARD{Scales: []float64{1, 2, 3}, Of: laplacian}), s.warped(linear),
		kernel.Hellinger{},
		kernel.LowRank{Base: kernel.Sum{g, linear}, Points: points, Weights: []float64{1, 2, 3}},
	}
}
