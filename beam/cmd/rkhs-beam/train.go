package main

import (
	"context"
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
	fit, classify fitter
}

type fitter func(s beam.Scope, batches, statistics beam.PCollection) (model beam.PCollection, err error)

// learners returns all learners, with fresh options.
func learners() map[string]learner {
	return map[string]learner{
		"slkl":  newLearner(new(slkl.Options), learn.SLKL, learn.SLKLClassifier),
		"ridge": newLearner(new(learn.RidgeOptions), byValue(learn.Ridge), byValue(learn.RidgeClassifier)),
	}
}

func newLearner[O any](o *O, fit, classify func(s beam.Scope, batches, statistics beam.PCollection, opts *O) (beam.PCollection, error)) learner {
	with := func(f func(s beam.Scope, batches, statistics beam.PCollection, opts *O) (beam.PCollection, error)) fitter {
		return func(s beam.Scope, batches, statistics beam.PCollection) (beam.PCollection, error) {
			return f(s, batches, statistics, o)
		}
	}
	return learner{o, with(fit), with(classify)}
}

// byValue makes a function of a pointer to options of one of options.
func byValue[O any](f func(s beam.Scope, batches, statistics beam.PCollection, opts O) (beam.PCollection, error)) func(s beam.Scope, batches, statistics beam.PCollection, opts *O) (beam.PCollection, error) {
	return func(s beam.Scope, batches, statistics beam.PCollection, opts *O) (beam.PCollection, error) {
		return f(s, batches, statistics, *opts)
	}
}

// training is a call of rkhs-beam train.
type training struct {
	source
	of         learner
	model      string
	task       string
	statistics learn.StatisticsOptions
	force      bool
}

func trainCommand() command {
	return command{
		name: "train", operands: "-model MODEL [flags] 'FILES'",
		about: "Learns a model from the rows of files, which are read twice: once for a sample, from which\nkernels and landmarks are chosen, and once to learn from all rows.",
		example: "  rkhs-beam train -model price.rkhs 'data/*.csv'\n" +
			"  rkhs-beam train -learner slkl -MaxPoints 1000 -task classification -model digits.rkhs 'mnist/*.csv'",
		flags: func(f *flag.FlagSet, args []string) (builder, error) {
			t := new(training)
			name := learnerIn(args)
			known := learners()
			of, ok := known[name]
			if !ok {
				return nil, misuse("-learner %q: there are %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
			}
			t.of = of
			t.source.flags(f, 0)
			f.StringVar(&t.model, "model", "", "the `file` to save the model to, where workers reach it")
			f.String("learner", name, "the `name` of the learner, whose options become flags: "+strings.Join(slices.Sorted(maps.Keys(known)), ", "))
			f.StringVar(&t.task, "task", "regression", "`regression`, or classification by targets that are whole numbers")
			f.IntVar(&t.statistics.Sample, "sample", 0, "the `number` of rows from which kernels and landmarks are chosen (default 8192)")
			f.Uint64Var(&t.statistics.Seed, "sample-seed", 0, "selects the sample")
			f.BoolVar(&t.force, "force", false, "overwrite the file of the model")
			optionFlags(f, name, t.of.options)
			return t.build, nil
		},
	}
}

// learnerIn returns the value of -learner before flags are parsed, as the others depend on it.
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

func (t *training) build(ctx context.Context, s beam.Scope, pattern string) error {
	fit := t.of.fit
	switch t.task {
	case "regression":
	case "classification":
		fit = t.of.classify
	default:
		return misuse("-task %q: want regression or classification", t.task)
	}
	if t.model == "" {
		return misuse("-model names the file to save the model to")
	}
	if err := t.free(ctx); err != nil {
		return err
	}
	first, rejected, err := t.read(s.Scope("first pass"), pattern)
	if err != nil {
		return err
	}
	t.set(s, t.model, rejected)
	statistics, err := learn.Describe(s, first, t.statistics)
	if err != nil {
		return err
	}
	// The files are read again, as rows that wait for the first pass to end would be stored.
	second, _, err := t.read(s.Scope("second pass"), pattern)
	if err != nil {
		return err
	}
	model, err := fit(s, second, statistics)
	if err != nil {
		return err
	}
	learn.Save(s, model, t.model)
	return nil
}

// free refuses to overwrite a model.
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
