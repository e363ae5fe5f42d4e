// Package fitted has a small fit of each kind of model and of kernels, for tests of what writes
// models in other forms.
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

// Data are rows of d columns about a point far from the origin, targets of one and of two
// columns, and labels of two and of three classes.
type Data struct{ X, Y, Both, Two, Three *mat.Dense }

// Draw returns n rows.
func Draw(n, d int, seed uint64) Data {
	r := rng.New(seed, "fitted", 0)
	s := Data{mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)}
	for i := range n {
		for j := range d {
			s.X.Set(i, j, float64(float32(float64(j+1)+4*r.Float64()))) // codes are equal in single precision too
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

// Models returns the fits to 120 rows of three columns. They take a second.
func Models() ([]Model, error) {
	c := &collector{ctx: context.Background(), Data: Draw(120, 3, 1)}
	c.learners()
	c.classifiers()
	c.features()
	c.ridges()
	return c.all, c.err
}

type collector struct {
	Data
	ctx context.Context
	all []Model
	err error
}

func add[M rkhs.Model](c *collector, name string) func(M, error) {
	return func(m M, err error) {
		if err != nil && c.err == nil {
			c.err = fmt.Errorf("%s: %w", name, err)
		}
		c.all = append(c.all, Model{name, m})
	}
}

func (c *collector) learners() {
	g := kernel.Gaussian{Sigma: 2}
	add[*ridge.Model](c, "ridge")(ridge.Fit(c.ctx, c.X, c.Both, nil))
	add[*ridge.Model](c, "ridge, metric")(ridge.Fit(c.ctx, c.X, c.Y, &ridge.Options{Metric: kernel.FullMetric}))
	add[*slkl.Model](c, "slkl")(slkl.Fit(c.ctx, c.X, c.Both, nil))
	add[*slkl.Model](c, "slkl, kernels")(slkl.Fit(c.ctx, c.X, c.Y, &slkl.Options{Kernels: []kernel.Kernel{g, kernel.Laplacian{Sigma: 2}, kernel.Linear{}}, MaxPoints: 30}))
	add[*alignment.Model](c, "alignment")(alignment.Fit(c.ctx, c.X, c.Y, nil))
	add[*polk.Model](c, "polk")(polk.Fit(c.ctx, c.X, c.Y, nil))
	add[*gp.Model](c, "gp")(gp.Fit(c.ctx, c.X, c.Both, nil))
	add[*novelty.Model](c, "novelty")(novelty.Fit(c.ctx, c.X, &novelty.Options{Fraction: 0.1, MaxPoints: 20, Columns: 64, Features: 128}))
	others := Draw(80, 3, 2).X
	add[*ratio.Model](c, "ratio")(ratio.Fit(c.ctx, c.X, others, &ratio.Options{MaxPoints: 20, Columns: 64, Features: 128, Kernel: g}))
	add[*ratio.Model](c, "ratio, plain")(ratio.Fit(c.ctx, c.X, others, &ratio.Options{Form: ratio.Plain, Kernel: g}))
}

func (c *collector) classifiers() {
	for k, y := range []*mat.Dense{c.Two, c.Three} {
		name := []string{"two", "three"}[k]
		add[*ridge.Classifier](c, "ridge, "+name)(ridge.FitClassifier(c.ctx, c.X, y, nil))
		add[*slkl.Classifier](c, "slkl, "+name)(slkl.FitClassifier(c.ctx, c.X, y, nil))
		add[*alignment.Classifier](c, "alignment, "+name)(alignment.FitClassifier(c.ctx, c.X, y, nil))
		add[*alignment.Classifier](c, "alignment machines, "+name)(alignment.FitClassifier(c.ctx, c.X, y, &alignment.Options{C: []float64{10}}))
		add[*svm.Classifier](c, "svm, "+name)(svm.FitClassifier(c.ctx, c.X, y, nil))
		add[*polk.Classifier](c, "polk, "+name)(polk.FitClassifier(c.ctx, c.X, y, nil))
		add[*doublysgd.Classifier](c, "doublysgd, "+name)(doublysgd.FitClassifier(c.ctx, c.X, y, &doublysgd.Options{Features: 256, Paper: doublysgd.Paper{Columns: 128}}))
		probable := []loss.Loss{loss.Logistic{}, loss.Softmax{}}[k]
		add[*polk.Classifier](c, "polk, probabilities of the loss, "+name)(polk.FitClassifier(c.ctx, c.X, y, &polk.Options{Loss: probable, Uncalibrated: true}))
		add[*doublysgd.Classifier](c, "doublysgd, probabilities of the loss, "+name)(doublysgd.FitClassifier(c.ctx, c.X, y, &doublysgd.Options{Loss: probable, Uncalibrated: true, Features: 256, Paper: doublysgd.Paper{Columns: 128}}))
	}
	l, err := polk.NewClassLearner(nil, &polk.Options{Kernel: kernel.Gaussian{Sigma: 2}, Loss: loss.Hinge{}})
	if err == nil {
		err = l.Update(c.X, mat.NewDense(120, 1, nil))
	}
	if err != nil {
		c.err = err
		return
	}
	add[*polk.Classifier](c, "polk, one label")(l.Model(c.ctx))
}

func (c *collector) features() {
	for _, k := range []kernel.Kernel{nil, kernel.Gaussian{Sigma: 2}, kernel.Laplacian{Sigma: 4}, kernel.Sum{kernel.Matern{Nu: 1.5, Length: 2}, kernel.Linear{}},
		kernel.ARD{Scales: []float64{1, 2, 3}, Of: kernel.Cauchy{Sigma: 2}}} {
		add[*doublysgd.Model](c, fmt.Sprintf("doublysgd, %v", k))(doublysgd.Fit(c.ctx, c.X, c.Both, &doublysgd.Options{Kernel: k, Features: 256, Seed: 3, Paper: doublysgd.Paper{Columns: 128}}))
	}
	coded := []kernel.Kernel{kernel.Gaussian{Sigma: 2}, kernel.ARD{Scales: []float64{1, 2, 3, 1, 1}, Of: kernel.Laplacian{Sigma: 4}}, kernel.Linear{},
		kernel.Projected{L: mat.NewDense(2, 5, []float64{1, 0.5, -0.2, 0.1, 1.5, 0.3, -1, 0.7, 0, 1}), Of: kernel.Matern{Nu: 1.5, Length: 2}}}
	for _, of := range coded {
		add[*doublysgd.Model](c, fmt.Sprintf("doublysgd, codes, %v", of))(doublysgd.Fit(c.ctx, c.X, c.Y, &doublysgd.Options{Kernel: kernel.OneHot{Levels: c.levels(), Of: of}, Features: 256, Paper: doublysgd.Paper{Columns: 128}}))
	}
	add[*doublysgd.Model](c, "doublysgd, Fastfood")(doublysgd.Fit(c.ctx, c.X, c.Y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 2}, Features: 256, Paper: doublysgd.Paper{Columns: 64, Sampler: features.Fastfood}}))
	add[*doublysgd.Model](c, "quantiles")(doublysgd.Fit(c.ctx, c.X, c.Y, &doublysgd.Options{Quantiles: []float64{0.1, 0.45, 0.5, 0.9}, Kernel: kernel.Gaussian{Sigma: 2}, Features: 256, Paper: doublysgd.Paper{Columns: 64}}))
}

// levels are those of a kernel.OneHot: some values of the second column, as of a column of codes.
func (s Data) levels() [][]float64 {
	values := mat.Col(nil, 1, s.X)[:60]
	slices.Sort(values)
	return [][]float64{nil, values[:3], nil}
}

// kernels are those that Models has a ridge regression of.
func (s Data) kernels() []kernel.Kernel {
	l := mat.NewDense(2, 3, []float64{1, 0.5, -0.2, 0.1, 1.5, 0.3})
	g := kernel.Gaussian{Sigma: 2}
	levels := s.levels()
	return []kernel.Kernel{
		g, kernel.Gaussian{Sigma: 0.1}, kernel.Matern{Nu: 0.5, Length: 3}, kernel.Matern{Nu: 1.5, Length: 3}, kernel.Matern{Nu: 2.5, Length: 3}, kernel.Matern{Nu: 3.5, Length: 3},
		kernel.Laplacian{Sigma: 4}, kernel.Cauchy{Sigma: 3}, kernel.RationalQuadratic{Alpha: 1.5, Length: 2},
		kernel.Linear{}, kernel.Polynomial{Degree: 3, Scale: 0.1, Offset: 1}, kernel.Polynomial{Degree: 2}, kernel.DotProduct{Coefficients: []float64{1, 0.5, 0.1}},
		kernel.Sum{g, kernel.Scale{By: 0.5, Of: kernel.Linear{}}, kernel.Matern{Nu: 1.5, Length: 1}},
		kernel.Product{g, kernel.Laplacian{Sigma: 5}}, kernel.Product{kernel.Linear{}, g},
		kernel.Product{kernel.Gaussian{Sigma: 200}, kernel.Gaussian{Sigma: 300}},
		kernel.ARD{Scales: []float64{1, 2, 4}, Of: g}, kernel.ARD{Scales: []float64{1, 2, 4}, Of: kernel.Sum{kernel.Laplacian{Sigma: 3}, kernel.Linear{}}},
		kernel.Projected{L: l, Of: g}, kernel.Projected{L: l, Of: kernel.ARD{Scales: []float64{2, 3}, Of: kernel.Matern{Nu: 0.5, Length: 2}}},
		kernel.Projected{L: l, Of: kernel.Polynomial{Degree: 2, Offset: 1}},
		kernel.Scale{By: 2, Of: kernel.Projected{L: l, Of: kernel.Laplacian{Sigma: 3}}},
		kernel.OneHot{Levels: levels, Of: g}, kernel.OneHot{Levels: levels, Of: kernel.ARD{Scales: []float64{1, 2, 3, 4, 5}, Of: kernel.Laplacian{Sigma: 3}}},
		kernel.OneHot{Levels: levels, Of: kernel.Linear{}},
		kernel.Hellinger{},
		kernel.LowRank{Base: kernel.Sum{g, kernel.Linear{}}, Points: mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 3, 3, 4}), Weights: []float64{1, 2, 3}},
	}
}

func (c *collector) ridges() {
	for _, k := range c.kernels() {
		add[*ridge.Model](c, fmt.Sprint("ridge, ", k))(ridge.Fit(c.ctx, c.X, c.Y, &ridge.Options{Kernel: k, Ridge: 1e-3}))
	}
}
