package selection

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Result is the result of a search.
type Result struct {
	// Score is the score of the comparison.
	Score Score
	// Best is the selected trial of the last rung. In a stopped search it is the best trial of the
	// last rung with at least one split scored for all trials, or nil.
	Best *Trial
	// Model is the model of Best.Candidate for all rows, of the type that the learner returns. It is
	// nil with Options.NoRefit and in a stopped search.
	Model rkhs.Model
	// Trials are sorted by rung, the last rung first, and then by mean score, the best first.
	Trials []Trial
}

// add inserts the ranked trials of a rung before the earlier rungs.
func (r *Result) add(list []*attempt) {
	trials := make([]Trial, len(list))
	for i, a := range list {
		trials[i] = a.Trial
	}
	r.Trials = append(trials, r.Trials...)
}

// selected reports whether a trial is Best.
func (r *Result) selected(t Trial) bool {
	return r.Best != nil && t.Number == r.Best.Number && t.Rung == r.Best.Rung
}

// String returns the trials as a table, without times. An asterisk marks the selected trial.
func (r *Result) String() string {
	if r == nil {
		return "<nil>"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t%s\ts.e.\trung\trows\t  candidate\n", r.Score.Name)
	oneLine := strings.NewReplacer("\n", "; ", "\t", " ")
	for _, t := range r.Trials {
		mark := ""
		if r.selected(t) {
			mark = "*"
		}
		mean, deviation := format(t.Mean, "%.5g", "-"), format(t.StandardError, "%.5g", "-")
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t  %s\n", mark, mean, deviation, t.Rung, t.Rows, oneLine.Replace(t.describe()))
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// describe returns the candidate and the state of its fits.
func (t Trial) describe() string {
	switch {
	case t.Err != nil:
		return fmt.Sprintf("failed: %v", t.Err)
	case t.NotConverged > 0:
		return fmt.Sprintf("%v (%d of %d fits not converged)", t.Candidate, t.NotConverged, len(t.Scores))
	}
	return t.Candidate.String()
}

// format formats a number. missing is the text of NaN.
func format(v float64, verb, missing string) string {
	if math.IsNaN(v) {
		return missing
	}
	return fmt.Sprintf(verb, v)
}

// WriteCSV writes the trials as CSV with a header: number, candidate, a column per option, rung,
// rows, mean, standard error, seconds, a column per split, not converged, chosen and error. Numbers
// have all their digits. Cells without a value are empty. The error is the error of the writer.
func (r *Result) WriteCSV(to io.Writer) error {
	if r == nil {
		return fmt.Errorf("selection: WriteCSV of no result: %w", rkhs.ErrUnfitted)
	}
	if input.IsNil(to) {
		return fmt.Errorf("selection: the writer is nil: %w", rkhs.ErrOption)
	}
	options := r.options()
	records := [][]string{r.header(options)}
	for _, t := range r.Trials {
		records = append(records, r.record(t, options))
	}
	if err := csv.NewWriter(to).WriteAll(records); err != nil {
		return fmt.Errorf("selection: %w", err)
	}
	return nil
}

// options returns the names of the options in the order of the candidates.
func (r *Result) options() (names []string) {
	trials := slices.Clone(r.Trials)
	slices.SortStableFunc(trials, func(a, b Trial) int { return a.Number - b.Number })
	for _, t := range trials {
		for _, v := range t.Candidate.Values {
			if !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

func (r *Result) header(options []string) []string {
	list := append([]string{"number", "candidate"}, options...)
	list = append(list, "rung", "rows", "mean", "standard error", "seconds")
	if len(r.Trials) > 0 {
		for i := range r.Trials[0].Scores {
			list = append(list, fmt.Sprintf("split %d", i))
		}
	}
	return append(list, "not converged", "selected", "error")
}

func (r *Result) record(t Trial, options []string) []string {
	list := []string{strconv.Itoa(t.Number), t.Candidate.Name}
	for _, name := range options {
		cell := ""
		for _, v := range t.Candidate.Values {
			if v.Name == name {
				cell = fmt.Sprint(v.Value)
			}
		}
		list = append(list, cell)
	}
	list = append(list, strconv.Itoa(t.Rung), strconv.Itoa(t.Rows))
	for _, v := range append([]float64{t.Mean, t.StandardError, t.Elapsed.Seconds()}, t.Scores...) {
		list = append(list, format(v, "%v", ""))
	}
	message := ""
	if t.Err != nil {
		message = t.Err.Error()
	}
	return append(list, strconv.Itoa(t.NotConverged), strconv.FormatBool(r.selected(t)), message)
}
