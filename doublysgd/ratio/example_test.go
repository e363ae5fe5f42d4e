package ratio_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/ratio"
)

// bell draws from a normal density.
func bell(n int, mean, deviation float64, r *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, 1, nil)
	x.Apply(func(int, int, float64) float64 { return mean + deviation*r.NormFloat64() }, x)
	return x
}

// This example estimates a mean over p from rows of q, with the ratio p/q as weights.
func ExampleFit() {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := bell(500, 1, 0.7, r), bell(500, 0, 1, r)
	m, err := ratio.Fit(context.Background(), x, y, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fresh := bell(2000, 0, 1, r)
	w, err := m.Predict(fresh)
	if err != nil {
		fmt.Println(err)
		return
	}
	mean := mat.Dot(w.ColView(0), fresh.ColView(0)) / mat.Sum(w)
	fmt.Printf("mean of q %.1f, of p %.1f\n", mat.Sum(fresh)/2000, mean)
	// Output:
	// mean of q 0.0, of p 1.0
}

// This example fits a stream of batches from both densities and computes the divergence of p
// from q.
func ExampleLearner() {
	l, err := ratio.NewLearner(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		if err := l.Update(bell(100, 0.5, 0.7, r), bell(100, 0, 1, r)); err != nil {
			fmt.Println(err)
			return
		}
	}
	m, err := l.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := m.Divergence(bell(2000, 0.5, 0.7, r))
	if err != nil {
		fmt.Println(err)
		return
	}
	exact := math.Log(1/0.7) + (0.49+0.25)/2 - 0.5
	fmt.Printf("rows of both kinds: %d\n", m.Report().Rows)
	fmt.Printf("divergence within .03 of %.2f: %v\n", exact, math.Abs(d-exact) < 0.03)
	// Output:
	// rows of both kinds: 10000
	// divergence within .03 of 0.23: true
}

// This example fits a ratio that is 0 outside an interval. Its logarithm is unbounded, so
// Plain is more accurate than Log.
func ExampleForm() {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := bell(500, 0, 0.5, r), bell(500, 0, 1, r)
	m, err := ratio.Fit(context.Background(), x, y, &ratio.Options{Form: ratio.Plain})
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := m.Predict(mat.NewDense(2, 1, []float64{0, 2.5}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: %.0f in the middle, %.0f outside\n", m.Form(), w.At(0, 0), w.At(1, 0))
	// Output:
	// Plain: 2 in the middle, 0 outside
}
