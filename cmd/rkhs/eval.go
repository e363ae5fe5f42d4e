package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

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
	if err := m.takes(path, a); err != nil {
		return err
	}
	a.like(m.recipe.Recipe())
	d, err := a.load(path, s)
	if err != nil {
		return err
	}
	score, err := m.score(a, d)
	if err != nil {
		return within(path, err)
	}
	a.tellBeyond(s.err)
	tellAveraged(s.err, score.Averaged)
	of := m.scored(score)
	if a.json {
		return writeJSON(s.out, of)
	}
	writeScore(s.out, score)
	if c := score.Confusion; c != nil && len(c.Labels) <= mostShown {
		err = of.writeConfusion(s.out)
	}
	return err
}

// scored is a score with the names of its classes.
type scored struct {
	*recipe.Score
	classes []string // nil of labels that are numbers
}

func (m model) scored(s *recipe.Score) *scored {
	if s == nil {
		return nil
	}
	return &scored{s, m.recipe.Recipe().Classes()}
}

// names returns those of the classes of the confusion matrix.
func (s *scored) names() (list []string) {
	for _, label := range s.Confusion.Labels {
		switch {
		case s.classes == nil:
			list = append(list, strconv.Itoa(label))
		case label < len(s.classes):
			list = append(list, s.classes[label])
		default:
			list = append(list, "(not known)")
		}
	}
	return list
}

func (s *scored) writeConfusion(to io.Writer) error {
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

// MarshalJSON implements json.Marshaler: what the task and the model have, under the names that
// other answers of the command give it.
func (s *scored) MarshalJSON() ([]byte, error) {
	v := map[string]any{"rows": s.Rows, "baseline": number(s.Baseline)}
	if s.Averaged != nil {
		v["averaged"] = s.Averaged
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
