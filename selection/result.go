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
	"github.com/rkhs-go/rkhs/internal/door"
)

// Result is what a search has found.
type Result struct {
	// Score is what candidates were compared by.
	Score Score
	// Best is what was chosen among the trials of the last rung. If the search was stopped it is
	// the best so far, of the last rung on which all trials were scored at one split at least;
	// nil if there is none.
	Best *Trial
	// Model is that of Best.Candidate, fitted to all rows: of the type that the learner
	// returns. It is nil with Options.NoRefit, or if the search was stopped before.
	Model rkhs.Model
	// Trials are those on the most rows first, and of a rung those of the best mean.
	Trials []Trial
}

// add puts the ranked trials of a rung before those of earlier ones.
func (r *Result) add(list []*attempt) {
	trials := make([]Trial, len(list))
	for i, a := range list {
		trials[i] = a.Trial
	}
	r.Trials = append(trials, r.Trials...)
}

// chosen tells whether a trial is Best.
func (r *Result) chosen(t Trial) bool {
	return r.Best != nil && t.Number == r.Best.Number && t.Rung == r.Best.Rung
}

// String returns the trials as a table, in which * marks the chosen one. It tells no times, and so
// is the same whenever it is printed.
func (r *Result) String() string {
	if r == nil {
		return "<nil>"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t%s\ts.e.\trung\trows\t  candidate\n", r.Score.Name)
	for _, t := range r.Trials {
		mark := ""
		if r.chosen(t) {
			mark = "*"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t  %s\n", mark, short(t.Mean), short(t.StandardError), t.Rung, t.Rows, oneLine(t.described()))
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// described returns the candidate, and what is to be said of its fits.
func (t Trial) described() string {
	switch {
	case t.Err != nil:
		return fmt.Sprintf("failed: %v", t.Err)
	case t.NotConverged > 0:
		return fmt.Sprintf("%v (%d of %d fits not converged)", t.Candidate, t.NotConverged, len(t.Scores))
	}
	return t.Candidate.String()
}

// short returns a number to five digits, or a dash.
func short(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.5g", v)
}

// oneLine replaces what would break a table.
func oneLine(s string) string { return strings.NewReplacer("\n", "; ", "\t", " ").Replace(s) }

// WriteCSV writes the trials as a table of comma-separated values with a header: number,
// candidate, a column for each option that has values, empty where a candidate has none of it,
// rung, rows, mean, standard error, seconds, a column for each split, not converged, chosen and
// error. Numbers have all their digits, and what is not known is empty. The error is that of the
// writer.
func (r *Result) WriteCSV(to io.Writer) error {
	if r == nil {
		return fmt.Errorf("selection: WriteCSV of no result: %w", rkhs.ErrUnfitted)
	}
	if door.IsNil(to) {
		return fmt.Errorf("selection: there is nothing to write to: %w", rkhs.ErrOption)
	}
	w := csv.NewWriter(to)
	options := r.options()
	if err := w.Write(r.header(options)); err != nil {
		return fmt.Errorf("selection: %w", err)
	}
	for _, t := range r.Trials {
		if err := w.Write(r.record(t, options)); err != nil {
			return fmt.Errorf("selection: %w", err)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return fmt.Errorf("selection: %w", err)
	}
	return nil
}

// options lists those that have values, in the order of the candidates.
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
	return append(list, "not converged", "chosen", "error")
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
	list = append(list, strconv.Itoa(t.Rung), strconv.Itoa(t.Rows), exact(t.Mean), exact(t.StandardError), exact(t.Elapsed.Seconds()))
	for _, v := range t.Scores {
		list = append(list, exact(v))
	}
	message := ""
	if t.Err != nil {
		message = t.Err.Error()
	}
	return append(list, strconv.Itoa(t.NotConverged), strconv.FormatBool(r.chosen(t)), message)
}

// exact returns a number with all its digits, and of NaN nothing.
func exact(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
