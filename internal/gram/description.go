package gram

// Distance is a distance of two points.
type Distance int

const (
	// SquaredEuclidean is ‖x−z‖² = Σ_i (x_i−z_i)².
	SquaredEuclidean Distance = iota
	// Manhattan is ‖x−z‖₁ = Σ_i |x_i−z_i|.
	Manhattan
)

// Description is what a search for parameters knows of a kernel. Fields that do not apply are zero.
type Description struct {
	// Names and Parameters are the parameters in a fixed order.
	Names      []string
	Parameters []float64
	// WithParameters returns the kernel with other values. It is nil for a kernel without gradients.
	WithParameters func(v []float64) Kernel
	// LogGradient sets dst_i = ∂k(x,y)/∂(log θ_i) and returns the number of parameters.
	LogGradient func(dst, x, y []float64) int
	// ScaleGradient sets dst_i = ∂k(x/s, y/s)/∂(log s_i) at s = 1.
	ScaleGradient func(dst, x, y []float64)
	// LessDiagonal sets dst_i = k(s_i) − k(0) for distances s_i, without cancellation. It is set for kernels of which
	// the one parameter is a length ℓ, and which are functions of Distance in units of it.
	LessDiagonal func(dst, s []float64)
	Distance     Distance
	// Amplitude is positive for a kernel c + Amplitude·cos(ω·(x−z)) on R of which the one parameter is ω.
	Amplitude float64
	// Precision is positive for exp(−Precision·‖x−z‖²).
	Precision float64
	// Scaled is set for a kernel with a scale for each coordinate, and Unscaled is the kernel of the scaled points.
	Scaled   bool
	Unscaled Kernel
}

// Describe returns the description of k.
func Describe(k Kernel) Description { return source.Describe(k) }

// Parametric reports whether the parameters can be learned by gradients.
func (d Description) Parametric() bool { return d.WithParameters != nil }

// LengthScaled reports whether the one parameter is a length.
func (d Description) LengthScaled() bool { return d.LessDiagonal != nil && len(d.Parameters) == 1 }

// Harmonic reports whether the one parameter is a frequency.
func (d Description) Harmonic() bool { return d.Amplitude > 0 && len(d.Parameters) == 1 }
