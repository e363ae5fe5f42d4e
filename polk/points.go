package polk

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// points are the points of a dictionary. Dense points are contiguous in memory.
type points struct {
	inputs int
	dense  []float64
	sparse bool
	rows   []*compute.Sparse // sparse points, one row each
	all    *compute.Sparse   // cached stack of rows, or nil
	fresh  bool              // all is up to date
}

// count returns the number of points.
func (p *points) count() int {
	if p.sparse {
		return len(p.rows)
	}
	return len(p.dense) / p.inputs
}

// matrix returns the points in the order of memory, valid until the next change.
func (p *points) matrix() compute.Points {
	if !p.sparse {
		n := len(p.dense) / p.inputs
		return compute.DensePoints(compute.Matrix{Rows: n, Cols: p.inputs, Stride: p.inputs, Data: p.dense})
	}
	if p.all == nil {
		p.all = compute.NewSparse(p.inputs, 0, 0)
	}
	if !p.fresh {
		compute.StackSparseTo(p.all, p.rows)
		p.fresh = true
	}
	return compute.SparsePoints(p.all)
}

// append adds row i of x.
func (p *points) append(x compute.Points, i int) {
	one := x.Between(i, i+1)
	if p.sparse {
		p.rows, p.fresh = append(p.rows, compute.SparsePoints(one.Thin()).Clone().Sparse), false
		return
	}
	p.dense = append(p.dense, one.Dense().Data[:p.inputs]...)
}

// replace moves the last point to the position of another.
func (p *points) replace(hole int) {
	last := p.count() - 1
	if p.sparse {
		p.rows[hole] = p.rows[last]
		p.rows, p.fresh = p.rows[:last], false
		return
	}
	copy(p.dense[hole*p.inputs:(hole+1)*p.inputs], p.dense[last*p.inputs:])
	p.dense = p.dense[:last*p.inputs]
}

func (p *points) encode(e *codec.Encoder) {
	if p.sparse {
		e.Points(p.matrix())
		return
	}
	e.Float64s(p.dense)
}

// decodePoints reads points of a number of inputs.
func decodePoints(d *codec.Decoder, inputs int) points {
	p := points{inputs: max(inputs, 1), sparse: d.SparseAhead()}
	if !p.sparse {
		p.dense = d.Float64s()
		if d.Err() == nil && len(p.dense)%p.inputs != 0 {
			d.Fail("%d numbers for points of %d inputs", len(p.dense), inputs)
		}
		return p
	}
	all := d.Points()
	if d.Err() == nil && all.Cols != inputs {
		d.Fail("points of %d inputs, want %d", all.Cols, inputs)
	}
	if d.Err() == nil {
		for i := range all.Rows {
			p.append(all, i)
		}
	}
	return p
}
