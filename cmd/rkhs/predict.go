package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

const predictAbout = `Predicts the rows of FILE as CSV: the prediction, the probabilities of classes and the bounds of
intervals, if the model has them. FILE may be - for the standard input.`

const predictExamples = `  rkhs predict -model price.rkhs new.csv > predicted.csv
  zcat new.csv.gz | rkhs predict -model price.rkhs - -o predicted.csv`

// prediction is a call of rkhs predict.
type prediction struct {
	*arguments
	path     string
	coverage float64
	rows     int
	surplus  int
	averaged recipe.Averaged
	drift    drift
}

// predict is rkhs predict.
func predict(ctx context.Context, args []string, s streams) (err error) {
	p := &prediction{arguments: newArguments("predict", "-model MODEL FILE [flags]", predictAbout, predictExamples, s)}
	p.addModel()
	output, force := p.addOutput()
	p.Float64Var(&p.coverage, "coverage", 0.9, "the coverage `probability` of the intervals of a regression (0: no intervals)")
	p.addJSON()
	p.addRead()
	if p.path, err = p.parseFile(args); err != nil {
		return err
	}
	if !(p.coverage >= 0 && p.coverage < 1) {
		return misuse("-coverage %v: want 0 or more and less than 1", p.coverage)
	}
	if *output != "" {
		if err := checkOutput("o", *output, *force); err != nil {
			return err
		}
	}
	m, err := p.loadModelFor(p.path)
	if err != nil {
		return err
	}
	err = p.writeOutput(*output, func(w io.Writer) error { return p.write(ctx, m, w) })
	p.report()
	return err
}

// write predicts batch by batch.
func (p *prediction) write(ctx context.Context, m model, to io.Writer) error {
	batches := p.numberBatches(p.path, batchRows, false)
	if m.recipe != nil {
		batches = p.batches(p.path, batchRows, false)
	}
	b := bufio.NewWriter(to)
	for d, err := range until(ctx, batches) {
		if err != nil && ctx.Err() != nil {
			return fmt.Errorf("stopped after %s: %w", summary.Count(p.rows, "row"), err)
		}
		if err == nil {
			d, err = m.adapt(d)
		}
		if err != nil {
			return inFile(p.path, err)
		}
		predicted, err := m.predict(d, p.coverage)
		if err != nil {
			return inFile(p.path, err)
		}
		if p.json {
			err = writeObjects(b, predicted)
		} else {
			err = writeCells(b, predicted, p.rows == 0)
		}
		if err == nil {
			err = b.Flush()
		}
		if err != nil {
			return err
		}
		p.surplus += d.surplus
		p.add(predicted)
	}
	return nil
}

// writeCells writes predictions as lines of CSV.
func writeCells(to io.Writer, p *recipe.Predictions, header bool) error {
	w := csv.NewWriter(to)
	if header {
		names := []string{"prediction"}
		if p.Lower != nil {
			names = append(names, "lower", "upper")
		}
		for _, name := range p.Names {
			names = append(names, "p("+name+")")
		}
		if err := w.Write(names); err != nil {
			return err
		}
	}
	for i := range p.Values {
		row := []string{p.Text(i)}
		if p.Lower != nil {
			row = append(row, decimal(p.Lower[i]), decimal(p.Upper[i]))
		}
		for j := range p.Names {
			row = append(row, decimal(p.Proba.At(i, j)))
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// writeObjects writes predictions as lines of JSON.
func writeObjects(to io.Writer, p *recipe.Predictions) error {
	e := json.NewEncoder(to)
	for i := range p.Values {
		row := map[string]any{"prediction": valueOf(p, i)}
		if p.Lower != nil {
			row["lower"], row["upper"] = p.Lower[i], p.Upper[i]
		}
		if p.Proba != nil {
			row["probabilities"] = probabilitiesOf(p, i)
		}
		if err := e.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// valueOf returns the prediction of a row: its class or a number.
func valueOf(p *recipe.Predictions, row int) any {
	if p.Classes != nil {
		return p.Classes[row]
	}
	return p.Values[row]
}

// probabilitiesOf returns the probabilities of a row by class.
func probabilitiesOf(p *recipe.Predictions, row int) map[string]float64 {
	probabilities := map[string]float64{}
	for j, name := range p.Names {
		probabilities[name] = p.Proba.At(row, j)
	}
	return probabilities
}

// add sums the counts of a batch.
func (p *prediction) add(q *recipe.Predictions) {
	p.rows += len(q.Values)
	p.drift.add(len(q.Values), q.Counts)
	if a := q.Averaged; a != nil {
		p.averaged.Rows += a.Rows
		p.averaged.Over = a.Over
		for _, name := range a.Columns {
			if !slices.Contains(p.averaged.Columns, name) {
				p.averaged.Columns = append(p.averaged.Columns, name)
			}
		}
	}
}

// report writes the counts of irregular cells.
func (p *prediction) report() {
	reportSurplus(p.err, p.surplus)
	reportAveraged(p.err, &p.averaged)
	p.drift.report(p.err)
}
