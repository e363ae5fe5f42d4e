package features

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/features"
)

// Part is a group of columns of a block of features, written out for programs that compute them
// elsewhere:
//
//	Scale·[cos(W·x) ; sin(W·x)],  all cosines before all sines,
//
// or Scale·W·x if it is Linear. With Levels, x is the point encoded by kernel.OneHot; with From and To, the point
// warped by kernel.Warped.
type Part struct {
	W        *mat.Dense // m×d, or m×D for D encoded columns
	Scale    float64
	Linear   bool
	Levels   [][]float64 // or nil
	From, To [][]float64 // or nil
}

// Columns returns the number of columns of p: 2m, or m if it is Linear.
func (p Part) Columns() int { return features.Part(p).Columns() }

// PartsOf draws block b of m and returns its parts from left to right. It serves kernels that have
// frequencies, with metrics and codes, in sums and in products, and Linear. The parts equal the features
// of the block up to rounding. The error wraps rkhs.ErrOption and names the kernel for other blocks, and
// wraps rkhs.ErrMemory if the parts need more than 2 GiB. O(Columns·d).
func PartsOf(m *Map, b uint64) ([]Part, error) {
	list, err := features.PartsOf(m.engine(), b)
	var parts []Part
	for _, p := range list {
		parts = append(parts, Part(p))
	}
	return parts, err
}
