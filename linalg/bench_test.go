package linalg

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

var benchSizes = []int{15, 100, 500, 1000}

// benchCholesky runs f on a tracked and an untracked factor of each size.
func benchCholesky(b *testing.B, tracked bool, f func(b *testing.B, c *Cholesky, points []point)) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c, points := newStream(b, n, 1e-6)
			if !tracked {
				c.tracked, c.diag = false, nil
			}
			b.ReportAllocs()
			f(b, c, points)
		})
	}
}

// appendDelete appends a point and deletes the last one. The tracked factor needs a solve, the other
// almost no time.
func appendDelete(b *testing.B, c *Cholesky, points []point) {
	k := kernelRow(point{0.5, 0.5}, points)
	for b.Loop() {
		c.Append(k, 1, 0)
		c.Delete(len(points), nil)
	}
}

func BenchmarkCholeskyAppend(b *testing.B) { benchCholesky(b, false, appendDelete) }

func BenchmarkCholeskyAppendTracked(b *testing.B) { benchCholesky(b, true, appendDelete) }

// Deletes the first point, the most expensive deletion, and appends it again.
func replaceFirst(b *testing.B, c *Cholesky, points []point) {
	k := make([][]float64, len(points))
	for i, x := range points {
		k[i] = append(kernelRow(x, points[i+1:]), kernelRow(x, points[:i])...)
	}
	for i := 0; b.Loop(); i++ {
		c.Delete(0, nil)
		c.Append(k[i%len(points)], 1, 0)
	}
}

func BenchmarkCholeskyReplaceFirst(b *testing.B) { benchCholesky(b, false, replaceFirst) }

func BenchmarkCholeskyReplaceFirstTracked(b *testing.B) { benchCholesky(b, true, replaceFirst) }

func BenchmarkCholeskyAppendBatch32(b *testing.B) {
	benchCholesky(b, true, func(b *testing.B, c *Cholesky, points []point) {
		rng := newRand(50)
		batch := make([]point, 32)
		for i := range batch {
			batch[i] = uniform(rng, 20)
		}
		cross, among := kernelMatrix(batch, points), kernelMatrix(batch, batch)
		n := len(points)
		for b.Loop() {
			c.AppendBatch(compute.Dense(cross), compute.Dense(among), 0, 1)
			for range batch {
				c.l.Pop()
			}
			c.diag = c.diag[:n]
		}
	})
}

func BenchmarkCholeskySolve(b *testing.B) {
	benchCholesky(b, false, func(b *testing.B, c *Cholesky, points []point) {
		x := kernelRow(point{0.5, 0.5}, points)
		dst := make([]float64, len(x))
		for b.Loop() {
			c.SolveVecTo(dst, x)
		}
	})
}

func BenchmarkCholeskySolve32(b *testing.B) {
	benchCholesky(b, false, func(b *testing.B, c *Cholesky, points []point) {
		x := random(newRand(51), len(points), 32)
		dst := general(len(points), 32)
		for b.Loop() {
			c.SolveTo(compute.Dense(dst), compute.Dense(x), nil, 1)
		}
	})
}

func BenchmarkCholeskyInverseColumn(b *testing.B) {
	benchCholesky(b, false, func(b *testing.B, c *Cholesky, points []point) {
		dst := make([]float64, len(points))
		for b.Loop() {
			c.inverseColumn(dst, len(points)/2)
		}
	})
}

// benchWoodbury runs f on the inverse of m columns, after a refactorisation.
func benchWoodbury(b *testing.B, f func(b *testing.B, pr *problem, cross []float64)) {
	for _, m := range benchSizes {
		b.Run(fmt.Sprint(m), func(b *testing.B) {
			pr := newProblem(random(newRand(52), m, m), 1)
			for j := range m {
				pr.set(j, 1)
			}
			pr.w.Refactor(1)
			cross := make([]float64, m-1)
			for k := range cross {
				cross[k] = pr.p.At(m-1, k)
			}
			b.ReportAllocs()
			f(b, pr, cross)
		})
	}
}

func BenchmarkWoodburyInsertDelete(b *testing.B) {
	benchWoodbury(b, func(b *testing.B, pr *problem, cross []float64) {
		last := len(cross)
		for b.Loop() {
			pr.w.Set(last, 0, nil, 0)
			pr.w.Set(last, 1, cross, pr.p.At(last, last))
		}
	})
}

func BenchmarkWoodburyChange(b *testing.B) {
	benchWoodbury(b, func(b *testing.B, pr *problem, cross []float64) {
		for i := 0; b.Loop(); i++ {
			pr.w.Set(len(cross)/2, 1+float64(i%2), nil, 0)
		}
	})
}

func BenchmarkWoodburyMulVec(b *testing.B) {
	benchWoodbury(b, func(b *testing.B, pr *problem, _ []float64) {
		x, y := make([]float64, pr.w.Len()), make([]float64, pr.w.Len())
		for b.Loop() {
			pr.w.MulVecTo(y, x)
		}
	})
}

func BenchmarkWoodburyDrift(b *testing.B) {
	benchWoodbury(b, func(b *testing.B, pr *problem, _ []float64) {
		for b.Loop() {
			pr.w.Drift()
		}
	})
}

func BenchmarkWoodburyRefactor(b *testing.B) {
	benchWoodbury(b, func(b *testing.B, pr *problem, _ []float64) {
		for b.Loop() {
			pr.w.Refactor(1)
		}
	})
}

func BenchmarkCentreGram(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
			b.SetBytes(int64(8 * n * n))
			b.ReportAllocs()
			for b.Loop() {
				CentreGram(compute.Dense(k), 1)
			}
		})
	}
}
