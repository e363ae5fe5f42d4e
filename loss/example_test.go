package loss_test

import (
	"fmt"

	"github.com/rkhs-go/rkhs/loss"
)

func Example() {
	var l loss.Scalar = loss.Huber{Delta: 1}
	fmt.Println(l.Value(3, 0.5), l.Derivative(3, 0.5), l.Curvature())

	var m loss.Multiclass = loss.Softmax{}
	gradient := make([]float64, 3)
	m.Gradient(gradient, []float64{1, 2, 0}, 1)
	fmt.Printf("%.3f %.3f\n", m.Value([]float64{1, 2, 0}, 1), gradient)
	// Output:
	// 2 1 1
	// 0.408 [0.245 -0.335 0.090]
}
