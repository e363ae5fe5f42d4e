package alignmentpaper

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/metric"
)

// task is a classification problem with the kernels available to each method.
type task struct {
	name  string
	split func(seed uint64) split
	// search is the family of CA, and family is the same family for CR.
	search kernel.Kernel
	family func(x blas64.General) family
	grid   func(x blas64.General) []kernel.Kernel
}

// method learns a kernel and a classifier.
type method func(ctx context.Context, t task, d split) (outcome, error)

// outcome is a learned kernel and the percentage of errors of its classifier on the test rows.
type outcome struct {
	kernel kernel.Kernel
	errors float64
}

// named is a method with its abbreviation in the paper.
type named struct {
	name string
	run  method
}

var (
	ca1D = named{"CA-1D", continuous}
	caND = named{"CA-nD", manyBandwidths}
	rest = []named{{"CR", risk}, {"DA", aligned}, {"D1", mkl(1)}, {"D2", mkl(2)}, {"DU", uniform}}

	// learned is not in the paper.
	learned = named{"metric", learnedMetric}
)

// one returns the methods that search one parameter, and all returns the methods of table 1.
func one() []named { return append([]named{ca1D}, rest...) }
func all() []named { return append([]named{ca1D, caND}, rest...) }

// continuous is CA-1D, the method of the paper.
func continuous(ctx context.Context, t task, d split) (outcome, error) {
	return searched(ctx, t.search, d)
}

// manyBandwidths is CA-nD, with one bandwidth per column.
func manyBandwidths(ctx context.Context, _ task, d split) (outcome, error) {
	return searched(ctx, kernel.ARD{Of: kernel.Gaussian{}}, d)
}

// learnedMetric uses the kernel of package metric, learned from the training rows only.
func learnedMetric(ctx context.Context, _ task, d split) (outcome, error) {
	r, err := metric.LearnClasses(ctx, d.train.X, labels(d.train), nil)
	if err != nil {
		return outcome{}, err
	}
	return machine(ctx, r.Kernel, d)
}

func searched(ctx context.Context, family kernel.Kernel, d split) (outcome, error) {
	c, e, err := fit(ctx, family, d)
	if err != nil {
		return outcome{}, err
	}
	return outcome{c.Model().Kernel(), e}, nil
}

// fit returns the classifier of package alignment and its percentage of errors on the test rows.
func fit(ctx context.Context, family kernel.Kernel, d split) (*alignment.Classifier, float64, error) {
	c, err := alignment.FitClassifier(ctx, d.train.X, labels(d.train), &alignment.Options{
		Criterion:   alignment.Alignment,
		Family:      family,
		ValidationX: d.check.X,
		ValidationY: labels(d.check),
	})
	if err := severe(err); err != nil {
		return nil, 0, err
	}
	f, err := c.Scores(d.test.X)
	if err != nil {
		return nil, 0, err
	}
	return c, percentWrong(f.RawMatrix().Data, d.test.Y), nil
}

// result holds the results of a method on a task over the runs. The alignment is between its
// kernel and the labels of the test rows. The seconds exclude the computation of the alignment.
type result struct{ errors, alignment, seconds report.Sample }

// compare runs all methods on the same data.
func compare(ctx context.Context, s *settings, t task, methods []named) ([]*result, error) {
	results := make([]*result, len(methods))
	for i := range results {
		results[i] = new(result)
	}
	err := s.Each(ctx, func(seed uint64) error {
		d := t.split(seed)
		for i, m := range methods {
			start := time.Now()
			o, err := m.run(ctx, t, d)
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			results[i].seconds.Add(time.Since(start).Seconds())
			results[i].errors.Add(o.errors)
			results[i].alignment.Add(aligning(o.kernel, d.test))
		}
		return nil
	})
	return results, err
}

// family is a kernel with one continuous parameter.
type family struct {
	member    func(sigma float64) kernel.Kernel
	low, high float64
	points    int  // of the initial grid
	log       bool // the grid is logarithmic
	// quadratic returns cᵀK_σc without forming K_σ. It is nil if there is no shortcut.
	quadratic func(sigma float64, x blas64.General, c []float64) float64
}

// gaussians returns the family exp(−‖x−z‖²/σ²), the parametrisation of the paper.
func gaussians(low, high float64) family {
	return family{member: gaussian, low: low, high: high, points: 24, log: true}
}

func gaussian(sigma float64) kernel.Kernel { return kernel.Gaussian{Sigma: sigma / math.Sqrt2} }

// search maximises value over the parameter. It evaluates a grid and refines the best point by
// golden-section search between its neighbours.
func (f family) search(value func(sigma float64) float64) (sigma, best float64) {
	at := func(t float64) float64 {
		if f.log {
			return f.low * math.Pow(f.high/f.low, t)
		}
		return f.low + t*(f.high-f.low)
	}
	top, step := 0.0, 1/float64(f.points-1)
	best = math.Inf(-1)
	for i := range f.points {
		if v := value(at(float64(i) * step)); v > best {
			best, top = v, float64(i)*step
		}
	}
	t, v := golden(func(t float64) float64 { return value(at(t)) }, max(0, top-step), min(1, top+step))
	if v > best {
		top, best = t, v
	}
	return at(top), best
}

// golden finds a maximum in [low, high] to 1/1000 of the interval length.
func golden(value func(t float64) float64, low, high float64) (t, best float64) {
	ratio := (math.Sqrt(5) - 1) / 2
	a, b := high-ratio*(high-low), low+ratio*(high-low)
	va, vb := value(a), value(b)
	for range 14 {
		if va > vb {
			high, b, vb = b, a, va
			a = high - ratio*(high-low)
			va = value(a)
		} else {
			low, a, va = a, b, vb
			b = low + ratio*(high-low)
			vb = value(b)
		}
	}
	if va > vb {
		return a, va
	}
	return b, vb
}

// equidistant returns Gaussians with count equally spaced bandwidths from low to high.
func equidistant(low, high float64, count int) func(blas64.General) []kernel.Kernel {
	return func(blas64.General) (list []kernel.Kernel) {
		for i := range count {
			list = append(list, gaussian(low+float64(i)*(high-low)/float64(count-1)))
		}
		return list
	}
}

// geometric returns Gaussians with bandwidths low·ratio^i.
func geometric(low, ratio float64, count int) (list []kernel.Kernel) {
	for i := range count {
		list = append(list, gaussian(low*math.Pow(ratio, float64(i))))
	}
	return list
}
