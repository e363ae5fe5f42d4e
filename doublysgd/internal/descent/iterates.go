package descent

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Iterates is the part Σ_b ζ_b(x)·A_b of a function under way, and the average of its
// iterates, the t-th of which has weight t.
type Iterates struct {
	Steps     int
	Now, Mean Iterate

	space  *Space
	blocks *blocks.Function
}

// Iterate is a function Z·A + e·known, by the values of Z·A at all rows.
type Iterate struct{ values, known compute.Matrix }

// At returns the values of the function at all rows.
func (f Iterate) At(p *Space) compute.Matrix {
	v := compute.Clone(f.values)
	p.AddSpanned(v, f.known)
	return v
}

func newIterate(p *Space, outputs int) Iterate {
	return Iterate{compute.NewMatrix(p.X.Rows, outputs), compute.NewMatrix(p.Centres.Count(), outputs)}
}

// NewIterates returns zero, of so many outputs.
func NewIterates(p *Space, outputs int) *Iterates {
	r := &Iterates{space: p, Now: newIterate(p, outputs), Mean: newIterate(p, outputs)}
	r.blocks = blocks.New(p.features, p.options, outputs)
	r.blocks.Average = new(blocks.Average)
	return r
}

// Step goes by rate against the gradient: of the loss, whose derivatives at the
// rows, divided by their number, are g, and of the norm, with weight nu.
// inE is eᵀg. A fit that is told to stop takes none.
func (r *Iterates) Step(g, inE compute.Matrix, rate, nu float64) {
	if r.space.monitor.Stopped() {
		return
	}
	r.space.load(r.Steps)
	a, values, known := r.space.direction(g, inE)
	decay := max(0, 1-rate*nu)
	r.Now.advance(values, known, decay, rate)
	blas64.Scal(-rate, compute.Vector(a.Data))
	r.blocks.Decay(decay)
	r.blocks.Add(r.Steps%r.space.Blocks, a)
	r.blocks.Average.Tick(r.blocks)
	r.Steps++
	r.Mean.approach(r.Now, 2/float64(r.Steps+1))
}

func (f Iterate) advance(values, known compute.Matrix, decay, rate float64) {
	for i, v := range values.Data {
		f.values.Data[i] = decay*f.values.Data[i] - rate*v
	}
	for i, v := range known.Data {
		f.known.Data[i] = decay*f.known.Data[i] - rate*v
	}
}

func (f Iterate) approach(to Iterate, by float64) {
	for i, v := range to.values.Data {
		f.values.Data[i] += by * (v - f.values.Data[i])
	}
	for i, v := range to.known.Data {
		f.known.Data[i] += by * (v - f.known.Data[i])
	}
}

// SpaceFunction returns the function whose part in e, beside that of the averaged rest, is φ.
func (r *Iterates) Function(phi compute.Matrix) *SpaceFunction {
	part := compute.Clone(phi)
	blas64.Axpy(1, compute.Vector(r.Mean.known.Data), compute.Vector(part.Data))
	f := blocks.New(r.space.features, r.space.options, phi.Cols)
	if r.Steps > 0 {
		f = r.blocks.Averaged()
	}
	return &SpaceFunction{Features: f, Points: r.space.Centres.Points, Weights: r.space.Centres.Weights(part)}
}
