package doublysgd

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// revisit minimises
//
//	F(A) = Σ_i l(f(x_i), y_i) + (lam/2)·Σ_b ‖A_b‖²,   f(x) = Σ_b phi_b(x)·A_b,
//
// over the rows it trains on, by block Gauss–Seidel: it goes to the minimum
// along one block of coefficients after the other, of the quadratic that lies
// above F by the bound of the curvature of the loss,
//
//	A_b += (Z_bᵀZ_b + lam/c·I)⁻¹(Z_bᵀR − lam/c·A_b),   R = −l'(f)/c.
//
// Z_bᵀZ_b and its factor are the same at every visit. For the squared loss, c = 1,
// the quadratic is F.
type revisit struct {
	e       *expansion
	d       *design
	k       *risk
	kink    *splitting     // nil for losses without kinks
	f       compute.Matrix // n×q, scores
	r       compute.Matrix // n×q, R at the rows that are trained on
	train   int            // rows [0, train) are trained on
	ridge   float64        // weight of the squared norm, for a mean of the losses
	normals []*normal
	keep    int // number of blocks whose normal equations are kept
	most    int // number of blocks whose coefficients fit the memory
	workers int
	moved   *move // sums up the steps of a sweep; or nil
}

// lam returns the ridge that the steps add to Z_bᵀZ_b. The kernel of the features
// is the mean over the blocks of <phi_b, phi_b>, so that the coefficients count
// once for each block.
func (v *revisit) lam() float64 {
	return v.ridge * float64(v.train) * float64(v.e.count()) / v.curvature()
}

func (v *revisit) curvature() float64 {
	if v.kink != nil {
		return v.kink.rho
	}
	return loss.StepCurvature(v.k.loss())
}

// residual sets R for the scores at hand.
func (v *revisit) residual() {
	f, r := compute.Rows(v.f, 0, v.train), compute.Rows(v.r, 0, v.train)
	if v.kink != nil {
		v.kink.residual(r, f)
		return
	}
	v.k.rows(0, v.train).descent(r, f, 1/v.curvature())
}

// visit takes the step at one block, and returns the squared norm of its right
// side.
func (v *revisit) visit(b int) float64 {
	v.d.use(b, v.e.block(b))
	n := v.normal(b)
	n.factor(v.lam(), v.workers)
	v.residual()
	step := v.gradient(b)
	norm := blas64.Nrm2(vector(step.Data))
	n.solve(step, v.workers)
	v.take(b, step)
	return norm * norm
}

// take adds a step to block b, which is in use.
func (v *revisit) take(b int, step compute.Matrix) {
	v.e.add(b, step)
	if v.moved == nil {
		v.d.addTo(v.f, step)
		return
	}
	// R is done with until the next visit.
	clear(v.r.Data)
	v.d.addTo(v.r, step)
	blas64.Axpy(1, vector(v.r.Data), vector(v.f.Data))
	v.moved.add(b, step, v.r)
}

// gradient returns Z_bᵀR − lam·A_b, m×q, for the block in use.
func (v *revisit) gradient(b int) compute.Matrix {
	g := v.correlations(v.r)
	a := v.e.blocks[b]
	blas64.Axpy(-v.lam()*v.e.scale, vector(a.Data), vector(g.Data))
	return g
}

// correlations returns Z_bᵀR over the rows trained on, for the block in use.
func (v *revisit) correlations(r compute.Matrix) compute.Matrix {
	t := compute.NewMatrix(r.Cols, v.e.m.Columns())
	for c := range v.d.ends {
		if from, to := v.d.span(c); to <= v.train {
			v.d.chunk(c).addTransposed(t, compute.Rows(r, from, to))
		}
	}
	return transposed(t)
}

// normal returns the normal equations of block b, which is in use, over all rows
// that are trained on.
func (v *revisit) normal(b int) *normal {
	for len(v.normals) <= b {
		v.normals = append(v.normals, nil)
	}
	n := v.normals[b]
	if n == nil {
		n = newNormal(v.e.m.Columns())
	}
	if b < v.keep {
		v.normals[b] = n
	}
	if n.rows == v.train {
		return n
	}
	n.restore()
	for c := range v.d.ends {
		if from, to := v.d.span(c); from >= n.rows && to <= v.train {
			v.d.chunk(c).addGram(n.square)
		}
	}
	n.store(v.train)
	return n
}

// gradientNorms returns the norm of the gradient of F over c at one and the same
// A, and at A = 0, at the cost of computing all features once.
func (v *revisit) gradientNorms(stopped func() bool) (now, atZero float64) {
	v.residual()
	zero := *v
	q := v.f.Cols
	zero.f, zero.r = compute.NewMatrix(v.f.Rows, q), compute.NewMatrix(v.f.Rows, q)
	zero.residual()
	both := compute.NewMatrix(v.r.Rows, 2*q)
	for i := range both.Rows {
		copy(row(both, i), row(v.r, i))
		copy(row(both, i)[q:], row(zero.r, i))
	}
	for b := 0; b < v.e.count() && !stopped(); b++ {
		v.d.use(b, v.e.block(b))
		g := v.correlations(both)
		for i := range g.Rows {
			for o, w := range row(g, i) {
				if o >= q {
					atZero += w * w
					continue
				}
				w -= v.lam() * v.e.scale * v.e.blocks[b].Data[i*q+o]
				now += w * w
			}
		}
	}
	return math.Sqrt(now), math.Sqrt(atZero)
}

// refresh computes the scores anew, without what rounding has left in them since
// they were zero.
func (v *revisit) refresh() {
	clear(v.f.Data)
	for b := range v.e.count() {
		v.d.use(b, v.e.block(b))
		v.d.addTo(v.f, v.e.coefficients(b))
	}
}

// A snapshot is what steps change.
type snapshot struct {
	ridge  float64
	scale  float64
	blocks []compute.Matrix
	f      compute.Matrix
}

func (v *revisit) snapshot() snapshot {
	s := snapshot{ridge: v.ridge, scale: v.e.scale, f: cloneMatrix(v.f)}
	for _, a := range v.e.blocks {
		s.blocks = append(s.blocks, cloneMatrix(a))
	}
	return s
}

// restore goes back to a snapshot, whose memory it takes.
func (v *revisit) restore(s snapshot) {
	v.ridge, v.e.scale, v.e.blocks, v.f = s.ridge, s.scale, s.blocks, s.f
}

// meanLoss returns the mean loss on the rows trained on.
func (v *revisit) meanLoss() float64 {
	return v.k.rows(0, v.train).value(v.f) / float64(v.train)
}

// heldOut returns the criterion on the rows that are not trained on.
func (v *revisit) heldOut() float64 {
	n := v.k.count()
	return v.k.rows(v.train, n).criterion(compute.Rows(v.f, v.train, n))
}

// include trains on rows [0, train) from now on, more than before.
func (v *revisit) include(train int) {
	if v.kink != nil {
		v.kink.include(v.f, v.train, train)
	}
	v.train = train
}

// advance ends a sweep.
func (v *revisit) advance() {
	if v.kink != nil {
		v.kink.advance(v.f, v.train)
	}
}
