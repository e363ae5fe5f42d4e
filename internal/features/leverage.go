package features

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// Leverage adapts a map to data. Each block draws more candidates than it needs and samples from them in
// proportion to their ridge leverage scores
//
//	l_j = ‖(Z·Zᵀ + n·Ridge·I)^−½·z_j‖²,
//
// where z_j are the values of candidate j on up to 256 points and Z the values of all candidates. A fifth
// of the probability is uniform, which bounds the weights that keep the block unbiased. Leverage helps
// most with heavy-tailed frequencies, such as Laplacian and Matern with small Nu, and with a small ridge.
// A block costs Candidates times as much, and the scores O(256²·Candidates·Columns). Source: Li, Ton,
// Oglic and Sejdinovic, "Towards a unified analysis of random Fourier features", ICML 2019, algorithm 1.
type Leverage struct {
	// Points is a sample of the data, n×d. Blocks depend on it.
	Points mat.Matrix
	// Ridge is the ridge of the learner, a multiple of the identity added to K/n. Default: 1e-3.
	Ridge float64
	// Candidates is the number of candidates for each draw, 2 to 64. Default: 4.
	Candidates int
}

// leveragePoints bounds the number of points for the scores.
const leveragePoints = 256

// evenly is the share of uniform probability.
const evenly = 0.2

// leveraged is the basis of draws sampled by their scores.
type leveraged struct {
	of         productBasis
	points     blas64.General
	ridge      float64
	candidates int
}

// A subset is a block that can be restricted to some draws.
type subset interface {
	Block
	// keep returns the block of the given draws, scaled for their number.
	keep(draws []int) Block
}

// divisible reports whether b is a subset.
func divisible(b Block) bool {
	if l, ok := b.(*embeddedBlock); ok {
		return divisible(l.of)
	}
	_, ok := b.(subset)
	return ok
}

// newLeveraged returns the basis that samples from the draws of another one.
func newLeveraged(k kernel.Kernel, of basis, d int, opts Options) (empty basis, err error) {
	l, p := opts.Leverage, of.product
	if p == nil || len(p.families) != 1 || !divisible(p.families[0].draw(1, 1, newSource(0, 0), 1)) {
		return empty, fmt.Errorf("features: Leverage does not fit %v: its features are no function of inner products with frequencies: %w", k, rkhs.ErrOption)
	}
	if l.Ridge < 0 || !compute.Finite(l.Ridge) {
		return empty, fmt.Errorf("features: Leverage.Ridge = %v, want a number ≥ 0: %w", l.Ridge, rkhs.ErrOption)
	}
	if l.Candidates != 0 && (l.Candidates < 2 || l.Candidates > 64) {
		return empty, fmt.Errorf("features: Leverage.Candidates = %d, want 2 to 64: %w", l.Candidates, rkhs.ErrOption)
	}
	x, err := input.RowsOf("features", "Leverage.Points", l.Points, d)
	if err != nil {
		return empty, err
	}
	if err := gram.Check(k, compute.DensePoints(x)); err != nil {
		return empty, fmt.Errorf("features: Leverage.Points: %w", err)
	}
	b := leveraged{of: *p, points: x, ridge: l.Ridge, candidates: l.Candidates}
	if n := x.Rows; n > leveragePoints {
		b.points = compute.Pick(x, rng.New(opts.Seed, "leverage points", 0).Sample(n, leveragePoints))
	}
	if b.ridge == 0 {
		b.ridge = 1e-3
	}
	if b.candidates == 0 {
		b.candidates = 4
	}
	return basis{columns: of.columns, draw: b.draw}, nil
}

func (l leveraged) draw(s *source, workers int) Block {
	n := l.of.draws * l.candidates
	all := l.of.families[0].draw(n, l.of.gain, s, workers).(subset)
	q := l.scores(all, n, workers)
	floats.Scale((1-evenly)/total(q), q)
	floats.AddConst(evenly/float64(n), q)
	draws := systematic(q, l.of.draws, s)
	weights := make([]float64, l.of.columns())
	for j, a := range draws {
		for c := j; c < len(weights); c += l.of.draws {
			weights[c] = 1 / math.Sqrt(float64(n)*q[a])
		}
	}
	return &rowsBlock{all.keep(draws), func(row []float64) { floats.Mul(row, weights) }, 0, workers}
}

// scores returns the leverage score of each of n draws.
func (l leveraged) scores(all Block, n, workers int) []float64 {
	z := compute.NewMatrix(l.points.Rows, columnsFor(n, l.of.families[0].paired()))
	all.TransformTo(z, l.points)
	g := compute.NewMatrix(z.Rows, z.Rows)
	compute.MulNT(g, z, z, workers)
	for i := range g.Rows {
		g.Data[i*g.Stride+i] += float64(g.Rows) * l.ridge
	}
	scores := make([]float64, n)
	if !compute.Cholesky(g, workers) {
		floats.AddConst(1, scores) // the ridge is below rounding: uniform scores
		return scores
	}
	compute.SolveUpper(g, z, true, workers)
	for i := range z.Rows {
		for c, v := range compute.Row(z, i) {
			scores[c%n] = math.FMA(v, v, scores[c%n])
		}
	}
	return scores
}

// systematic draws m indices by systematic sampling: index i occurs m·q_i times, rounded up or down.
func systematic(q []float64, m int, s *source) []int {
	shift := make([]float64, 1)
	compute.Uniforms(shift, s.next(), 0)
	sum := total(q)
	selected := make([]int, m)
	i, below := 0, q[0]
	for j := range selected {
		at := (float64(j) + shift[0]) / float64(m) * sum
		for below <= at && i < len(q)-1 {
			i++
			below += q[i]
		}
		selected[j] = i
	}
	return selected
}
