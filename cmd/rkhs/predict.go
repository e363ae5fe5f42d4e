package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/beside"
	"github.com/rkhs-go/rkhs/recipe"
)

// batchRows is the number of rows that are predicted at a time.
const batchRows = 4096

const predictExamples = `  rkhs predict -model price.rkhs new.csv > predicted.csv
  zcat new.csv.gz | rkhs predict -model price.rkhs - -out predicted.csv`

// prediction is a call of rkhs predict.
type prediction struct {
	*arguments
	streams
	out    string
	force  bool
	level  float64
	counts map[string]recipe.Count
	order  []string // of counts
	mean   recipe.Averaged
	rows   int
}

// predict is rkhs predict.
func predict(ctx context.Context, args []string, s streams) error {
	p := &prediction{streams: s, counts: map[string]recipe.Count{},
		arguments: newArguments("predict", "-model MODEL FILE [flags]", "Predicts the rows of FILE, some at a time, to CSV: the prediction, the\nprobabilities of classes and the ends of intervals of numbers, where the model has them. FILE may be -, the standard input.", predictExamples, s)}
	p.StringVar(&p.model, "model", "", "the `file` of the model")
	p.StringVar(&p.out, "out", "", "the `file` to write to (default: the standard output)")
	p.BoolVar(&p.force, "force", false, "overwrite the file of -out")
	p.Float64Var(&p.level, "level", 0.9, "the probability with which intervals of a regression cover (0: no intervals)")
	p.results()
	p.table()
	if err := p.parse(args); err != nil {
		return err
	}
	if !(p.level >= 0 && p.level < 1) {
		return misuse("-level %v: want one from 0 on and below 1", p.level)
	}
	path, err := p.operand()
	if err != nil {
		return err
	}
	if p.out != "" {
		if err := free("out", p.out, p.force); err != nil {
			return err
		}
	}
	m, err := loadModel(p.model)
	if err != nil {
		return err
	}
	if err := m.takes(path, p.arguments); err != nil {
		return err
	}
	p.like(m.recipe.Recipe())
	if p.out == "" {
		err = p.write(ctx, m, path, s.out)
	} else {
		err = beside.Write(p.out, func(w io.Writer) error { return p.write(ctx, m, path, w) })
	}
	p.tell()
	return err
}

// write predicts batch by batch.
func (p *prediction) write(ctx context.Context, m model, path string, to io.Writer) error {
	b := bufio.NewWriter(to)
	w := lines{csv: csv.NewWriter(b), json: p.json, to: b}
	for predicted, err := range p.batches(ctx, m, path) {
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("stopped after %d rows: %w", p.rows, err)
		}
		if err != nil {
			return err
		}
		p.add(predicted)
		if err := w.write(predicted); err != nil {
			return err
		}
		if err := b.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// batches predicts the rows of a file.
func (p *prediction) batches(ctx context.Context, m model, path string) iter.Seq2[*recipe.Predictions, error] {
	return func(yield func(*recipe.Predictions, error) bool) {
		format, err := formatOf(path)
		if err != nil {
			yield(nil, err)
			return
		}
		if m.recipe == nil {
			of := func(d data) (*recipe.Predictions, error) {
				predicted, err := recipe.PredictionsOf(m.of, p.known(d.x, m.columns()), p.level)
				return predicted, in(path, err)
			}
			each(until(ctx, sets(path, format, batchRows, false)), of, yield)
			return
		}
		rows := p.tables(path, batchRows, nil, p.streams)
		if format != dataset.CSVFormat {
			as, err := numberingOf(m.recipe.Recipe())
			if err != nil {
				yield(nil, in(path, err))
				return
			}
			as.target = ""
			rows = p.numbered(path, format, batchRows, as)
		}
		of := func(t *dataset.Table) (*recipe.Predictions, error) {
			predicted, err := m.recipe.PredictIntervals(t, p.level)
			return predicted, in(path, err)
		}
		each(until(ctx, rows), of, yield)
	}
}

// lines writes predictions as lines.
type lines struct {
	csv   *csv.Writer
	to    io.Writer
	json  bool
	begun bool
}

func (l *lines) write(p *recipe.Predictions) error {
	if l.json {
		return l.objects(p)
	}
	if !l.begun {
		l.begun = true
		head := []string{"prediction"}
		if p.Lower != nil {
			head = append(head, "lower", "upper")
		}
		for _, name := range p.Names {
			head = append(head, "p("+name+")")
		}
		if err := l.csv.Write(head); err != nil {
			return err
		}
	}
	for i := range p.Values {
		row := []string{p.Text(i)}
		if p.Lower != nil {
			row = append(row, strconv.FormatFloat(p.Lower[i], 'g', -1, 64), strconv.FormatFloat(p.Upper[i], 'g', -1, 64))
		}
		for j := range p.Names {
			row = append(row, strconv.FormatFloat(p.Proba.At(i, j), 'g', -1, 64))
		}
		if err := l.csv.Write(row); err != nil {
			return err
		}
	}
	l.csv.Flush()
	return l.csv.Error()
}

// objects writes an object a line.
func (l *lines) objects(p *recipe.Predictions) error {
	e := json.NewEncoder(l.to)
	for i, v := range p.Values {
		row := map[string]any{"prediction": v}
		if p.Classes != nil {
			row["prediction"] = p.Classes[i]
		}
		if p.Lower != nil {
			row["lower"], row["upper"] = p.Lower[i], p.Upper[i]
		}
		if p.Proba != nil {
			proba := map[string]float64{}
			for j, name := range p.Names {
				proba[name] = p.Proba.At(i, j)
			}
			row["probabilities"] = proba
		}
		if err := e.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// add counts what was borne with.
func (p *prediction) add(q *recipe.Predictions) {
	p.rows += len(q.Values)
	p.mean = addAveraged(p.mean, q.Averaged)
	for _, c := range q.Counts {
		sum, known := p.counts[c.Column]
		if !known {
			p.order = append(p.order, c.Column)
		}
		p.counts[c.Column] = recipe.Count{Column: c.Column, Missing: sum.Missing + c.Missing, Unknown: sum.Unknown + c.Unknown, Absent: c.Absent}
	}
}

// tell says what was borne with.
func (p *prediction) tell() {
	p.tellBeyond(p.err)
	tellAveraged(p.err, &p.mean)
	for _, name := range p.order {
		c := p.counts[name]
		if c.Absent {
			fmt.Fprintf(p.err, "column %q is not in the file: missing in all %d rows\n", name, p.rows)
			continue
		}
		if c.Missing > 0 {
			fmt.Fprintf(p.err, "column %q: missing in %d of %d rows\n", name, c.Missing, p.rows)
		}
		if c.Unknown > 0 {
			fmt.Fprintf(p.err, "column %q: in %d of %d rows a level that fewer than three rows to train on had\n", name, c.Unknown, p.rows)
		}
	}
}
