package slkl_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// wave returns n points of a sine over [0, 10).
func wave(n int) (x, y *mat.Dense) {
	x, y = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		t := 10 * float64(i) / float64(n)
		x.Set(i, 0, t)
		y.Set(i, 0, math.Sin(t))
	}
	return x, y
}

func ExampleFit() {
	x, y := wave(400)
	model, err := slkl.Fit(context.Background(), x, y, &slkl.Options{
		Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 1}},
		Penalty: 1e-4,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := model.Predict(mat.NewDense(2, 1, []float64{math.Pi / 2, 3 * math.Pi / 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("f = %.2f, %.2f\n", f.At(0, 0), f.At(1, 0))
	fmt.Println("certified:", model.Report().Outputs[0].RelativeGap() <= 1e-9)
	// Output:
	// f = 1.00, -1.00
	// certified: true
}

func ExampleFitClassifier() {
	x, y := wave(400)
	labels := mat.NewDense(400, 1, nil)
	for i := range 400 {
		labels.Set(i, 0, math.Copysign(1, y.At(i, 0)))
	}
	c, err := slkl.FitClassifier(context.Background(), x, labels, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := c.Predict(mat.NewDense(3, 1, []float64{1, 4, 8}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.At(0, 0), p.At(1, 0), p.At(2, 0))
	// Output:
	// 1 -1 1
}

// A model predicts, reports its distance from the optimum, and can be read as a sum.
func ExampleModel() {
	x, y := wave(400)
	model, err := slkl.Fit(context.Background(), x, y, &slkl.Options{MaxPoints: 50, Penalty: 1e-2})
	if err != nil {
		fmt.Println(err)
		return
	}
	point := mat.NewDense(1, 1, []float64{2})
	f, err := model.Predict(point)
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := model.Expansions()[0]
	g, err := sum.Predict(point)
	if err != nil {
		fmt.Println(err)
		return
	}
	report := model.Report()
	fmt.Println("the same:", math.Abs(model.Intercept()[0]+g.At(0, 0)-f.At(0, 0)) < 1e-12)
	fmt.Println("points:", sum.ModelOrder() == model.ModelOrder(), model.ModelOrder() < 50)
	fmt.Println("penalty:", report.Outputs[0].Penalty, report.Outputs[0].Status)
	// Output:
	// the same: true
	// points: true true
	// penalty: 0.01 Converged
}

// The algorithm of the paper: random columns, its step and its stopping rule.
func ExampleOptions() {
	x, y := wave(400)
	model, err := slkl.Fit(context.Background(), x, y, &slkl.Options{MaxPoints: 50, Penalty: 1e-2, Paper: slkl.Paper{NoIntercept: true, Order: slkl.UniformRandom, Rule: slkl.NewtonStep, Epsilon: 1e-6}})
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := slkl.Fit(context.Background(), x, y, &slkl.Options{MaxPoints: 50, Penalty: 1e-2, Paper: slkl.Paper{NoIntercept: true, Order: slkl.Greedy, Rule: slkl.Minimum}})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := model.Report().Outputs[0], best.Report().Outputs[0]
	fmt.Println(b.Objective < a.Objective, a.Objective < 1.01*b.Objective)
	// Output:
	// true true
}

// Two machines process half of the rows each, and one of them fits the model.
func ExampleLearner() {
	x, y := wave(400)
	points, _ := wave(40)
	opts := &slkl.Options{Points: points, Penalty: 1e-4}
	first, err := slkl.NewLearner(opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	second, err := slkl.NewLearner(opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	for from := 0; from < 400; from += 100 {
		half := first
		if from >= 200 {
			half = second
		}
		if err := half.Update(x.Slice(from, from+100, 0, 1), y.Slice(from, from+100, 0, 1)); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := first.Merge(second); err != nil {
		fmt.Println(err)
		return
	}
	model, err := first.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := model.Predict(mat.NewDense(1, 1, []float64{math.Pi / 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d rows, f = %.1f\n", first.Rows(), f.At(0, 0))
	// Output:
	// 400 rows, f = 1.0
}

// Two machines select landmarks and kernel on the same sample, number their rows as a single machine would, and merge. The model is the same.
func ExampleLearnerFrom() {
	x, y := wave(400)
	ctx := context.Background()
	opts := &slkl.Options{MaxPoints: 40}
	var machines [2]*slkl.Learner
	for m := range machines {
		learner, err := slkl.LearnerFrom(ctx, x, y, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		var numbers []uint64
		for i := range 200 {
			numbers = append(numbers, uint64(200*m+i))
		}
		if err := learner.UpdateNumbered(numbers, x.Slice(200*m, 200*m+200, 0, 1), y.Slice(200*m, 200*m+200, 0, 1)); err != nil {
			fmt.Println(err)
			return
		}
		machines[m] = learner
	}
	if err := machines[0].Merge(machines[1]); err != nil {
		fmt.Println(err)
		return
	}
	merged, err := machines[0].Model(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	alone, err := slkl.Fit(ctx, x, y, opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := merged.Predict(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := alone.Predict(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("as one machine:", mat.EqualApprox(f, g, 1e-8))
	// Output:
	// as one machine: true
}

// The labels are arguments, because the sample need not contain all of them.
func ExampleClassLearnerFrom() {
	x, y := wave(400)
	labels := mat.NewDense(400, 1, nil)
	for i := range 400 {
		labels.Set(i, 0, math.Copysign(1, y.At(i, 0)))
	}
	learner, err := slkl.ClassLearnerFrom(context.Background(), []int{-1, 0, 1}, x, labels, &slkl.Options{MaxPoints: 40})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := learner.Update(x, labels); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(learner.Rows(), "rows")
	// Output:
	// 400 rows
}

// Models of decreasing penalties fit increasingly closely.
func ExampleLearner_Path() {
	x, y := wave(400)
	points, _ := wave(40)
	learner, err := slkl.NewLearner(&slkl.Options{Points: points})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := learner.Update(x, y); err != nil {
		fmt.Println(err)
		return
	}
	models, err := learner.Path(context.Background(), []float64{1e6, 1, 1e-5})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range models {
		f, err := m.Predict(mat.NewDense(1, 1, []float64{math.Pi / 2}))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("nu = %g: f = %.3f\n", m.Report().Outputs[0].Penalty, f.At(0, 0))
	}
	// Output:
	// nu = 1e+06: f = 0.185
	// nu = 1: f = 0.846
	// nu = 1e-05: f = 1.002
}

// The labels are arguments. The rows arrive in batches.
func ExampleClassLearner() {
	x, y := wave(400)
	points, _ := wave(40)
	learner, err := slkl.NewClassLearner([]int{-1, 1}, &slkl.Options{Points: points})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 400 {
		y.Set(i, 0, math.Copysign(1, y.At(i, 0)))
	}
	for from := 0; from < 400; from += 100 {
		if err := learner.Update(x.Slice(from, from+100, 0, 1), y.Slice(from, from+100, 0, 1)); err != nil {
			fmt.Println(err)
			return
		}
	}
	classifier, err := learner.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := classifier.Predict(mat.NewDense(2, 1, []float64{1, 4}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(classifier.Labels(), p.At(0, 0), p.At(1, 0))
	// Output:
	// [-1 1] 1 -1
}

// The learned kernel is an ordinary one: saved, read back and evaluated.
func ExampleModel_Kernel() {
	x, y := wave(400)
	model, err := slkl.Fit(context.Background(), x, y, &slkl.Options{MaxPoints: 50, Penalty: 1e-2})
	if err != nil {
		fmt.Println(err)
		return
	}
	learned := model.Kernel(0)
	file, err := kernel.Marshal(learned)
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := kernel.Unmarshal(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := []float64{1}, []float64{2}
	fmt.Println(again.Eval(a, b) == learned.Eval(a, b))
	// Output:
	// true
}
