// Command slkl trains package slkl on a file of yours, or predicts with a model
// that it saved:
//
//	slkl -data rows.csv.gz -model rows.model
//	slkl -predict -model rows.model -data more.csv > predictions
//
// A file is CSV with the target in its last column or where -target says, svmlight,
// or IDX, each plain or compressed by gzip. The target is a number to predict; with
// -classify it is the label of a class. A quarter of the rows is held back to test on.
// Inputs are scaled to standard deviation 1 by the kernel itself, so that a saved
// model takes rows as they stand in the file.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// command is the command line.
type command struct {
	data, model       string
	target            int
	classify, predict bool
}

func main() {
	var c command
	flag.StringVar(&c.data, "data", "", "read rows from `file`")
	flag.IntVar(&c.target, "target", -1, "`column` of the target in a CSV file: 1 is the first, -1 the last")
	flag.BoolVar(&c.classify, "classify", false, "the target is the label of a class, a whole number")
	flag.StringVar(&c.model, "model", "", "save the model to `file`, or load it from there with -predict")
	flag.BoolVar(&c.predict, "predict", false, "print a prediction for each row of -data, with the model of -model")
	flag.Parse()
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := c.run(ctx, os.Stdout, os.Stderr); err != nil {
		log.Fatal(err)
	}
}

func (c command) run(ctx context.Context, stdout, stderr io.Writer) error {
	switch {
	case c.data == "":
		return errors.New("-data is missing (-h lists the flags)")
	case !c.predict:
		return c.train(ctx, stdout)
	case c.model == "":
		return errors.New("-predict needs -model")
	}
	return c.writePredictions(stdout, stderr)
}

// train learns from a part of the rows, prints the error on the others, and saves the
// model.
func (c command) train(ctx context.Context, w io.Writer) error {
	all, err := dataset.Load(c.data, dataset.Options{Target: c.target})
	if err != nil {
		return err
	}
	trainRows, testRows, err := dataset.Random(len(all.Y), 1).Split(0.25)
	if err != nil {
		return err
	}
	train, test := all.Select(trainRows), all.Select(testRows)
	n, d := train.X.Dims()
	fmt.Fprintf(w, "%s: %d rows to train on, %d to test on, %d inputs\n", c.data, n, len(test.Y), d)
	m, report, err := c.fit(ctx, train)
	if err != nil {
		return err
	}
	for i, r := range report.Outputs {
		fmt.Fprintf(w, "output %d: %d landmarks have weight; nu %.3g; relative duality gap %.1e\n", i, r.ModelOrder, r.Penalty, r.RelativeGap())
	}
	if len(test.Y) > 0 {
		predicted, err := m.Predict(test.X)
		if err != nil {
			return err
		}
		if err := printError(w, m, predicted, test); err != nil {
			return err
		}
	}
	if c.model == "" {
		return nil
	}
	return save(w, c.model, m, train.X)
}

// model is what a *slkl.Model and a *slkl.Classifier have in common.
type model interface {
	rkhs.Model
	MarshalBinary() ([]byte, error)
}

// fit takes a Gaussian kernel, which depends on differences of rows alone, so that
// dividing columns by their standard deviations inside of it does all that
// standardising them would.
func (c command) fit(ctx context.Context, s *dataset.Set) (model, slkl.Report, error) {
	scaled := mat.DenseCopyOf(s.X)
	scaler, err := dataset.Standardize(scaled)
	if err != nil {
		return nil, slkl.Report{}, err
	}
	median, err := kernel.MedianDistance(scaled, 1)
	if err != nil {
		return nil, slkl.Report{}, err
	}
	k := kernel.ARD{Scales: scaler.Scale, Of: kernel.Gaussian{Sigma: median}}
	opts := &slkl.Options{Kernels: []kernel.Kernel{k}, Seed: 1}
	if c.classify {
		m, err := slkl.FitClassifier(ctx, s.X, s.Targets(), opts)
		return m, m.Report(), err
	}
	m, err := slkl.Fit(ctx, s.X, s.Targets(), opts)
	return m, m.Report(), err
}

// save writes the model, and checks that the file predicts the same bits.
func save(w io.Writer, path string, m model, x mat.Matrix) error {
	if err := rkhs.Save(path, m); err != nil {
		return err
	}
	again, err := rkhs.Load[rkhs.Model](path)
	if err != nil {
		return err
	}
	p, err := m.Predict(x)
	if err != nil {
		return err
	}
	q, err := again.Predict(x)
	if err != nil {
		return err
	}
	if !mat.Equal(p, q) {
		return errors.New("the saved model predicts other bits than the one in memory")
	}
	_, err = fmt.Fprintf(w, "saved to %s, which predicts the same bits\n", path)
	return err
}
