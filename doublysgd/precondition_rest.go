package doublysgd

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// restPart is the part Σ_b ζ_b(x)·A_b of a function under way, and the average of
// its iterates, the t-th of which has weight t.
type restPart struct {
	p      *preconditioned
	steps  int
	now    iterate
	mean   iterate
	blocks *expansion // or nil, where only values are wanted
}

// iterate is a function Z·A + e·known, by the values of Z·A at all rows.
type iterate struct{ values, known compute.Matrix }

// at returns the values of the function at all rows.
func (f iterate) at(p *preconditioned) compute.Matrix {
	v := cloneMatrix(f.values)
	p.addSpanned(v, f.known)
	return v
}

func (p *preconditioned) newIterate(outputs int) iterate {
	return iterate{compute.NewMatrix(p.x.Rows, outputs), compute.NewMatrix(p.c.count(), outputs)}
}

// newRest returns zero. With keep, the coefficients are kept.
func (p *preconditioned) newRest(outputs int, keep bool) *restPart {
	r := &restPart{p: p, now: p.newIterate(outputs), mean: p.newIterate(outputs)}
	if keep {
		r.blocks = newExpansion(p.m, p.options, outputs, p.cache)
		r.blocks.cache = p.features
		r.blocks.mean = new(mean)
	}
	return r
}

// step goes by rate against the gradient: of the loss, whose derivatives at the
// rows, divided by their number, are g, and of the norm, with weight nu.
// inE is eᵀg.
func (r *restPart) step(g, inE compute.Matrix, rate, nu float64) {
	r.p.load(r.steps)
	a, values, known := r.p.direction(g, inE)
	decay := max(0, 1-rate*nu)
	r.now.advance(values, known, decay, rate)
	if r.blocks != nil {
		blas64.Scal(-rate, vector(a.Data))
		r.blocks.decay(decay)
		r.blocks.add(r.steps%r.p.blocks, a)
		r.blocks.mean.tick(r.blocks)
	}
	r.steps++
	r.mean.approach(r.now, 2/float64(r.steps+1))
}

func (f iterate) advance(values, known compute.Matrix, decay, rate float64) {
	for i, v := range values.Data {
		f.values.Data[i] = decay*f.values.Data[i] - rate*v
	}
	for i, v := range known.Data {
		f.known.Data[i] = decay*f.known.Data[i] - rate*v
	}
}

func (f iterate) approach(to iterate, by float64) {
	for i, v := range to.values.Data {
		f.values.Data[i] += by * (v - f.values.Data[i])
	}
	for i, v := range to.known.Data {
		f.known.Data[i] += by * (v - f.known.Data[i])
	}
}

// composite returns the function whose part in e, beside that of the averaged
// rest, is φ.
func (r *restPart) composite(phi compute.Matrix) *composite {
	part := cloneMatrix(phi)
	blas64.Axpy(1, vector(r.mean.known.Data), vector(part.Data))
	e := newExpansion(r.p.m, r.p.options, phi.Cols, r.p.cache)
	if r.steps > 0 {
		e = r.blocks.average()
	}
	return &composite{e: e, points: r.p.c.points, weights: r.p.c.weights(part)}
}
