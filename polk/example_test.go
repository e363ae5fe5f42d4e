package polk_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// Rows arrive one at a time. The learner predicts each row before it updates with it, and the
// totals contain the mean of these progressive errors.
func ExampleLearner() {
	l, err := polk.NewLearner(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		x := 6 * r.Float64()
		if err := l.Update(mat.NewDense(1, 1, []float64{x}), mat.NewDense(1, 1, []float64{math.Sin(x)})); err != nil {
			fmt.Println(err)
			return
		}
	}
	m, err := l.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Predict(mat.NewDense(3, 1, []float64{1, 2, 4}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d rows, fewer than 30 points: %v\n", l.Report().Totals.Rows, m.ModelOrder() < 30)
	for i, x := range []float64{1, 2, 4} {
		fmt.Printf("sin(%v) within 0.1: %v\n", x, math.Abs(p.At(i, 0)-math.Sin(x)) < 0.1)
	}
	// Output:
	// 5000 rows, fewer than 30 points: true
	// sin(1) within 0.1: true
	// sin(2) within 0.1: true
	// sin(4) within 0.1: true
}

// A learner is saved and continues in another process, bit for bit.
func ExampleLearner_checkpoint() {
	x, y := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), mat.NewDense(4, 1, []float64{0, 1, 4, 9})
	l, err := polk.NewLearner(&polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Paper: polk.Paper{Rate: 1, NoIntercept: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	l.Update(x, y)
	file, err := l.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	var resumed polk.Learner
	if err := resumed.UnmarshalBinary(file); err != nil {
		fmt.Println(err)
		return
	}
	l.Update(x, y)
	resumed.Update(x, y)
	fmt.Println(l.Last() == resumed.Last())
	// Output: true
}

// Fit makes several passes over a matrix. The report describes the fit, and the model exposes its
// points and weights.
func ExampleFit() {
	r := rand.New(rand.NewPCG(7, 8))
	x, y := mat.NewDense(400, 1, nil), mat.NewDense(400, 1, nil)
	for i := range 400 {
		v := 6 * r.Float64()
		x.Set(i, 0, v)
		y.Set(i, 0, math.Sin(v))
	}
	m, err := polk.Fit(context.Background(), x, y, &polk.Options{MaxPoints: 20, Paper: polk.Paper{Schedule: polk.LinearDecay}})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Predict(mat.NewDense(1, 1, []float64{2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	f, report := m.Expansion(), m.Report()
	points, outputs := f.Weights.Dims()
	fmt.Println("sin(2) within 0.05:", math.Abs(p.At(0, 0)-math.Sin(2)) < 0.05)
	fmt.Println(points == m.ModelOrder(), points <= 20, outputs, report.Loss, report.Rows/400, "passes")
	// Output:
	// sin(2) within 0.05: true
	// true true 1 Squared{} 10 passes
}

// Rows and labels come from an iterator, with labels known in advance. The learner is saved and
// loaded, and reports its totals.
func ExampleClassLearner() {
	l, err := polk.NewClassLearner([]int{-1, 1}, &polk.Options{Loss: loss.Logistic{}, Paper: polk.Paper{Batch: 10}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(9, 10))
	stream := func(yield func(polk.Batch, error) bool) {
		for range 20 {
			x, labels := mat.NewDense(50, 1, nil), mat.NewDense(50, 1, nil)
			for i := range 50 {
				side := float64(2*(i%2) - 1)
				x.Set(i, 0, 2*side+0.5*r.NormFloat64())
				labels.Set(i, 0, side)
			}
			if !yield(polk.Batch{X: x, Y: labels}, nil) {
				return
			}
		}
	}
	if err := l.Learn(context.Background(), stream); err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := rkhs.Write(&file, l); err != nil {
		fmt.Println(err)
		return
	}
	resumed, err := rkhs.Read[*polk.ClassLearner](&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := resumed.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := c.Proba(mat.NewDense(1, 1, []float64{2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	totals := resumed.Report().Totals
	fmt.Println(c.Labels(), resumed.Rows(), "rows,", totals.Steps, "steps, the last of", l.Last().Rows, "rows")
	fmt.Println("few mistakes:", totals.Mistakes < 20, "- sure of +1 at 2:", p.At(0, 1) > 0.9)
	// Output:
	// [-1 1] 1000 rows, 100 steps, the last of 10 rows
	// few mistakes: true - sure of +1 at 2: true
}

// Fit learns three clusters with a few dictionary points in several passes over a matrix.
func ExampleFitClassifier() {
	r := rand.New(rand.NewPCG(3, 4))
	x, labels := mat.NewDense(600, 2, nil), mat.NewDense(600, 1, nil)
	for i := range 600 {
		k := i % 3
		x.SetRow(i, []float64{4*float64(k) + r.NormFloat64(), r.NormFloat64()})
		labels.Set(i, 0, float64(10*k))
	}
	c, err := polk.FitClassifier(context.Background(), x, labels, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := c.Predict(mat.NewDense(3, 2, []float64{0, 0, 4, 0, 8, 0}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Labels(), mat.Col(nil, 0, p), c.Model().ModelOrder() < 50)
	// Output: [0 10 20] [0 10 20] true
}

// Models of separate shards are merged into one.
func ExampleMerge() {
	r := rand.New(rand.NewPCG(5, 6))
	opts := &polk.Options{Kernel: kernel.Gaussian{Sigma: 0.5}}
	var models []*polk.Model
	for range 3 {
		x, y := mat.NewDense(500, 1, nil), mat.NewDense(500, 1, nil)
		for i := range 500 {
			v := 4 * r.Float64()
			x.Set(i, 0, v)
			y.Set(i, 0, math.Cos(v)+0.1*r.NormFloat64())
		}
		m, err := polk.Fit(context.Background(), x, y, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		models = append(models, m)
	}
	m, distance, err := polk.Merge(models, 0.05)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Predict(mat.NewDense(1, 1, []float64{1}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(distance <= 0.05, math.Abs(p.At(0, 0)-math.Cos(1)) < 0.05)
	few, _, err := polk.MergeTo(models, 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(few.ModelOrder(), "points")
	// Output:
	// true true
	// 8 points
}

// Classifiers of shards with different labels are merged into one with all labels.
func ExampleMergeClassifiers() {
	opts := &polk.Options{Kernel: kernel.Gaussian{Sigma: 1}}
	var list []*polk.Classifier
	for _, first := range []float64{0, 5} {
		x := mat.NewDense(4, 1, []float64{first, first + 0.1, first + 5, first + 5.1})
		labels := mat.NewDense(4, 1, []float64{first, first, first + 5, first + 5})
		c, err := polk.FitClassifier(context.Background(), x, labels, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		list = append(list, c)
	}
	c, distance, err := polk.MergeClassifiers(list, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := c.Predict(mat.NewDense(3, 1, []float64{0, 5, 10}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Labels(), mat.Col(nil, 0, p), distance <= 0.01)
	few, _, err := polk.MergeClassifiersTo(list, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(few.Model().ModelOrder(), "points")
	// Output:
	// [0 5 10] [0 5 10] true
	// 3 points
}
