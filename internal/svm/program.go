package svm

import "slices"

// program is what is maximised over the variables β between their bounds, with
// their sum given,
//
//	Σ_i t_i·β_i − ½·Σ_ij β_i·β_j·k(x_i, x_j),
//
// where x_i is the row of variable i: row i itself, or row i/2 where there are two
// variables for each.
type program struct {
	linear []float64 // t
	side   []float64 // 1 for a variable from 0 to C_i, −1 for one from −C_i to 0
	copies int       // variables of a row, which stand together
	sum    float64   // of β
}

// margins is the problem of labels ±1.
func margins(y []float64) program { return program{linear: y, side: y, copies: 1} }

// tube is that of regression with losses max(0, |y − f − b| − epsilon): a row has a
// variable for what is above the tube and one for what is below.
func tube(y []float64, epsilon float64) program {
	p := program{copies: 2}
	for _, v := range y {
		p.linear = append(p.linear, v-epsilon, v+epsilon)
		p.side = append(p.side, 1, -1)
	}
	return p
}

// support is that of one class of n rows.
func support(n int) program {
	return program{linear: make([]float64, n), side: slices.Repeat([]float64{1}, n), copies: 1, sum: 1}
}

// row returns that of a variable.
func (p program) row(i int) int {
	if p.copies == 1 {
		return i
	}
	return i / p.copies
}

// rowsOf returns the rows of variables, both ascending.
func (p program) rowsOf(list []int) []int {
	if p.copies == 1 {
		return list
	}
	var rows []int
	for _, i := range list {
		if r := p.row(i); len(rows) == 0 || rows[len(rows)-1] != r {
			rows = append(rows, r)
		}
	}
	return rows
}

// rows returns the row of the Gram matrix of each of the variables w.
func (s *solver) rows(w []int) [][]float64 {
	if s.copies == 1 {
		return s.gram.rows(w)
	}
	var rows []int
	at, first := make([]int, len(w)), map[int]int{}
	for t, i := range w {
		r := s.row(i)
		if _, known := first[r]; !known {
			first[r] = len(rows)
			rows = append(rows, r)
		}
		at[t] = first[r]
	}
	some := s.gram.rows(rows)
	list := make([][]float64, len(w))
	for t, k := range at {
		list[t] = some[k]
	}
	return list
}
