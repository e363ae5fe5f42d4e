package compute

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Family names a function of two rows that Kernel computes without calling
// back: of r² = ‖x−z‖² or of s = <x,z>, with the parameters A, B and P of Func.
type Family uint8

const (
	SquaredDistance   Family = iota // r²
	Gaussian                        // exp(−A·r²)
	Matern12                        // exp(−A·r)
	Matern32                        // (1 + A·r)·exp(−A·r)
	Matern52                        // (1 + A·r + (A·r)²/3)·exp(−A·r)
	RationalQuadratic               // (1 + A·r²)^−P
	InnerProduct                    // s
	Polynomial                      // (A·s + B)^P, P a whole number ≥ 1
)

// Func is a member of a family.
type Func struct {
	Family  Family
	A, B, P float64
}

// Kernel sets dst_ij = f(x_i, z_j): X is n×d, Z is m×d, dst is n×m.
// O(n·m·d).
func Kernel(dst, x, z Matrix, f Func, workers int) {
	const block = 128
	zz := norms(z)
	Parallel((x.Rows+block-1)/block, workers, func(b int) {
		from, to := b*block, min((b+1)*block, x.Rows)
		kernelRows(Rows(dst, from, to), Rows(x, from, to), z, zz, f)
	})
}

// KernelSym sets dst_ij = f(x_i, x_j), both triangles: X is n×d, dst is n×n.
// The result is exactly symmetric, and squared distances of a row to itself are
// exactly zero. O(n²·d).
func KernelSym(dst, x Matrix, f Func, workers int) {
	Kernel(dst, x, x, f, workers)
	for i := range x.Rows {
		xi := x.Data[i*x.Stride : i*x.Stride+x.Cols]
		dst.Data[i*dst.Stride+i] = f.of(0, blas64.Dot(vec(xi), vec(xi)))
		for j := range i {
			dst.Data[i*dst.Stride+j] = dst.Data[j*dst.Stride+i]
		}
	}
}

// KernelMul sets dst = K·W where K_ij = f(x_i, z_j), without storing K: X is
// n×d, Z is m×d, W is m×q, dst is n×q. O(n·m·(d + q)).
func KernelMul(dst, x, z, w Matrix, f Func, workers int) {
	const block = 128
	zz := norms(z)
	Parallel((x.Rows+block-1)/block, workers, func(b int) {
		from, to := b*block, min((b+1)*block, x.Rows)
		k := NewMatrix(to-from, z.Rows)
		kernelRows(k, Rows(x, from, to), z, zz, f)
		out := Rows(dst, from, to)
		for i := range out.Rows {
			clear(out.Data[i*out.Stride : i*out.Stride+out.Cols])
		}
		MulNN(out, k, w, 1)
	})
}

func kernelRows(dst, x, z Matrix, zz []float64, f Func) {
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, x, z, 0, dst)
	for i := range x.Rows {
		xi := x.Data[i*x.Stride : i*x.Stride+x.Cols]
		xx := blas64.Dot(vec(xi), vec(xi))
		row := dst.Data[i*dst.Stride : i*dst.Stride+dst.Cols]
		for j, s := range row {
			row[j] = f.of(max(0, xx+zz[j]-2*s), s)
		}
	}
}

func (f Func) of(r2, s float64) float64 {
	switch f.Family {
	case SquaredDistance:
		return r2
	case Gaussian:
		return math.Exp(-f.A * r2)
	case Matern12:
		return math.Exp(-f.A * math.Sqrt(r2))
	case Matern32:
		t := f.A * math.Sqrt(r2)
		return (1 + t) * math.Exp(-t)
	case Matern52:
		t := f.A * math.Sqrt(r2)
		return (1 + t + t*t/3) * math.Exp(-t)
	case RationalQuadratic:
		return math.Pow(1+f.A*r2, -f.P)
	case InnerProduct:
		return s
	default:
		return math.Pow(f.A*s+f.B, f.P)
	}
}

func norms(z Matrix) []float64 {
	zz := make([]float64, z.Rows)
	for j := range zz {
		zj := z.Data[j*z.Stride : j*z.Stride+z.Cols]
		zz[j] = blas64.Dot(vec(zj), vec(zj))
	}
	return zz
}

func vec(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }
