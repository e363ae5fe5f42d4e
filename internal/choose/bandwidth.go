// Package choose finds what the options of a learner leave open: the default kernel,
// rows held out, folds, when to stop, and the search for bandwidths and ridges by a
// criterion of the learner's own. Nothing in it knows a learner.
package choose

import (
	"fmt"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Kernel returns the kernel that is given, after a check on the rows x, or if it is nil
// the Gaussian whose Sigma is a multiple of their median distance. Errors begin with
// the name of the package and wrap those of kernel.Check and of kernel.MedianDistance.
func Kernel(pkg string, given kernel.Kernel, x compute.Matrix, multiple float64, seed uint64) (kernel.Kernel, error) {
	if given != nil {
		if err := kernel.Check(given, x); err != nil {
			return nil, fmt.Errorf("%s: %w", pkg, err)
		}
		return given, nil
	}
	sigma, err := kernel.MedianDistanceOfRows(x, seed)
	if err != nil {
		return nil, fmt.Errorf("%s: bandwidth: %w", pkg, err)
	}
	return kernel.Gaussian{Sigma: multiple * sigma}, nil
}
