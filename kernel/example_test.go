package kernel_test

import (
	"encoding/binary"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

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

// Periodic compares points of a circle of the given length. Eval makes it a
// kernel; the other methods and Register let it be checked and saved.
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

// A kernel of one's own works wherever a kernel does, also within others.
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

// A value outside of the domain is named.
func ExampleGram_domain() {
	x := mat.NewDense(2, 2, []float64{0.5, 0.5, 1.1, -0.1})
	fmt.Println(kernel.Gram(new(mat.SymDense), kernel.JensenShannon{}, x))
	// Output:
	// kernel: x at row 1, column 1: -0.1 is negative: value is outside the domain
}

// K·W for many points, without K.
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

func ExampleParametric() {
	var k kernel.Parametric = kernel.Scale{By: 2, Of: kernel.Gaussian{Sigma: 1}}
	gradient := make([]float64, 2)
	k.LogGradient(gradient, []float64{0}, []float64{1})
	for i, p := range k.Parameters() {
		fmt.Printf("%s = %v: %.4f\n", p.Name, p.Value, gradient[i])
	}
	fmt.Println(k.WithParameters([]float64{3, 0.5}))
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
