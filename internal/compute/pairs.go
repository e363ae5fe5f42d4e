package compute

import "unsafe"

const (
	// lineBytes is the size of a cache line.
	lineBytes = 64
	// pastBytes is the size from which a block is written with non-temporal stores. Such a
	// block would evict useful data from the caches, and ordinary stores would first read
	// each line.
	pastBytes = 16 << 20
)

// pairs writes features to a block, n×2m, cosines before sines.
type pairs[T float] struct {
	engine *engine[T]
	dst    matrix[T]
	past   bool // use non-temporal stores
}

func (e *engine[T]) pairsTo(dst matrix[T]) pairs[T] {
	var element T
	return pairs[T]{e, dst, dst.rows*dst.cols*int(unsafe.Sizeof(element)) >= pastBytes}
}

// put writes the cosines of n angles to row i from column j on, and the sines m columns
// later. It overwrites angles, which are padded to a multiple of quantum.
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

// flush makes the features visible to other goroutines.
func (p pairs[T]) flush() {
	if p.past {
		p.engine.fence()
	}
}

// beginsLine reports whether v starts at a cache line.
func beginsLine[T float](v []T) bool {
	return len(v) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(v)))%lineBytes == 0
}
