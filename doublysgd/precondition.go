package doublysgd

import (
	"fmt"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// preconditioned is the space in which the tasks with a known objective are
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
type preconditioned struct {
	c        *centres
	at       []int // the rows that the centres are
	x        compute.Matrix
	n        int            // rows of x
	e        compute.Matrix // e(x)
	m        features.Map
	options  features.Options
	rest     float64 // mean of r(x, x) over the rows
	top      float64 // the largest eigenvalue of ζᵀζ/n of any block, once it is known
	blocks   int     // features are drawn again after so many blocks
	cache    int64
	workers  int
	design   *design
	features *cache
}

// newPreconditioned prepares the space for rows that have passed the door, and
// for a number of outputs. The centres need not know what is below the fraction
// enough of k(x, x).
func (o *preconditionOptions) newPreconditioned(k kernel.Kernel, x compute.Matrix, outputs int, enough float64) (*preconditioned, error) {
	p := &preconditioned{x: x, n: x.Rows, blocks: (o.features + o.columns - 1) / o.columns, cache: o.cache, workers: o.workers}
	p.options = features.Options{Seed: o.seed, Columns: o.columns, Sampler: o.sampler, Workers: o.workers}
	var err error
	if p.m, err = features.New(k, x.Cols, p.options); err != nil {
		return nil, fmt.Errorf("doublysgd: %w", err)
	}
	if err := o.checkMemory(x.Rows, 5*outputs, 0); err != nil {
		return nil, err
	}
	p.c, p.at, err = newCentres(kernel.Evaluator{Kernel: k, Workers: o.workers}, x, o.centres, enough, o.seed)
	if err != nil {
		return nil, err
	}
	p.e = p.c.at(x)
	p.rest = p.c.rest(x, p.e)
	p.features = newCache(p.m, o.cache)
	return p, nil
}

func stack(a, b compute.Matrix) compute.Matrix {
	s := compute.NewMatrix(a.Rows+b.Rows, a.Cols)
	for i := range a.Rows {
		copy(row(s, i), row(a, i))
	}
	for i := range b.Rows {
		copy(row(s, a.Rows+i), row(b, i))
	}
	return s
}

// load turns to the features of step t.
func (p *preconditioned) load(t int) {
	if p.design == nil {
		order := make([]int, p.x.Rows)
		for i := range order {
			order[i] = i
		}
		p.design = newDoubleDesign(p.x, order, p.n, p.m.Columns(), p.workers, p.cache)
	}
	p.design.use(t%p.blocks, p.features.block(uint64(t%p.blocks)))
}

// coordinates returns eᵀg, q×k.
func (p *preconditioned) coordinates(g compute.Matrix) compute.Matrix {
	a := compute.NewMatrix(p.c.count(), g.Cols)
	compute.MulTN(a, p.e, g, p.workers)
	return a
}

// addSpanned adds e·φ at all rows to f.
func (p *preconditioned) addSpanned(f, phi compute.Matrix) { compute.MulNN(f, p.e, phi, p.workers) }

// direction returns, for the block in use and g, n×k, of which eᵀg is given, the
// coefficients A = ζᵀg and the function ζ·A: the values of Z·A at all rows, and its part
// in e, −U⁻ᵀZ(C)·A.
func (p *preconditioned) direction(g, inE compute.Matrix) (a, values, known compute.Matrix) {
	// ζᵀg = Zᵀg' where g' takes at the centres what of g they know.
	other := cloneRows(g)
	w := p.c.weights(inE)
	for i, r := range p.at {
		for o, v := range row(w, i) {
			other.Data[r*other.Stride+o] -= v
		}
	}
	t := compute.NewMatrix(g.Cols, p.m.Columns())
	for c := range p.design.ends {
		from, to := p.design.span(c)
		p.design.chunk(c).addTransposed(t, compute.Rows(other, from, to))
	}
	a = transposed(t)
	values = compute.NewMatrix(p.x.Rows, g.Cols)
	p.design.addTo(values, a)
	known = p.c.coordinates(gather(values, p.at))
	for i := range known.Data {
		known.Data[i] = -known.Data[i]
	}
	return a, values, known
}

func transposed(m compute.Matrix) compute.Matrix {
	t := compute.NewMatrix(m.Cols, m.Rows)
	for i := range m.Rows {
		for j, v := range row(m, i) {
			t.Data[j*t.Stride+i] = v
		}
	}
	return t
}
