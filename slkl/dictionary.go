package slkl

import (
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// choose finds the kernels for a task unless they are given, and the noise with them. With
// a penalty of the user's and no noise, which would keep the columns of a wide kernel apart,
// it is the default of a learner.
func (s *settings) choose(k task, points compute.Points, memory *compute.Slab, r *monitor.Monitor) (kernel.Choice, error) {
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
		Weights: k.weights, Metric: s.Metric, Noise: given, Basis: landmarkBasis(points, memory, s.Workers, r), Spread: true, MemoryLimit: s.MemoryLimit, Memory: memory, Seed: s.Seed, Workers: s.Workers,
	}
	if err := search.CheckMemory(pkg, k.x.Rows, k.x.PerRow(), choose.OutputsOf(k.y, k.classes)); err != nil {
		return kernel.Choice{}, err
	}
	if k.x.Sparse != nil {
		search.Rows = searchedRows(points.Rows)
	}
	c := choose.Tune(k.x, k.y, k.classes, search.Watched(r))
	s.Kernels = s.dictionary(c, points.Rows, k.x)
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

// The dictionary holds a further bandwidth where the landmarks stay behind the kernel itself
// by more than a fraction of the error, as long as there are enough rows a column, and the
// products of the columns over the rows take no more operations than mostWork.
var shortfalls = []float64{0.02, 0.1}

const (
	rowsPerColumn = 2
	mostWork      = 2e11
)

// dictionary returns the kernel that was chosen and, where landmarks carry too little of it,
// those of a half and a quarter of the bandwidth: not of sparse rows, as these take a number
// for each column.
func (s *settings) dictionary(c kernel.Choice, points int, x compute.Points) []kernel.Kernel {
	list := []kernel.Kernel{c.Kernel}
	for _, fraction := range shortfalls {
		columns := points * (len(list) + 1)
		if c.Stopped || s.LowMemory || x.Sparse != nil || !(c.Error > (1+fraction)*c.Exact.Error) || x.Rows < rowsPerColumn*columns ||
			float64(x.Rows)*float64(columns)*float64(columns) > mostWork || s.room(columns, s.need(x)) != nil {
			break
		}
		list = append(list, narrower(list[len(list)-1], x.Cols))
	}
	return list
}

// narrower returns the kernel of half the bandwidth.
func narrower(k kernel.Kernel, inputs int) kernel.Kernel {
	a, ok := k.(kernel.ARD)
	if !ok {
		a = kernel.ARD{Scales: make([]float64, inputs), Of: k}
		for i := range a.Scales {
			a.Scales[i] = 1
		}
	}
	half := make([]float64, inputs)
	for i, v := range a.Scales {
		half[i] = v / 2
	}
	return kernel.ARD{Scales: half, Of: a.Of}
}

// landmarkBasis judges a kernel by what the landmarks carry of it.
func landmarkBasis(points compute.Points, memory *compute.Slab, workers int, r *monitor.Monitor) choose.Basis {
	of := &choose.Landmarks{Jitter: basisJitter, Memory: memory, Workers: workers, Stopped: r.Stopped}
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
