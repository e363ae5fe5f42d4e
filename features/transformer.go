package features

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// Transformer maps rows to one block of features, φ_b. A block is an unbiased estimate of the kernel,
// E[<φ_b(x), φ_b(z)>] = k(x, z). The mean over several blocks is also unbiased. A Transformer is
// immutable and safe for concurrent use.
type Transformer struct{ of *features.Transformer }

// NewTransformer returns the transformer to block 0 of m. With it, Options.Columns of the map is the number
// of features. It returns nil for a nil map.
func NewTransformer(m *Map) *Transformer { return m.Block(0) }

// Block draws block b, numbered from 0.
func (m *Map) Block(b uint64) *Transformer {
	if m.engine() == nil {
		return nil
	}
	return &Transformer{features.TransformerOf(m.of, b)}
}

func (t *Transformer) engine() *features.Transformer {
	if t == nil {
		return nil
	}
	return t.of
}

// Columns returns the number of features.
func (t *Transformer) Columns() int { return t.engine().Columns() }

// Kernel returns the kernel that inner products of features approximate.
func (t *Transformer) Kernel() kernel.Kernel { return t.engine().Kernel() }

// Transform returns the features of the rows of x, n×d, as rows of n×Columns. Errors wrap rkhs.ErrEmpty,
// rkhs.ErrShape, rkhs.ErrNotFinite, rkhs.ErrDomain for values on which the kernel is not defined, and
// rkhs.ErrUnfitted for a nil or zero Transformer.
func (t *Transformer) Transform(x mat.Matrix) (*mat.Dense, error) { return t.engine().Transform(x) }

// TransformTo is Transform into dst, which must be n×Columns or empty and must not share memory with x.
// After an error dst is unchanged.
func (t *Transformer) TransformTo(dst *mat.Dense, x mat.Matrix) error {
	return t.engine().TransformTo(dst, x)
}
