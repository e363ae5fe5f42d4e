package loss_test

import (
	"encoding/json"
	"fmt"

	"github.com/rkhs-go/rkhs/loss"
)

// A scalar loss compares numbers. A multiclass loss compares the scores of all classes with the
// index of the true class.
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

// The minimiser of the mean pinball loss is a quantile: at most 85 % of the targets are smaller
// and at most 15 % are larger. An outlier does not change it.
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

// barrier is a user-defined loss: price/2 times the squared deficit of a score below the target.
type barrier struct{ price float64 }

func (b barrier) Value(f, y float64) float64 { d := max(0, y-f); return b.price * d * d / 2 }

func (b barrier) Derivative(f, y float64) float64 { return -b.price * max(0, y-f) }

func (b barrier) Curvature() float64 { return b.price }

func (b barrier) String() string { return fmt.Sprintf("barrier{price: %v}", b.price) }

// A user-defined loss has a value, a derivative, a bound of the curvature and a name. It works
// in every learner.
func ExampleScalar() {
	var l loss.Scalar = barrier{price: 3}
	fmt.Println(l, l.Value(1, 2), l.Derivative(1, 2), l.Value(2, 1))
	fmt.Println(loss.Check(l), loss.Kinked(l), loss.Constant(l, []float64{1, 4, 2}))
	// Output:
	// barrier{price: 3} 1.5 -3 0
	// <nil> false 4
}

// MarshalBinary supports files of models with this loss.
func (b barrier) MarshalBinary() ([]byte, error) { return json.Marshal(b.price) }

// unmarshalBarrier reads the output of MarshalBinary.
func unmarshalBarrier(data []byte) (barrier, error) {
	var b barrier
	err := json.Unmarshal(data, &b.price)
	return b, err
}

func init() { loss.Register("example.org/barrier", unmarshalBarrier) }

// Models with a user-defined loss can be saved if an init function registers it:
// loss.Register("example.org/barrier", unmarshalBarrier).
func ExampleRegister() {
	data, err := loss.Marshal(barrier{price: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(loss.Unmarshal(data))
	// Output: barrier{price: 3} <nil>
}

// The example evaluates the losses of targets at the score 2 for the target 0, and the losses
// of labels at the score 0.5 for the label +1.
func ExampleLoss() {
	for _, l := range []loss.Scalar{
		loss.Squared{}, loss.Huber{Delta: 1}, loss.Absolute{}, loss.EpsilonInsensitive{Epsilon: 0.5}, loss.Pinball{Tau: 0.9},
	} {
		fmt.Printf("%.3f %v\n", l.Value(2, 0), l)
	}
	for _, l := range []loss.Scalar{loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}} {
		fmt.Printf("%.3f %v\n", l.Value(0.5, 1), l)
	}
	for _, l := range []loss.Multiclass{loss.Softmax{}, loss.MulticlassHinge{}} {
		fmt.Printf("%.3f %v\n", l.Value([]float64{0.5, 0, 0}, 0), l)
	}
	// Output:
	// 2.000 Squared{}
	// 1.500 Huber{Delta: 1}
	// 2.000 Absolute{}
	// 1.500 EpsilonInsensitive{Epsilon: 0.5}
	// 0.200 Pinball{Tau: 0.9}
	// 0.500 Hinge{}
	// 0.125 SquaredHinge{}
	// 0.474 Logistic{}
	// 0.794 Softmax{}
	// 0.500 MulticlassHinge{}
}

// Learners query a loss through these functions and never by its type.
func ExampleMargin() {
	for _, l := range []loss.Loss{loss.Squared{}, loss.Absolute{}, loss.Logistic{}} {
		fmt.Println(l, "of labels:", loss.Margin(l), "quadratic:", loss.Quadratic(l), "kinked:", loss.Kinked(l))
		fmt.Println("  steps:", loss.StepCurvature(l), loss.Rate(l), "in the unit of targets:", loss.InTargetUnit(l))
	}
	// Output:
	// Squared{} of labels: false quadratic: true kinked: false
	//   steps: 1 1 in the unit of targets: false
	// Absolute{} of labels: false quadratic: false kinked: true
	//   steps: 1 4 in the unit of targets: true
	// Logistic{} of labels: true quadratic: false kinked: false
	//   steps: 0.25 12 in the unit of targets: false
}

// The scores of some losses determine probabilities.
func ExampleProbable() {
	var l loss.Probable = loss.Logistic{}
	fmt.Printf("%.3f\n", l.Probability(2))
	var m loss.MultiProbable = loss.Softmax{}
	p := make([]float64, 3)
	m.Probabilities(p, []float64{2, 0, 0})
	fmt.Printf("%.3f\n", p)
	// Output:
	// 0.881
	// [0.787 0.107 0.107]
}
