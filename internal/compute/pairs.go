package compute

import "unsafe"

const (
	// lineBytes is the size of a line of the caches.
	lineBytes = 64
	// pastBytes is the size of a block from which on it is written past the caches. It would not stay
	// there, what is needed again would go, and a line that is written to is read first.
	pastBytes = 16 << 20
)

// pairs takes the features of a block, n×2m, cosines before sines.
type pairs[T float] struct {
	engine *engine[T]
	dst    matrix[T]
	past   bool // the caches
}

func (e *engine[T]) pairsTo(dst matrix[T]) pairs[T] {
	var element T
	return pairs[T]{e, dst, dst.rows*dst.cols*int(unsafe.Sizeof(element)) >= pastBytes}
}

// put sets the cosines of n angles in row i from column j on, and their sines m columns on. It
// overwrites angles, which go on with padding up to a multiple of quantum.
func (p pairs[T]) put(i, j, n int, angles []T, scale T) {
	m := p.dst.cols / 2
	cos, sin := p.dst.row(i, j, j+n), p.dst.row(i, m+j, m+j+n)
	switch {
	case n < len(angles):
		sines := p.engine.buffer(len(angles))
		defer sines.free()
		p.engine.paired(angles, sines.data, angles, scale)
		copy(cos, angles)
		copy(sin, sines.data)
	case p.past && beginsLine(cos) && beginsLine(sin):
		p.engine.pairedBy(p.engine.wavePast, cos, sin, angles, scale)
	default:
		p.engine.paired(cos, sin, angles, scale)
	}
}

// flush lets other goroutines read what was put by this one.
func (p pairs[T]) flush() {
	if p.past {
		p.engine.fence()
	}
}

// beginsLine reports whether elements begin at a line of the caches.
func beginsLine[T float](v []T) bool {
	return len(v) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(v)))%lineBytes == 0
}
