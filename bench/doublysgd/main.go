// Command doublysgd runs package doublysgd for bench/doublysgd.sh:
//
//	doublysgd TRAIN TEST FEATURES MULTIPLE RIDGE LOSS SEED
//
// TRAIN and TEST are IDX images with labels. The kernel is Gaussian, with MULTIPLE times the
// median distance as bandwidth. LOSS is squared (three passes) or hinge (the squared hinge, six
// passes). If MULTIPLE is 0, the fit uses default options; FEATURES 0 then also leaves their
// number open. The command prints the seconds to fit and to predict, the test error in %, and the
// number of features.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "doublysgd:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 7 {
		return fmt.Errorf("%d arguments, want TRAIN TEST FEATURES MULTIPLE RIDGE LOSS SEED", len(args))
	}
	train, err := dataset.Load(args[0], dataset.Options{})
	if err != nil {
		return err
	}
	test, err := dataset.Load(args[1], dataset.Options{})
	if err != nil {
		return err
	}
	features, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	multiple, err := strconv.ParseFloat(args[3], 64)
	if err != nil {
		return err
	}
	ridge, err := strconv.ParseFloat(args[4], 64)
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(args[6], 10, 64)
	if err != nil {
		return err
	}
	o := doublysgd.Options{Features: features, Ridge: ridge, Seed: seed, Paper: doublysgd.Paper{Passes: 3}}
	switch {
	case multiple == 0:
		o = doublysgd.Options{Features: features, Seed: seed}
	case args[5] == "hinge":
		o.Loss, o.Passes = loss.SquaredHinge{}, 6
	}
	return measure(train, test, multiple, o)
}

func measure(train, test *dataset.Set, multiple float64, o doublysgd.Options) error {
	start := time.Now()
	if multiple > 0 {
		median, err := kernel.MedianDistance(train.X, 0)
		if err != nil {
			return err
		}
		o.Kernel = kernel.Gaussian{Sigma: multiple * median}
	}
	c, err := doublysgd.FitClassifier(context.Background(), train.X, mat.NewVecDense(len(train.Y), train.Y), &o)
	if err != nil {
		return err
	}
	middle := time.Now()
	got, err := c.Predict(test.X)
	if err != nil {
		return err
	}
	end := time.Now()
	wrong := 0
	for i, y := range test.Y {
		if got.At(i, 0) != y {
			wrong++
		}
	}
	percent := 100 * float64(wrong) / float64(len(test.Y))
	fmt.Printf("%.2f %.2f %.2f %d\n", middle.Sub(start).Seconds(), end.Sub(middle).Seconds(), percent, c.Report().Features)
	return nil
}
