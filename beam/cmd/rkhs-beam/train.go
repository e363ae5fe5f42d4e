package main

import (
	"context"
	"errors"
	"flag"
	"maps"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/rkhs-go/rkhs/beam/learn"
	"github.com/rkhs-go/rkhs/slkl"
)

// learner fits numbers or classes.
type learner struct {
	options       any // a pointer to its options
	fit, classify func() (*learn.Method, error)
}

// learners returns all learners, with fresh options.
func learners() map[string]learner {
	return map[string]learner{
		"slkl":      newLearner(learn.SLKL, learn.SLKLClassifier, new(slkl.Options)),
		"ridge":     newLearner(byValue(learn.Ridge), byValue(learn.RidgeClassifier), new(learn.RidgeOptions)),
		"polk":      newLearner(byValue(learn.Polk), byValue(learn.PolkClassifier), new(learn.PolkOptions)),
		"doublysgd": newLearner(byValue(learn.DoublySGD), byValue(learn.DoublySGDClassifier), new(learn.DoublySGDOptions)),
	}
}

func newLearner[O any](fit, classify func(opts *O) (*learn.Method, error), o *O) learner {
	return learner{o, func() (*learn.Method, error) { return fit(o) }, func() (*learn.Method, error) { return classify(o) }}
}

// byValue converts a function of options to a function of a pointer to options.
func byValue[O any](f func(opts O) (*learn.Method, error)) func(opts *O) (*learn.Method, error) {
	return func(opts *O) (*learn.Method, error) { return f(*opts) }
}

// training is a call of rkhs-beam train.
type training struct {
	source
	of         learner
	model      string
	task       string
	statistics learn.StatisticsOptions
	force      bool
	begun      bool // whether the plan is that of this call
}

func trainCommand() command {
	return command{
		name: "train", operands: "-model MODEL [flags] 'FILES'",
		about: "Fits a model to the rows of files. Two pipelines read the files: the first selects kernels and\nlandmarks on a sample, the second trains on all rows.",
		example: "  rkhs-beam train -model price.rkhs 'data/*.csv'\n" +
			"  rkhs-beam train -learner slkl -MaxPoints 1000 -task classification -model digits.rkhs 'mnist/*.csv'",
		flags: func(f *flag.FlagSet, args []string) (job, error) {
			t := new(training)
			name := learnerIn(args)
			known := learners()
			of, ok := known[name]
			if !ok {
				return job{}, misuse("-learner %q: there are %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
			}
			t.of = of
			t.source.flags(f, 0)
			f.StringVar(&t.model, "model", "", "the `file` to save the model to, where workers reach it")
			f.String("learner", name, "the `name` of the learner, whose options become flags: "+strings.Join(slices.Sorted(maps.Keys(known)), ", "))
			f.StringVar(&t.task, "task", "regression", "`regression`, or classification by targets that are whole numbers")
			f.IntVar(&t.statistics.Sample, "sample", 0, "the `number` of rows from which kernels and landmarks are selected (default 8192)")
			f.Uint64Var(&t.statistics.Seed, "sample-seed", 0, "selects the sample")
			f.BoolVar(&t.force, "force", false, "overwrite the file of the model")
			optionFlags(f, name, t.of.options)
			return job{[]builder{t.plan, t.learn}, t.tidy}, nil
		},
	}
}

// learnerIn returns the value of -learner before the flags are parsed, because the other flags
// depend on it.
func learnerIn(args []string) string {
	for i, arg := range args {
		name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case name != "learner" || !strings.HasPrefix(arg, "-"):
		case given:
			return value
		case i+1 < len(args):
			return args[i+1]
		}
	}
	return "slkl"
}

// method returns the requested method.
func (t *training) method() (*learn.Method, error) {
	switch t.task {
	case "regression":
		return t.of.fit()
	case "classification":
		return t.of.classify()
	}
	return nil, misuse("-task %q: want regression or classification", t.task)
}

// planned is the file that passes the selection of the first pipeline to the second.
func (t *training) planned() string { return t.model + ".plan" }

// plan is the first pipeline.
func (t *training) plan(ctx context.Context, s beam.Scope, pattern string) error {
	method, err := t.method()
	if err != nil {
		return err
	}
	if t.model == "" {
		return misuse("-model names the file to save the model to")
	}
	if err := t.free(ctx); err != nil {
		return err
	}
	batches, rejected, err := t.read(s, pattern)
	if err != nil {
		return err
	}
	t.set(s, t.model, rejected)
	statistics, err := learn.Describe(s, batches, t.statistics)
	if err != nil {
		return err
	}
	learn.Save(s, method.Plan(s, statistics), t.planned())
	t.begun = true
	return nil
}

// learn is the second pipeline.
func (t *training) learn(_ context.Context, s beam.Scope, pattern string) error {
	method, err := t.method()
	if err != nil {
		return err
	}
	batches, _, err := t.read(s, pattern)
	if err != nil {
		return err
	}
	learn.Save(s, method.FitPlanned(s, batches, t.planned()), t.model)
	return nil
}

// tidy removes the plan, on file systems that can.
func (t *training) tidy(ctx context.Context) (err error) {
	if !t.begun {
		return nil
	}
	fs, err := filesystem.New(ctx, t.model)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fs.Close()) }()
	there, err := fs.List(ctx, t.planned())
	if remover, can := fs.(filesystem.Remover); can && err == nil && len(there) > 0 {
		err = remover.Remove(ctx, t.planned())
	}
	return err
}

// free returns an error for an existing model.
func (t *training) free(ctx context.Context) error {
	fs, err := filesystem.New(ctx, t.model)
	if err != nil {
		return err
	}
	defer fs.Close()
	there, err := fs.List(ctx, t.model)
	if err == nil && len(there) > 0 && !t.force {
		return misuse("%s is there already: -force overwrites it, -model names another file", t.model)
	}
	return err
}
