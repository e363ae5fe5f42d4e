package compute

// Upper is the upper triangle of an N×N matrix, its rows one after the other without gaps: half
// the memory of a square.
type Upper struct {
	N    int
	Data []float64
}

// UpperNumbers is how many numbers an Upper of n rows holds.
func UpperNumbers(n int) int { return n * (n + 1) / 2 }

// Row returns the N−i numbers of row i; the first one is on the diagonal.
func (u Upper) Row(i int) []float64 {
	at := i*u.N - i*(i-1)/2
	return u.Data[at : at+u.N-i : at+u.N-i]
}

// UpperIn copies the upper triangle of m, which is square, into memory for it. This may be that of
// m itself, if there are no gaps between its rows.
func UpperIn(data []float64, m Matrix) Upper {
	u := Upper{N: m.Rows, Data: data[:UpperNumbers(m.Rows)]}
	for i := range m.Rows {
		copy(u.Row(i), Row(m, i)[i:])
	}
	return u
}
