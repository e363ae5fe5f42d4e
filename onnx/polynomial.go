package onnx

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/tree"
)

// With a kernel of the inner product, f is a polynomial of x. Its coefficients about the centre of
// the points are much smaller than weights that cancel, and may be fewer than the points.

// maxMonomials is the largest number of coefficients of a polynomial in the file.
const maxMonomials = 1 << 13

// monomials returns d + d² + … + dⁿ, or more than maxMonomials.
func monomials(d, n int) int {
	sum, power := 0, 1
	for range n {
		if power *= d; power > maxMonomials {
			return power
		}
		sum += power
	}
	return sum
}

// summed reports whether the file has the polynomial of a kernel on points of the given width.
func summed(n tree.Node, columns int) bool {
	switch n.Family {
	case "Linear", "Polynomial", "DotProduct":
		a := powers(n)
		return monomials(columns, len(a)-1) <= maxMonomials || len(a) <= 2
	}
	return false
}

// powers returns the coefficients of <x, z>ⁿ in a kernel.
func powers(n tree.Node) []float64 {
	switch n.Family {
	case "Linear":
		return []float64{0, 1}
	case "DotProduct":
		return n.Lists["Coefficients"]
	}
	degree := int(n.Numbers["Degree"])
	a := make([]float64, degree+1)
	for k := range a {
		a[k] = binomial(degree, k) * math.Pow(n.Numbers["Scale"], float64(k)) * math.Pow(n.Numbers["Offset"], float64(degree-k))
	}
	return a
}

func binomial(n, k int) float64 {
	v := 1.0
	for i := range k {
		v = v * float64(n-i) / float64(i+1)
	}
	return v
}

// polynomial adds Σ_j w_j·Σ_n a_n·<x, p_j>ⁿ. With x = u + c it is Σ_k <u ⊗ … ⊗ u, B_k> with k
// factors u and
//
//	B_k = Σ_j w_j·Σ_n a_n·C(n, k)·<c, p_j>^(n−k) · p_j ⊗ … ⊗ p_j.
func (s *function) polynomial(a []float64, at *space, w compute.Matrix) {
	d := at.raw.Cols
	b := make([]compute.Matrix, len(a))
	for k, size := 0, 1; k < len(a); k, size = k+1, size*d {
		b[k] = compute.NewMatrix(size, w.Cols)
	}
	for j := range w.Rows {
		p := compute.Row(at.raw, j)
		shift, tensor := floats.Dot(at.centre, p), []float64{1}
		for k := range a {
			factor := taylor(a, k, shift)
			for i, v := range tensor {
				floats.AddScaled(compute.Row(b[k], i), factor*v, compute.Row(w, j))
			}
			if k+1 < len(a) {
				tensor = outer(tensor, p)
			}
		}
	}
	floats.Add(s.constant, compute.Row(b[0], 0))
	products := ""
	for k := 1; k < len(a); k++ {
		products = s.products(products, at, len(b[k].Data)/w.Cols)
		s.plus(s.op("MatMul", products, s.matrix(b[k])))
	}
}

// taylor returns Σ_n a_n·C(n, k)·s^(n−k).
func taylor(a []float64, k int, s float64) (v float64) {
	for n := len(a) - 1; n >= k; n-- {
		v = v*s + a[n]*binomial(n, k)
	}
	return v
}

func outer(a, b []float64) []float64 {
	c := make([]float64, 0, len(a)*len(b))
	for _, v := range a {
		for _, w := range b {
			c = append(c, v*w)
		}
	}
	return c
}

// products multiplies the products before, or "", with the coordinates: count products.
func (s *function) products(before string, at *space, count int) string {
	u := at.rows(true)
	if before == "" {
		return u
	}
	both := s.op("Mul", s.op("Unsqueeze", before, s.ints(2)), s.op("Unsqueeze", u, s.ints(1)))
	return s.op("Reshape", both, s.ints(0, count))
}
