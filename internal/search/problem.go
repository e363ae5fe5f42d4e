package search

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// problem is the sample that kernels are compared on. Every leading part of it is a sample
// too.
type problem struct {
	criterion
	givenKernel kernel.Kernel // or nil
	givenNoise  float64       // or 0
	unit        float64       // unit of noises: the mean of k(x, x), 1 for the families
	families    []Family
	sample      compute.Points   // original rows
	shifted     compute.Points   // the same minus the first row; sparse rows unchanged
	scales      []linear         // column scales, followed by learned metrics
	rows        []compute.Points // mapped rows, by scale
	medians     []medians        // by scale
	seed        uint64
}

// medians are median distances between rows.
type medians struct{ euclidean, absolute float64 }

// medianRows is the number of rows used for medians.
const medianRows = 300

// newProblem uses the rows listed in order as the sample.
func newProblem(x compute.Points, y compute.Matrix, labels, order []int, o *Options) *problem {
	p := &problem{givenKernel: o.Kernel, givenNoise: o.Noise, unit: 1, families: o.Families, seed: o.Seed}
	if len(p.families) == 0 {
		p.families = AllFamilies
	}
	p.criterion = newCriterion(y, labels, o.Weights, order)
	sample := x.Pick(order)
	p.sample = sample
	if o.Kernel != nil {
		p.useKernel(sample, o.Workers)
		return p
	}
	if sample.Sparse != nil {
		p.shifted = sample
		p.families = slices.DeleteFunc(slices.Clone(p.families), func(f Family) bool { return f == LaplacianByColumns })
		p.add(linear{}, o.Workers)
		if s := o.spreadScale(x.Sparse); s != nil {
			p.add(linear{divide: s, spread: true}, o.Workers)
		}
		return p
	}
	p.shifted = compute.DensePoints(fromFirst(sample.Matrix))
	for _, s := range columnScales(sample.Matrix) {
		p.add(linear{divide: s}, o.Workers)
	}
	if o.Linear || o.Metric == kernel.FullMetric {
		return p
	}
	for _, w := range warpings(sample.Matrix) {
		p.add(linear{columns: w, divide: scalesBy(w.apply(sample.Matrix, o.Workers), robust)}, o.Workers)
	}
	if levels := categories(sample.Matrix); levels != nil {
		p.add(linear{columns: columnMap{levels: levels}, divide: encodedScales(sample.Matrix, levels)}, o.Workers)
	}
	return p
}

// fromFirst subtracts the first row from all rows. This preserves distances and avoids
// cancellation in columns with a large offset.
func fromFirst(x compute.Matrix) compute.Matrix {
	shifted := compute.Clone(x)
	for i := range x.Rows {
		floats.SubTo(compute.Row(shifted, i), compute.Row(x, i), compute.Row(x, 0))
	}
	return shifted
}

// newCriterion returns the criterion for the listed rows.
func newCriterion(y compute.Matrix, labels []int, weights compute.Weights, order []int) (c criterion) {
	c.weights = weights.Pick(order)
	if labels == nil {
		c.y = standardised(compute.Pick(y, order))
		return c
	}
	for _, i := range order {
		c.labels = append(c.labels, labels[i])
	}
	c.y = oneAgainstRest(c.labels, countOf(labels))
	return c
}

// add appends a scale and returns its index.
func (p *problem) add(l linear, workers int) int {
	mapped := p.shifted
	if mapped.Sparse != nil {
		mapped = l.divide.applySparse(mapped)
	} else {
		if l.columns.set() {
			mapped.Matrix = l.apply(p.sample.Matrix, workers)
		} else {
			mapped.Matrix = l.ofShifted(mapped.Matrix, workers)
		}
	}
	p.scales, p.rows = append(p.scales, l), append(p.rows, mapped)
	p.medians = append(p.medians, mediansOf(mapped.Between(0, min(mapped.Rows, medianRows)), workers))
	return len(p.scales) - 1
}

// extra reports whether a scale multiplies columns by their deviation or warps them. Such
// a scale has its own slots in the search and must be significantly better than all other
// scales.
func (p *problem) extra(at candidate) bool {
	l := p.scales[at.scale]
	return l.spread || l.columns.from != nil
}

// extraScales reports whether there are extra scales.
func (p *problem) extraScales() bool {
	for scale := range p.scales {
		if p.extra(candidate{scale: scale}) {
			return true
		}
	}
	return false
}

// useKernel sets up a search for the noise only, with the given kernel.
func (p *problem) useKernel(sample compute.Points, workers int) {
	p.families, p.scales, p.rows, p.medians = []Family{GaussianFamily}, []linear{{}}, []compute.Points{sample}, []medians{{1, 1}}
	diagonal := make([]float64, sample.Rows)
	gram.Evaluator{Kernel: p.givenKernel, Workers: workers}.DiagOf(diagonal, sample)
	p.unit = positive(compute.Mean(diagonal))
}

// width returns the maximum number of columns in any scale.
func (p *problem) width() int {
	most := 0
	for _, x := range p.rows {
		most = max(most, x.PerRow())
	}
	return most
}

func mediansOf(x compute.Points, workers int) medians {
	d := compute.NewMatrix(x.Rows, x.Rows)
	if x.Sparse != nil {
		compute.SparseKernel(d, x, x, compute.Func{Family: compute.SquaredDistance}, workers)
		return medians{euclidean: positive(math.Sqrt(medianOf(d)))}
	}
	compute.KernelSym(d, x.Matrix, compute.Func{Family: compute.SquaredDistance}, workers)
	euclidean := math.Sqrt(medianOf(d))
	absoluteDistances(d, x.Matrix, workers)
	return medians{positive(euclidean), positive(medianOf(d))}
}

// bandwidth returns the bandwidth of a candidate.
func (p *problem) bandwidth(at candidate) float64 {
	if p.families[at.family] == LaplacianByColumns {
		return at.multiple() * p.medians[at.scale].absolute
	}
	return at.multiple() * p.medians[at.scale].euclidean
}

// noise returns the noise of a candidate.
func (p *problem) noise(at candidate) float64 {
	if p.givenNoise > 0 {
		return p.givenNoise
	}
	return p.unit * at.level()
}

// kernel returns the kernel of a candidate for original rows.
func (p *problem) kernel(at candidate) kernel.Kernel {
	return p.scales[at.scale].kernel(p.scaledKernel(at))
}

// scaledKernel returns the kernel of a candidate for rows in its scale.
func (p *problem) scaledKernel(at candidate) kernel.Kernel {
	if p.givenKernel != nil {
		return p.givenKernel
	}
	return p.families[at.family].kernel(p.bandwidth(at))
}

// SampleOrder returns a random order of at most most of n rows. With labels, every leading
// part of it has nearly the same class proportions.
func SampleOrder(n, most int, labels []int, seed uint64) []int {
	s := rng.New(seed, "choose sample", 0)
	if labels == nil {
		return s.Sample(n, min(n, most))
	}
	classes := countOf(labels)
	count, start, seen := make([]int, classes), make([]float64, classes), make([]int, classes)
	for _, l := range labels {
		count[l]++
	}
	for l := range start {
		start[l] = s.Float64()
	}
	// Spread the rows of each class evenly over [0, 1), from a random start.
	at := make([]float64, n)
	order := s.Perm(n)
	for _, i := range order {
		l := labels[i]
		at[i] = (float64(seen[l]) + start[l]) / float64(count[l])
		seen[l]++
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(at[i], at[j]) })
	return order[:min(n, most)]
}

// countOf returns the number of classes.
func countOf(labels []int) int {
	classes := 0
	for _, l := range labels {
		classes = max(classes, l+1)
	}
	return classes
}

// oneAgainstRest returns a column per class with +1 for rows of the class and −1 for other
// rows. Two classes have only the column of class 1.
func oneAgainstRest(labels []int, classes int) compute.Matrix {
	first := 0
	if classes <= 2 {
		first, classes = 1, 2
	}
	y := compute.NewMatrix(len(labels), classes-first)
	for i, l := range labels {
		row := compute.Row(y, i)
		for j := range row {
			row[j] = -1
			if j+first == l {
				row[j] = 1
			}
		}
	}
	return y
}

// standardised returns y with columns of mean zero and deviation 1, so that all outputs
// have equal weight. Constant columns become zero.
func standardised(y compute.Matrix) compute.Matrix {
	z := compute.NewMatrix(y.Rows, y.Cols)
	for j := range y.Cols {
		v := sortedColumn(y, j)
		unit := positive(deviation(v))
		mean := 0.0
		for _, t := range v {
			mean += (t - v[0]) / unit / float64(len(v))
		}
		for i := range y.Rows {
			z.Data[i*z.Stride+j] = (y.Data[i*y.Stride+j]-v[0])/unit - mean
		}
	}
	return z
}
