package features

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// orthogonalNormals fills w with rows that are standard normal each and
// orthogonal to one another in groups of d.
func orthogonalNormals(w compute.Matrix, s *source, workers int) {
	at := s.next()
	used := uint64(0)
	for from := 0; from < w.Rows; from += w.Cols {
		group := compute.Rows(w, from, min(from+w.Cols, w.Rows))
		for !orthogonalGroup(group, at, used, workers) {
			used += uint64(group.Rows * group.Cols)
		}
		used += uint64(group.Rows * group.Cols)
	}
}

// orthogonalGroup fills w, r×d with r ≤ d, by W = D·U⁻ᵀ·A where A holds normals,
// UᵀU = A·Aᵀ and D the lengths of the rows of A: these are independent of the
// orthonormal rows U⁻ᵀA, which depend on directions alone. Nearly all of the work
// is products. It reports whether A had full rank to working precision.
func orthogonalGroup(w compute.Matrix, at compute.Address, first uint64, workers int) bool {
	// The normals are drawn as Aᵀ: the product that computes one triangle only
	// takes columns.
	columns := compute.NewMatrix(w.Cols, w.Rows)
	compute.Normals(columns.Data, at, first)
	transposeTo(w, columns)
	lengths := make([]float64, w.Rows)
	for round := 0; ; round++ {
		u := compute.NewMatrix(w.Rows, w.Rows)
		compute.AddGram(u, columns, workers)
		if round == 0 {
			rootsOfDiagonal(lengths, u)
		}
		if !compute.Cholesky(u, workers) {
			return false
		}
		compute.SolveUpper(u, w, true, workers)
		if round > 0 || wellConditioned(u, lengths) {
			break
		}
		transposeTo(columns, w)
	}
	for i, l := range lengths {
		floats.Scale(l, rowOf(w, i))
	}
	return true
}

func rootsOfDiagonal(dst []float64, m compute.Matrix) {
	for i := range dst {
		dst[i] = math.Sqrt(m.Data[i*m.Stride+i])
	}
}

// wellConditioned reports whether one factorisation has left the rows orthogonal
// to about 1e-8: what remained of each row was not small against the row.
func wellConditioned(u compute.Matrix, lengths []float64) bool {
	for i, l := range lengths {
		if u.Data[i*u.Stride+i] < 1e-4*l {
			return false
		}
	}
	return true
}

// transposeTo sets dst to the transpose of src, in squares that stay in cache.
func transposeTo(dst, src compute.Matrix) {
	const side = 16
	for i0 := 0; i0 < dst.Rows; i0 += side {
		for j0 := 0; j0 < dst.Cols; j0 += side {
			for i := i0; i < min(i0+side, dst.Rows); i++ {
				row := rowOf(dst, i)
				for j := j0; j < min(j0+side, dst.Cols); j++ {
					row[j] = src.Data[j*src.Stride+i]
				}
			}
		}
	}
}
