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
	of, err := basisOf(k, d, opts)
	if err != nil {
		return nil, err
	}
	return &sequence{kernel: k, dim: d, columns: opts.Columns, seed: opts.Seed, workers: opts.Workers, of: of}, nil
}

// A basis draws the blocks of one kernel.
type basis interface {
	draw(s *source, workers int) Block
}

// sequence is the Map of a basis.
type sequence struct {
	kernel       kernel.Kernel
	dim, columns int
	seed         uint64
	workers      int
	of           basis
}

func (q *sequence) Kernel() kernel.Kernel { return q.kernel }
func (q *sequence) Dim() int              { return q.dim }
func (q *sequence) Columns() int          { return q.columns }
func (q *sequence) Block(b uint64) Block  { return q.of.draw(newSource(q.seed, b), q.workers) }

func basisOf(k kernel.Kernel, d int, opts Options) (basis, error) {
	if g, ok := k.(kernel.Gaussian); ok {
		return gaussian{d: d, pairs: opts.Columns / 2, sigma: g.Sigma, sampler: opts.Sampler}, nil
	}
	return nil, fmt.Errorf("features: %v has no random features: %w", k, rkhs.ErrOption)
}
