package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

// eval is rkhs eval.
func eval(_ context.Context, args []string, s streams) error {
	a := newArguments("eval", "-model MODEL FILE [flags]", "Compares the predictions of a model with the targets in FILE.",
		"  rkhs eval -model price.rkhs test.csv", s)
	a.addModel()
	a.addJSON()
	a.addRead()
	path, err := a.parseFile(args)
	if err != nil {
		return err
	}
	m, err := a.loadModelFor(path)
	if err != nil {
		return err
	}
	d, err := a.load(path)
	if err != nil {
		return err
	}
	if d, err = m.adapt(d); err != nil {
		return inFile(path, err)
	}
	of, err := m.score(d)
	if err != nil {
		return inFile(path, err)
	}
	reportSurplus(s.err, d.surplus)
	reportAveraged(s.err, of.Averaged)
	var counts drift
	counts.add(of.Rows, of.Counts)
	counts.report(s.err)
	if a.json {
		return writeJSON(s.out, of)
	}
	of.write(s.out)
	return of.writeConfusion(s.out)
}

// score is a score with the names of the classes.
type score struct {
	*recipe.Score
	classes []string // nil if the labels are numbers
}

// names returns the names of the classes of the confusion matrix.
func (s *score) names() (names []string) {
	for _, label := range s.Confusion.Labels {
		switch {
		case s.classes == nil:
			names = append(names, strconv.Itoa(label))
		case label < len(s.classes):
			names = append(names, s.classes[label])
		default:
			names = append(names, "(unknown)")
		}
	}
	return names
}

// write writes the score as text.
func (s *score) write(w io.Writer) {
	rows := summary.Count(s.Rows, "test row")
	if s.Confusion == nil {
		fmt.Fprintf(w, "%s: RMSE %s, MAE %s, R2 %s (RMSE of the mean: %s)\n", rows,
			short("%.5g", s.RMSE), short("%.5g", s.MAE), short("%.4f", s.R2), short("%.5g", s.Baseline))
		if s.Width > 0 {
			width := short("%.5g", s.Width)
			fmt.Fprintf(w, "90 %% intervals: %.2f %% of the targets inside, mean width %s\n", 100*s.Coverage, width)
		}
		return
	}
	fmt.Fprintf(w, "%s: %.2f %% errors (most frequent class: %.2f %%)\n", rows, 100*s.Errors, 100*s.Baseline)
	if s.Unknown > 0 {
		fmt.Fprintf(w, "%s of classes unknown to the model, counted as errors\n", summary.Count(s.Unknown, "row"))
	}
	if s.LogLoss > 0 {
		fmt.Fprintf(w, "probabilities: log loss %s, calibration error %s\n",
			short("%.4f", s.LogLoss), short("%.4f", s.CalibrationError))
	}
}

// mostClasses is the largest number of classes of a confusion matrix that is printed.
const mostClasses = 12

// writeConfusion writes the confusion matrix of a classifier of few classes.
func (s *score) writeConfusion(to io.Writer) error {
	if s.Confusion == nil || len(s.Confusion.Labels) > mostClasses {
		return nil
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	names := s.names()
	fmt.Fprintf(w, "true\\predicted\t%s\t\n", strings.Join(names, "\t"))
	for i, name := range names {
		fmt.Fprintf(w, "%s\t", name)
		for _, n := range s.Confusion.Counts.RawRowView(i) {
			fmt.Fprintf(w, "%v\t", n)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// MarshalJSON implements json.Marshaler. It omits fields that the task or the model lacks.
func (s *score) MarshalJSON() ([]byte, error) {
	v := map[string]any{"rows": s.Rows, "baseline": number(s.Baseline)}
	if s.Averaged != nil {
		v["averaged"] = s.Averaged
	}
	if s.Counts != nil {
		v["notes"] = s.Counts
	}
	if c := s.Confusion; c != nil {
		counts := make([][]float64, len(c.Labels))
		for i := range counts {
			counts[i] = c.Counts.RawRowView(i)
		}
		v["errors"], v["unknown"], v["classes"], v["confusion"] = s.Errors, s.Unknown, s.names(), counts
		if s.LogLoss > 0 {
			v["logLoss"], v["calibrationError"] = number(s.LogLoss), s.CalibrationError
		}
		return json.Marshal(v)
	}
	v["rmse"], v["mae"], v["r2"] = number(s.RMSE), number(s.MAE), number(s.R2)
	if s.Width > 0 {
		v["coverage"], v["width"] = s.Coverage, number(s.Width)
	}
	return json.Marshal(v)
}

// reportAveraged writes the number of rows that were predicted by averages.
func reportAveraged(w io.Writer, a *recipe.Averaged) {
	if a == nil || a.Rows == 0 {
		return
	}
	columns := "column"
	if len(a.Columns) > 1 {
		columns = "columns"
	}
	fmt.Fprintf(w, "%s: no known value in %s %s, averaged over %s\n", summary.Count(a.Rows, "row"), columns,
		strings.Join(a.Columns, ", "), summary.Count(a.Over, "similar training row"))
}
