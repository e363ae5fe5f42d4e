package descent

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Space is the space in which the tasks with a known objective are
// solved on rows at hand. It cuts the kernel in two,
//
//	k(x, z) = <e(x), e(z)> + r(x, z),
//
// what the centres span and the rest. The rest has random features without bias:
// those of k less what the centres know of them,
//
//	ζ_b(x) = Z_b(x) − e(x)·U⁻ᵀZ_b(C),   E<ζ_b(x), ζ_b(z)> = r(x, z).
//
// A function e(x)·φ + Σ_b ζ_b(x)·A_b is solved for by turns: φ exactly, A by
// stochastic gradients, whose noise and whose condition are those of the rest, a
// small fraction of those of k where its spectrum falls. Whatever the centres are,
// the minimum is that of the objective over the whole space of k: they are a
// preconditioner, and no bias.
type Space struct {
	Centres *centres.Centres
	X       compute.Points
	Weights compute.Weights // of the rows, of mean one; they are those of Ridge and Rate
	E       compute.Matrix  // e(x)
	Rest    float64         // mean of r(x, x) over the rows
	Blocks  int             // features are drawn again after so many blocks

	at       []int // the rows that the centres are
	features *blocks.Cache
	options  features.Options
	design   *blocks.Design
	budget   int64   // of the design, in bytes
	top      float64 // the largest eigenvalue of ζᵀζ/n of any block, once it is known
	monitor  *monitor.Monitor
}

const (
	defaultCentres = 1000
	defaultColumns = 1024
	spaceFeatures  = 32768
	// Negligible is the fraction of nu below which what the centres leave of k(x, x)
	// changes no digit that matters.
	Negligible = 1e-5
)

// NewSpace prepares the space for rows that have passed the door, and for a number of
// outputs. The centres need not know what is below the fraction enough of k(x, x).
// A fit that is told to stop does with few. It returns rkhs.ErrMemory if the centres, and
// five columns an output, are too large at all rows.
func NewSpace(o Config, x compute.Points, outputs int, enough float64, watch *monitor.Monitor) (*Space, error) {
	columns, points := cmp.Or(o.Columns, defaultColumns), cmp.Or(o.MaxPoints, defaultCentres)
	p := &Space{X: x, Blocks: (cmp.Or(o.Features, spaceFeatures) + columns - 1) / columns, budget: o.CacheSize, monitor: watch}
	p.options = features.Options{Seed: o.Seed, Columns: columns, Sampler: o.Sampler, Workers: o.Workers}
	m, err := features.New(o.Kernel, x.Cols, p.options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Package, err)
	}
	n := min(points, x.Rows, centres.CandidateRows)
	if err := door.Memory(o.Package, fmt.Sprintf("%d rows and %d centres", x.Rows, n), 8*float64(x.Rows)*float64(n+5*outputs), o.MemoryLimit); err != nil {
		return nil, err
	}
	p.Centres, p.at, err = centres.New(gram.Evaluator{Kernel: o.Kernel, Workers: o.Workers}, x, points, enough, o.Seed, centres.Watched(watch))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Package, err)
	}
	p.E = p.Centres.At(x)
	p.Rest = p.Centres.Rest(x, p.E)
	p.features = blocks.NewCache(m, o.CacheSize)
	return p, nil
}

// load turns to the features of step t.
func (s *Space) load(t int) {
	if s.design == nil {
		order := make([]int, s.X.Rows)
		for i := range order {
			order[i] = i
		}
		s.design = blocks.NewDouble(s.X, order, s.X.Rows, s.columns(), s.options.Workers, s.budget)
	}
	s.design.Use(t%s.Blocks, s.features.Block(uint64(t%s.Blocks)))
}

// Coordinates returns eᵀg, q×k.
func (s *Space) Coordinates(g compute.Matrix) compute.Matrix {
	a := compute.NewMatrix(s.Centres.Count(), g.Cols)
	compute.MulTN(a, s.E, g, s.options.Workers)
	return a
}

// AddSpanned adds e·φ at all rows to f.
func (s *Space) AddSpanned(f, phi compute.Matrix) { compute.MulNN(f, s.E, phi, s.options.Workers) }

// direction returns, for the block in use and g, n×k, of which eᵀg is given, the
// coefficients A = ζᵀg and the function ζ·A: the values of Z·A at all rows, and its part
// in e, −U⁻ᵀZ(C)·A.
func (s *Space) direction(g, inE compute.Matrix) (a, values, known compute.Matrix) {
	// ζᵀg = Zᵀg' where g' takes at the centres what of g they know.
	other := compute.Clone(g)
	w := s.Centres.Weights(inE)
	for i, r := range s.at {
		for o, v := range compute.Row(w, i) {
			other.Data[r*other.Stride+o] -= v
		}
	}
	t := compute.NewMatrix(g.Cols, s.columns())
	for c := range s.design.Ends {
		from, to := s.design.Span(c)
		s.design.Chunk(c).AddTransposed(t, compute.Rows(other, from, to))
	}
	a = compute.Transpose(t)
	values = compute.NewMatrix(s.X.Rows, g.Cols)
	s.design.AddTo(values, a)
	known = s.Centres.Coordinates(compute.Pick(values, s.at))
	for i := range known.Data {
		known.Data[i] = -known.Data[i]
	}
	return a, values, known
}

// columns returns the number of features of a block.
func (s *Space) columns() int { return s.features.Map.Columns() }
