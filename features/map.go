package features

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// Map is an endless sequence of features of a kernel on R^d, cut into blocks. A block depends only on
// the seed and its number. A program can drop it and draw it again, in any order and on any machine,
// with the same bits. A Map is immutable and safe for concurrent use. The methods of a nil Map return
// zero values.
type Map struct{ of features.Map }

// New returns the random features of k for points of d columns. Errors wrap rkhs.ErrOption, for options
// or parameters of k out of range and for a kernel that has no random features, and rkhs.ErrShape if k is
// not a kernel of d columns.
func New(k kernel.Kernel, d int, opts Options) (*Map, error) {
	return mapOf(features.New(k, d, opts.engine()))
}

// Nystroem returns the features of the Nyström approximation of k on landmarks Z drawn from the rows of
// x, n×d:
//
//	<φ(x), φ(z)> = k(x, Z)·K_ZZ⁺·k(Z, z).
//
// They are exact on the landmarks. Few suffice if the spectrum of the kernel falls fast on the data. All
// blocks are equal. A landmark with a residual of at most 1e-12 of the largest k(z, z) given the other
// landmarks adds no column. Cost: O(m²·(d + m)) for the map and O(m·(d + r)) per row, for m landmarks
// and r columns. Errors are as for kernel.Check and wrap rkhs.ErrEmpty, rkhs.ErrNotFinite and
// rkhs.ErrOption. Source: Williams and Seeger, "Using the Nyström method to speed up kernel machines",
// NIPS 2000.
func Nystroem(k kernel.Kernel, x mat.Matrix, opts NystroemOptions) (*Map, error) {
	return mapOf(features.Nystroem(k, x, features.NystroemOptions(opts)))
}

// Sampled returns features of an additive kernel of histograms that are not random: for each of d columns
// the values
//
//	√(x·L·κ(0)),  √(2x·L·κ(jL))·[cos(jL·log x), sin(jL·log x)],  j = 1 … order,
//
// where κ is the spectral density. These are 2·order+1 columns for each column of x, with all cosines of
// frequency j before all its sines. The family of k is kernel.Homogeneous, as for AdditiveChiSquared,
// Intersection and JensenShannon. period is L; 0 means .8, .5 or .4 at order 0, 1 or 2, which suits
// AdditiveChiSquared. The error vanishes only if the order grows and L falls, about as 1.2/√order. All
// blocks are equal. Errors wrap rkhs.ErrOption and rkhs.ErrShape. Source: Vedaldi and Zisserman,
// "Efficient additive kernels via explicit feature maps", IEEE PAMI 34, 2012, eq. (10).
func Sampled(k kernel.Kernel, d, order int, period float64) (*Map, error) {
	return mapOf(features.Sampled(k, d, order, period))
}

func mapOf(m features.Map, err error) (*Map, error) {
	if err != nil {
		return nil, err
	}
	return &Map{m}, nil
}

// engine returns the features of m, nil for a nil Map.
func (m *Map) engine() features.Map {
	if m == nil {
		return nil
	}
	return m.of
}

// Kernel returns the kernel of the features.
func (m *Map) Kernel() kernel.Kernel {
	if m.engine() == nil {
		return nil
	}
	return m.of.Kernel()
}

// Dim returns d, the number of columns of x.
func (m *Map) Dim() int {
	if m.engine() == nil {
		return 0
	}
	return m.of.Dim()
}

// Columns returns the number of features of one block.
func (m *Map) Columns() int {
	if m.engine() == nil {
		return 0
	}
	return m.of.Columns()
}

// Exact reports whether the features give the kernel without error, as they do for Linear, Hellinger and
// LowRank if a block has enough columns, and for sums of these. All blocks are then equal.
func (m *Map) Exact() bool { return features.Exact(m.engine()) }
