// Package gram computes Gram matrices of kernels, products with them and values at single rows, for dense and
// sparse rows. It is the engine of package kernel, which installs a Source that describes its kernels.
package gram

import "github.com/rkhs-go/rkhs/internal/compute"

// Kernel is a symmetric positive semidefinite function of two points.
type Kernel = interface {
	Eval(x, y []float64) float64
}

// Radial is a kernel that depends only on the squared Euclidean distance.
type Radial interface {
	Eval(x, y []float64) float64
	OfSquaredDistance(d []float64)
}

// InnerProduct is a kernel that depends only on the inner product.
type InnerProduct interface {
	Eval(x, y []float64) float64
	OfInnerProduct(s []float64)
}

// Structure is the composition of a kernel of package kernel, and its functions for single rows. Other fields are zero.
type Structure struct {
	// Self is the kernel of package kernel that the kernel is or embeds, if it is a composition.
	Self Kernel
	// Map and Of write the kernel as Of(Map(x), Map(z)).
	Map Embedding
	// By and Of write the kernel as By·Of(x, z), if Map is nil.
	By float64
	Of Kernel
	// Terms are the kernels of a sum, Factors the kernels of a product.
	Terms, Factors []Kernel
	// OfSquaredDistance replaces squared distances by values. It may use scratch, which has as many numbers.
	OfSquaredDistance func(d, scratch []float64)
	// Row sets dst_j = k(x, z_j).
	Row func(dst, x []float64, z compute.Matrix)
}

// Distance is a distance of two points.
type Distance int

const (
	// SquaredEuclidean is ‖x−z‖² = Σ_i (x_i−z_i)².
	SquaredEuclidean Distance = iota
	// Manhattan is ‖x−z‖₁ = Σ_i |x_i−z_i|.
	Manhattan
)

// Description holds the properties of a kernel that a search for parameters uses. Other fields are zero.
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
	// LessDiagonal sets dst_i = k(s_i) − k(0) for distances s_i, without cancellation. It is set for kernels with
	// a length as their one parameter, which are functions of Distance in units of it.
	LessDiagonal func(dst, s []float64)
	Distance     Distance
	// Amplitude is positive for a kernel c + Amplitude·cos(ω·(x−z)) on R with the one parameter ω.
	Amplitude float64
	// Precision is positive for exp(−Precision·‖x−z‖²).
	Precision float64
	// Scaled is set for a kernel with a scale for each coordinate. Unscaled is the kernel of the scaled points.
	Scaled   bool
	Unscaled Kernel
}

// Parametric reports whether the parameters can be learned by gradients.
func (d Description) Parametric() bool { return d.WithParameters != nil }

// LengthScaled reports whether the one parameter is a length.
func (d Description) LengthScaled() bool { return d.LessDiagonal != nil && len(d.Parameters) == 1 }

// Harmonic reports whether the one parameter is a frequency.
func (d Description) Harmonic() bool { return d.Amplitude > 0 && len(d.Parameters) == 1 }

// Representation is a kernel written as k(x, z) = Gain·κ(e(x), e(z)) for a kernel κ with known random features and
// an embedding e, nil for the identity. See kernel.Representation.
type Representation struct {
	Of        Kernel
	Gain      float64
	Embedding Embedding
	Family    any
}

// Source answers questions about kernels. Package kernel installs it.
type Source struct {
	// Engine returns the engine of a kernel of package kernel that has a special one, and nil for other kernels.
	Engine func(k Kernel) Engine
	// Structure returns the structure of a kernel of package kernel, and the zero value for other kernels.
	Structure func(k Kernel) Structure
	// Own returns the kernel of package kernel that k is or embeds, for points of length dim. The error wraps
	// rkhs.ErrOption for other kernels, and for a type that embeds one and has other values.
	Own func(k Kernel, dim int) (Kernel, error)
	// Describe returns the description of any kernel.
	Describe func(k Kernel) Description
	// Represent returns the random features of any kernel for points of length dim.
	Represent func(k Kernel, dim int) (Representation, error)
	// Outside returns the first column of x outside of the domain of k and the reason, or a negative column.
	Outside func(k Kernel, x []float64) (column int, reason string)
	// Check returns an error unless k is a kernel of the rows of x, as kernel.Check does.
	Check func(k Kernel, x compute.Points) error
	// Restricted reports whether k is undefined at some points.
	Restricted func(k Kernel) bool
}

var source Source

// Install sets the source. The init function of package kernel calls it once.
func Install(s Source) { source = s }

// Check returns an error unless k is a kernel of the rows of x, as kernel.Check does for finite rows.
func Check(k Kernel, x compute.Points) error { return source.Check(k, x) }

// Validate returns an error that wraps rkhs.ErrOption if a parameter of k is out of range.
func Validate(k Kernel) error { return source.Check(k, compute.Points{}) }

// StructureOf returns the structure of k. See Source.
func StructureOf(k Kernel) Structure { return source.Structure(k) }

// Own returns the kernel of package kernel that k is or embeds. See Source.
func Own(k Kernel, dim int) (Kernel, error) { return source.Own(k, dim) }

// Describe returns the description of k.
func Describe(k Kernel) Description { return source.Describe(k) }

// RepresentationOf returns the representation of k for points of length dim. Errors wrap rkhs.ErrOption.
func RepresentationOf(k Kernel, dim int) (Representation, error) { return source.Represent(k, dim) }

// Outside returns the first column of x outside of the domain of k and the reason, or a negative column.
func Outside(k Kernel, x []float64) (column int, reason string) { return source.Outside(k, x) }

// Restricted reports whether k is undefined at some points.
func Restricted(k Kernel) bool { return source.Restricted(k) }
