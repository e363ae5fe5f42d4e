package slkl

import (
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// choose finds the kernel for a task unless kernels are given, and the noise with it. With
// a penalty of the user's and no noise, which would keep the columns of a wide kernel apart,
// it is the default of a learner.
func (s *settings) choose(k task, points compute.Points, r *monitor.Monitor) (kernel.Choice, error) {
	if len(s.Kernels) > 0 {
		return kernel.Choice{}, nil
	}
	if s.penaltyAlone() {
		of, err := learnerKernel(points, s.Seed)
		s.Kernels = []kernel.Kernel{of}
		return kernel.Choice{}, err
	}
	given := s.Noise
	if s.openNoise {
		given = 0
	}
	search := choose.Options{
		Weights: k.weights, Metric: s.Metric, Noise: given, Basis: landmarkBasis(points, s.Workers, r), Spread: true, MemoryLimit: s.MemoryLimit, Seed: s.Seed, Workers: s.Workers,
	}
	if err := search.CheckMemory(pkg, k.x.Rows, k.x.PerRow(), choose.OutputsOf(k.y, k.classes)); err != nil {
		return kernel.Choice{}, err
	}
	if k.x.Sparse != nil {
		search.Rows = searchedRows(points.Rows)
	}
	c := choose.Tune(k.x, k.y, k.classes, search.Watched(r))
	s.Kernels = []kernel.Kernel{c.Kernel}
	if s.openNoise {
		s.Noise = c.Noise
	}
	return c, nil
}

// searchedRows is among how many sparse rows a kernel is searched for, at most: what are judged by so many
// landmarks, and the matrices that judge, lie where the sums of these will. Of more rows the errors were no
// lower.
func searchedRows(points int) int {
	const least, most = 1000, 2000
	return min(max(least, 10*points/7), most)
}

// penaltyAlone tells whether all that is asked for is a penalty.
func (s *settings) penaltyAlone() bool { return s.Penalty > 0 && s.Noise == 0 }

// There are twice or three times as many landmarks where they stay behind the kernel itself by more
// than a fraction of the error, as long as there are two rows a landmark and the products of
// the columns over the rows take no more operations than mostWork.
var shortfalls = []float64{0.02, 0.1}

const (
	rowsALandmarkLeast = 2
	mostWork           = 2e11
)

// morePoints returns how many landmarks a fit takes, by what the search found with some: as many for
// sparse rows, as these take a number for each column.
func (s *settings) morePoints(c kernel.Choice, points int, x compute.Points) int {
	most := points
	if !s.openPoints || c.Stopped || s.LowMemory || x.Sparse != nil {
		return most
	}
	for _, fraction := range shortfalls {
		more := most + points
		if !(c.Error > (1+fraction)*c.Exact.Error) || x.Rows < rowsALandmarkLeast*more ||
			float64(x.Rows)*float64(more)*float64(more) > mostWork || s.room(more, s.need(x)) != nil {
			break
		}
		most = more
	}
	return most
}

// landmarkBasis judges a kernel by what the landmarks carry of it.
func landmarkBasis(points compute.Points, workers int, r *monitor.Monitor) choose.Basis {
	of := &choose.Landmarks{Jitter: basisJitter, Workers: workers, Stopped: r.Stopped}
	return func(dst compute.Matrix, k kernel.Kernel, _ float64, x compute.Points) bool {
		return of.Gram(dst, k, points, x)
	}
}

// basisJitter raises the diagonal of the Gram matrix of landmarks, which may be singular to
// working precision.
const basisJitter = 1e-10

// learnerKernel is the default for a learner, which sees no targets before it needs a
// kernel: the Gaussian whose Sigma is the median distance of the landmarks.
func learnerKernel(points compute.Points, seed uint64) (kernel.Kernel, error) {
	return choose.Kernel(pkg, nil, points, 1, seed)
}
