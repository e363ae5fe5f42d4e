package doublysgd_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// ripples draws rows in a square, the height of a wave, and the height with noise of standard
// deviation 0.1.
func ripples(n int, r *rand.Rand) (x, clean, noisy *mat.Dense) {
	x, clean, noisy = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := 4*r.Float64()-2, 4*r.Float64()-2
		x.SetRow(i, []float64{a, b})
		clean.Set(i, 0, math.Cos(3*math.Hypot(a, b)))
		noisy.Set(i, 0, clean.At(i, 0)+0.1*r.NormFloat64())
	}
	return x, clean, noisy
}

// rmse returns the root mean square difference of two columns.
func rmse(a, b *mat.Dense) float64 {
	n, _ := a.Dims()
	return floats.Distance(mat.Col(nil, 0, a), mat.Col(nil, 0, b), 2) / math.Sqrt(float64(n))
}

// spirals draws points on two interleaved arms with labels 0 and 1.
func spirals(n int, r *rand.Rand) (x, labels *mat.Dense) {
	x, labels = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		arm, length := r.IntN(2), 0.5+3*r.Float64()
		sin, cos := math.Sincos(2*length + math.Pi*float64(arm))
		x.SetRow(i, []float64{length*cos + 0.1*r.NormFloat64(), length*sin + 0.1*r.NormFloat64()})
		labels.Set(i, 0, float64(arm))
	}
	return x, labels
}

// By default Fit selects the bandwidth, the ridge and the numbers of features and passes on
// held-out rows.
func ExampleFit() {
	r := rand.New(rand.NewPCG(1, 2))
	x, _, y := ripples(600, r)
	m, err := doublysgd.Fit(context.Background(), x, y, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	x, clean, _ := ripples(1000, r)
	f, err := m.Predict(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Report().Mode, "on", m.Report().Rows, "rows")
	fmt.Println("error below half of the noise:", rmse(f, clean) < 0.05)
	// Output:
	// Revisit on 600 rows
	// error below half of the noise: true
}

// With given kernel, ridge and features the fit is a ridge regression. Tolerance requests its
// solution, which the report certifies.
func ExampleFit_tolerance() {
	x, _, y := ripples(1000, rand.New(rand.NewPCG(1, 2)))
	m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Ridge: 1e-4, Features: 512, Tolerance: 1e-9, Paper: doublysgd.Paper{Precision: doublysgd.Double}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := m.Report()
	fmt.Println(r.Status, r.Features, "features")
	fmt.Println("certified:", r.Gradient <= 1e-9, r.Gap <= 1e-12*r.Objective)
	// Output:
	// Converged 512 features
	// certified: true true
}

// Two quantiles form a prediction interval. Here the noise of the targets grows with x.
func ExampleFit_quantiles() {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() (x, y *mat.Dense) {
		x, y = mat.NewDense(1000, 1, nil), mat.NewDense(1000, 1, nil)
		for i := range 1000 {
			t := 4 * r.Float64()
			x.Set(i, 0, t)
			y.Set(i, 0, math.Sin(2*t)+0.1*(1+t)*r.NormFloat64())
		}
		return x, y
	}
	x, y := draw()
	newX, newY := draw()
	q, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Quantiles: []float64{0.1, 0.9}, Features: 128})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := q.Predict(newX)
	if err != nil {
		fmt.Println(err)
		return
	}
	inside := 0.0
	for i := range 1000 {
		if f.At(i, 0) < newY.At(i, 0) && newY.At(i, 0) < f.At(i, 1) {
			inside += 1.0 / 1000
		}
	}
	fmt.Printf("0.8 of new targets lie between, within 0.04: %v\n", math.Abs(inside-0.8) < 0.04)
	// Output:
	// 0.8 of new targets lie between, within 0.04: true
}

// This example runs the doubly stochastic gradients of the paper. Each step uses 64 new rows
// and 64 new features.
func ExampleFit_plain() {
	r := rand.New(rand.NewPCG(1, 2))
	x, _, y := ripples(4000, r)
	m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.3}, Ridge: 1e-5, Features: 8000, Paper: doublysgd.Paper{Mode: doublysgd.Plain, Batch: 64, Columns: 64, Passes: 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, clean, _ := ripples(1000, r)
	f, err := m.Predict(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Report().ModelOrder, "blocks of features")
	fmt.Println("error below the noise:", rmse(f, clean) < 0.1)
	// Output:
	// 125 blocks of features
	// error below the noise: true
}

// Labels may be any integers.
func ExampleFitClassifier() {
	r := rand.New(rand.NewPCG(1, 2))
	x, labels := spirals(1000, r)
	c, err := doublysgd.FitClassifier(context.Background(), x, labels, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	x, labels = spirals(1000, r)
	got, err := c.Predict(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	right := 0
	for i := range 1000 {
		if got.At(i, 0) == labels.At(i, 0) {
			right++
		}
	}
	fmt.Println(c.Labels(), "more than 99 % right:", right > 990)
	// Output:
	// [0 1] more than 99 % right: true
}

// Logistic loss for two classes, and Softmax for more, define probabilities.
func ExampleClassifier_Proba() {
	r := rand.New(rand.NewPCG(1, 2))
	x, labels := mat.NewDense(2000, 1, nil), mat.NewDense(2000, 1, nil)
	for i := range 2000 {
		t := 4*r.Float64() - 2
		x.Set(i, 0, t)
		if r.Float64() < 1/(1+math.Exp(-2*t)) {
			labels.Set(i, 0, 1)
		}
	}
	c, err := doublysgd.FitClassifier(context.Background(), x, labels, &doublysgd.Options{Loss: loss.Logistic{}, Features: 128})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := c.Proba(mat.NewDense(3, 1, []float64{-1, 0, 1}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, t := range []float64{-1, 0, 1} {
		want := 1 / (1 + math.Exp(-2*t))
		fmt.Printf("%.2f, within 0.06: %v\n", want, math.Abs(p.At(i, 1)-want) < 0.06)
	}
	// Output:
	// 0.12, within 0.06: true
	// 0.50, within 0.06: true
	// 0.88, within 0.06: true
}

// NewClassifier attaches labels to the sign of a regression model.
func ExampleNewClassifier() {
	x, y := mat.NewDense(200, 1, nil), mat.NewDense(200, 1, nil)
	for i := range 200 {
		x.Set(i, 0, float64(i)/20)
		y.Set(i, 0, math.Sin(x.At(i, 0)))
	}
	m, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Features: 64})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := doublysgd.NewClassifier(m, []int{10, 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := c.Predict(mat.NewDense(2, 1, []float64{2, 4}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(labels.At(0, 0), labels.At(1, 0))
	// Output:
	// 20 10
}

// This example builds a model from coefficients computed by other means, here the normal
// equations of 32 features.
func ExampleNewModel() {
	x, y := mat.NewDense(200, 1, nil), mat.NewDense(200, 1, nil)
	labels := mat.NewDense(200, 1, nil)
	for i := range 200 {
		x.Set(i, 0, float64(i)/20)
		y.Set(i, 0, math.Sin(x.At(i, 0)))
		labels.Set(i, 0, math.Copysign(1, y.At(i, 0)))
	}
	k, o := kernel.Gaussian{Sigma: 1}, features.Options{Seed: 1, Columns: 32}
	phi, err := features.New(k, 1, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := features.NewTransformer(phi).Transform(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	var gram, right, a mat.Dense
	gram.Mul(z.T(), z)
	for i := range 32 {
		gram.Set(i, i, gram.At(i, i)+1e-6)
	}
	right.Mul(z.T(), y)
	if err := a.Solve(&gram, &right); err != nil {
		fmt.Println(err)
		return
	}
	m, err := doublysgd.NewModel(k, 1, o, &a, []float64{0}, doublysgd.Report{Rows: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := m.Predict(mat.NewDense(2, 1, []float64{math.Pi / 2, 3 * math.Pi / 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("f = %.2f, %.2f\n", f.At(0, 0), f.At(1, 0))
	c, err := doublysgd.NewClassifier(m, []int{-1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := c.Predict(mat.NewDense(2, 1, []float64{2, 4}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("signs:", p.At(0, 0), p.At(1, 0))
	// Output:
	// f = 1.00, -1.00
	// signs: 1 -1
}
