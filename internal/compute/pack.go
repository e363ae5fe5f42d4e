package compute

// A factor is one side of a product: count vectors of length inner. They are the rows
// of a matrix, or its columns if transposed is true.
type factor[T float] struct {
	matrix[T]
	transposed bool
	negated    bool
}

func (f factor[T]) count() int {
	if f.transposed {
		return f.cols
	}
	return f.rows
}

func (f factor[T]) inner() int {
	if f.transposed {
		return f.rows
	}
	return f.cols
}

// ceil returns n/d rounded up, without overflow.
func ceil(n, d int) int {
	if n < 1 {
		return 0
	}
	return (n-1)/d + 1
}

// pack writes elements [k0, k0+k) of vectors [i0, i0+n) in panels of the given width. It
// pads the last panel with zeros. The length of dst is a multiple of width·k. Unless f is
// transposed, pack subtracts a centre; the argument holds its elements [k0, k0+k).
func (e *engine[T]) pack(dst []T, f factor[T], i0, n, k0, k, width int, centre []T) {
	for i := 0; i < n; i += width {
		panel := dst[i*k : (i+width)*k]
		live := min(width, n-i)
		if live < width {
			clear(panel)
		}
		if f.transposed {
			packColumns(panel, f.matrix, i0+i, live, k0, k, width)
		} else {
			e.packRows(panel, f.matrix, i0+i, live, k0, k, width, centre)
		}
		if f.negated {
			for j, v := range panel {
				panel[j] = -v
			}
		}
	}
}

func packColumns[T float](panel []T, m matrix[T], i, live, k0, k, width int) {
	for j := range k {
		copy(panel[j*width:j*width+live], m.row(k0+j, i, i+live))
	}
}

func (e *engine[T]) packRows(panel []T, m matrix[T], i, live, k0, k, width int, centre []T) {
	strips, quads := live&^3, k&^3
	for s := 0; s < strips && quads > 0; s += 4 {
		e.transpose(panel[s:], width, m.data[(i+s)*m.stride+k0:], m.stride, centre, quads)
	}
	for r := range live {
		from := quads
		if r >= strips {
			from = 0
		}
		for j, v := range m.row(i+r, k0+from, k0+k) {
			panel[(from+j)*width+r] = v - centre[from+j]
		}
	}
}
