package features

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Part is a group of columns of a block as an explicit formula, for other programs:
//
//	Scale·[cos(W·x) ; sin(W·x)],  all cosines before all sines,
//
// or Scale·W·x if it is Linear. With Levels, x is first encoded by kernel.OneHot; with From and To, it is warped by
// kernel.Warped.
type Part struct {
	W        *mat.Dense // m×d, or m×D for the D columns of the image
	Scale    float64
	Linear   bool
	Levels   [][]float64 // or nil
	From, To [][]float64 // or nil
}

// begin sets the map of the points that precedes W. It is false if there is one already.
func (p *Part) begin(by gram.Embedding) bool {
	if by == nil {
		return true
	}
	if p.Levels != nil || p.From != nil {
		return false
	}
	switch by := by.(type) {
	case gram.Encoding:
		p.Levels = by
	case gram.Warping:
		p.From, p.To = by.From, by.To
	}
	return true
}

// begins reports whether the maps that precede W are equal.
func (p Part) begins(as Part) bool {
	same := func(a, b [][]float64) bool { return slices.EqualFunc(a, b, slices.Equal) }
	return same(p.Levels, as.Levels) && same(p.From, as.From) && same(p.To, as.To)
}

// Columns returns the number of columns of p: 2m, or m if it is Linear.
func (p Part) Columns() int {
	m, _ := p.W.Dims()
	return columnsFor(m, !p.Linear)
}

// partLimit bounds the elements of W in the parts of a block, to 2 GiB.
const partLimit = 1 << 28

// PartsOf draws block b of m and returns it as parts in the order of columns, equal to the features up to
// rounding. It supports Linear and kernels with frequencies, with metrics and codes, in sums and products.
// Errors wrap rkhs.ErrOption for other kernels, and rkhs.ErrMemory if the parts need more than 2 GiB.
// O(Columns·d).
func PartsOf(m Map, b uint64) ([]Part, error) {
	if m == nil {
		return nil, fmt.Errorf("features: PartsOf of no map: %w", rkhs.ErrOption)
	}
	d := m.Dim()
	if elements := float64(m.Columns()) * float64(d); elements > partLimit {
		return nil, fmt.Errorf("features: the frequencies of a block of %d columns for %d inputs take %.1f GiB, more than %d: %w",
			m.Columns(), d, elements/(1<<27), partLimit>>27, rkhs.ErrMemory)
	}
	if parts, ok := partsOf(m.Block(b), d); ok {
		return parts, nil
	}
	return nil, fmt.Errorf("features: the features of %v are not cosines and sines of products with frequencies: %w", m.Kernel(), rkhs.ErrOption)
}

// written is a block with parts.
type written interface {
	// parts returns false if an inner block has no parts.
	parts(d int) ([]Part, bool)
}

func partsOf(b Block, d int) ([]Part, bool) {
	w, ok := b.(written)
	if !ok {
		return nil, false
	}
	return w.parts(d)
}

func (f *fourierBlock) parts(int) ([]Part, bool) {
	w := compute.Clone(f.w)
	return waves(w, f.scale()), true
}

func (f *fastfoodBlock) parts(int) ([]Part, bool) {
	w := compute.NewMatrix(f.draws, f.d)
	x, first, second, angles := make([]float64, f.d), make([]float64, f.n), make([]float64, f.n), make([]float64, f.n)
	for j := range f.d {
		clear(x)
		x[j] = 1
		for k, g := range f.groups {
			g.product(angles, x, first, second)
			for i, v := range angles[:min(f.n, f.draws-k*f.n)] {
				w.Data[(k*f.n+i)*w.Stride+j] = v
			}
		}
	}
	return waves(w, math.Sqrt(f.gain/float64(f.draws))), true
}

func (f *wideFourierBlock) parts(int) ([]Part, bool) {
	w, column := compute.NewMatrix(f.draws, f.d), make([]float64, f.draws)
	for j := range f.d {
		f.w.column(column, int32(j), 0)
		if f.w.factors != nil {
			floats.Mul(column, f.w.factors)
		}
		for i, v := range column {
			w.Data[i*w.Stride+j] = v
		}
	}
	return waves(w, f.scale()), true
}

func waves(w compute.Matrix, scale float64) []Part {
	return []Part{{W: mat.NewDense(w.Rows, w.Cols, w.Data), Scale: scale}}
}

func (b *exactBlock) parts(d int) ([]Part, bool) {
	first, by, d := splitFirst(b.by, d)
	l, ok := linearMap(by, d)
	p := Part{W: l, Scale: 1, Linear: true}
	ok = ok && p.begin(first)
	return []Part{p}, ok
}

// splitFirst splits an embedding of points of length d into first, a leading encoding or warping or nil,
// and rest. width is the length of the points of rest.
func splitFirst(by gram.Embedding, d int) (first, rest gram.Embedding, width int) {
	first, rest, ok := leading(by)
	if !ok {
		return nil, by, d
	}
	if rest == nil {
		rest = identity{}
	}
	return first, rest, first.Width(d)
}

func leading(by gram.Embedding) (first, rest gram.Embedding, ok bool) {
	c, composed := by.(composition)
	if !composed {
		return gram.Leading(by)
	}
	first, rest, ok = leading(c.first)
	if rest == nil {
		return first, c.second, ok
	}
	return first, composition{rest, c.second}, ok
}

// linearMap returns the matrix of a linear embedding.
func linearMap(by gram.Embedding, d int) (*mat.Dense, bool) {
	if !isLinear(by) {
		return nil, false
	}
	const some = 256
	t := mat.NewDense(by.Width(d), d, nil)
	for from := 0; from < d; from += some {
		unit := compute.NewMatrix(min(some, d-from), d)
		for i := range unit.Rows {
			unit.Data[i*unit.Stride+from+i] = 1
		}
		images := compute.NewMatrix(unit.Rows, by.Width(d))
		by.EmbedTo(images, unit, 0)
		for i := range images.Rows {
			t.SetCol(from+i, compute.Row(images, i))
		}
	}
	return t, true
}

func (b *embeddedBlock) parts(d int) ([]Part, bool) {
	first, by, d := splitFirst(b.by, d)
	l, ok := linearMap(by, d)
	if !ok {
		return nil, false
	}
	parts, ok := partsOf(b.of, by.Width(d))
	for i := range parts {
		p := &parts[i]
		if !p.begin(first) {
			return nil, false
		}
		w := new(mat.Dense)
		w.Mul(p.W, l)
		p.W = w
	}
	return parts, ok
}

func (b *sumBlock) parts(d int) (all []Part, ok bool) {
	for _, of := range b.of {
		parts, ok := partsOf(of, d)
		if !ok {
			return nil, false
		}
		all = append(all, parts...)
	}
	return all, true
}

// parts adds the angles of factors if all are cosines and sines.
func (b *productBlock) parts(d int) ([]Part, bool) {
	all, ok := partsOf(b.first, d)
	if !ok || len(all) != 1 || all[0].Linear {
		return nil, false
	}
	for _, of := range b.others {
		p, ok := partsOf(of, d)
		if !ok || len(p) != 1 || p[0].Linear || !p[0].begins(all[0]) {
			return nil, false
		}
		all[0].W.Add(all[0].W, p[0].W)
		all[0].Scale *= p[0].Scale
	}
	return all, true
}

func (b *rowsBlock) parts(d int) ([]Part, bool) {
	if b.scale == 0 {
		return nil, false
	}
	parts, ok := partsOf(b.Block, d)
	for i := range parts {
		parts[i].Scale *= b.scale
	}
	return parts, ok
}

// Linear implements gram.LinearEmbedding.
func (identity) Linear() bool { return true }

// Linear implements gram.LinearEmbedding.
func (c composition) Linear() bool { return isLinear(c.first) && isLinear(c.second) }

func isLinear(e gram.Embedding) bool {
	l, ok := e.(gram.LinearEmbedding)
	return ok && l.Linear()
}
