package kernel

import "math"

// The interfaces of this file say what the parameters of a kernel mean, so that a
// search for them knows where to look and what they change.

// Distance is a distance s of two points.
type Distance int

const (
	// SquaredEuclidean is s = ‖x−z‖² = Σ_i (x_i−z_i)².
	SquaredEuclidean Distance = iota
	// Manhattan is s = ‖x−z‖₁ = Σ_i |x_i−z_i|.
	Manhattan
)

// LengthScaled is a kernel whose one parameter is a length ℓ, in the unit of the
// coordinates, and which is a function of a distance in that unit: of ‖x−z‖²/ℓ² or of
// ‖x−z‖₁/ℓ.
type LengthScaled interface {
	Parametric
	// Distance returns the distance s that the kernel is a function of.
	Distance() Distance
	// LessDiagonal sets dst_i = k(s_i) − k(0) for distances s_i. No digits cancel where
	// the kernel is nearly constant.
	LessDiagonal(dst, s []float64)
}

// Distance implements LengthScaled.
func (k Gaussian) Distance() Distance { return SquaredEuclidean }

// LessDiagonal implements LengthScaled.
func (k Gaussian) LessDiagonal(dst, s []float64) {
	for i, v := range s {
		dst[i] = math.Expm1(-v / (2 * k.Sigma * k.Sigma))
	}
}

// Distance implements LengthScaled.
func (k Laplacian) Distance() Distance { return Manhattan }

// LessDiagonal implements LengthScaled.
func (k Laplacian) LessDiagonal(dst, s []float64) {
	for i, v := range s {
		dst[i] = math.Expm1(-v / k.Sigma)
	}
}

// Distance implements LengthScaled.
func (k Matern) Distance() Distance { return SquaredEuclidean }

// LessDiagonal implements LengthScaled.
func (k Matern) LessDiagonal(dst, s []float64) {
	copy(dst, s)
	k.OfSquaredDistance(dst[:len(s)])
	for i := range s {
		dst[i]--
	}
}

// Harmonic is a kernel whose one parameter is an angular frequency ω, in radians a
// unit of the coordinates, and which is on R
//
//	k(x, z) = c + Amplitude·cos(ω·(x−z))
//
// with a constant c, and on R^d a function of the ω·(x_i−z_i).
type Harmonic interface {
	Parametric
	// Amplitude is positive.
	Amplitude() float64
}

// Amplitude implements Harmonic.
func (k Dirichlet) Amplitude() float64 { return 2 }

// CoordinateScaled is a kernel with a scale for each coordinate: it is ARD with the
// kernel Unscaled inside.
type CoordinateScaled interface {
	Parametric
	// Unscaled returns the kernel of the points that are divided by their scales, or
	// nil if there is none yet.
	Unscaled() Kernel
}

// Unscaled implements CoordinateScaled.
func (k ARD) Unscaled() Kernel { return k.Of }

// LogQuadratic is the kernel exp(−Precision·‖x−z‖²), whose gradients by all scales of
// the coordinates are products of matrices.
type LogQuadratic interface {
	ScaleDifferentiable
	// Precision is positive.
	Precision() float64
}

// Precision implements LogQuadratic: 1/(2·Sigma²).
func (k Gaussian) Precision() float64 { return k.precision() }
