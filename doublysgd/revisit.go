package doublysgd

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
)

// revisit minimises
//
//	F(A, b) = Σ_i l(f(x_i), y_i) + (lam/2)·Σ_b ‖A_b‖²,   f(x) = b + Σ_b phi_b(x)·A_b,
//
// over the rows it trains on, by block Gauss–Seidel: it goes to the minimum
// along one block of coefficients after the other, together with the constant b, of the
// quadratic that lies above F by the bound of the curvature of the loss,
//
//	A_b += (CᵀC + lam/c·I)⁻¹(CᵀR − lam/c·A_b),   R = −l'(f)/c,
//
// where C is Z_b less the means of its columns. CᵀC and its factor are the same at every
// visit. For the squared loss, c = 1, the quadratic is F.
type revisit struct {
	function *blocks.Function
	design   *blocks.Design
	risk     *batches.Risk
	kink     *splitting     // nil for losses without kinks
	joint    *joint         // nil where rows are many
	constant []float64      // b, of each output
	f        compute.Matrix // n×q, scores
	r        compute.Matrix // n×q, R at the rows that are trained on
	train    int            // rows [0, train) are trained on
	ridge    float64        // weight of the squared norm, for a mean of the losses
	normals  []*blocks.Normal
	keep     int // number of blocks whose normal equations are kept
	most     int // number of blocks whose coefficients fit the memory
	workers  int
	moved    *move // sums up the steps of a pass; or nil
	stopped  func() bool
}

// copies of scores, and of coefficients, are held at a time: where they are, the moves
// that led there, and snapshots.
const copies = 6 + historyLength

// newRevisit returns the fit of f = 0 to the rows of an order, of which the first
// are trained on.
func newRevisit(t *task, c hyperparameters, order []int, train, columns int) (*revisit, error) {
	f, err := t.zero(c.kernel, columns)
	if err != nil {
		return nil, err
	}
	columns = f.Map.Columns() // those of kernels with exact features are what they are
	n, q, o := len(order), t.outputs(), t.options
	few := o.Passes == 0 && n <= jointRows
	single := !few && c.single && blocks.ServesSingle(f.Block(0), t.x, columns)
	size := int64(8)
	if single {
		size = 4
	}
	given := batches.RoundUp(max(o.Features, columns), columns)
	used := size*int64(n)*int64(t.x.Cols) + 8*int64(n)*int64(q)*copies + min(o.CacheSize, size*int64(n)*int64(columns)) +
		3*8*int64(columns)*int64(columns) + 8*int64(given)*int64(q)*copies
	what := fmt.Sprintf("%d features in blocks of %d at %d rows of %d columns and %d outputs", given, columns, n, t.x.Cols, q)
	if err := door.Memory(pkg, what, float64(used), o.MemoryLimit); err != nil {
		return nil, err
	}
	sums := 8 * int64(n) * int64(2*n+columns) // of a joint
	if few = few && used+sums <= o.MemoryLimit; few {
		used += sums
	}
	v := &revisit{function: f, risk: t.risk.Ordered(order), f: compute.NewMatrix(n, q), r: compute.NewMatrix(n, q), train: train,
		ridge: c.ridge, constant: make([]float64, q), stopped: t.monitor.Stopped,
		keep: int((o.MemoryLimit - used) / (8 * int64(columns) * int64(columns))), workers: o.Workers,
		most: 1 + int((o.MemoryLimit-used)/(8*int64(columns)*int64(q)*copies))}
	design := blocks.NewDouble
	if single {
		design = blocks.NewSingle
	}
	v.design = design(t.x, order, train, columns, o.Workers, o.CacheSize)
	if few {
		v.joint = newJoint(t.x, order, o.Workers)
	}
	if loss.Kinked(t.loss) {
		v.kink = newSplitting(v.risk, n, q)
		v.kink.include(v.f, 0, train)
	}
	return v, nil
}

// lam returns the ridge that the steps add to Z_bᵀZ_b. The kernel of the features
// is the mean over the blocks of <phi_b, phi_b>, so that the coefficients count
// once for each block.
func (v *revisit) lam() float64 {
	return v.ridge * float64(v.train) * float64(v.function.Count()) / v.curvature()
}

func (v *revisit) curvature() float64 {
	if v.kink != nil {
		return v.kink.rho
	}
	return loss.StepCurvature(v.risk.Loss())
}

// residual sets R for the scores at hand.
func (v *revisit) residual() {
	f, r := compute.Rows(v.f, 0, v.train), compute.Rows(v.r, 0, v.train)
	if v.kink != nil {
		v.kink.residual(r, f)
		return
	}
	v.risk.Part(0, v.train).Descent(r, f, 1/v.curvature())
}

// visit takes the step at one block, and returns the squared norm of its right
// side. If the fit is stopped meanwhile it takes none.
func (v *revisit) visit(b int) float64 {
	v.design.Use(b, v.function.Block(b))
	n := v.normal(b)
	if v.stopped() {
		return 0
	}
	// The normal equations of all rows are those of some, times 1/share.
	share := float64(n.Rows) / float64(v.train)
	n.Factor(share*v.lam(), v.workers)
	v.residual()
	means := batches.Centre(compute.Rows(v.r, 0, v.train))
	step := v.gradient(b)
	if v.stopped() {
		return 0
	}
	norm := blas64.Nrm2(compute.Vector(step.Data))
	n.Solve(step, v.workers)
	if share < 1 {
		blas64.Scal(share, compute.Vector(step.Data))
	}
	v.take(b, step, n.Shift(means, step))
	return norm * norm
}

// take adds a step to block b, which is in use, and one to the constant, unless the fit
// is stopped.
func (v *revisit) take(b int, step compute.Matrix, shift []float64) {
	// R is done with until the next visit.
	clear(v.r.Data)
	for c := range v.design.Ends {
		if v.stopped() {
			return
		}
		from, to := v.design.Span(c)
		v.design.Chunk(c).AddTo(compute.Rows(v.r, from, to), step)
	}
	compute.AddRow(v.r, shift)
	v.function.Add(b, step)
	floats.Add(v.constant, shift)
	blas64.Axpy(1, compute.Vector(v.r.Data), compute.Vector(v.f.Data))
	if v.moved != nil {
		v.moved.add(b, step, shift, v.r)
	}
}

// shift adds to the constant.
func (v *revisit) shift(by []float64) {
	floats.Add(v.constant, by)
	compute.AddRow(v.f, by)
	if v.moved != nil {
		floats.Add(v.moved.constant, by)
		compute.AddRow(v.moved.f, by)
	}
}

// fitConstant goes to the minimum of F along the constant.
func (v *revisit) fitConstant() {
	v.shift(v.risk.Part(0, v.train).Shift(compute.Rows(v.f, 0, v.train)))
}

// gradient returns Z_bᵀR − lam·A_b, m×q, for the block in use and a centred R.
func (v *revisit) gradient(b int) compute.Matrix {
	g := v.correlations(v.r)
	a := v.function.Blocks[b]
	blas64.Axpy(-v.lam()*v.function.Scale, compute.Vector(a.Data), compute.Vector(g.Data))
	return g
}

// correlations returns Z_bᵀR over the rows trained on, for the block in use.
func (v *revisit) correlations(r compute.Matrix) compute.Matrix {
	t := compute.NewMatrix(r.Cols, v.function.Map.Columns())
	for c := range v.design.Ends {
		if from, to := v.design.Span(c); to <= v.train && !v.stopped() {
			v.design.Chunk(c).AddTransposed(t, compute.Rows(r, from, to))
		}
	}
	return compute.Transpose(t)
}

// normal returns the normal equations of block b, which is in use, over the rows
// that are trained on, or as many of them as serve.
func (v *revisit) normal(b int) *blocks.Normal {
	for len(v.normals) <= b {
		v.normals = append(v.normals, nil)
	}
	n := v.normals[b]
	if n == nil {
		n = blocks.NewNormal(v.function.Map.Columns())
	}
	if b < v.keep {
		v.normals[b] = n
	}
	if n.Rows == v.train || n.Rows >= normalRows(v.function.Map.Columns()) {
		return n
	}
	n.Restore()
	rows, sums := n.Rows, compute.Matrix{Rows: 1, Cols: len(n.Sums), Stride: len(n.Sums), Data: n.Sums}
	for c := range v.design.Ends {
		from, to := v.design.Span(c)
		if from >= n.Rows && to <= v.train && from < normalRows(v.function.Map.Columns()) && !v.stopped() {
			v.design.Chunk(c).AddGram(n.Square)
			v.design.Chunk(c).AddTransposed(sums, compute.ColumnOf(slices.Repeat([]float64{1}, to-from)))
			rows = to
		}
	}
	n.Store(rows)
	return n
}

// gradientNorms returns the norm of the gradient over c of the minimum of F over the
// constant at one and the same A, and at A = 0, at the cost of computing all features
// once.
func (v *revisit) gradientNorms() (now, atZero float64) {
	v.fitConstant()
	v.residual()
	zero := *v
	q := v.f.Cols
	zero.f, zero.r, zero.constant = compute.NewMatrix(v.f.Rows, q), compute.NewMatrix(v.f.Rows, q), make([]float64, q)
	zero.fitConstant()
	zero.residual()
	batches.Centre(compute.Rows(v.r, 0, v.train))
	batches.Centre(compute.Rows(zero.r, 0, v.train))
	both := compute.NewMatrix(v.r.Rows, 2*q)
	for i := range both.Rows {
		copy(compute.Row(both, i), compute.Row(v.r, i))
		copy(compute.Row(both, i)[q:], compute.Row(zero.r, i))
	}
	for b := 0; b < v.function.Count() && !v.stopped(); b++ {
		v.design.Use(b, v.function.Block(b))
		g := v.correlations(both)
		for i := range g.Rows {
			for o, w := range compute.Row(g, i) {
				if o >= q {
					atZero += w * w
					continue
				}
				w -= v.lam() * v.function.Scale * v.function.Blocks[b].Data[i*q+o]
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
	compute.AddRow(v.f, v.constant)
	for b := range v.function.Count() {
		v.design.Use(b, v.function.Block(b))
		v.design.AddTo(v.f, v.function.Coefficients(b))
	}
}

// A snapshot is what steps change.
type snapshot struct {
	ridge    float64
	scale    float64
	blocks   []compute.Matrix
	constant []float64
	f        compute.Matrix
}

func (v *revisit) snapshot() snapshot {
	s := snapshot{ridge: v.ridge, scale: v.function.Scale, constant: slices.Clone(v.constant), f: compute.Clone(v.f)}
	for _, a := range v.function.Blocks {
		s.blocks = append(s.blocks, compute.Clone(a))
	}
	return s
}

// restore goes back to a snapshot, whose memory it takes.
func (v *revisit) restore(s snapshot) {
	v.ridge, v.function.Scale, v.function.Blocks, v.constant, v.f = s.ridge, s.scale, s.blocks, s.constant, s.f
}

// meanLoss returns the mean loss on the rows trained on.
func (v *revisit) meanLoss() float64 {
	return v.risk.Part(0, v.train).Value(v.f) / float64(v.train)
}

// criterion returns that by which hyperparameters are chosen, on the rows that are not
// trained on.
func (v *revisit) criterion() float64 {
	n := v.risk.Count()
	return v.risk.Part(v.train, n).Criterion(compute.Rows(v.f, v.train, n))
}

// include trains on rows [0, train) from now on, more than before.
func (v *revisit) include(train int) {
	if v.kink != nil {
		v.kink.include(v.f, v.train, train)
	}
	v.train = train
}

// advance ends a pass.
func (v *revisit) advance() {
	if v.kink != nil {
		v.kink.advance(v.f, v.train)
	}
}

// mistakes says which of the rows held out have wrong labels.
func (v *revisit) mistakes() []bool {
	wrong := make([]bool, v.risk.Count()-v.train)
	held, f := v.risk.Part(v.train, v.risk.Count()), compute.Rows(v.f, v.train, v.risk.Count())
	for i := range wrong {
		wrong[i] = !(held.Margin(compute.Row(f, i), i) > 0)
	}
	return wrong
}
