package features

import "gonum.org/v1/gonum/blas/blas64"

// sum is the basis of a sum of kernels: the features of its terms side by side.
type sum struct {
	parts []basis
	total int
}

// newSum splits the columns among the parts. Exact features take what they need,
// where that is no more than an equal share; what is left goes to the others in
// equal numbers of pairs, the first ones getting one more where it does not divide.
func newSum(parts []part, columns int) *sum {
	s := &sum{parts: make([]basis, len(parts))}
	share := columns / len(parts)
	var rest []int
	for i, p := range parts {
		if n := p.exactColumns(); n > 0 && n <= share {
			s.parts[i] = p.basis(n)
			columns -= n
			s.total += n
		} else {
			rest = append(rest, i)
		}
	}
	for left := len(rest); left > 0; left-- {
		i := rest[len(rest)-left]
		pairs := (columns/2 + left - 1) / left
		s.parts[i] = parts[i].basis(2 * pairs)
		columns -= 2 * pairs
		s.total += s.parts[i].columns()
	}
	return s
}

func (s *sum) columns() int { return s.total }

func (s *sum) draw(from *source, workers int) Block {
	b := &sumBlock{columns: s.total}
	for _, p := range s.parts {
		b.parts = append(b.parts, p.draw(from, workers))
		b.widths = append(b.widths, p.columns())
	}
	return b
}

type sumBlock struct {
	parts   []Block
	widths  []int
	columns int
}

func (b *sumBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, x.Cols, b.columns)
	at := 0
	for i, p := range b.parts {
		p.TransformTo(columnsOf(dst, at, at+b.widths[i]), x)
		at += b.widths[i]
	}
}

func (b *sumBlock) Bytes() int { return bytesOf(b.parts) }

func bytesOf(blocks []Block) int {
	n := 0
	for _, b := range blocks {
		n += b.Bytes()
	}
	return n
}
