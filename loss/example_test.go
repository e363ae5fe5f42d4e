package loss_test

import (
	"encoding/json"
	"fmt"

	"github.com/rkhs-go/rkhs/loss"
)

// A scalar loss takes numbers, a multiclass loss the scores of all classes and the
// index of the right one.
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

// The minimiser of the mean pinball loss is a quantile: no more than 85 % of the targets
// lie below it here, and no more than 15 % above. One far target does not move it.
func ExamplePinball() {
	targets := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 100}
	var l loss.Scalar = loss.Pinball{Tau: 0.85}
	mean := func(f float64) (m float64) {
		for _, y := range targets {
			m += l.Value(f, y) / 10
		}
		return m
	}
	best := targets[0]
	for _, f := range targets {
		if mean(f) < mean(best) {
			best = f
		}
	}
	fmt.Println(l, "is least at", best)
	// Output: Pinball{Tau: 0.85} is least at 9
}

// barrier is a loss of a user: of price it asks that a score is not below the target.
type barrier struct{ price float64 }

func (b barrier) Value(f, y float64) float64 { d := max(0, y-f); return b.price * d * d / 2 }

func (b barrier) Derivative(f, y float64) float64 { return -b.price * max(0, y-f) }

func (b barrier) Curvature() float64 { return b.price }

func (b barrier) String() string { return fmt.Sprintf("barrier{price: %v}", b.price) }

// A loss of one's own has a value, a derivative, a bound of the curvature and a name.
// Learners take it as they take those of this package.
func ExampleScalar() {
	var l loss.Scalar = barrier{price: 3}
	fmt.Println(l, l.Value(1, 2), l.Derivative(1, 2), l.Value(2, 1))
	fmt.Println(loss.Check(l), loss.Kinked(l), loss.Constant(l, []float64{1, 4, 2}))
	// Output:
	// barrier{price: 3} 1.5 -3 0
	// <nil> false 4
}

// MarshalBinary is what a loss of one's own needs besides to be saved.
func (b barrier) MarshalBinary() ([]byte, error) { return json.Marshal(b.price) }

// unmarshalBarrier reads what MarshalBinary wrote.
func unmarshalBarrier(data []byte) (barrier, error) {
	var b barrier
	err := json.Unmarshal(data, &b.price)
	return b, err
}

func init() { loss.Register("example.org/barrier", unmarshalBarrier) }

// A loss of one's own that an init function registers, loss.Register("example.org/barrier",
// unmarshalBarrier), is saved in models as those of this package are.
func ExampleRegister() {
	data, err := loss.Marshal(barrier{price: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(loss.Unmarshal(data))
	// Output: barrier{price: 3} <nil>
}
