// Package search finds options that the caller of a learner does not set: the default
// kernel, held-out rows, folds, early stopping, and the kernel and ridge with the
// lowest leave-one-out error. A kernel includes a scale, an encoding, a warping or a
// metric of the columns. The package does not depend on any learner.
package search

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// A Bandwidth is the bandwidth of a Gaussian. If the caller gave a kernel, it holds
// that kernel and has no bandwidth to search for.
type Bandwidth struct {
	given  kernel.Kernel // or nil
	scales columnScale   // or nil
	sigma  float64
}

// Kernel returns the kernel of [Default].
func Kernel(pkg string, given kernel.Kernel, x compute.Points, multiple float64, seed uint64) (kernel.Kernel, error) {
	b, err := Default(pkg, given, x, multiple, seed)
	if err != nil {
		return nil, err
	}
	return b.Kernel(), nil
}

// Default returns the given kernel after checking it on the rows x. If given is nil,
// it returns a Gaussian with Sigma equal to multiple times the median distance. It
// divides the columns by their standard deviations if their spreads differ by more
// than a factor of 1000. Errors begin with pkg and wrap the errors of CheckRange,
// kernel.Check and kernel.MedianDistance.
func Default(pkg string, given kernel.Kernel, x compute.Points, multiple float64, seed uint64) (Bandwidth, error) {
	if given != nil {
		if err := gram.Check(given, x); err != nil {
			return Bandwidth{}, fmt.Errorf("%s: %w", pkg, err)
		}
		return Bandwidth{given: given}, nil
	}
	if err := CheckRange(pkg, nil, x, compute.Matrix{}); err != nil {
		return Bandwidth{}, err
	}
	var scales columnScale
	if x.Sparse == nil {
		var sample compute.Matrix
		if scales, sample = unlikeScales(x.Matrix, seed); scales != nil {
			x = compute.DensePoints(sample)
		}
	}
	sigma, err := gram.MedianDistance(x, seed)
	if err != nil {
		return Bandwidth{}, fmt.Errorf("%s: bandwidth: %w", pkg, err)
	}
	return Bandwidth{scales: scales, sigma: multiple * sigma}, nil
}

// Kernel returns the kernel at the bandwidth b.
func (b Bandwidth) Kernel() kernel.Kernel { return b.Times(1) }

// Times returns the kernel at factor times the bandwidth, or the given kernel.
func (b Bandwidth) Times(factor float64) kernel.Kernel {
	if b.given != nil {
		return b.given
	}
	k := kernel.Gaussian{Sigma: factor * b.sigma}
	if b.scales != nil {
		return kernel.ARD{Scales: slices.Clone(b.scales), Of: k}
	}
	return k
}
