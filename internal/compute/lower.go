package compute

// Lower is the lower triangle of an N×N matrix that grows and shrinks by rows. It
// stores rows in groups of narrowRows, padded to the length of the last row of the
// group, so products read a group in place. Each group has its own memory, so growing
// does not copy. Memory: n²/2 + 4n elements.
type Lower struct {
	N      int
	groups [][]float64 // Pop keeps groups for reuse
}

// LowerOf returns a copy of a lower triangle stored by rows without padding.
func LowerOf(n int, rows []float64) Lower {
	var l Lower
	for i := range n {
		copy(l.Push(), rows[i*(i+1)/2:])
	}
	return l
}

// Packed returns a copy of the triangle stored by rows without padding.
func (l *Lower) Packed() []float64 {
	rows := make([]float64, 0, l.N*(l.N+1)/2)
	for i := range l.N {
		rows = append(rows, l.Row(i)...)
	}
	return rows
}

// group returns the rows of group g and their stride.
func (l *Lower) group(g int) (rows []float64, stride int) { return l.groups[g], narrowRows * (g + 1) }

// Row returns the i+1 elements of row i, including the diagonal. It shares the memory
// of l.
func (l *Lower) Row(i int) []float64 {
	rows, stride := l.group(i / narrowRows)
	at := i % narrowRows * stride
	return rows[at : at+i+1 : at+i+1]
}

// Push appends a row with arbitrary elements and returns it.
func (l *Lower) Push() []float64 {
	if g := l.N / narrowRows; l.N%narrowRows == 0 {
		if g == len(l.groups) {
			l.groups = append(l.groups, make([]float64, narrowRows*narrowRows*(g+1)))
		}
		clear(l.groups[g]) // products read all rows of a group, including unused rows
	}
	l.N++
	return l.Row(l.N - 1)
}

// Pop removes the last row.
func (l *Lower) Pop() { l.N-- }

// Reset removes all rows and keeps the memory.
func (l *Lower) Reset() { l.N = 0 }

// mostPanels is the number of panels of right-hand sides solved together. They fit in
// the cache of a core.
const mostPanels = 8

// Forward overwrites each row b of B, q×N, with L⁻¹b. O(q·N²/2).
func (l *Lower) Forward(b Matrix, workers int) { l.solve(use64, b, false, workers) }

// Backward overwrites each row b of B, q×N, with L⁻ᵀb. O(q·N²/2).
func (l *Lower) Backward(b Matrix, workers int) { l.solve(use64, b, true, workers) }

// solve solves with L, or with Lᵀ, for the rows of B in panels of vector width.
func (l *Lower) solve(e *engine[float64], b Matrix, trans bool, workers int) {
	n := l.N
	if b.Cols != n {
		panic("compute: right-hand sides of another length than the triangle")
	}
	if b.Rows == 0 || n == 0 {
		return
	}
	workers = workersFor(b.Rows*n*n/2, workers)
	rows := e.lanes * min(mostPanels, ceil(b.Rows, e.lanes*workers))
	zeros := e.buffer(n)
	defer zeros.free()
	clear(zeros.data)
	Parallel(ceil(b.Rows, rows), workers, func(t int) {
		part := of64(Rows(b, t*rows, min((t+1)*rows, b.Rows)))
		packed := e.buffer(ceil(part.rows, e.lanes) * e.lanes * n)
		defer packed.free()
		e.pack(packed.data, rowsOf(part), 0, part.rows, 0, n, e.lanes, zeros.data)
		l.solvePanels(e, packed.data, trans)
		for i := range part.rows {
			panel := packed.data[i/e.lanes*e.lanes*n+i%e.lanes:]
			for j, row := 0, part.row(i, 0, n); j < n; j++ {
				row[j] = panel[j*e.lanes]
			}
		}
	})
}

// solvePanels applies each group of L to all panels before the next group.
func (l *Lower) solvePanels(e *engine[float64], panels []float64, trans bool) {
	groups, size := ceil(l.N, narrowRows), e.lanes*l.N
	for g := range groups {
		for at := 0; at < len(panels); at += size {
			if trans {
				l.backwardGroup(e, panels[at:at+size], groups-1-g)
			} else {
				l.forwardGroup(e, panels[at:at+size], g)
			}
		}
	}
}

// forwardGroup solves for the elements of group g, given the solutions of all earlier
// groups.
func (l *Lower) forwardGroup(e *engine[float64], panel []float64, g int) {
	lanes, first := e.lanes, g*narrowRows
	rows, stride := l.group(g)
	sums := e.buffer(narrowRows * lanes)
	defer sums.free()
	e.narrow(sums.data, rows, stride, panel, first)
	for i := first; i < min(first+narrowRows, l.N); i++ {
		row := l.Row(i)[first:]
		x, sum := panel[i*lanes:(i+1)*lanes], sums.data[(i-first)*lanes:][:lanes]
		for c, v := range row[:i-first] {
			for p, y := range panel[(first+c)*lanes:][:lanes] {
				sum[p] += float64(v * y)
			}
		}
		for p, s := range sum {
			x[p] = (x[p] - s) / row[i-first]
		}
	}
}

// backwardGroup solves for the elements of group g and subtracts their contribution
// from all earlier elements.
func (l *Lower) backwardGroup(e *engine[float64], panel []float64, g int) {
	lanes, first := e.lanes, g*narrowRows
	rows, stride := l.group(g)
	solved := e.buffer(narrowRows * lanes)
	defer solved.free()
	clear(solved.data)
	for i := min(first+narrowRows, l.N) - 1; i >= first; i-- {
		row := l.Row(i)[first:]
		x := panel[i*lanes : (i+1)*lanes]
		for p := range x {
			x[p] /= row[i-first]
		}
		copy(solved.data[(i-first)*lanes:], x)
		for c, v := range row[:i-first] {
			y := panel[(first+c)*lanes:][:lanes]
			for p := range y {
				y[p] -= float64(v * x[p])
			}
		}
	}
	e.spread(panel, rows, stride, solved.data, first)
}

// spreadGo is the portable spread.
func spreadGo(c, a []float64, step int, b []float64, k int) {
	for j := range k {
		for i, x := range b[:narrowRows] {
			c[j] = fma(-a[i*step+j], x, c[j])
		}
	}
}
