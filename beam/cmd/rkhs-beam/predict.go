package main

import (
	"context"
	"flag"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/beam/score"
	"github.com/rkhs-go/rkhs/dataset"
)

// prediction is a call of rkhs-beam predict.
type prediction struct {
	source
	model    string
	coverage float64
	out      score.Output
}

func predictCommand() command {
	return command{
		name: "predict", operands: "-model MODEL -out FILE [flags] 'FILES'",
		about: "Predicts the rows of files: the prediction, the probabilities of classes and the ends of\nintervals of numbers, where the model has them, with the file and line of each row.",
		example: "  rkhs-beam predict -model price.rkhs -out predicted.csv 'new/*.csv'\n" +
			"  rkhs-beam predict -model gs://b/price.rkhs -out gs://b/predicted.parquet -shards 64 'gs://b/new/*.csv' -runner dataflow …",
		flags: func(f *flag.FlagSet, _ []string) (job, error) {
			p := new(prediction)
			p.source.flags(f, dataset.NoTarget)
			f.BoolVar(&p.Table, "table", false, "rows are cells of a table with names, as a model with a recipe takes them (rkhs train)")
			f.StringVar(&p.model, "model", "", "the `file` of the model, where workers reach it")
			f.Float64Var(&p.coverage, "coverage", 0, "the probability with which intervals of a regression cover (0: no intervals)")
			f.StringVar(&p.out.Path, "out", "", "the `file` to write to: .parquet or .pq for Parquet, else CSV; it is overwritten")
			f.IntVar(&p.out.Shards, "shards", 1, "the `number` of files to write, each by one worker")
			f.BoolVar(&p.out.Inputs, "inputs", false, "write the columns of the rows as well")
			return job{pipelines: []builder{p.build}}, nil
		},
	}
}

func (p *prediction) build(_ context.Context, s beam.Scope, pattern string) error {
	if p.model == "" || p.out.Path == "" {
		return misuse("-model names the file of the model, and -out the one to write to")
	}
	batches, malformed, err := p.read(s, pattern)
	if err != nil {
		return err
	}
	predictions, refused, err := score.File(s, batches, p.model, score.Options{Coverage: p.coverage})
	if err != nil {
		return err
	}
	p.set(s, p.out.Path, beam.Flatten(s, malformed, refused))
	return score.Write(s, predictions, p.out)
}

// source are the flags of reading rows.
type source struct {
	rows.Options
	rejected string
}

func (c *source) flags(f *flag.FlagSet, target int) {
	c.Numbers.Target = target
	f.Func("format", "csv, svm or parquet (default: told by the names)", func(text string) error {
		c.Format = rows.Format(text)
		return nil
	})
	f.Func("target", "the `column` of the target of CSV and Parquet: 1 is the first, -1 the last, none if there is none (default: "+targetName(target)+")", func(text string) (err error) {
		if c.Numbers.Target = dataset.NoTarget; text != "none" {
			c.Numbers.Target, err = strconv.Atoi(text)
		}
		return err
	})
	f.IntVar(&c.Numbers.Weights, "weights", 0, "the `column` of the weights of the rows (default none)")
	f.IntVar(&c.Numbers.Cols, "columns", 0, "the `number` of columns of svmlight")
	f.BoolVar(&c.Numbers.Header, "header", false, "the first line names the columns (default: if none of its fields is a number)")
	f.IntVar(&c.Rows, "batch", 0, "the `number` of rows of a batch (default 1024)")
	f.StringVar(&c.rejected, "rejected", "", "the `file` for rows that are set aside, as JSON (default: beside the result, with .rejected.jsonl behind)")
}

// read reads the files of a pattern.
func (c *source) read(s beam.Scope, pattern string) (batches, rejected beam.PCollection, err error) {
	c.Cells.Header = c.Table && c.Numbers.Header
	return rows.Read(s, pattern, c.Options)
}

// set writes rejected rows aside.
func (c *source) set(s beam.Scope, result string, rejected beam.PCollection) {
	if c.rejected == "" {
		c.rejected = result + ".rejected.jsonl"
	}
	rows.WriteRejected(s, c.rejected, rejected)
}

func targetName(target int) string {
	if target == dataset.NoTarget {
		return "none"
	}
	return "the last"
}
