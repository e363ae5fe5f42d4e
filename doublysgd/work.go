package doublysgd

import (
	"github.com/rkhs-go/rkhs/doublysgd/internal/revisit"
	"github.com/rkhs-go/rkhs/internal/features"
)

// defaultWork is about a minute and a half on two cores.
const defaultWork = 4e12

// work counts the floating-point operations of a Revisit fit.
type work struct{ rows, sampled, inputs, outputs, columns float64 }

// work returns the count for a number of rows.
func (t *task) work(rows int) work {
	return work{
		rows: float64(rows), sampled: float64(min(rows, revisit.NormalRows(t.columns))), inputs: float64(t.x.PerRow()),
		outputs: float64(t.outputs()), columns: float64(t.columns),
	}
}

// Sparse rows have blocks of at most sparseColumns features, or wideColumns where drawing features
// for columns dominates, because the memory grows with the size of a block.
const sparseColumns, wideColumns = 512, 256

// leastColumns is the smallest size of a block under a tight memory limit.
const leastColumns = 128

// columnsWithin reduces the number of features of a block until the fit is within MemoryLimit.
func (t *task) columnsWithin(columns int) int {
	o := t.options
	if o.Mode != Revisit || o.Columns > 0 || o.Features > 0 {
		return columns
	}
	least := func(columns int) int64 {
		return revisit.LeastBytes(t.x, t.x.Rows, t.outputs(), columns, columns, 8, o.CacheSize)
	}
	switch {
	case t.x.Sparse == nil:
	case t.x.Rows > jointRows && t.drawsColumns():
		columns, least = min(columns, wideColumns), t.wideBytes
	default:
		columns = min(columns, sparseColumns)
	}
	for columns > leastColumns && least(columns) > revisit.Sparing(t.x, o.MemoryLimit) {
		columns /= 2
	}
	return columns
}

// wideBytes returns the memory for blocks drawn for single columns, with the factors of all
// features.
func (t *task) wideBytes(columns int) int64 {
	w, size := t.work(t.x.Rows), int64(8)
	if t.options.Precision == Single {
		size = 4
	}
	w.columns = 1
	count := max(columns, min(featuresPerRow*t.x.Rows, int(min(t.options.Work/w.fit(1), 1<<30))))
	return revisit.LeastBytes(t.x, t.x.Rows, t.outputs(), columns, count, size, t.options.CacheSize) + size*int64(count)*int64(columns)/2
}

// drawsColumns reports whether the features of the kernel are drawn for single columns.
func (t *task) drawsColumns() bool {
	f, err := t.zero(t.kernel, leastColumns)
	return err == nil && features.DrawsColumns(f.Block(0))
}

const (
	// featureWork is the cost of a sine or cosine with its overhead.
	featureWork = 40
	// plannedVisits is the number of visits to a block that a fit should have. The last visits
	// include the held-out rows and measure the gradient.
	plannedVisits, lastVisits = 6, 2
)

// visit counts the visit of a block, which computes its features twice.
func (w work) visit() float64 {
	return w.rows * w.columns * (2*(2*w.inputs+featureWork) + 4*w.outputs)
}

// normal counts the normal equations of a block and their factor.
func (w work) normal() float64 { return w.columns * w.columns * (w.sampled + w.columns/3) }

// fit counts a fit with a number of blocks.
func (w work) fit(blocks int) float64 {
	return float64(blocks) * (w.normal() + plannedVisits*w.visit())
}

// joint counts a joint step and its leave-one-out errors.
func (w work) joint(features int) float64 {
	visits := float64(features) / w.columns * w.visit()
	return w.rows*w.rows*(float64(features)+2*w.rows/3) + visits
}

// allows reports whether the bound admits more passes over blocks, some of them new, and the end of
// the fit.
func (p *passes) allows(count, blocks, fresh int) bool {
	w := p.work(p.rows)
	return p.spent+float64(fresh)*w.normal()+float64((count+lastVisits)*blocks)*w.visit() <= p.bound
}
