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
		name: "predict", operands: "-model MODEL -o FILE [flags] 'FILES'",
		about: "Predicts the rows of files. Writes the file and line of each row, its prediction, and the\nprobabilities of classes or the bounds of an interval if the model has them.",
		example: "  rkhs-beam predict -model price.rkhs -o predicted.csv 'new/*.csv'\n" +
			"  rkhs-beam predict -model gs://b/price.rkhs -o gs://b/predicted.parquet -shards 64 'gs://b/new/*.csv' -runner dataflow …",
		flags: func(f *flag.FlagSet, _ []string) (job, error) {
			p := new(prediction)
			p.source.flags(f, dataset.NoTarget)
			f.BoolVar(&p.Table, "table", false, "rows are cells of named columns, for a model with a recipe (of rkhs train)")
			f.StringVar(&p.model, "model", "", "the `file` of the model, where workers reach it")
			f.Float64Var(&p.coverage, "coverage", 0, "the coverage `probability` of the intervals of a regression (0: no intervals)")
			f.StringVar(&p.out.Path, "o", "", "the `file` to write: .parquet or .pq for Parquet, otherwise CSV; an existing file is overwritten")
			f.IntVar(&p.out.Shards, "shards", 1, "the `number` of files to write, each by one worker")
			f.BoolVar(&p.out.Inputs, "inputs", false, "also write the input columns")
			return job{pipelines: []builder{p.build}}, nil
		},
	}
}

func (p *prediction) build(_ context.Context, s beam.Scope, pattern string) error {
	if p.model == "" || p.out.Path == "" {
		return misuse("-model (the file of the model) and -o (the output file) are required")
	}
	batches, malformed, err := p.read(s, pattern)
	if err != nil {
		return err
	}
	predictions, failed, err := score.File(s, batches, p.model, score.Options{Coverage: p.coverage})
	if err != nil {
		return err
	}
	p.set(s, p.out.Path, beam.Flatten(s, malformed, failed))
	return score.Write(s, predictions, p.out)
}

// source are the flags of reading rows.
type source struct {
	rows.Options
	rejected string
}

func (c *source) flags(f *flag.FlagSet, target int) {
	c.Numbers.Target = target
	f.Func("format", "csv, svm or parquet (default: by the file names)", func(text string) error {
		c.Format = rows.Format(text)
		return nil
	})
	f.Func("target", "the `column` of the target of CSV and Parquet: 1 is the first, -1 the last, none for no target (default: "+targetName(target)+")", func(text string) (err error) {
		if c.Numbers.Target = dataset.NoTarget; text != "none" {
			c.Numbers.Target, err = strconv.Atoi(text)
		}
		return err
	})
	f.IntVar(&c.Numbers.Weights, "weights", 0, "the `column` of the weights of the rows (default none)")
	f.IntVar(&c.Numbers.Cols, "columns", 0, "the `number` of columns of svmlight")
	f.BoolVar(&c.Numbers.Header, "header", false, "the first line names the columns (default: if none of its fields is a number)")
	f.IntVar(&c.Rows, "batch", 0, "the `number` of rows of a batch (default 1024)")
	f.StringVar(&c.rejected, "rejected", "", "the `file` of rejected rows, as JSON lines (default: the name of the result and .rejected.jsonl)")
}

// read reads the files of a pattern.
func (c *source) read(s beam.Scope, pattern string) (batches, rejected beam.PCollection, err error) {
	c.Cells.Header = c.Table && c.Numbers.Header
	return rows.Read(s, pattern, c.Options)
}

// set writes the rejected rows to a separate file.
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
