package main

import (
	"context"
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs/recipe"
)

const evalExamples = `  rkhs eval -model price.rkhs test.csv`

// eval is rkhs eval.
func eval(_ context.Context, args []string, s streams) error {
	a := newArguments("eval", "-model MODEL FILE [flags]", "Compares what a model predicts with the targets of the rows of FILE.", evalExamples, s)
	a.StringVar(&a.model, "model", "", "the `file` of the model")
	a.results()
	a.table()
	if err := a.parse(args); err != nil {
		return err
	}
	path, err := a.operand()
	if err != nil {
		return err
	}
	m, err := loadModel(a.model)
	if err != nil {
		return err
	}
	a.like(m.recipe.Recipe())
	d, err := a.load(path, s)
	if err != nil {
		return err
	}
	score, err := m.score(d)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(s.out, score)
	}
	writeScore(s.out, score)
	if score.Confusion != nil && len(score.Confusion.Labels) <= mostShown {
		if m.recipe != nil {
			classes, beyond := m.recipe.Recipe().Classes(), ""
			if score.Unknown > 0 {
				beyond = fmt.Sprintf("; %d: those not known", len(classes))
			}
			fmt.Fprintf(s.out, "classes: %q%s\n", classes, beyond)
		}
		_, err = fmt.Fprintln(s.out, score.Confusion)
	}
	return err
}

// mostShown is the number of classes up to which the matrix of them is bearable to read.
const mostShown = 12

// writeScore writes the errors at rows that were not learned from, if there are any.
func writeScore(w io.Writer, s *recipe.Score) {
	switch {
	case s == nil:
	case s.Confusion != nil:
		fmt.Fprintf(w, "%d test rows: %.2f %% errors; the most frequent class makes %.2f %%\n", s.Rows, 100*s.Errors, 100*s.Baseline)
		if s.Unknown > 0 {
			fmt.Fprintf(w, "%d rows are of classes that the model does not know: each is an error\n", s.Unknown)
		}
		if s.LogLoss > 0 {
			fmt.Fprintf(w, "probabilities: log loss %.4f, calibration error %.4f\n", s.LogLoss, s.CalibrationError)
		}
	default:
		fmt.Fprintf(w, "%d test rows: RMSE %.5g, MAE %.5g, R2 %.4f; RMSE of the mean %.5g\n", s.Rows, s.RMSE, s.MAE, s.R2, s.Baseline)
		if s.Width > 0 {
			fmt.Fprintf(w, "intervals of level .9: %.2f %% of the targets inside, %.5g wide in mean\n", 100*s.Coverage, s.Width)
		}
	}
}
