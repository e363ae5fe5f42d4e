package svm

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Scores sets dst_jp = f_p(z_j) + b_p for each row of z (m×d) and each pair p:
// dst is m×K(K−1)/2; k and x are those of the fit. It stores no Gram matrix:
// O(m·support·(d + K)).
func (c *Classes) Scores(dst blas64.General, k kernel.Kernel, x, z compute.Points, workers int) {
	for j := range dst.Rows {
		for p, s := range c.Pairs {
			dst.Data[j*dst.Stride+p] = s.Bias
		}
	}
	for a := range c.Count {
		support, weights := c.weights(a)
		part := compute.NewMatrix(z.Rows, c.Count-1)
		gram.Evaluator{Kernel: k, Workers: workers}.MulOf(part, z, x.Pick(support), weights)
		for o, p := range c.pairsWith(a) {
			for j := range z.Rows {
				dst.Data[j*dst.Stride+p] += part.Data[j*part.Stride+o]
			}
		}
	}
}

// pairsWith returns the pairs of which class a is one, in the order of the other.
func (c *Classes) pairsWith(a int) (list []int) {
	for p, pair := range PairsOf(c.Count) {
		if pair[0] == a || pair[1] == a {
			list = append(list, p)
		}
	}
	return list
}

// weights returns the rows of class a with a coefficient in any pair, and their
// coefficients in the pairs with each other class.
func (c *Classes) weights(a int) (support []int, w blas64.General) {
	pairs := c.pairsWith(a)
	all := compute.NewMatrix(len(c.rows[a]), len(pairs))
	kept := 0
	for t, i := range c.rows[a] {
		row, any := all.Data[kept*all.Stride:][:len(pairs)], false
		for o, p := range pairs {
			row[o] = c.coefficient(a, o, p, t)
			any = any || row[o] != 0
		}
		if any {
			support = append(support, i)
			kept++
		}
	}
	return support, compute.Rows(all, 0, kept)
}

// coefficient returns that of row t of class a in pair p, with the class that is
// number o of the others. The rows of the lower class of a pair come first.
func (c *Classes) coefficient(a, o, p, t int) float64 {
	if o < a {
		t += len(c.rows[o])
	}
	return c.Pairs[p].Beta[t]
}

// Coefficients sets a column of dst, n×K(K−1)/2, for each pair and returns the constants,
// signed so that the higher class of the pair is the positive one.
func (c *Classes) Coefficients(dst compute.Matrix) (intercept []float64) {
	intercept = make([]float64, len(c.Pairs))
	for p, pair := range PairsOf(c.Count) {
		intercept[p] = -c.Pairs[p].Bias
		k := 0
		for _, class := range pair {
			for _, i := range c.rows[class] {
				compute.Row(dst, i)[p] = -c.Pairs[p].Beta[k]
				k++
			}
		}
	}
	return intercept
}

// Predict sets dst_j to the class of the most votes for row j of scores
// (m×K(K−1)/2), as LIBSVM does: a score above 0 is a vote for the lower class of
// its pair, and of equal votes the lowest class wins.
func (c *Classes) Predict(dst []int, scores blas64.General) {
	for j := range dst {
		row := compute.Row(scores, j)
		dst[j] = Vote(c.Count, func(pair int) bool { return !(row[pair] > 0) })
	}
}

// Vote returns the one of some classes with the most votes, of equal ones the
// lowest: each pair, in the order of PairsOf, has a vote, and higher reports whether
// it goes to the higher class of the pair.
func Vote(count int, higher func(pair int) bool) int {
	votes := make([]int, count)
	pair := 0
	for a := range count {
		for b := a + 1; b < count; b++ {
			if higher(pair) {
				votes[b]++
			} else {
				votes[a]++
			}
			pair++
		}
	}
	first := 0
	for a, v := range votes {
		if v > votes[first] {
			first = a
		}
	}
	return first
}
