package doublysgdpaper

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/examples/papers/internal/ridge"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// process is the task of section 7.2, the posterior of a Gaussian process. The noise has standard
// deviation 0.1, and the bandwidth is the median distance.
type process struct {
	x, y, test *mat.Dense
	kernel     kernel.Gaussian
	noise      float64 // variance
	seed       uint64
}

// posterior returns the exact mean and variance at the test rows, in O(n³).
func (p *process) posterior() (mean, variance []float64, err error) {
	var gram mat.SymDense
	if err := kernel.Gram(&gram, p.kernel, p.x); err != nil {
		return nil, nil, err
	}
	for i := range gram.SymmetricDim() {
		gram.SetSym(i, i, gram.At(i, i)+p.noise)
	}
	var factor mat.Cholesky
	if !factor.Factorize(&gram) {
		return nil, nil, errors.New("the covariance of the targets is not positive definite to working precision")
	}
	var cross, solved, f mat.Dense
	if err := kernel.Cross(&cross, p.kernel, p.x, p.test); err != nil {
		return nil, nil, err
	}
	if err := factor.SolveTo(&solved, &cross); err != nil {
		return nil, nil, err
	}
	f.Mul(solved.T(), p.y)
	mean = mat.Col(nil, 0, &f)
	for i := range mean {
		row := p.test.RawRowView(i)
		variance = append(variance, p.kernel.Eval(row, row)-mat.Dot(cross.ColView(i), solved.ColView(i)))
	}
	return mean, variance, nil
}

// norma returns the mean and the variance computed by NORMA.
func (p *process) norma(batch, passes int) (mean, variance []float64, err error) {
	n, _ := p.x.Dims()
	targets, err := p.regressions()
	if err != nil {
		return nil, nil, err
	}
	w, err := norma(p.kernel, p.x, targets, loss.Squared{}, p.noise/float64(n), batch, passes, p.seed)
	if err != nil {
		return nil, nil, err
	}
	var f mat.Dense
	if err := kernel.Mul(&f, p.kernel, p.test, p.x, w); err != nil {
		return nil, nil, err
	}
	mean, variance = p.split(&f)
	return mean, variance, nil
}

// plain returns the mean and the variance computed by doubly stochastic gradients. Package
// doublysgd subtracts the median from the targets, so the prior has a constant mean. The effect of
// the constant on the posterior has a closed form, and plain corrects it.
func (p *process) plain(ctx context.Context, passes int) (mean, variance []float64, err error) {
	n, _ := p.x.Dims()
	targets, err := p.regressions()
	if err != nil {
		return nil, nil, err
	}
	nu := p.noise / float64(n)
	o := plainOptions(p.kernel, nu, batch, plainFrequencies)
	o.Passes, o.Seed = passes, p.seed
	m, err := doublysgd.Fit(ctx, p.x, targets, &o)
	if err != nil {
		return nil, nil, err
	}
	f, err := m.Predict(p.test)
	if err != nil {
		return nil, nil, err
	}
	ones := make([]float64, n)
	floats.AddConst(1, ones)
	constant, err := ridge.Fit(p.kernel, p.x, ones, p.noise)
	if err != nil {
		return nil, nil, err
	}
	kept, err := constant.Predict(p.test) // posterior mean for constant targets
	if err != nil {
		return nil, nil, err
	}
	offset := m.Intercept()
	f.Apply(func(i, j int, v float64) float64 { return v - offset[j]*(1-kept[i]) }, f)
	mean, variance = p.split(f)
	return mean, variance, nil
}

// plainFrequencies bounds the frequencies of plain, because the coefficients for all test
// rows must fit in memory. Later steps reuse frequencies.
const plainFrequencies = 1 << 13

// regressions returns the targets of the mean, followed by the targets k(x_i, x*) of the variance
// for each test row x*.
func (p *process) regressions() (*mat.Dense, error) {
	var targets, cross mat.Dense
	if err := kernel.Cross(&cross, p.kernel, p.x, p.test); err != nil {
		return nil, err
	}
	targets.Augment(p.y, &cross)
	return &targets, nil
}

// split returns the mean and the variance from the solutions f of the regressions.
func (p *process) split(f *mat.Dense) (mean, variance []float64) {
	mean = mat.Col(nil, 0, f)
	for i := range mean {
		row := p.test.RawRowView(i)
		variance = append(variance, p.kernel.Eval(row, row)-f.At(i, i+1))
	}
	return mean, variance
}

// ours returns the mean and the variance computed by package gp.
func (p *process) ours(ctx context.Context) (mean, variance []float64, err error) {
	g, err := gp.Fit(ctx, p.x, p.y, &gp.Options{Kernel: p.kernel, NoConstant: true, Noise: p.noise, Seed: p.seed})
	if err != nil {
		return nil, nil, err
	}
	v, err := g.Variance(ctx, p.test)
	if err != nil {
		return nil, nil, err
	}
	f, err := g.Predict(p.test)
	if err != nil {
		return nil, nil, err
	}
	return mat.Col(nil, 0, f), mat.Col(nil, 0, v), nil
}

// operatorAtHighNoise prints the error of the variance operator at high noise. At low noise its
// estimate is too uncertain.
func (p *process) operatorAtHighNoise(s *settings) error {
	n, _ := p.x.Dims()
	noisy := *p
	noisy.noise = float64(n) / 10
	_, want, err := noisy.posterior()
	if err != nil {
		return err
	}
	op, err := fitOperator(p.kernel, p.x, operatorOptions{noise: noisy.noise, steps: 16, columns: 256, batch: 256, seed: p.seed})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.W, "doubly SGD for the operator of the variance, at noise of variance %.0f: relative error %.2g\n", noisy.noise, relative(op.variance(p.test), want))
	return err
}

// relative returns ‖got − want‖/‖want‖.
func relative(got, want []float64) float64 {
	return floats.Distance(got, want, 2) / floats.Norm(want, 2)
}

// gpPasses are the numbers of passes in figure 5.
var gpPasses = []int{1, 2, 5, 10, 20, 50}

// gpMethod is a method of figure 5.
type gpMethod struct {
	name, reference string
	passes          []int // a single 0 for a method without passes
	run             func(passes int) (mean, variance []float64, err error)
}

// curves adds the errors of a method to the table. It returns the relative errors of the mean and
// of the variance against the passes.
func (m gpMethod) curves(table *report.Table, mean, variance []float64) (curves [2]report.Line, err error) {
	curves[0].Label, curves[1].Label = m.name, m.name
	for _, passes := range m.passes {
		start := time.Now()
		f, v, err := m.run(passes)
		if err != nil {
			return curves, fmt.Errorf("%s: %w", m.name, err)
		}
		errors, name := []float64{relative(f, mean), relative(v, variance)}, m.name
		if passes > 0 {
			name = fmt.Sprintf("%s, passes: %d", m.name, passes)
		}
		table.Row(name, fmt.Sprintf("%.2g", errors[0]), fmt.Sprintf("%.2g", errors[1]),
			fmt.Sprintf("%.2g", floats.Distance(v, variance, math.Inf(1))), m.reference, fmt.Sprintf("%.1f", time.Since(start).Seconds()))
		for i, e := range errors {
			curves[i].Points = append(curves[i].Points, plotter.XY{X: float64(passes), Y: e})
		}
	}
	if m.passes[0] == 0 { // a horizontal line
		for i, c := range curves {
			end := c.Points[0].Y
			curves[i].Points = plotter.XYs{{X: float64(gpPasses[0]), Y: end}, {X: float64(gpPasses[len(gpPasses)-1]), Y: end}}
		}
	}
	return curves, nil
}

// gaussianProcess is section 7.2 with figure 5.
func gaussianProcess(ctx context.Context, s *settings) error {
	p := &process{noise: 0.01, seed: s.Seed}
	p.x, _, p.y = plane(s.rows(1<<11, 1<<9), s.Seed, "plane")
	p.test, _, _ = plane(s.rows(1<<8, 1<<7), s.Seed, "plane test")
	median, err := kernel.MedianDistance(p.x, s.Seed)
	if err != nil {
		return err
	}
	p.kernel = kernel.Gaussian{Sigma: median}
	mean, variance, err := p.posterior()
	if err != nil {
		return err
	}
	n, _ := p.x.Dims()
	table := report.Table{Title: fmt.Sprintf("7.2, Gaussian process on %d rows: relative errors to the posterior in closed form", n),
		Head: []string{"", "mean", "variance", "largest error of the variance", "reference", "seconds"}}
	figures := []report.Chart{{Title: "Figure 5 (1): posterior mean"}, {Title: "Figure 5 (2): posterior variance"}}
	for _, m := range []gpMethod{
		{"NORMA", "", gpPasses, func(passes int) ([]float64, []float64, error) { return p.norma(batch, passes) }},
		{"doubly SGD, as the paper's", "", gpPasses, func(passes int) ([]float64, []float64, error) { return p.plain(ctx, passes) }},
		{"package gp", "mean .05, variance .03", []int{0}, func(int) ([]float64, []float64, error) { return p.ours(ctx) }},
	} {
		curves, err := m.curves(&table, mean, variance)
		if err != nil {
			return err
		}
		for i, c := range curves {
			figures[i].Lines = append(figures[i].Lines, c)
		}
	}
	if err := table.Print(s.W); err != nil {
		return err
	}
	for i, c := range figures {
		c.X, c.Y, c.LogX, c.LogY = "passes over the rows", "relative error to the closed form", true, true
		if err := s.Figure(fmt.Sprintf("doublysgd-figure5-%d.png", i+1), c); err != nil {
			return err
		}
	}
	if err := p.operatorAtHighNoise(s); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.W, "the paper: doubly SGD and NORMA both converge to mean and variance, at about the same rate")
	return err
}
