package kernel

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

// CoordinateScaled is a kernel with a scale for each coordinate: it is ARD with the
// kernel Unscaled inside.
type CoordinateScaled interface {
	Parametric
	// Unscaled returns the kernel of the points that are divided by their scales, or
	// nil if there is none yet.
	Unscaled() Kernel
}

// LogQuadratic is the kernel exp(−Precision·‖x−z‖²), whose gradients by all scales of
// the coordinates are products of matrices.
type LogQuadratic interface {
	ScaleDifferentiable
	// Precision is positive.
	Precision() float64
}
