package slkl

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// basisJitter raises the diagonal of the Gram matrix of the landmarks, which can be singular to
// working precision.
const basisJitter = 1e-10

// search selects the kernel and its noise, unless kernels are given. A penalty without noise cannot
// separate the columns of a wide kernel, so it gets the default kernel of a learner.
func (s *settings) search(k task, points compute.Points, r *progress.Monitor) (kernel.SearchResult, error) {
	if len(s.Kernels) > 0 {
		return kernel.SearchResult{}, nil
	}
	if s.Penalty > 0 && s.Noise == 0 {
		return kernel.SearchResult{}, s.learnerKernel(points)
	}
	given := s.Noise
	if s.openNoise {
		given = 0
	}
	of := &search.Landmarks{Jitter: basisJitter, Workers: s.Workers, Stopped: r.Stopped}
	basis := func(dst compute.Matrix, k kernel.Kernel, _ float64, x compute.Points) bool {
		return of.Gram(dst, k, points, x)
	}
	options := search.Options{Weights: k.weights, Metric: s.Metric, Noise: given, Basis: basis, Spread: true,
		MemoryLimit: s.MemoryLimit, Seed: s.Seed, Workers: s.Workers}
	if err := options.CheckMemory(pkg, k.x.Rows, k.x.PerRow(), search.OutputsOf(k.y, k.classes)); err != nil {
		return kernel.SearchResult{}, err
	}
	if k.x.Sparse != nil { // more rows do not lower the error but need more memory than the fit
		options.Rows = min(max(1000, 10*points.Rows/7), 2000)
	}
	c := search.Tune(k.x, k.y, k.classes, options.WithMonitor(r))
	s.Kernels = []kernel.Kernel{c.Kernel}
	if s.openNoise {
		s.Noise = c.Noise
	}
	return c, nil
}

// learnerKernel selects the Gaussian with the median distance of the landmarks, which needs no
// targets.
func (s *settings) learnerKernel(points compute.Points) error {
	k, err := search.Kernel(pkg, nil, points, 1, s.Seed)
	s.Kernels = []kernel.Kernel{k}
	return err
}

const (
	leastRows = 2    // rows for each of more landmarks
	mostWork  = 2e11 // operations of the products of the columns
)

// morePoints returns the number of landmarks after the search with the given number. It is twice or
// three times as large if the error exceeds the error of the kernel itself by 2 % or 10 %, and if
// rows, work and memory permit. Sparse rows keep the number.
func (s *settings) morePoints(c kernel.SearchResult, points int, x compute.Points) int {
	most := points
	if !s.openPoints || c.Stopped || s.LowMemory || x.Sparse != nil {
		return most
	}
	for _, excess := range []float64{0.02, 0.1} {
		more := most + points
		if !(c.Error > (1+excess)*c.Exact.Error) || x.Rows < leastRows*more ||
			float64(x.Rows)*float64(more)*float64(more) > mostWork || s.memory(x).check(more, s.MemoryLimit) != nil {
			break
		}
		most = more
	}
	return most
}
