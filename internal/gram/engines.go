package gram

import "github.com/rkhs-go/rkhs/internal/compute"

// Fused returns the engine of a kernel that package compute computes by itself.
func Fused(self Kernel, f compute.Func) Engine { return fusedEngine{plain{self}, f} }

// Loop returns the engine of a kernel with a loop over the rows of z of its own: row sets dst_j = k(x, z_j).
func Loop(row func(dst, x []float64, z compute.Matrix)) Engine { return tiled{loopEngine{row}} }

// ManhattanLoop returns the engine of exp(−‖x−z‖₁/length), of which row computes single rows.
func ManhattanLoop(row func(dst, x []float64, z compute.Matrix), length float64) Engine {
	return tiled{manhattanEngine{loopEngine{row}, length}}
}

// OfDistance returns the engine of a function of the squared distance.
func OfDistance(self Kernel, k Radial) Engine {
	return WithProfile(self, compute.SquaredDistance, profileFunc(k.OfSquaredDistance))
}

// OfProduct returns the engine of a function of the inner product.
func OfProduct(self Kernel, k InnerProduct) Engine {
	return WithProfile(self, compute.InnerProduct, profileFunc(k.OfInnerProduct))
}

// WithProfile returns the engine of a profile of squared distances or inner products.
func WithProfile(self Kernel, of compute.Family, p Profile) Engine {
	return tiled{profileEngine{plain{self}, of, p}}
}

// Mapped returns the engine of a kernel of mapped points, of(phi(x), phi(z)).
func Mapped(phi Embedding, of Engine) Engine { return mapEngine{phi: phi, of: of} }

// MappedWide is Mapped for a phi that may have more columns than a result: it holds the images of a tile of
// rows at a time.
func MappedWide(phi Embedding, of Engine) Engine { return mapEngine{phi, of, true} }

// Scaled returns the engine of by·of.
func Scaled(by float64, of Kernel) Engine { return scaleEngine{by, EngineOf(of)} }
