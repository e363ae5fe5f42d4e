package rkhs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
)

// sine returns samples of a sine.
func sine() (x, y *mat.Dense) {
	x, y = mat.NewDense(100, 1, nil), mat.NewDense(100, 1, nil)
	for i := range 100 {
		x.Set(i, 0, float64(i)/10)
		y.Set(i, 0, math.Sin(float64(i)/10))
	}
	return x, y
}

// Rows of a broken sensor have small weights and little effect on the fit.
func ExampleWeighted() {
	x, y := sine()
	weights := make([]float64, 100)
	for i := range weights {
		weights[i] = 1
		if i%4 == 0 {
			weights[i] = 1e-6
			y.Set(i, 0, -5)
		}
	}
	opts := &ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6}
	for _, rows := range []mat.Matrix{x, rkhs.Weighted{Matrix: x, Weights: weights}} {
		model, err := ridge.Fit(context.Background(), rows, y, opts)
		if err != nil {
			log.Fatal(err)
		}
		f, err := model.Predict(mat.NewDense(1, 1, []float64{math.Pi / 2}))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.2f\n", f.At(0, 0))
	}
	// Output:
	// -0.39
	// 1.00
}

// Two documents from a vocabulary of a million words have one word in common.
func ExampleSparse() {
	x := &rkhs.Sparse{Rows: 2, Cols: 1_000_000,
		Offsets: []int{0, 3, 5},
		Columns: []int32{17, 2003, 999_999, 2003, 31_415},
		Values:  []float64{1, 2, 1, 3, 1},
	}
	var gram mat.SymDense
	if err := kernel.Gram(&gram, kernel.Linear{}, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(&gram))
	// Output:
	// ⎡ 6   6⎤
	// ⎣ 6  10⎦
}

// Load determines the package of a saved model from the file header.
func ExampleSave() {
	x, y := sine()
	model, err := slkl.Fit(context.Background(), x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "rkhs")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sine.model")
	if err := rkhs.Save(path, model); err != nil {
		log.Fatal(err)
	}
	again, err := rkhs.Load[rkhs.Model](path)
	if err != nil {
		log.Fatal(err)
	}
	f, err := again.Predict(mat.NewDense(1, 1, []float64{math.Pi / 2}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%T: %.2f\n", again, f.At(0, 0))
	_, err = rkhs.Load[rkhs.Classifier](path)
	fmt.Println(err != nil)
	// Output:
	// *slkl.Model: 1.00
	// true
}

// Load with the type of a model returns an error for a file of another type.
func ExampleLoad() {
	x, y := sine()
	model, err := ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-6})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "rkhs")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sine.rkhs")
	if err := rkhs.Save(path, model); err != nil {
		log.Fatal(err)
	}
	again, err := rkhs.Load[*ridge.Model](path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Kernel())
	_, err = rkhs.Load[*slkl.Model](path)
	fmt.Println(errors.Is(err, rkhs.ErrFormat))
	// Output:
	// kernel.Gaussian{Sigma: 1}
	// true
}

// Read returns the next model of a stream.
func ExampleRead() {
	x, y := sine()
	var b bytes.Buffer
	for _, sigma := range []float64{1, 2} {
		model, err := ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: sigma}, Ridge: 1e-6})
		if err != nil {
			log.Fatal(err)
		}
		if err := rkhs.Write(&b, model); err != nil {
			log.Fatal(err)
		}
	}
	for range 2 {
		model, err := rkhs.Read[*ridge.Model](&b)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(model.Kernel())
	}
	// Output:
	// kernel.Gaussian{Sigma: 1}
	// kernel.Gaussian{Sigma: 2}
}

// A model can be written to any io.Writer and read from any io.Reader.
func ExampleWrite() {
	x, y := sine()
	model, err := slkl.Fit(context.Background(), x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	if err := rkhs.Write(&b, model); err != nil {
		log.Fatal(err)
	}
	again, err := rkhs.Read[*slkl.Model](&b)
	fmt.Println(again.ModelOrder() == model.ModelOrder(), err)
	// Output: true <nil>
}

// A Printer shows the progress of a fit, at most one line per Interval.
func ExamplePrinter() {
	p := &rkhs.Printer{W: os.Stdout, Interval: time.Second}
	for i := range 3 {
		p.Record(rkhs.Progress{Phase: "solve", Done: i + 1, Total: 3, Iteration: 10 * i, Objective: 1 / float64(i+1), ModelOrder: i, Elapsed: time.Duration(i) * 600 * time.Millisecond})
	}
	// Output:
	//  iteration        objective    order        gap    seconds  phase
	//          0                1        0   0.00e+00      0.000  solve 1/3
	//         20      0.333333333        2   0.00e+00      1.200  solve 3/3
}

// The report of a model states how its fit ended.
func ExampleStatus() {
	x, y := sine()
	model, err := slkl.Fit(context.Background(), x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	switch status := model.Report().Outputs[0].Status; status {
	case rkhs.Converged, rkhs.Stalled:
		fmt.Println("solved as far as it was asked to, or as rounding lets it")
	default:
		fmt.Println("not solved:", status)
	}
	// Output: solved as far as it was asked to, or as rounding lets it
}

// A Recorder observes a fit and can stop it. The fit then returns the best model so far with the
// error.
func ExampleRecorderFunc() {
	x, y := sine()
	phases := map[string]bool{}
	_, err := slkl.Fit(context.Background(), x, y, &slkl.Options{
		Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
			phases[p.Phase] = true
			return nil
		}),
	})
	fmt.Println(phases["rows"], phases["search"], phases["solve"], err)
	// Output: true true true <nil>
}

// Classifiers predict probabilities and regression models predict intervals, both calibrated on
// held-out rows.
func ExampleProbabilistic() {
	x, labels, targets := mat.NewDense(300, 1, nil), mat.NewDense(300, 1, nil), mat.NewDense(300, 1, nil)
	for i := range 300 {
		v := float64(i)/50 - 3
		x.Set(i, 0, v)
		targets.Set(i, 0, math.Sin(v)+0.2*math.Cos(997*float64(i)))
		if v+math.Cos(991*float64(i)) > 0 {
			labels.Set(i, 0, 1)
		}
	}
	classifier, err := ridge.FitClassifier(context.Background(), x, labels, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	regression, err := ridge.Fit(context.Background(), x, targets, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var c rkhs.Probabilistic = classifier
	p, err := c.Proba(mat.NewDense(2, 1, []float64{-2.5, 2.5}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("sure on both sides:", p.At(0, 0) > 0.9 && p.At(1, 1) > 0.9)
	var m rkhs.Intervaled = regression
	lower, upper, err := m.Interval(x, 0.9)
	if err != nil {
		fmt.Println(err)
		return
	}
	covered, _, err := dataset.Coverage(lower, upper, targets)
	var how rkhs.Calibration = regression.Report().Calibration
	fmt.Printf("%d rows, about nine in ten targets are covered: %v, %v\n", how.Rows, math.Abs(covered-0.9) < 0.05, err)
	// Output:
	// sure on both sides: true
	// 300 rows, about nine in ten targets are covered: true, <nil>
}
