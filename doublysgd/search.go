package doublysgd

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

const (
	// leastSearchFeatures and searchFeatures bound the features that score a kernel. The upper
	// bound is twice as large for long fits to more rows.
	leastSearchFeatures, searchFeatures = 1024, 4096
	// searchShare is the share of Work for the search.
	searchShare = 0.25
	// wildTarget is the distance of an outlying target, in units of their spread.
	wildTarget = 5
)

// search selects the kernel and the ridge (0 if not given) for a fit with at most the given number
// of features.
func (t *task) search(most int, ridge float64) (kernel.SearchResult, error) {
	o := search.Options{
		Kernel: t.options.Kernel, Metric: t.options.Metric, Rescore: true, Narrower: true, Spread: true, Work: searchShare * t.options.Work,
		Noise: ridge * float64(t.count()), MemoryLimit: t.options.MemoryLimit, Seed: t.options.Seed, Workers: t.options.Workers,
	}
	x, risk := t.searchRows()
	o.Weights = risk.Weights
	if err := o.CheckMemory(pkg, x.Rows, x.PerRow(), search.OutputsOf(risk.Y, risk.Class)); err != nil {
		return kernel.SearchResult{}, err
	}
	if x.Sparse != nil {
		o.MemoryLimit = max(1, revisit.Sparing(x, o.MemoryLimit)-t.reuse()-t.basisBytes())
		if t.options.Mode == Revisit {
			o.Rows = search.SparseRows
		}
	}
	tune := func() kernel.SearchResult {
		options := o.WithMonitor(t.monitor)
		options.Basis = t.basis(most) // releases its features after use
		return search.Tune(x, risk.Y, risk.Class, options)
	}
	c := tune()
	if _, err := t.zero(c.Kernel, t.columns); err != nil { // the Sampler does not suit it
		o.Kernel = t.kernel
		c = tune()
	}
	return c, nil
}

// pickedRows bounds the number of rows that a search copies. The total of all samples is smaller.
const pickedRows = 20000

// searchRows returns the rows of the search with their risk.
func (t *task) searchRows() (x compute.Points, risk *descent.Risk) {
	rows := t.searched()
	if rows == nil {
		return t.x, t.risk
	}
	risk = t.risk.Ordered(rows)
	if len(rows) > pickedRows {
		order := search.SampleOrder(len(rows), pickedRows, risk.Class, t.options.Seed)
		risk = risk.Ordered(order)
		for i, position := range order {
			order[i] = rows[position]
		}
		rows = order
	}
	risk.Weights = input.MeanOne(risk.Weights)
	return t.x.Pick(rows), risk
}

// searched lists the rows of the search, nil for all. It omits wild targets for losses other than
// the squared loss, because the search uses the squared loss.
func (t *task) searched() []int {
	if t.risk.Class != nil || loss.Quadratic(t.loss) {
		return t.some
	}
	middle := descent.RobustUnits(t.risk.Y, nil).Offset // a fit of quantiles has another offset
	rows := []int{}
	for position := range t.count() {
		i := position
		if t.some != nil {
			i = t.some[position]
		}
		if floats.Distance(compute.Row(t.risk.Y, i), middle, math.Inf(1)) <= wildTarget {
			rows = append(rows, i)
		}
	}
	return rows
}

// scoringFeatures returns the number of features that score a kernel on a sample of the rows. It scales
// with the root of the number of rows: n rows need between √n and n features (Rudi and Rosasco,
// "Generalization properties of learning with random features", 2017).
func (t *task) scoringFeatures(most, rows int) int {
	share := math.Sqrt(min(1, float64(rows)/float64(min(t.count(), sampleRows))))
	count := max(int(share*float64(most)), min(most, leastSearchFeatures))
	return descent.RoundUp(min(count, max(searchFeatures, min(t.count(), 2*searchFeatures))), 2)
}

// scoringColumns is the number of features per block in the search.
func (t *task) scoringColumns(most, rows int) int {
	return max(min(t.columns, t.scoringFeatures(most, rows)), 2)
}

// leastReuse is the least number of bytes for reuse.
const leastReuse = 2 << 20

// reuse returns the number of bytes that the search may keep between kernels: half the size of the
// rows, within a part of MemoryLimit.
func (t *task) reuse() int64 {
	return min(max(leastReuse, int64(t.x.Bytes())/2), t.options.MemoryLimit/reusedPart)
}

// The search may keep MemoryLimit/reusedPart bytes.
const reusedPart = 16

// scoringRows bounds the number of rows that score a kernel.
const scoringRows = 2000

// basisBytes returns the memory for scoring kernels on sparse rows, without the reused part.
func (t *task) basisBytes() int64 {
	return revisit.LeastBytes(t.x, min(t.x.Rows, scoringRows), 0, t.columns, 0, 8, math.MaxInt64)
}

// basis returns the Gram matrices of the first features of the fit, with which the search scores
// kernels.
func (t *task) basis(most int) search.Basis {
	gram := blocks.Gram{Products: &features.Products{Budget: t.reuse()}, Workers: t.options.Workers}
	single := t.options.Precision != Double && t.count() > jointRows
	return func(dst compute.Matrix, k kernel.Kernel, noise float64, x compute.Points) bool {
		count := t.scoringFeatures(most, x.Rows)
		columns := t.scoringColumns(most, x.Rows)
		f, err := t.zero(k, columns)
		if err != nil {
			return false
		}
		number := (count + columns - 1) / columns
		if features.Exact(f.Map) {
			number = 1
		}
		gram.Single = single && blocks.ServesSingleGram(k, x, noise, t.options.Workers) && blocks.ServesSingle(f.Block(0), x, f.Map.Columns())
		compute.Zero(dst)
		if gram.Add(dst, f, 0, number, x, t.monitor.Stopped) < number {
			return false
		}
		compute.Mirror(dst)
		blas64.Scal(1/float64(number), compute.Vector(compute.Contiguous(dst)))
		return true
	}
}

// ridge returns nu for the result of the search: Noise/n for the squared loss, and a multiple of it
// for other losses.
func (t *task) ridge(c kernel.SearchResult) float64 {
	nu := c.Ridge(t.count())
	switch {
	case t.options.Ridge > 0:
		return t.options.Ridge
	case loss.Quadratic(t.loss):
		return nu
	case t.risk.Class != nil:
		return nu * revisit.LabelFactor(t.loss, c.Trial)
	}
	return nu * revisit.NoiseFactor(t.risk.Scalar, t.noise(c.Trial))
}

// noise returns the standard deviation of the residuals.
func (t *task) noise(at kernel.Trial) float64 {
	_, risk := t.searchRows()
	y, variance := risk.Y, 0.0
	for o := range y.Cols {
		v := make([]float64, y.Rows)
		for i := range v {
			v[i] = y.Data[i*y.Stride+o]
		}
		mean := compute.Mean(v)
		for i, e := range v {
			v[i] = (e - mean) * (e - mean)
		}
		variance += compute.Mean(v) / float64(y.Cols)
	}
	return math.Sqrt(variance * min(1, at.Error/float64(y.Cols)))
}
