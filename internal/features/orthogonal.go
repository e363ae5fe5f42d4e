package features

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// largeGroup is the smallest size of a group that workers share.
const largeGroup = 256

// orthogonalNormals fills w with standard normal rows that are orthogonal within groups of d. Workers
// share a large group, and process small groups in parallel.
func orthogonalNormals(w compute.Matrix, s *source, workers int) {
	groups := (w.Rows + w.Cols - 1) / w.Cols
	addresses := make([]compute.Address, groups)
	for i := range addresses {
		addresses[i] = s.next()
	}
	inside := 1
	if w.Cols >= largeGroup {
		workers, inside = 1, workers
	}
	compute.Parallel(groups, workers, func(i int) {
		group := compute.Rows(w, i*w.Cols, min((i+1)*w.Cols, w.Rows))
		// A group of less than full rank has a probability of about 1e-16.
		for first := uint64(0); !orthogonalGroup(group, addresses[i], first, inside); {
			first += uint64(group.Rows * group.Cols)
		}
	})
}

// orthogonalGroup fills w, r×d with r ≤ d, with W = D·U⁻ᵀ·A, where A holds normals, UᵀU = A·Aᵀ and D holds
// the lengths of the rows of A. The lengths are independent of the orthonormal rows U⁻ᵀA. It reports
// whether A had full rank to working precision.
func orthogonalGroup(w compute.Matrix, at compute.Address, first uint64, workers int) bool {
	// The normals are drawn as Aᵀ, because AddGram computes products of columns.
	columns, normals := allocateMatrix(w.Cols, w.Rows)
	u, triangle := allocateMatrix(w.Rows, w.Rows)
	defer release(normals)
	defer release(triangle)
	compute.Normals(columns.Data, at, first)
	compute.TransposeTo(w, columns)
	lengths := make([]float64, w.Rows)
	for round := 0; ; round++ {
		clear(u.Data)
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
		compute.TransposeTo(columns, w)
	}
	for i, l := range lengths {
		floats.Scale(l, compute.Row(w, i))
	}
	return true
}

func rootsOfDiagonal(dst []float64, m compute.Matrix) {
	for i := range dst {
		dst[i] = math.Sqrt(m.Data[i*m.Stride+i])
	}
}

// wellConditioned reports whether the rows are orthogonal to about 1e-8 after one factorisation: no
// residual of a row was small relative to the row.
func wellConditioned(u compute.Matrix, lengths []float64) bool {
	for i, l := range lengths {
		if u.Data[i*u.Stride+i] < 1e-4*l {
			return false
		}
	}
	return true
}
