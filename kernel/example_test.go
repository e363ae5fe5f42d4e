package kernel_test

import (
	"encoding/binary"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

func Example() {
	x := mat.NewDense(3, 2, []float64{0, 0, 0, 1, 2, 0})
	sigma, err := kernel.MedianDistance(x, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	k := kernel.Gaussian{Sigma: sigma}
	var g mat.SymDense
	if err := kernel.Gram(&g, k, x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k)
	fmt.Printf("%.4f\n", mat.Formatted(&g))
	// Output:
	// kernel.Gaussian{Sigma: 2}
	// ⎡1.0000  0.8825  0.6065⎤
	// ⎢0.8825  1.0000  0.5353⎥
	// ⎣0.6065  0.5353  1.0000⎦
}

// Periodic compares points of a circle of the given length. It implements kernel.Kernel with Eval. The other methods
// and Register support checks and files.
type Periodic struct{ Length float64 }

func (k Periodic) Eval(x, y []float64) float64 {
	s := math.Sin(math.Pi * (x[0] - y[0]) / k.Length)
	return math.Exp(-2 * s * s)
}

func (k Periodic) MarshalBinary() ([]byte, error) {
	return binary.LittleEndian.AppendUint64(nil, math.Float64bits(k.Length)), nil
}

func decodePeriodic(data []byte) (Periodic, error) {
	if len(data) != 8 {
		return Periodic{}, fmt.Errorf("%d bytes", len(data))
	}
	return Periodic{math.Float64frombits(binary.LittleEndian.Uint64(data))}, nil
}

func init() { kernel.Register("example.com/periodic", decodePeriodic) }

// A user-defined kernel works everywhere, also as a term of a sum.
func Example_yourOwnKernel() {
	x := mat.NewDense(3, 1, []float64{0, 6, 24})
	k := kernel.Sum{Periodic{Length: 24}, kernel.Linear{}}
	var g mat.SymDense
	if err := kernel.Gram(&g, k, x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", mat.Formatted(&g))
	// Output:
	// ⎡  1.000    0.368    1.000⎤
	// ⎢  0.368   37.000  144.368⎥
	// ⎣  1.000  144.368  577.000⎦
}

func ExampleSum() {
	k := kernel.Sum{
		kernel.Scale{By: 0.5, Of: kernel.Gaussian{Sigma: 1}},
		kernel.Linear{},
	}
	fmt.Println(k)
	fmt.Printf("%.4f\n", k.Eval([]float64{1, 1}, []float64{1, 2}))
	// Output:
	// kernel.Sum{kernel.Scale{By: 0.5, Of: kernel.Gaussian{Sigma: 1}}, kernel.Linear{}}
	// 3.3033
}

func ExampleMarshal() {
	data, err := kernel.Marshal(kernel.Product{kernel.Matern{Nu: 1.5, Length: 2}, Periodic{Length: 24}})
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := kernel.Unmarshal(data)
	fmt.Println(k, err)
	// Output:
	// kernel.Product{kernel.Matern{Nu: 1.5, Length: 2}, kernel_test.Periodic{Length:24}} <nil>
}

// The error names a value outside of the domain.
func ExampleGram_domain() {
	x := mat.NewDense(2, 2, []float64{0.5, 0.5, 1.1, -0.1})
	fmt.Println(kernel.Gram(new(mat.SymDense), kernel.JensenShannon{}, x))
	// Output:
	// kernel: x at row 1, column 1: -0.1 is negative: value is outside the domain
}

// Mul computes K·W for many points without storing K.
func ExampleMul() {
	x := mat.NewDense(100000, 1, nil)
	for i := range 100000 {
		x.Set(i, 0, float64(i)/100000)
	}
	landmarks := mat.NewDense(2, 1, []float64{0, 1})
	var f mat.Dense
	err := kernel.Mul(&f, kernel.Laplacian{Sigma: 1}, x, landmarks, mat.NewVecDense(2, []float64{1, -1}))
	fmt.Printf("%.4f %.4f %v\n", f.At(0, 0), f.At(50000, 0), err)
	// Output:
	// 0.6321 0.0000 <nil>
}

func ExampleParameters() {
	k := kernel.Scale{By: 2, Of: kernel.Gaussian{Sigma: 1}}
	gradient := make([]float64, 2)
	kernel.LogGradient(k, gradient, []float64{0}, []float64{1})
	for i, p := range kernel.Parameters(k) {
		fmt.Printf("%s = %v: %.4f\n", p.Name, p.Value, gradient[i])
	}
	fmt.Println(kernel.WithParameters(k, []float64{3, 0.5}))
	// Output:
	// By = 2: 1.2131
	// Of.Sigma = 1: 1.2131
	// kernel.Scale{By: 3, Of: kernel.Gaussian{Sigma: 0.5}}
}

// Functions of the space of a kernel have a norm and a distance.
func ExampleExpansion() {
	f := kernel.Expansion{
		Kernel:  kernel.Gaussian{Sigma: 1},
		Points:  mat.NewDense(2, 1, []float64{0, 2}),
		Weights: mat.NewDense(2, 1, []float64{1, -1}),
	}
	g := f.Scale(0.5)
	norm, err := f.Norm()
	if err != nil {
		fmt.Println(err)
		return
	}
	distance, err := f.Distance(g)
	fmt.Printf("%.4f %.4f %v\n", norm[0], distance[0], err)
	y, err := f.Predict(mat.NewDense(3, 1, []float64{0, 1, 2}))
	fmt.Printf("%.4f %v\n", mat.Formatted(y.T()), err)
	// Output:
	// 1.3150 0.6575 <nil>
	// [ 0.8647   0.0000  -0.8647] <nil>
}

// The example evaluates the kernels of points of R^d at one pair of points.
func Example_points() {
	x, z := []float64{1, 0}, []float64{1, 2}
	for _, k := range []kernel.Kernel{
		kernel.Gaussian{Sigma: 2},
		kernel.Matern{Nu: 1.5, Length: 2},
		kernel.RationalQuadratic{Alpha: 1, Length: 2},
		kernel.Laplacian{Sigma: 2},
		kernel.Cauchy{Sigma: 2},
		kernel.Linear{},
		kernel.Polynomial{Degree: 2, Offset: 1},
		kernel.DotProduct{Coefficients: []float64{1, 0, 0.5}},
		kernel.ArcCosine{Order: 1},
		kernel.Dirichlet{Sigma: 1},
		kernel.ARD{Scales: []float64{1, 4}, Of: kernel.Gaussian{Sigma: 2}},
		kernel.Projected{L: mat.NewDense(1, 2, []float64{1, 0.5}), Of: kernel.Gaussian{Sigma: 2}},
		kernel.LowRank{Base: kernel.Gaussian{Sigma: 2}, Points: mat.NewDense(1, 2, nil), Weights: []float64{1}},
	} {
		fmt.Printf("%.4f %v\n", k.Eval(x, z), k)
	}
	// Output:
	// 0.6065 kernel.Gaussian{Sigma: 2}
	// 0.4834 kernel.Matern{Nu: 1.5, Length: 2}
	// 0.6667 kernel.RationalQuadratic{Alpha: 1, Length: 2}
	// 0.3679 kernel.Laplacian{Sigma: 2}
	// 0.5000 kernel.Cauchy{Sigma: 2}
	// 1.0000 kernel.Linear{}
	// 4.0000 kernel.Polynomial{Degree: 2, Offset: 1}
	// 1.5000 kernel.DotProduct{Coefficients: []float64{1, 0, 0.5}}
	// 1.2842 kernel.ArcCosine{Order: 1}
	// 0.5031 kernel.Dirichlet{Sigma: 1}
	// 0.9692 kernel.ARD{Scales: []float64{1, 4}, Of: kernel.Gaussian{Sigma: 2}}
	// 0.8825 kernel.Projected{L: mat.NewDense(1, 2, []float64{1, 0.5}), Of: kernel.Gaussian{Sigma: 2}}
	// 0.4724 kernel.LowRank{Base: kernel.Gaussian{Sigma: 2}, Points: mat.NewDense(1, 2, []float64{0, 0}), Weights: []float64{1}}
}

// The example evaluates the kernels of histograms and of other nonnegative points.
func Example_histograms() {
	x, z := []float64{0.5, 0.5, 0}, []float64{0.2, 0.3, 0.5}
	for _, k := range []kernel.Kernel{
		kernel.AdditiveChiSquared{},
		kernel.Hellinger{},
		kernel.Intersection{},
		kernel.JensenShannon{},
		kernel.SkewedChiSquared{C: 0.1},
		kernel.SkewedIntersection{C: 0.1},
		kernel.ExponentialSemigroup{Beta: 1},
		kernel.ReciprocalSemigroup{Lambda: 1},
	} {
		fmt.Printf("%.4f %v\n", k.Eval(x, z), k)
	}
	// Output:
	// 0.6607 kernel.AdditiveChiSquared{}
	// 0.7035 kernel.Hellinger{}
	// 0.5000 kernel.Intersection{}
	// 0.6839 kernel.JensenShannon{}
	// 0.6465 kernel.SkewedChiSquared{C: 0.1}
	// 0.2357 kernel.SkewedIntersection{C: 0.1}
	// 0.0873 kernel.ExponentialSemigroup{Beta: 1}
	// 0.2179 kernel.ReciprocalSemigroup{Lambda: 1}
}

// Cross computes the values of two sets of points, and Diag the values of each point with itself.
func ExampleCross() {
	k := kernel.Polynomial{Degree: 2, Offset: 1}
	x, z := mat.NewDense(2, 1, []float64{1, 2}), mat.NewDense(3, 1, []float64{0, 1, 2})
	var values mat.Dense
	var diagonal mat.VecDense
	if err := kernel.Cross(&values, k, x, z); err != nil {
		fmt.Println(err)
		return
	}
	if err := kernel.Diag(&diagonal, k, x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mat.Formatted(&values))
	fmt.Println(diagonal.RawVector().Data)
	// Output:
	// ⎡ 1   4   9⎤
	// ⎣ 1   9  25⎦
	// [4 25]
}

// Triangle is a kernel of points of the line.
type Triangle struct{ Width float64 }

func (k Triangle) Eval(x, y []float64) float64 { return max(0, 1-math.Abs(x[0]-y[0])/k.Width) }

// OfSquaredDistance implements kernel.Radial.
func (k Triangle) OfSquaredDistance(d []float64) {
	for i, v := range d {
		d[i] = max(0, 1-math.Sqrt(v)/k.Width)
	}
}

// Validate implements kernel.Validator.
func (k Triangle) Validate(dim int) error {
	if dim > 1 {
		return fmt.Errorf("Triangle: %d columns, want 1: %w", dim, rkhs.ErrShape)
	}
	if !(k.Width > 0) {
		return fmt.Errorf("Triangle.Width is %v, want a positive number: %w", k.Width, rkhs.ErrOption)
	}
	return nil
}

// The library uses the optional methods of a kernel: here a function of the squared distance
// and a check of the parameters.
func ExampleRadial() {
	var g mat.SymDense
	fmt.Println(kernel.Gram(&g, Triangle{Width: 2}, mat.NewDense(3, 1, []float64{0, 1, 4})))
	fmt.Println(mat.Formatted(&g))
	fmt.Println(kernel.Gram(&g, Triangle{}, mat.NewDense(3, 1, nil)))
	// Output:
	// <nil>
	// ⎡  1  0.5    0⎤
	// ⎢0.5    1    0⎥
	// ⎣  0    0    1⎦
	// Triangle.Width is 0, want a positive number: invalid option
}

// A copy shares no memory with the kernel.
func ExampleClone() {
	k := kernel.ARD{Scales: []float64{1, 2}, Of: kernel.Linear{}}
	c := kernel.Clone(k)
	fmt.Println(kernel.Equal(k, c))
	k.Scales[0] = 3
	fmt.Println(c, kernel.Equal(k, c))
	// Output:
	// true
	// kernel.ARD{Scales: []float64{1, 2}, Of: kernel.Linear{}} false
}

// The logarithm, linear between powers of ten.
func ExampleWarped() {
	logarithm := kernel.Warped{From: [][]float64{{1, 10, 100}}, To: [][]float64{{0, 1, 2}}, Of: kernel.Gaussian{Sigma: 1}}
	fmt.Printf("%.3f %.3f\n", logarithm.Eval([]float64{1}, []float64{10}), logarithm.Eval([]float64{10}, []float64{100}))
	fmt.Println(logarithm)
	// Output:
	// 0.607 0.607
	// kernel.Warped{From: [][]float64{{1, 10, 100}}, To: [][]float64{{0, 1, 2}}, Of: kernel.Gaussian{Sigma: 1}}
}

// The columns are codes of categories, so the distance of 7 from 1 and 2 has no meaning.
func ExampleOneHot() {
	k := kernel.OneHot{Levels: [][]float64{{1, 2, 7}, nil}, Of: kernel.Gaussian{Sigma: 1}}
	fmt.Printf("%.3f %.3f\n", k.Eval([]float64{1, 0.5}, []float64{2, 0.5}), k.Eval([]float64{1, 0.5}, []float64{7, 0.5}))
	fmt.Println(k)
	// Output:
	// 0.368 0.368
	// kernel.OneHot{Levels: [][]float64{{1, 2, 7}, nil}, Of: kernel.Gaussian{Sigma: 1}}
}
