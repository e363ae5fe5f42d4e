package alignment

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// family is a kernel whose parameters are searched for. What they mean is asked of
// the kernel.
type family struct {
	of        kernel.Kernel
	low, high float64 // of Options; 0 if not given
	memory    int64   // bytes
	workers   int
}

// ofColumns reports whether each column has a bandwidth of its own.
func ofColumns(k kernel.Kernel) bool {
	return gram.Describe(k).Scaled
}

// lengthScaled returns k as a kernel of one length, if it is one.
func lengthScaled(k kernel.Kernel) (gram.Description, bool) {
	d := gram.Describe(k)
	return d, d.LengthScaled()
}

// harmonic returns k as a kernel of one frequency, if it is one.
func harmonic(k kernel.Kernel) (gram.Description, bool) {
	d := gram.Describe(k)
	return d, d.Harmonic()
}

// ofDistance reports whether the kernels of a family are functions of a distance.
func ofDistance(k kernel.Kernel) bool {
	d, ok := lengthScaled(k)
	_, radial := k.(kernel.Radial)
	return ok || radial && len(d.Parameters) == 1
}

// bounded reports whether there is a single parameter to begin with, for Low and High
// to bound.
func bounded(k kernel.Kernel) bool {
	_, ok := harmonic(k)
	return ok || ofColumns(k) || ofDistance(k)
}

// space returns the kernels of the family on the rows of a search. shrink is the
// weight of the penalty of bandwidths of columns; stop ends early what takes long.
func (f family) space(d *data, shrink float64, stop func() bool) (space, error) {
	if ofColumns(f.of) {
		return f.bandwidths(d, shrink, stop)
	}
	if of, ok := harmonic(f.of); ok {
		return f.frequencies(d, of)
	}
	if of, ok := lengthScaled(f.of); ok {
		return f.lengths(d, of, stop)
	}
	return f.parameters(d, stop)
}

// bounds returns the range of the parameter, of which low and high are the defaults.
func (f family) bounds(low, high float64) (float64, float64) {
	low = cmp.Or(f.low, low)
	return low, max(low, cmp.Or(f.high, high))
}

// bandwidths is the family of a bandwidth for each column.
func (f family) bandwidths(d *data, shrink float64, stop func() bool) (space, error) {
	of, m := gram.Describe(f.of).Unscaled, squaredDistance
	if l, ok := lengthScaled(of); ok {
		of, m = l.WithParameters([]float64{cmp.Or(l.Parameters[0], 1)}), metric(l.Distance)
	} else {
		d = d.uncentred()
	}
	scaled := gram.Describe(of)
	if scaled.ScaleGradient == nil {
		return nil, fmt.Errorf("alignment: Family %v: the kernel in it gives no gradient of its scales: %w", f.of, rkhs.ErrOption)
	}
	unit, rows := choose.RobustScales(d.x), compute.Clone(d.x)
	for i := range rows.Rows {
		floats.Div(compute.Row(rows, i), unit)
	}
	g := newScale(rows, m)
	low, high := f.bounds(0.1*g.quantile, 10*g.largest)
	b := bandwidths{data: d, of: of, facts: scaled, unit: unit, rows: rows, low: math.Log(low), high: math.Log(high), metric: m, median: g.median, shrink: shrink, workers: f.workers, stop: stop}
	if scaled.LessDiagonal != nil {
		b.nodes = g.nodes(m)
	}
	if err := check(b.fallback(), d.x); err != nil {
		return nil, err
	}
	return f.dense(d, b)
}

// frequencies is the family of frequencies.
func (f family) frequencies(d *data, of gram.Description) (space, error) {
	low, high := f.bounds(d.frequencyRange())
	if d.x.Cols == 1 {
		return &fourier{data: d, of: of, low: low, high: high}, nil
	}
	return f.dense(d, frequency{data: d, of: of, low: low, high: high, workers: f.workers})
}

// lengths is a family whose parameter is a bandwidth.
func (f family) lengths(d *data, of gram.Description, stop func() bool) (space, error) {
	m := metric(of.Distance)
	g := newScale(d.x, m)
	low, high := f.bounds(0.1*g.quantile, 10*g.largest)
	if err := check(of.WithParameters([]float64{low}), d.x); err != nil {
		return nil, err
	}
	return f.isotropic(d, m, g, low, high, of.WithParameters([]float64{g.median}), stop)
}

// parameters is any other family, searched from the parameters that it has.
func (f family) parameters(d *data, stop func() bool) (space, error) {
	facts := gram.Describe(f.of)
	if len(facts.Parameters) == 0 {
		return nil, fmt.Errorf("alignment: Family %v has no parameters: %w", f.of, rkhs.ErrOption)
	}
	for i, v := range facts.Parameters {
		if !door.WithinRange(v) {
			return nil, door.Ranges(pkg, []door.Field{{Name: fmt.Sprintf("Family %v: the start %s", f.of, facts.Names[i]), Value: v}})
		}
	}
	if err := check(f.of, d.original); err != nil {
		return nil, err
	}
	if !ofDistance(f.of) {
		d = d.uncentred()
		return f.dense(d, parametric{data: d, start: f.of, facts: facts, workers: f.workers, stop: stop})
	}
	low, high := f.bounds(facts.Parameters[0]*math.Exp(-reach), facts.Parameters[0]*math.Exp(reach))
	return f.isotropic(d, squaredDistance, newScale(d.x, squaredDistance), low, high, f.of, stop)
}

// dense sets up a family on Gram matrices.
func (f family) dense(d *data, of maximiser) (space, error) {
	if err := door.Memory(pkg, "Gram matrices", 24*float64(d.x.Rows)*float64(d.x.Rows), f.memory); err != nil {
		return nil, err
	}
	return &dense{data: d, maximiser: of, workers: f.workers}, nil
}

// isotropic sets up a family on the histograms of the distances.
func (f family) isotropic(d *data, m metric, g scale, low, high float64, fallback kernel.Kernel, stop func() bool) (space, error) {
	nodes := g.nodes(m)
	if err := door.Memory(pkg, "histograms of distances", 8*float64(d.x.Rows)*float64(len(nodes.at)), f.memory); err != nil {
		return nil, err
	}
	low, high = math.Log(low), math.Log(high)
	return &isotropic{
		of:      gram.Describe(f.of),
		pairs:   newHistograms(nodes, m, d.x, d.y, f.workers, stop),
		norm:    d.norm,
		low:     low,
		high:    high,
		points:  gridPoints(low, high),
		start:   fallback,
		workers: f.workers,
	}, nil
}

// gridPoints is the number of points of the grid over logarithms: no two further
// apart than a factor of two and a half, and ten at least.
func gridPoints(low, high float64) int {
	return max(10, 1+int(math.Ceil((high-low)/math.Log(2.5))))
}

// check reports whether k is a kernel of the rows of x.
func check(k kernel.Kernel, x compute.Matrix) error {
	if err := gram.Check(k, compute.DensePoints(x)); err != nil {
		return fmt.Errorf("alignment: %w", err)
	}
	return nil
}
