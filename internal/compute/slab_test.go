package compute

import "testing"

// TestSlab cuts matrices that do not overlap, and the same memory again after Reset.
func TestSlab(t *testing.T) {
	s := NewSlab(100)
	first := s.Take(5, 6)
	mark := s.Mark()
	second, beyond := s.Take(7, 10), s.Take(1, 1)
	for _, m := range []Matrix{first, second, beyond} {
		for i := range m.Rows {
			for j := range m.Cols {
				Row(m, i)[j] = 1
			}
		}
	}
	if s.used != 100 || &first.Data[0] != &s.data[0] || &beyond.Data[0] == &s.data[99] {
		t.Errorf("%d of 100 numbers are used", s.used)
	}
	s.Reset(mark)
	if again := s.Take(2, 2); &again.Data[0] != &s.data[30] {
		t.Error("what follows the mark does not begin there")
	}
	var none *Slab
	none.Reset(none.Mark())
	if m := none.Take(3, 4); len(m.Data) != 12 {
		t.Errorf("a nil Slab gave %d numbers", len(m.Data))
	}
}

func TestSlabConcurrent(t *testing.T) {
	s := NewSlab(64 * 10)
	Parallel(64, 8, func(i int) {
		for j, m := 0, s.Numbers(10); j < 10; j++ {
			m[j] += float64(i)
		}
	})
	sum := 0.0
	for _, v := range s.data {
		sum += v
	}
	if sum != 10*63*64/2 {
		t.Errorf("the numbers sum up to %v", sum)
	}
}
