package alignment

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// hasScales reports whether each column has its own bandwidth.
func hasScales(k kernel.Kernel) bool { return gram.Describe(k).Scaled }

// ofDistance reports whether the kernels of a family are functions of one distance.
func ofDistance(k kernel.Kernel) bool {
	d := gram.Describe(k)
	_, radial := k.(kernel.Radial)
	return d.LengthScaled() || radial && len(d.Parameters) == 1
}

// hasRange reports whether Low and High bound a parameter of the family.
func hasRange(k kernel.Kernel) bool {
	return gram.Describe(k).Harmonic() || hasScales(k) || ofDistance(k)
}

// space returns the kernels of the family on the rows of a search. shrink is the weight of
// the penalty on the spread of column bandwidths.
func (r *run) space(d *data, shrink float64) (space, error) {
	of := gram.Describe(r.options.Family)
	switch {
	case of.Scaled:
		return r.bandwidths(d, of.Unscaled, shrink)
	case of.Harmonic():
		low, high := r.bounds(d.frequencyRange())
		f := &fourier{data: d, of: of, low: low, high: high}
		if d.x.Cols == 1 {
			return f, nil
		}
		return r.dense(d, f)
	case of.LengthScaled():
		m := metric(of.Distance)
		g := newScale(d.x, m)
		low, high := r.bounds(g.bandwidths())
		if err := checkDomain(of.WithParameters([]float64{low}), d.x); err != nil {
			return nil, err
		}
		return r.histogramSpace(d, m, g, low, high, of.WithParameters([]float64{g.median}))
	}
	return r.parameters(d, of)
}

// bounds returns Low and High of the options, or their defaults.
func (r *run) bounds(low, high float64) (float64, float64) {
	low = cmp.Or(r.options.Low, low)
	return low, max(low, cmp.Or(r.options.High, high))
}

// bandwidths returns the family with a bandwidth for each column.
func (r *run) bandwidths(d *data, of kernel.Kernel, shrink float64) (space, error) {
	m := squaredDistance
	if l := gram.Describe(of); l.LengthScaled() {
		of, m = l.WithParameters([]float64{cmp.Or(l.Parameters[0], 1)}), metric(l.Distance)
	} else {
		d = d.uncentred()
	}
	description := gram.Describe(of)
	if description.ScaleGradient == nil {
		return nil, fmt.Errorf("alignment: Family %v: the kernel in it gives no gradient of its scales: %w", r.options.Family, rkhs.ErrOption)
	}
	unit := search.RobustScales(d.x)
	rows := divided(d.x, unit)
	g := newScale(rows, m)
	low, high := r.bounds(g.bandwidths())
	b := bandwidths{
		data: d, of: of, description: description,
		unit: unit, rows: rows, metric: m,
		low: math.Log(low), high: math.Log(high), median: g.median,
		shrink: shrink,
	}
	if description.LessDiagonal != nil {
		b.nodes = g.nodes(m)
	}
	if err := checkDomain(b.fallback(), d.x); err != nil {
		return nil, err
	}
	return r.dense(d, b)
}

// parameters returns any other family. The search starts from its own parameters.
func (r *run) parameters(d *data, of gram.Description) (space, error) {
	family := r.options.Family
	if len(of.Parameters) == 0 {
		return nil, fmt.Errorf("alignment: Family %v has no parameters: %w", family, rkhs.ErrOption)
	}
	for i, v := range of.Parameters {
		if !input.WithinRange(v) {
			return nil, input.Ranges(pkg, []input.Field{{Name: fmt.Sprintf("Family %v: the start %s", family, of.Names[i]), Value: v}})
		}
	}
	if err := checkDomain(family, d.original); err != nil {
		return nil, err
	}
	if !ofDistance(family) {
		d = d.uncentred()
		return r.dense(d, parametric{data: d, start: family, description: of})
	}
	low, high := r.bounds(of.Parameters[0]*math.Exp(-reach), of.Parameters[0]*math.Exp(reach))
	return r.histogramSpace(d, squaredDistance, newScale(d.x, squaredDistance), low, high, family)
}

// dense returns a family that needs Gram matrices.
func (r *run) dense(d *data, of maximiser) (space, error) {
	if err := input.Memory(pkg, "Gram matrices", 24*float64(d.x.Rows)*float64(d.x.Rows), r.options.MemoryLimit); err != nil {
		return nil, err
	}
	return &dense{data: d, maximiser: of}, nil
}

// histogramSpace returns a family of one parameter in [low, high] that needs histograms of
// distances.
func (r *run) histogramSpace(d *data, m metric, g scale, low, high float64, fallback kernel.Kernel) (space, error) {
	nodes := g.nodes(m)
	if err := input.Memory(pkg, "histograms of distances", 8*float64(d.x.Rows)*float64(len(nodes.at)), r.options.MemoryLimit); err != nil {
		return nil, err
	}
	return &isotropic{
		data:  d,
		of:    gram.Describe(r.options.Family),
		pairs: newHistograms(nodes, m, d),
		low:   math.Log(low),
		high:  math.Log(high),
		start: fallback,
	}, nil
}

// checkDomain returns an error if k is not defined on the rows of x.
func checkDomain(k kernel.Kernel, x compute.Matrix) error {
	if err := gram.Check(k, compute.DensePoints(x)); err != nil {
		return fmt.Errorf("alignment: %w", err)
	}
	return nil
}
