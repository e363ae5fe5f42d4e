package compute

import "testing"

func TestUpperIn(t *testing.T) {
	const n = 7
	square := func() Matrix {
		m := NewMatrix(n, n)
		for i := range m.Data {
			m.Data[i] = float64(i)
		}
		return m
	}
	own := square()
	for name, u := range map[string]Upper{"new memory": UpperIn(make([]float64, UpperNumbers(n)), square()), "its own": UpperIn(own.Data, own)} {
		for i := range n {
			row := u.Row(i)
			if len(row) != n-i {
				t.Fatalf("%s: row %d has %d numbers", name, i, len(row))
			}
			for k, v := range row {
				if v != float64(i*n+i+k) {
					t.Errorf("%s: element %d, %d is %v", name, i, i+k, v)
				}
			}
		}
	}
}
