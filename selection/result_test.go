package selection_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/selection"
)

// results returns the result of two learners, with a candidate that fails.
func results(t *testing.T) *selection.Result {
	t.Helper()
	x, y, _ := waves(120)
	a := grid(t, []float64{1. / 3, 1}, []float64{1e-2, 1e-5})
	b, err := selection.Random("polk, \"online\"", polk.Fit, polk.Options{Kernel: kernel.Gaussian{Sigma: 1}}, 2, 1,
		selection.LogUniform("Ridge", func(o *polk.Options, v float64) { o.Ridge = v }, 1e-6, 1e-2),
		selection.Values("Seed", func(o *polk.Options, v uint64) { o.Seed = v }, 1, 2))
	if err != nil {
		t.Fatal(err)
	}
	return search(t, x, y, append(append(a, b...), failing(errors.New("two\nlines,\tone tab"), -1)), selection.Options{Folds: 3, Eta: 2, FirstRows: 20, NoRefit: true})
}

// TestCSV reads the written table and compares it bit by bit.
func TestCSV(t *testing.T) {
	r := results(t)
	var file bytes.Buffer
	if err := r.WriteCSV(&file); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&file).ReadAll()
	if err != nil || len(records) != len(r.Trials)+1 {
		t.Fatalf("%d records of %d trials: %v", len(records), len(r.Trials), err)
	}
	if got, want := strings.Join(records[0], "|"), "number|candidate|Sigma|Ridge|Seed|rung|rows|mean|standard error|seconds|split 0|split 1|split 2|not converged|selected|error"; got != want {
		t.Errorf("header %s, want %s", got, want)
	}
	selected := 0
	for i, record := range records[1:] {
		trial, at := r.Trials[i], 0
		next := func() string { at++; return record[at-1] }
		number := func() float64 {
			cell := next()
			if cell == "" {
				return math.NaN()
			}
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Error(err)
			}
			return v
		}
		if n := number(); int(n) != trial.Number || next() != trial.Candidate.Name {
			t.Errorf("%v is not %+v", record, trial)
		}
		values := map[string]any{}
		for _, v := range trial.Candidate.Values {
			values[v.Name] = v.Value
		}
		for _, name := range []string{"Sigma", "Ridge"} {
			want, ok := values[name].(float64)
			if got := number(); ok && got != want || !ok && !math.IsNaN(got) {
				t.Errorf("%s of %v", name, record)
			}
		}
		if seed, ok := values["Seed"]; next() != map[bool]string{true: strconv.FormatUint(toUint(seed), 10)}[ok] {
			t.Errorf("Seed of %v", record)
		}
		if int(number()) != trial.Rung || int(number()) != trial.Rows {
			t.Errorf("rung and rows of %v", record)
		}
		if !sameNumbers(number(), trial.Mean) || !sameNumbers(number(), trial.StandardError) || number() != trial.Elapsed.Seconds() {
			t.Errorf("mean, standard error or seconds of %v", record)
		}
		for _, s := range trial.Scores {
			if !sameNumbers(number(), s) {
				t.Errorf("scores of %v", record)
			}
		}
		if int(number()) != trial.NotConverged {
			t.Errorf("not converged of %v", record)
		}
		if next() == "true" {
			selected++
			if trial.Number != r.Best.Number || trial.Rung != r.Best.Rung {
				t.Errorf("%v is selected", record)
			}
		}
		if message := next(); (message != "") != (trial.Err != nil) || trial.Err != nil && message != trial.Err.Error() {
			t.Errorf("error %q", message)
		}
	}
	if selected != 1 {
		t.Errorf("%d are selected", selected)
	}
}

func toUint(v any) uint64 { u, _ := v.(uint64); return u }

func sameNumbers(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// broken is a writer that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errStop }

func TestWritingFails(t *testing.T) {
	if err := results(t).WriteCSV(broken{}); !errors.Is(err, errStop) {
		t.Error(err)
	}
	var none *selection.Result
	if err := none.WriteCSV(new(bytes.Buffer)); !errors.Is(err, rkhs.ErrUnfitted) || none.String() != "<nil>" {
		t.Error(err, none)
	}
	if err := results(t).WriteCSV(nil); !errors.Is(err, rkhs.ErrOption) {
		t.Error(err)
	}
	if err := new(selection.Result).WriteCSV(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
}

// TestString: each trial has one line, for any text of its error, and one line is marked.
func TestString(t *testing.T) {
	r := results(t)
	lines := strings.Split(r.String(), "\n")
	if len(lines) != len(r.Trials)+1 || strings.Count(r.String(), "*") != 1 || !strings.HasPrefix(strings.TrimSpace(lines[1]), "*") {
		t.Errorf("%d trials:\n%v", len(r.Trials), r)
	}
	if !strings.Contains(r.String(), "failed: failing: split 0: two; lines, one tab") {
		t.Errorf("%v", r)
	}
	stopped, err := selection.Search(cancelled(), column(9), column(9), levels(1), nil)
	if err == nil || strings.Contains(stopped.String(), "*") {
		t.Errorf("%v\n%v", err, stopped)
	}
}

func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestRuleNames(t *testing.T) {
	for rule, want := range map[selection.Rule]string{selection.BestMean: "BestMean", selection.OneStandardError: "OneStandardError", 7: "Unknown"} {
		if rule.String() != want {
			t.Errorf("%v, want %s", rule, want)
		}
	}
}
