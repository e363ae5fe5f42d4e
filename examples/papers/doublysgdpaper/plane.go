package doublysgdpaper

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/examples/papers/internal/ridge"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// wave is the function of section 7.1, cos(π‖x‖/2)·exp(−π‖x‖/10).
func wave(x []float64) float64 {
	r := floats.Norm(x, 2)
	return math.Cos(0.5*math.Pi*r) * math.Exp(-0.1*math.Pi*r)
}

// plane draws rows uniformly on [−5, 5]². It returns wave there, without and with noise of
// standard deviation 0.1.
func plane(n int, seed uint64, purpose string) (x, clean, noisy *mat.Dense) {
	s := rng.New(seed, purpose, 0)
	x, clean, noisy = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		x.SetRow(i, []float64{10*s.Float64() - 5, 10*s.Float64() - 5})
		f := wave(x.RawRowView(i))
		clean.Set(i, 0, f)
		noisy.Set(i, 0, f+0.1*s.NormFloat64())
	}
	return x, clean, noisy
}

// surface is the task of section 7.1: ridge regression, tested on the function without noise.
type surface struct {
	x, y, testX, testY *mat.Dense
	kernel             kernel.Gaussian
	nu                 float64
	rank               int
	exactRows          int
	seed               uint64
}

func newSurface(s *settings) (*surface, error) {
	t := &surface{nu: 1e-6, rank: s.rows(1024, 128), exactRows: s.rows(4000, 500), seed: s.Seed}
	t.x, _, t.y = plane(s.rows(1<<15, 1<<10), s.Seed, "plane")
	t.testX, t.testY, _ = plane(1<<11, s.Seed, "plane test")
	median, err := kernel.MedianDistance(t.x, s.Seed)
	t.kernel = kernel.Gaussian{Sigma: 0.1 * median}
	return t, err
}

// planeBatch is the number of rows and of frequencies per step in section 7.1. With 64, the noise
// of the steps dominates the error after two passes.
const planeBatch = 256

// regression is a row of the table. Its run method returns predictions for the test rows.
type regression struct {
	name, reference string
	run             func(t *surface, ctx context.Context) (*mat.Dense, error)
}

var regressions = []regression{
	{"NORMA", "", (*surface).norma},
	{"k-SDCA", "", (*surface).kernelSDCA},
	{"r-SDCA", "", onFeatures(randomFeatures, squaredAscent)},
	{"n-SDCA", "", onFeatures(nystroem, squaredAscent)},
	{"r-Pegasos", "", onFeatures(randomFeatures, squaredPegasos)},
	{"n-Pegasos", "", onFeatures(nystroem, squaredPegasos)},
	{"r-Pegasos, steps 1/(nu·t)", "", onFeatures(randomFeatures, plainPegasos)},
	{"ridge, exact, on a part of the rows", "", (*surface).exact},
	{"doubly SGD, as the paper's, two passes, mean of iterates", ".0184", (*surface).plain},
	{"doubly SGD, Newton, one pass", ".0149-.020", ourSurface(doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Newton}})},
	{"doubly SGD, Revisit, its own ridge", "", ourSurface(doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Revisit}})},
}

func (t *surface) norma(context.Context) (*mat.Dense, error) {
	w, err := norma(t.kernel, t.x, t.y, loss.Squared{}, t.nu, planeBatch, 1, t.seed)
	if err != nil {
		return nil, err
	}
	f := new(mat.Dense)
	return f, kernel.Mul(f, t.kernel, t.testX, t.x, w)
}

func (t *surface) kernelSDCA(context.Context) (*mat.Dense, error) {
	w, err := kernelSDCA(t.kernel, t.x, t.y, squaredDual, t.nu, 1, t.seed)
	if err != nil {
		return nil, err
	}
	f := new(mat.Dense)
	return f, kernel.Mul(f, t.kernel, t.testX, t.x, w)
}

func squaredAscent(z, y *mat.Dense, nu float64, seed uint64) *mat.Dense {
	return sdca(z, y, squaredDual, nu, 1, seed)
}

func squaredPegasos(z, y *mat.Dense, nu float64, seed uint64) *mat.Dense {
	return pegasos(z, y, squaredSteps(z, y), nu, 1, seed)
}

// plainPegasos uses the steps of the source. Here they diverge until the projection stops them.
func plainPegasos(z, y *mat.Dense, nu float64, seed uint64) *mat.Dense {
	s := squaredSteps(z, y)
	s.curvature = 0
	return pegasos(z, y, s, nu, 1, seed)
}

func onFeatures(of func(kernel.Kernel, *mat.Dense, int, uint64) (*features.Map, error),
	learn func(z, y *mat.Dense, nu float64, seed uint64) *mat.Dense) func(*surface, context.Context) (*mat.Dense, error) {
	return func(t *surface, _ context.Context) (*mat.Dense, error) {
		m, err := of(t.kernel, t.x, t.rank, t.seed)
		if err != nil {
			return nil, err
		}
		transformer := features.NewTransformer(m)
		z, err := transformer.Transform(t.x)
		if err != nil {
			return nil, err
		}
		w := learn(z, t.y, t.nu, t.seed)
		if z, err = transformer.Transform(t.testX); err != nil {
			return nil, err
		}
		f := new(mat.Dense)
		f.Mul(z, w)
		return f, nil
	}
}

func (t *surface) exact(context.Context) (*mat.Dense, error) {
	x := t.x.Slice(0, t.exactRows, 0, 2).(*mat.Dense)
	m, err := ridge.Fit(t.kernel, x, mat.Col(nil, 0, t.y)[:t.exactRows], t.nu*float64(t.exactRows))
	if err != nil {
		return nil, err
	}
	f, err := m.Predict(t.testX)
	return mat.NewDense(len(f), 1, f), err
}

func (t *surface) plain(ctx context.Context) (*mat.Dense, error) {
	n, _ := t.x.Dims()
	const passes = 2
	o := plainOptions(t.kernel, t.nu, planeBatch, passes*n)
	o.Passes = passes
	return ourSurface(o)(t, ctx)
}

// ourSurface fits package doublysgd with the kernel and the seed of the task.
func ourSurface(o doublysgd.Options) func(*surface, context.Context) (*mat.Dense, error) {
	return func(t *surface, ctx context.Context) (*mat.Dense, error) {
		o := o
		o.Kernel, o.Seed = t.kernel, t.seed
		m, err := doublysgd.Fit(ctx, t.x, t.y, &o)
		if err != nil {
			return nil, err
		}
		return m.Predict(t.testX)
	}
}

func rmse(a, b *mat.Dense) float64 {
	n, _ := a.Dims()
	return floats.Distance(a.RawMatrix().Data, b.RawMatrix().Data, 2) / math.Sqrt(float64(n))
}

// ridgeRegression is section 7.1 with figure 4.
func ridgeRegression(ctx context.Context, s *settings) error {
	t, err := newSurface(s)
	if err != nil {
		return err
	}
	n, _ := t.x.Dims()
	table := report.Table{Title: fmt.Sprintf("7.1, ridge regression in the plane: %d rows, root mean squared error to the function", n),
		Head: []string{"", "error", "reference", "seconds"}}
	chart := report.Chart{Title: "Figure 4 (3): error and time", X: "seconds", Y: "root mean squared error", LogX: true, LogY: true}
	for _, r := range regressions {
		start := time.Now()
		f, err := r.run(t, ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		e, seconds := rmse(f, t.testY), time.Since(start).Seconds()
		table.Row(r.name, fmt.Sprintf("%.4f", e), r.reference, fmt.Sprintf("%.1f", seconds))
		chart.Lines = append(chart.Lines, report.Line{Label: r.name, Points: plotter.XYs{{X: seconds, Y: e}}})
	}
	if err := table.Print(s.W); err != nil {
		return err
	}
	fmt.Fprintln(s.W, "the paper: doubly SGD does as well as NORMA, SDCA and Pegasos on random and on Nyström features do worse")
	if err := s.Figure("doublysgd-figure4-3.png", chart); err != nil {
		return err
	}
	err = s.Map("doublysgd-figure4-1.png", report.Surface{Title: "Figure 4 (1): the function of section 7.1", X: "first input", Y: "second input", Z: "f",
		Low: -5, High: 5, Value: func(x, y float64) float64 { return wave([]float64{x, y}) }})
	if err != nil {
		return err
	}
	return rateOfConvergence(ctx, s)
}

// rateOfConvergence draws figure 4 (2), the squared distance of the last iterate from the minimum.
// In theory it decreases as 1/t.
func rateOfConvergence(ctx context.Context, s *settings) error {
	points, err := convergence(ctx, s.Seed, s.rows(max(4, s.Runs), 2), s.rows(2048, 1024))
	if err != nil {
		return err
	}
	slope := slopeOf(points)
	fmt.Fprintf(s.W, "7.1, rate of convergence for nu = %v: squared distance %.2g after %.0f steps; slope %.2f (reference -.96 to -.98, theory -1)\n",
		rateRidge, points[len(points)-1].Y, points[len(points)-1].X, slope)
	guide := plotter.XYs{points[0], points[len(points)-1]}
	guide[1].Y = guide[0].Y * guide[0].X / guide[1].X
	return s.Figure("doublysgd-figure4-2.png", report.Chart{Title: "Figure 4 (2): convergence", X: "steps", Y: "squared distance from the minimum", LogX: true, LogY: true,
		Lines: []report.Line{{Label: "doubly SGD", Points: points}, {Label: "1/t", Points: guide}}})
}

const (
	rateRidge = 1e-2
	rateRows  = 1000 // rows of the objective; steps draw from them with replacement
	rateBatch = 32
	// firstPoint is the first step of the curve. From there the step length g/(1 + g·nu·t/1.5) is
	// near its limit 1.5/(nu·t).
	firstPoint = 256
)

// convergence returns the mean over runs of |f_t − f*|² on test rows. The steps t are powers of
// two from firstPoint. The minimum f* over rateRows rows is exact.
func convergence(ctx context.Context, seed uint64, runs, steps int) (plotter.XYs, error) {
	x, _, y := plane(rateRows, seed, "plane")
	at, _, _ := plane(500, seed, "plane test")
	median, err := kernel.MedianDistance(x, seed)
	if err != nil {
		return nil, err
	}
	k := kernel.Gaussian{Sigma: 0.1 * median}
	exact, err := minima(k, x, y, at)
	if err != nil {
		return nil, err
	}
	var points plotter.XYs
	for t := firstPoint; t <= steps; t *= 2 {
		points = append(points, plotter.XY{X: float64(t)})
	}
	for r := range runs {
		l, err := doublysgd.NewLearner(&doublysgd.Options{Kernel: k, Ridge: rateRidge, Features: steps * rateBatch, Seed: seed + uint64(r), Paper: doublysgd.Paper{Mode: doublysgd.Plain, Batch: rateBatch, Columns: rateBatch, LastIterate: true}})
		if err != nil {
			return nil, err
		}
		draw := rng.New(seed, "plane rows", uint64(r))
		for i := range points {
			if err := advance(ctx, l, x, y, draw, int(points[i].X)*rateBatch); err != nil {
				return nil, err
			}
			d, err := squaredDistance(l, at, exact)
			if err != nil {
				return nil, err
			}
			points[i].Y += d / float64(runs)
		}
	}
	return points, nil
}

// minima returns the exact minimum at the test rows as a function of the offset. The learner
// subtracts the offset from the targets and regularises only the remainder, so the minimum depends
// on it.
func minima(k kernel.Kernel, x, y, at *mat.Dense) (func(offset float64) *mat.Dense, error) {
	n, _ := y.Dims()
	ones := make([]float64, n)
	floats.AddConst(1, ones)
	var values [2][]float64
	for i, targets := range [][]float64{y.RawMatrix().Data, ones} {
		m, err := ridge.Fit(k, x, targets, rateRidge*float64(n))
		if err != nil {
			return nil, err
		}
		if values[i], err = m.Predict(at); err != nil {
			return nil, err
		}
	}
	return func(offset float64) *mat.Dense {
		f := mat.NewDense(len(values[0]), 1, nil)
		for i, v := range values[0] {
			f.Set(i, 0, v+offset*(1-values[1][i]))
		}
		return f
	}, nil
}

// advance updates the learner with rows drawn with replacement until it has seen the given number
// of rows.
func advance(ctx context.Context, l *doublysgd.Learner, x, y *mat.Dense, draw *rng.Stream, rows int) error {
	for l.Rows() < rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		selected := make([]int, rateBatch)
		for i := range selected {
			selected[i] = draw.IntN(rateRows)
		}
		if err := l.Update(pick(x, selected), pick(y, selected)); err != nil {
			return err
		}
	}
	return nil
}

func squaredDistance(l *doublysgd.Learner, at *mat.Dense, exact func(float64) *mat.Dense) (float64, error) {
	m, err := l.Model(context.Background())
	if err != nil {
		return 0, err
	}
	f, err := m.Predict(at)
	if err != nil {
		return 0, err
	}
	d := rmse(f, exact(m.Intercept()[0]))
	return d * d, nil
}

// slopeOf returns the slope of log y over log x.
func slopeOf(points plotter.XYs) float64 {
	x, y := make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		x[i], y[i] = math.Log(p.X), math.Log(p.Y)
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return slope
}
