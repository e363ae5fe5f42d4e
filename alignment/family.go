package alignment

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// spaceOf returns the family of the options on the given rows.
func (s *settings) spaceOf(d *data, shrink float64, stop func() bool) (space, error) {
	switch k := s.Family.(type) {
	case kernel.Gaussian:
		return s.lengths(d, squaredDistance, shape{gaussian, gaussianValues}, stop)
	case kernel.Laplacian:
		return s.lengths(d, absoluteDistance, shape{laplacian, laplacianValues}, stop)
	case kernel.Matern:
		return s.lengths(d, squaredDistance, shape{func(l float64) kernel.Kernel { return kernel.Matern{Nu: k.Nu, Length: l} }, radialValues}, stop)
	case kernel.Dirichlet:
		return s.dirichlet(d)
	case kernel.ARD:
		return s.ard(d, k, shrink)
	}
	return s.parametric(d, stop)
}

// dirichlet is the family of frequencies.
func (s *settings) dirichlet(d *data) (space, error) {
	low, high := d.frequencyRange()
	low = cmp.Or(s.Low, low)
	high = max(low, cmp.Or(s.High, high))
	if d.x.Cols == 1 {
		return &fourier{data: d, low: low, high: high}, nil
	}
	return s.dense(d, frequency{d, low, high, s.Workers})
}

// ard is the family of a bandwidth for each column.
func (s *settings) ard(d *data, k kernel.ARD, shrink float64) (space, error) {
	of, m, ok := unit(k.Of)
	if !ok {
		d = d.uncentred()
	}
	scaled, ok := of.(kernel.ScaleDifferentiable)
	if !ok {
		return nil, fmt.Errorf("alignment: Family %v: the kernel in it gives no gradient of its scales: %w", k, rkhs.ErrOption)
	}
	g := newScale(d.x, m)
	low := cmp.Or(s.Low, 0.1*g.quantile)
	f := bandwidths{data: d, of: scaled, low: math.Log(low), high: math.Log(max(low, cmp.Or(s.High, 10*g.largest))), median: g.median, shrink: shrink, workers: s.Workers}
	if err := check(f.fallback(), d.x); err != nil {
		return nil, err
	}
	return s.dense(d, f)
}

// unit gives a kernel without a bandwidth the bandwidth 1, and returns the metric
// that it is a function of, if it is known to be one.
func unit(k kernel.Kernel) (kernel.Kernel, metric, bool) {
	switch k := k.(type) {
	case kernel.Gaussian:
		return kernel.Gaussian{Sigma: cmp.Or(k.Sigma, 1)}, squaredDistance, true
	case kernel.Laplacian:
		return kernel.Laplacian{Sigma: cmp.Or(k.Sigma, 1)}, absoluteDistance, true
	case kernel.Matern:
		return kernel.Matern{Nu: k.Nu, Length: cmp.Or(k.Length, 1)}, squaredDistance, true
	}
	return k, squaredDistance, false
}

// parametric is any other family, searched from the parameters that it has.
func (s *settings) parametric(d *data, stop func() bool) (space, error) {
	list := s.Family.Parameters()
	if len(list) == 0 {
		return nil, fmt.Errorf("alignment: Family %v has no parameters: %w", s.Family, rkhs.ErrOption)
	}
	for _, p := range list {
		if !withinRange(p.Value) {
			return nil, optionError(fmt.Sprintf("Family %v: the start %s", s.Family, p.Name), p.Value)
		}
	}
	if err := check(s.Family, d.original); err != nil {
		return nil, err
	}
	if _, ok := s.Family.(kernel.Radial); !ok || len(list) > 1 {
		d = d.uncentred()
		return s.dense(d, parametric{d, s.Family, s.Workers})
	}
	low := cmp.Or(s.Low, list[0].Value*math.Exp(-reach))
	high := max(low, cmp.Or(s.High, list[0].Value*math.Exp(reach)))
	of := shape{func(v float64) kernel.Kernel { return s.Family.WithParameters([]float64{v}) }, radialValues}
	sp, err := s.isotropic(d, squaredDistance, of, newScale(d.x, squaredDistance), math.Log(low), math.Log(high), stop)
	if err != nil {
		return nil, err
	}
	sp.start = s.Family
	return sp, nil
}

// dense sets up a family on Gram matrices.
func (s *settings) dense(d *data, of search) (space, error) {
	if err := s.fits("Gram matrices", 3*d.x.Rows*d.x.Rows); err != nil {
		return nil, err
	}
	return &dense{data: d, search: of, workers: s.Workers}, nil
}

func gaussian(sigma float64) kernel.Kernel { return kernel.Gaussian{Sigma: sigma} }

func gaussianValues(dst, s []float64, k kernel.Kernel) {
	sigma := k.(kernel.Gaussian).Sigma
	for b, d := range s {
		dst[b] = math.Expm1(-d / (2 * sigma * sigma))
	}
}

func laplacian(sigma float64) kernel.Kernel { return kernel.Laplacian{Sigma: sigma} }

func laplacianValues(dst, s []float64, k kernel.Kernel) {
	sigma := k.(kernel.Laplacian).Sigma
	for b, d := range s {
		dst[b] = math.Expm1(-d / sigma)
	}
}

func radialValues(dst, s []float64, k kernel.Kernel) {
	copy(dst, s)
	k.(kernel.Radial).OfSquaredDistance(dst)
	floats.AddConst(-dst[0], dst)
}

// lengths is a family whose parameter is a bandwidth.
func (s *settings) lengths(d *data, m metric, of shape, stop func() bool) (space, error) {
	g := newScale(d.x, m)
	low, high := cmp.Or(s.Low, 0.1*g.quantile), cmp.Or(s.High, 10*g.largest)
	if err := check(of.kernel(low), d.x); err != nil {
		return nil, err
	}
	return s.isotropic(d, m, of, g, math.Log(low), math.Log(max(low, high)), stop)
}

// isotropic sets up a family on the histograms of the distances.
func (s *settings) isotropic(d *data, m metric, of shape, g scale, low, high float64, stop func() bool) (*isotropic, error) {
	const resolution = 0x1p-8 // of the square of the smallest bandwidth
	nodes := newNodes(m.distance(0.1*g.quantile)*resolution, m.distance(g.quantile), g.bound)
	if err := s.fits("histograms of distances", d.x.Rows*len(nodes.at)); err != nil {
		return nil, err
	}
	return &isotropic{
		shape:      of,
		histograms: newHistograms(nodes, m, d.x, d.y, s.Workers, stop),
		norm:       d.norm,
		low:        low,
		high:       high,
		points:     gridPoints(low, high),
		start:      of.kernel(g.median),
		workers:    s.Workers,
	}, nil
}

// gridPoints is the number of points of the grid over logarithms: no two further
// apart than a factor of two and a half, and ten at least.
func gridPoints(low, high float64) int {
	return max(10, 1+int(math.Ceil((high-low)/math.Log(2.5))))
}

// fits reports work that would hold more numbers than the memory limit allows.
func (s *settings) fits(what string, numbers int) error {
	if need := int64(numbers) * 8; need > s.MemoryLimit {
		return fmt.Errorf("alignment: %s need %s, the limit is %s: %w", what, mebibytes(need), mebibytes(s.MemoryLimit), rkhs.ErrMemory)
	}
	return nil
}

func mebibytes(bytes int64) string { return fmt.Sprintf("%.3g MiB", float64(bytes)/(1<<20)) }

// ofDistance reports whether the kernels of the family are functions of a
// distance.
func (s *settings) ofDistance() bool {
	if _, ok := s.Family.(kernel.Radial); ok {
		return len(s.Family.Parameters()) == 1
	}
	_, ok := s.Family.(kernel.Laplacian)
	return ok
}

// check reports whether k is a kernel of the rows of x.
func check(k kernel.Kernel, x compute.Matrix) error {
	if err := kernel.Check(k, x); err != nil {
		return fmt.Errorf("alignment: %w", err)
	}
	return nil
}
