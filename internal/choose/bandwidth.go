// Package choose finds what the options of a learner leave open: the default kernel,
// rows held out, folds, when to stop, and the search for bandwidths and ridges by a
// criterion of the learner's own. Nothing in it knows a learner.
package choose

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// A Bandwidth is that of a Gaussian, or stands for a kernel that was given, whose
// bandwidth is not to be chosen.
type Bandwidth struct {
	given  kernel.Kernel // or nil
	scales columnScale   // or nil
	sigma  float64
}

// Kernel returns the kernel of Default.
func Kernel(pkg string, given kernel.Kernel, x compute.Points, multiple float64, seed uint64) (kernel.Kernel, error) {
	b, err := Default(pkg, given, x, multiple, seed)
	if err != nil {
		return nil, err
	}
	return b.Kernel(), nil
}

// Default returns the kernel that is given, after a check on the rows x, or if it is nil
// the Gaussian whose Sigma is a multiple of their median distance, which divides the columns
// by their standard deviations if their spreads differ by a factor of more than 100. Errors begin with
// the name of the package and wrap those of kernel.Check and of kernel.MedianDistance.
func Default(pkg string, given kernel.Kernel, x compute.Points, multiple float64, seed uint64) (Bandwidth, error) {
	if given != nil {
		if err := gram.Check(given, x); err != nil {
			return Bandwidth{}, fmt.Errorf("%s: %w", pkg, err)
		}
		return Bandwidth{given: given}, nil
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

// Kernel returns the kernel of the bandwidth itself.
func (b Bandwidth) Kernel() kernel.Kernel { return b.Times(1) }

// Times returns the kernel of a multiple of the bandwidth, or the one that was given.
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
