package features

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// Transformer validates matrices and maps them to the features of one block of a Map. It is immutable and
// safe for concurrent use.
type Transformer struct {
	m     Map
	block Block
}

// NewTransformer returns the transformer of block 0 of m, or nil for a nil map.
func NewTransformer(m Map) *Transformer {
	if m == nil {
		return nil
	}
	return TransformerOf(m, 0)
}

// TransformerOf returns the transformer of block b of m.
func TransformerOf(m Map, b uint64) *Transformer { return &Transformer{m, m.Block(b)} }

func (t *Transformer) made() bool { return t != nil && t.m != nil }

// Columns returns the number of features.
func (t *Transformer) Columns() int {
	if !t.made() {
		return 0
	}
	return t.m.Columns()
}

// Kernel returns the approximated kernel.
func (t *Transformer) Kernel() kernel.Kernel {
	if !t.made() {
		return nil
	}
	return t.m.Kernel()
}

// Transform returns the features, n×Columns, of the rows of x, n×d. Errors wrap rkhs.ErrEmpty,
// rkhs.ErrShape, rkhs.ErrNotFinite, rkhs.ErrDomain for values outside the domain of the kernel, and
// rkhs.ErrUnfitted for a zero or nil Transformer.
func (t *Transformer) Transform(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	err := t.TransformTo(&dst, x)
	if err != nil {
		return nil, err
	}
	return &dst, nil
}

// TransformTo stores the features in dst, which must be empty or n×Columns, otherwise rkhs.ErrShape, and
// must not share memory with x. After an error dst is unchanged.
func (t *Transformer) TransformTo(dst *mat.Dense, x mat.Matrix) error {
	if err := input.Fitted("features", "TransformTo", t.made()); err != nil {
		return err
	}
	rows, err := input.Points("features", "x", x)
	if err != nil {
		return err
	}
	if d := t.m.Dim(); rows.Cols != d {
		return fmt.Errorf("features: x has %d columns, want %d: %w", rows.Cols, d, rkhs.ErrShape)
	}
	if err := gram.Check(t.m.Kernel(), rows); err != nil {
		return fmt.Errorf("features: %w", err)
	}
	to, err := input.Destination("features", dst, rows.Rows, t.Columns())
	if err != nil {
		return err
	}
	TransformPoints(t.block, to, rows)
	return nil
}
