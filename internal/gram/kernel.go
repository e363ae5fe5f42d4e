// Package gram computes with kernels: Gram matrices, products with them, and values at single rows, for dense
// and sparse rows. It is the engine of package kernel, which describes its kernels to it.
package gram

import "github.com/rkhs-go/rkhs/internal/compute"

// Kernel is a symmetric positive semidefinite function of two points.
type Kernel = interface {
	Eval(x, y []float64) float64
}

// Radial is a kernel that is a function of the squared Euclidean distance alone.
type Radial interface {
	Eval(x, y []float64) float64
	OfSquaredDistance(d []float64)
}

// InnerProduct is a kernel that is a function of the inner product alone.
type InnerProduct interface {
	Eval(x, y []float64) float64
	OfInnerProduct(s []float64)
}

// Structure is how a kernel of package kernel is made of others, and how single rows of it are computed. Fields
// that do not apply are zero.
type Structure struct {
	// Self is the kernel of package kernel that the kernel is or embeds.
	Self Kernel
	// Map and Of write the kernel as Of(Map(x), Map(z)).
	Map Embedding
	// By and Of write the kernel as By·Of(x, z), if Map is nil.
	By float64
	Of Kernel
	// Terms are the kernels of a sum, Factors those of a product.
	Terms, Factors []Kernel
	// OfSquaredDistance replaces squared distances by values. It may use scratch, which has as many numbers.
	OfSquaredDistance func(d, scratch []float64)
	// Row sets dst_j = k(x, z_j).
	Row func(dst, x []float64, z compute.Matrix)
}

// Source answers what this package asks about kernels. Package kernel installs it.
type Source struct {
	// Engine returns the engine of a kernel of package kernel, or false for others.
	Engine func(k Kernel) (Engine, bool)
	// Structure returns the structure of a kernel of package kernel, and the zero value for others.
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
	// Check reports whether k is a kernel of the rows of x, as kernel.Check does.
	Check func(k Kernel, x compute.Points) error
	// Restricted reports whether k is undefined at some points.
	Restricted func(k Kernel) bool
}

var source Source

// Install sets the source. The init function of package kernel calls it once.
func Install(s Source) { source = s }

// Check reports whether k is a kernel of the rows of x, as kernel.Check does for rows that are finite.
func Check(k Kernel, x compute.Points) error { return source.Check(k, x) }

// StructureOf returns the structure of k, the zero value for a kernel that is not of package kernel.
func StructureOf(k Kernel) Structure { return source.Structure(k) }

// Own returns the kernel of package kernel that k is or embeds. See Source.
func Own(k Kernel, dim int) (Kernel, error) { return source.Own(k, dim) }

// Validate returns an error that wraps rkhs.ErrOption if a parameter of k is out of range.
func Validate(k Kernel) error { return source.Check(k, compute.Points{}) }

// Outside returns the first column of x outside of the domain of k and the reason, or a negative column.
func Outside(k Kernel, x []float64) (column int, reason string) { return source.Outside(k, x) }

// Restricted reports whether k is undefined at some points.
func Restricted(k Kernel) bool { return source.Restricted(k) }
