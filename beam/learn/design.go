package learn

import (
	"cmp"
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// design holds the columns z(x) of a ridge regression and the parameters that workers share.
// The columns are random features, or functions k(x, C)·U⁻¹ on centres C. These are
// orthonormal in the space of the kernel, with UᵀU = K_CC.
type design struct {
	of      gram.Evaluator
	centres *nystrom.Centres // nil for random features
	blocks  []features.Block
	plan    plan
}

// plan is the serialised form of design.
type plan struct {
	Kernel          []byte
	Inputs, Outputs int
	Labels          []int   // nil for regression
	Noise           float64 // n·lam for n rows with weights of mean one; 0 if Ridge is lam
	Ridge           float64
	Tile            int

	Columns  int // in a block of features; 0 for centres
	Features int
	Seed     uint64

	Sparse                  bool // centres
	Rows                    int
	Offsets                 []int
	Listed                  []int32
	Points, Inverse, Choice []float64
}

// newDesign selects open options on the sample.
func newDesign(ctx context.Context, st *Statistics, o RidgeOptions, classes bool) (*design, error) {
	x, y := st.inputs()
	w, err := input.WeighedPair("learn", input.Points, x, y)
	if err != nil {
		return nil, err
	}
	targets, index := w.Y, []int(nil)
	p := plan{Inputs: st.shape.cols, Outputs: st.shape.outputs, Ridge: o.Ridge, Tile: cmp.Or(o.Tile, defaultTile), Seed: o.Seed, Features: o.Features}
	if classes {
		if p.Labels, err = input.Announced("learn", st.Labels); err != nil {
			return nil, err
		}
		if index, err = input.Known("learn", w.Y, p.Labels); err != nil {
			return nil, err
		}
		p.Outputs = outputsFor(p.Labels)
		targets = input.Targets(index, p.Outputs)
	}
	k := o.Kernel
	if k == nil || o.Ridge == 0 {
		metric := kernel.AutoMetric
		if o.Features > 0 { // a learned metric widens the spectrum
			metric = kernel.NoMetric
		}
		c := search.Tune(w.X, targets, index, search.Options{Kernel: k, Weights: input.MeanOne(w.Weights), Metric: metric, Noise: o.Ridge * float64(st.Rows), Rescore: true, Spread: true, MemoryLimit: cmp.Or(o.MemoryLimit, input.DefaultMemory), Seed: o.Seed,
			Stopped: func() bool { return ctx.Err() != nil }})
		if k = c.Kernel; o.Ridge == 0 {
			p.Noise = c.Noise
		}
	}
	if p.Kernel, err = kernel.Marshal(k); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	d := &design{of: gram.Evaluator{Kernel: k}, plan: p}
	if o.Features > 0 {
		return d, d.draw()
	}
	if err := gram.Check(k, w.X); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	if d.centres, _, err = nystrom.New(d.of, w.X, cmp.Or(o.MaxPoints, defaultPoints), 0, o.Seed, nil); err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	d.plan.keep(d.centres)
	return d, ctx.Err()
}

// draw sets up the random features.
func (d *design) draw() error {
	o := features.Options{Seed: d.plan.Seed, Columns: min(featureBlock, d.plan.Features+d.plan.Features%2)}
	m, err := features.New(d.of.Kernel, d.plan.Inputs, o)
	if err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	d.plan.Columns = o.Columns
	count := (d.plan.Features + m.Columns() - 1) / m.Columns()
	if features.Exact(m) {
		count = 1
	}
	for b := range count {
		d.blocks = append(d.blocks, m.Block(uint64(b)))
	}
	d.plan.Features = count * m.Columns()
	return nil
}

// keep stores centres in the plan.
func (p *plan) keep(c *nystrom.Centres) {
	p.Rows, p.Inverse = c.Points.Rows, compute.Contiguous(c.Inverse)
	if s := c.Points.Sparse; s != nil {
		own := c.Points.Clone().Sparse
		p.Sparse, p.Offsets, p.Listed, p.Points = true, own.Offsets, own.Columns, own.Values
		return
	}
	p.Points = compute.Contiguous(c.Points.Matrix)
}

// columns returns D, the number of columns.
func (d *design) columns() int {
	if d.centres != nil {
		return d.centres.Count()
	}
	return d.plan.Features
}

// fill sets z, n×D, to the columns at the rows x.
func (d *design) fill(z compute.Matrix, x compute.Points) {
	if d.centres != nil {
		compute.CopyTo(z, d.centres.At(x))
		return
	}
	from := 0
	for _, b := range d.blocks {
		to := from + d.plan.Features/len(d.blocks)
		features.TransformPoints(b, compute.Columns(z, from, to), x)
		from = to
	}
}

// targets returns y, or the targets that encode its labels.
func (d *design) targets(y compute.Matrix) (compute.Matrix, error) {
	if d.plan.Labels == nil {
		return y, nil
	}
	index, err := input.Known("learn", y, d.plan.Labels)
	return input.Targets(index, d.plan.Outputs), err
}

func outputsFor(labels []int) int {
	if len(labels) == 2 {
		return 1
	}
	return len(labels)
}

// decodeDesign returns an error that wraps rkhs.ErrFormat for invalid data.
func decodeDesign(data []byte) (*design, error) {
	p, err := decodeGob[plan](data)
	if err != nil {
		return nil, err
	}
	k, err := kernel.Unmarshal(p.Kernel)
	if err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	d := &design{of: gram.Evaluator{Kernel: k}, plan: p}
	if p.Columns > 0 {
		return d, d.draw()
	}
	x := mat.Matrix(&rkhs.Sparse{Rows: p.Rows, Cols: p.Inputs, Offsets: p.Offsets, Columns: p.Listed, Values: p.Points})
	if !p.Sparse {
		if p.Rows < 1 || p.Inputs < 1 || len(p.Points) != p.Rows*p.Inputs {
			return nil, fmt.Errorf("learn: %d numbers of %d×%d centres: %w", len(p.Points), p.Rows, p.Inputs, rkhs.ErrFormat)
		}
		x = mat.NewDense(p.Rows, p.Inputs, p.Points)
	}
	points, err := input.Points("learn", "centres", x)
	if err != nil {
		return nil, err
	}
	if len(p.Inverse) != p.Rows*p.Rows {
		return nil, fmt.Errorf("learn: an inverse of %d numbers for %d centres: %w", len(p.Inverse), p.Rows, rkhs.ErrFormat)
	}
	d.centres = &nystrom.Centres{Of: d.of, Points: points, Inverse: compute.Matrix{Rows: p.Rows, Cols: p.Rows, Stride: p.Rows, Data: p.Inverse}}
	return d, nil
}
