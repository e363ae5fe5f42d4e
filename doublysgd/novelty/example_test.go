package novelty_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/kernel"
)

// ring draws points near the unit circle.
func ring(n int, r *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		length := 1 + 0.1*r.NormFloat64()
		x.SetRow(i, []float64{length * cos, length * sin})
	}
	return x
}

// This example fits points on a ring; its centre and the outside are novel. The kernel must
// be narrower than the default, which is as wide as the ring.
func ExampleFit() {
	x := ring(500, rand.New(rand.NewPCG(1, 2)))
	m, err := novelty.Fit(context.Background(), x, &novelty.Options{Nu: 0.05, Kernel: kernel.Gaussian{Sigma: 0.3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := m.Predict(mat.NewDense(4, 2, []float64{1, 0, -0.7, 0.7, 0, 0, 2, 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(labels.RawMatrix().Data)
	// Output:
	// [1 1 -1 -1]
}

// This example fits a stream of batches. It saves the learner, loads it and continues.
func ExampleLearner() {
	l, err := novelty.NewLearner(&novelty.Options{Nu: 0.05, Kernel: kernel.Gaussian{Sigma: 0.3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		if err := l.Update(ring(100, r)); err != nil {
			fmt.Println(err)
			return
		}
	}
	file, err := l.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	var other novelty.Learner
	if err := other.UnmarshalBinary(file); err != nil {
		fmt.Println(err)
		return
	}
	if err := other.Update(ring(100, r)); err != nil {
		fmt.Println(err)
		return
	}
	m, err := other.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := m.Predict(mat.NewDense(4, 2, []float64{1, 0, -0.7, 0.7, 0, 0, 2, 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Report().Rows, "rows:", labels.RawMatrix().Data)
	// Output:
	// 10100 rows: [1 1 -1 -1]
}
