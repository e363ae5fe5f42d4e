package kernel

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// OneHot is the kernel
//
//	k(x, z) = Of(e(x), e(z))
//
// of points some of whose coordinates are codes of categories: e puts in the place of
// coordinate c, for each of its Levels[c], an indicator, 1 where the coordinate is that level
// and 0 else, and leaves a coordinate without levels as it is. Distances then tell whether
// two categories differ, and not how far apart their codes are. A value that is none of the
// levels has zeros alone. O(Σ_c max(1, |Levels[c]|)) for a point. Source: one-hot encoding, the
// usual one of nominal variables (Hastie, Tibshirani and Friedman, "The elements of
// statistical learning", 2009, section 2.3.3).
type OneHot struct {
	Levels [][]float64 // finite and ascending, one list a coordinate; empty for one that is no code
	Of     Kernel
}

// Eval returns k(x, y).
func (k OneHot) Eval(x, y []float64) float64 {
	u, v := k.images(x, sameLength(x, y))
	return k.Of.Eval(u, v)
}

func (k OneHot) images(x, y []float64) (u, v []float64) {
	e := Encoding(k.Levels)
	width := e.Width(len(x))
	both := make([]float64, 2*width)
	u, v = both[:width], both[width:]
	e.embedRow(u, x)
	e.embedRow(v, y)
	return u, v
}

// Encoding is the Embedding e of OneHot.
type Encoding [][]float64

// Width implements Embedding.
func (e Encoding) Width(int) int {
	width := 0
	for _, levels := range e {
		width += max(1, len(levels))
	}
	return width
}

// EmbedTo implements Embedding.
func (e Encoding) EmbedTo(dst, x blas64.General, workers int) {
	RowEmbedding(e.embedRow).EmbedTo(dst, x, workers)
}

func (e Encoding) embedRow(dst, x []float64) {
	clear(dst)
	at := 0
	for c, levels := range e {
		if len(levels) == 0 {
			dst[at] = x[c]
		} else if l, ok := slices.BinarySearch(levels, x[c]); ok {
			dst[at+l] = 1
		}
		at += max(1, len(levels))
	}
}

// EmbedSparse implements SparseEmbedding: a coordinate that is not listed is 0, which may be a
// level.
func (e Encoding) EmbedSparse(x *compute.Sparse, _ int) (compute.Points, bool) {
	images := compute.NewSparse(e.Width(x.Cols), x.Rows, 0)
	row, image := make([]float64, x.Cols), make([]float64, images.Cols)
	for i := range x.Rows {
		columns, values := x.Row(i)
		for k, c := range columns {
			row[c] = values[k]
		}
		e.embedRow(image, row)
		for j, v := range image {
			if v != 0 {
				images.Append(int32(j), v)
			}
		}
		images.EndRow()
		for _, c := range columns {
			row[c] = 0
		}
	}
	return compute.SparsePoints(images), true
}

// Encoded parts an embedding that begins with the Encoding of a OneHot from what follows, nil
// for nothing.
func Encoded(by Embedding) (first Encoding, rest Embedding, ok bool) {
	switch by := by.(type) {
	case Encoding:
		return by, nil, true
	case composed:
		first, rest, ok = Encoded(by.inner)
		if rest == nil {
			return first, by.outer, ok
		}
		return first, composed{rest, by.outer}, ok
	}
	return nil, by, false
}

func (k OneHot) engine(Kernel) engine {
	return mapEngine{phi: Encoding(k.Levels), of: engineOf(k.Of)}
}

// Validate implements Validator.
func (k OneHot) Validate(dim int) error {
	if dim != 0 && dim != len(k.Levels) {
		return fmt.Errorf("kernel: OneHot has levels of %d columns, the data %d: %w", len(k.Levels), dim, rkhs.ErrShape)
	}
	if len(k.Levels) == 0 {
		return fmt.Errorf("kernel: OneHot.Levels is empty: %w", rkhs.ErrEmpty)
	}
	for c, levels := range k.Levels {
		for l, v := range levels {
			if !compute.Finite(v) {
				return fmt.Errorf("kernel: OneHot.Levels[%d][%d] is %v: %w", c, l, v, rkhs.ErrNotFinite)
			}
			if l > 0 && levels[l-1] >= v {
				return fmt.Errorf("kernel: OneHot.Levels[%d] has %v after %v, want them ascending: %w", c, v, levels[l-1], rkhs.ErrOption)
			}
		}
	}
	return validate(k.Of, Encoding(k.Levels).Width(0))
}

// Outside implements Domain.
func (k OneHot) Outside(x []float64) (int, string) {
	if _, ok := k.Of.(Domain); !ok {
		return -1, ""
	}
	e := Encoding(k.Levels)
	u := make([]float64, e.Width(len(x)))
	e.embedRow(u, x)
	column, reason := outside(k.Of, u)
	if column < 0 {
		return -1, ""
	}
	at := 0
	for c, levels := range k.Levels {
		if at += max(1, len(levels)); column < at {
			return c, "one-hot encoded: " + reason
		}
	}
	return column, reason
}

// Parameters implements Parametric: those of Of.
func (k OneHot) Parameters() []Parameter { return prefixed("Of.", parameters(k.Of)) }

// WithParameters implements Parametric.
func (k OneHot) WithParameters(v []float64) Kernel {
	return OneHot{Levels: k.Levels, Of: withParameters(k.Of, v)}
}

// LogGradient implements Parametric.
func (k OneHot) LogGradient(dst, x, y []float64) int {
	u, v := k.images(x, sameLength(x, y))
	return logGradient(k.Of, dst, u, v)
}

// Representation implements Represented, where Of is, or what is divided by its scales.
func (k OneHot) Representation(int) Representation {
	e := Encoding(k.Levels)
	width := e.Width(0)
	var by Embedding = e
	of := k.Of
	if a, ok := of.(ARD); ok {
		by, of = composed{e, Division(a.Scales)}, a.Of
	}
	r, err := RepresentationOf(of, width)
	if err != nil {
		return Representation{}
	}
	r.Of = k
	if r.Embedding != nil {
		by = composed{by, r.Embedding}
	}
	r.Embedding = by
	return r
}

func (k OneHot) String() string { return literal(k) }
