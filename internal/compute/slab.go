package compute

import "sync"

// Slab is memory that matrices are cut from one after the other, and that all of them give back
// together: of phases that follow each other, each then lies where the one before it lay, and not
// beside what the collector has yet to find of that. Matrices for which it has no room, and all of a nil
// Slab, have memory of their own. It is safe for concurrent use.
type Slab struct {
	mu   sync.Mutex
	size int
	data []float64
	used int
}

// NewSlab returns room for so many numbers, which the first matrix makes.
func NewSlab(numbers int) *Slab { return &Slab{size: numbers} }

// Take returns r×c numbers of whatever was left there.
func (s *Slab) Take(r, c int) Matrix {
	return Matrix{Rows: r, Cols: c, Stride: c, Data: s.Numbers(r * c)}
}

// Numbers returns so many numbers of whatever was left there.
func (s *Slab) Numbers(n int) []float64 {
	if s == nil {
		return make([]float64, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n > s.size-s.used {
		return make([]float64, n)
	}
	if s.data == nil {
		s.data = make([]float64, s.size)
	}
	s.used += n
	return s.data[s.used-n : s.used : s.used]
}

// Room returns how many numbers there is room for; there is none in a nil Slab.
func (s *Slab) Room() int {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size - s.used
}

// Lend gives an empty matrix memory that so many numbers can take, for Reshape, if there is room.
func (s *Slab) Lend(m *Matrix, numbers int) {
	if numbers > 0 && numbers <= s.Room() {
		m.Data = s.Numbers(numbers)[:0]
	}
}

// Mark returns where the matrices so far end, for Reset.
func (s *Slab) Mark() int {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

// Reset takes back all matrices that were taken since Mark returned mark, which nothing may use
// any more; 0 means all.
func (s *Slab) Reset(mark int) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = mark
}
