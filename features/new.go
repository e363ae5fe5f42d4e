package features

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// New returns the random features of k for points of d columns. Errors wrap
// rkhs.ErrOption, for options or parameters of k out of range and for a kernel
// that has no random features, or rkhs.ErrShape if k is not a kernel of d columns.
func New(k kernel.Kernel, d int, opts Options) (Map, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if d < 1 {
		return nil, fmt.Errorf("features: %d columns of x: %w", d, rkhs.ErrShape)
	}
	if err := kernel.Check(k, compute.NewMatrix(0, d)); err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	k = kernel.Clone(k)
	of, err := basisOf(k, d, opts)
	if err != nil {
		return nil, err
	}
	if opts.Leverage != nil {
		if of, err = newLeveraged(k, of, d, opts); err != nil {
			return nil, err
		}
	}
	return &sequence{kernel: k, dim: d, seed: opts.Seed, workers: opts.Workers, of: of}, nil
}

// Exact reports whether the features of m give its kernel without error, as they
// do for Linear, Hellinger and LowRank where a block has columns enough, and for
// sums of these. All blocks are then equal, and one is enough.
func Exact(m Map) bool {
	q, ok := m.(*sequence)
	return ok && isExact(q.of)
}

// A basis draws the blocks of one kernel.
type basis interface {
	columns() int
	draw(s *source, workers int) Block
}

// sequence is the Map of a basis.
type sequence struct {
	kernel  kernel.Kernel
	dim     int
	seed    uint64
	workers int
	of      basis
}

func (q *sequence) Kernel() kernel.Kernel { return q.kernel }
func (q *sequence) Dim() int              { return q.dim }
func (q *sequence) Columns() int          { return q.of.columns() }
func (q *sequence) Block(b uint64) Block  { return q.of.draw(newSource(q.seed, b), q.workers) }

// basisOf writes k as a sum of products, each of which has features of its own.
func basisOf(k kernel.Kernel, d int, opts Options) (basis, error) {
	limit := opts.Columns / 2
	terms := expand(k, limit)
	if len(terms) > limit {
		return nil, fmt.Errorf("features: Columns = %d are too few for %v, a sum of more than %d products: %w", opts.Columns, k, limit, rkhs.ErrOption)
	}
	parts := make([]part, len(terms))
	for i, t := range terms {
		p, err := newPart(t, d, opts.Sampler)
		if err != nil {
			return nil, err
		}
		parts[i] = p
	}
	if len(parts) == 1 {
		return parts[0].basis(opts.Columns), nil
	}
	return newSum(parts, opts.Columns), nil
}
