package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

// training is a call of rkhs train.
type training struct {
	*arguments
	recipe              recipe.Options
	test                string
	holdout             float64
	seed                uint64
	keep, force, quiet  bool
	learner             learner
	whyTask, whyLearner string // "" if a flag selects it
	fits                int
	rows, skipped       int // of the last fit
}

const trainExamples = `  rkhs train houses.csv -target price -model price.rkhs
  rkhs train letters.csv -target letter -learner slkl -MaxPoints 1000
  rkhs train a9a.svm -task classification -model a9a.rkhs
  rkhs train -learner ridge -h        lists the options of ridge`

// train is rkhs train.
func train(ctx context.Context, args []string, s streams) error {
	t := &training{arguments: newArguments("train", "FILE [flags]",
		"Fits a model to the rows of FILE and prints its error on held-out rows.", trainExamples, s)}
	t.addFlags()
	if name := learnerIn(args); name != "" {
		var err error
		if t.learner, err = learnerByName(name); err != nil {
			return err
		}
		addOptions(t.FlagSet, t.learner)
	}
	path, err := t.parseFile(args)
	if err != nil {
		if t.learner.name == "" && strings.Contains(err.Error(), "not defined") {
			return misuse("%w (options of a learner need -learner)", err)
		}
		return err
	}
	if !(t.holdout >= 0 && t.holdout < 1) {
		return misuse("-holdout %v: want 0 or more and less than 1", t.holdout)
	}
	if err := checkOutput("model", t.model, t.force); err != nil {
		return err
	}
	if err := t.checkFormat(path); err != nil {
		return err
	}
	all, err := t.await(ctx, path)
	if err != nil {
		return err
	}
	if all.table == nil {
		if err := t.reject(recipeFlags, "%s has numbered columns", path); err != nil {
			return err
		}
	}
	return t.run(ctx, path, all)
}

func (t *training) addFlags() {
	t.addJSON()
	t.addRead()
	t.StringVar(&t.model, "model", "model.rkhs", "the `file` to save the model to")
	t.addRecipe(&t.recipe)
	t.String("learner", "", learnerNames()+ // its value is found by learnerIn
		" (default: depends on the rows); rkhs train -learner `name` -h lists its options as flags")
	t.StringVar(&t.test, "test", "", "a `file` of test rows, in place of held-out rows")
	t.Float64Var(&t.holdout, "holdout", 0.2, "the `fraction` of held-out rows")
	t.Uint64Var(&t.seed, "seed", 0, "a `number` that selects the held-out rows")
	t.BoolVar(&t.keep, "keep", false, "save the model of the training rows instead of a model of all rows")
	t.BoolVar(&t.force, "force", false, "overwrite the file of the model")
	t.BoolVar(&t.quiet, "quiet", false, "show no progress")
}

// learnerIn finds the value of -learner before the flags are parsed, because other flags depend on it.
func learnerIn(args []string) string {
	for i, arg := range args {
		name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name != "learner" || !strings.HasPrefix(arg, "-") {
			continue
		}
		if given {
			return value
		}
		if i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// await loads a file, unless ctx is done first.
func (t *training) await(ctx context.Context, path string) (all data, err error) {
	once := func(yield func(data, error) bool) { yield(t.load(path)) }
	for all, err = range until(ctx, once) {
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("stopped before the end of %s, no model saved: %w", path, err)
		}
	}
	return all, err
}

// run fits a model, tests it, fits a model to all rows, and saves it.
func (t *training) run(ctx context.Context, path string, all data) error {
	rows, tests, err := t.split(path, all)
	if err == nil {
		err = t.setTask(path, all, tests)
	}
	if err != nil {
		return err
	}
	began := time.Now()
	twice := t.test == "" && t.holdout > 0 && !t.keep
	m, fitErr := t.fit(ctx, rows, twice)
	if m.fitted == nil {
		return inFile(path, fitErr)
	}
	r := t.report(m, rows)
	of, scoreErr := t.score(m, tests)
	if fitErr == nil && twice {
		var whole model
		if whole, fitErr = t.fit(ctx, all, twice); whole.fitted != nil {
			m, r = whole, t.report(whole, all)
			r.AllRows = true
		}
	}
	r.Score, r.Seconds, r.Notes = of, time.Since(began).Seconds(), all.table.Notes()
	if err := rkhs.Save(t.model, m.file()); err != nil {
		return err
	}
	if err := r.write(t.arguments); err != nil {
		return err
	}
	if fitErr != nil {
		return fmt.Errorf("the model so far is saved to %s: %w", t.model, fitErr)
	}
	return scoreErr
}

// split returns the training rows, and the test rows if there are any.
func (t *training) split(path string, all data) (rows, tests data, err error) {
	switch {
	case t.test != "":
		t.read.Notations = all.table.Notations()
		if tests, err = t.load(t.test); err != nil {
			return all, tests, fmt.Errorf("-test: %w", err)
		}
		return all, tests, t.checkTests(all, tests)
	case t.holdout > 0:
		rows, tests, err = all.split(t.holdout, t.seed)
		return rows, tests, inFile(path, err)
	}
	return all, data{}, nil
}

// checkTests checks before a fit that its model can predict the test rows.
func (t *training) checkTests(all, tests data) error {
	if (all.table == nil) != (tests.table == nil) {
		return fmt.Errorf("-test %s: one file is a table and the other has numbered columns: %w", t.test, rkhs.ErrShape)
	}
	if all.table != nil {
		return nil
	}
	_, d := all.x.Dims()
	_, sparse := tests.x.(*rkhs.Sparse) // other columns are ignored
	if _, columns := tests.x.Dims(); columns != d && !sparse {
		return fmt.Errorf("-test %s: %s, and the training rows have %d: %w",
			t.test, summary.Count(columns, "column"), d, rkhs.ErrShape)
	}
	return nil
}

// setTask determines the task and the classes from all rows, since the training rows may lack a
// class.
func (t *training) setTask(path string, all, tests data) error {
	auto := t.recipe.Task == recipe.AutoTask
	if all.table == nil {
		if values := mat.Col(nil, 0, all.y); auto {
			t.recipe.Task = recipe.TaskOf(values)
			slices.Sort(values)
			t.whyTask = whyTask(t.recipe.Task, len(slices.Compact(values)), true)
		}
		return nil
	}
	t.printNotes(all.table, t.recipe.Ignore)
	r, err := recipe.Learn(all.table, t.recipe)
	if err != nil {
		return inFile(path, err)
	}
	testTarget := tests.table.Column(r.Target())
	if t.test != "" {
		if testTarget == nil {
			return fmt.Errorf("-test %s: no column %q, the target: %w", t.test, r.Target(), rkhs.ErrShape)
		}
		if _, _, err := r.Inputs(tests.table); err != nil {
			return fmt.Errorf("-test %s: %w", t.test, err)
		}
	}
	t.recipe.Target, t.recipe.Classes = r.Target(), r.Classes()
	t.recipe.Task = taskOf(r)
	if auto {
		numeric := all.table.Column(r.Target()).Kind() == dataset.Number
		t.whyTask = whyTask(t.recipe.Task, len(r.Classes()), numeric)
	}
	if testTarget != nil && t.recipe.Task == recipe.Classification {
		for i := range testTarget.Len() {
			if text, ok := testTarget.Text(i); ok {
				t.recipe.Classes = append(t.recipe.Classes, text)
			}
		}
	}
	return nil
}

func taskOf(r *recipe.Recipe) recipe.Task {
	if r.Classes() != nil {
		return recipe.Classification
	}
	return recipe.Regression
}

// whyTask explains the choice of the task by a target of some distinct values.
func whyTask(task recipe.Task, distinct int, numeric bool) string {
	switch {
	case task == recipe.Regression:
		return "the target is a number"
	case !numeric:
		return fmt.Sprintf("the target has %s", summary.Count(distinct, "distinct text"))
	case distinct == 2:
		return "the target has 2 distinct numbers (use -task regression to change)"
	}
	return fmt.Sprintf("the target has %s (use -task regression to change)", summary.Count(distinct, "distinct integer"))
}

// fit returns a model. With an error it returns the best model so far, or nil.
func (t *training) fit(ctx context.Context, d data, twice bool) (model, error) {
	t.fits++
	prefix := ""
	if twice {
		prefix = fmt.Sprintf("fit %d of 2, ", t.fits)
	}
	p := newProgress(t.err, prefix, t.quiet)
	defer p.end()
	if d.table == nil {
		t.rows = d.rows()
		return t.fitRows(ctx, d.x, d.y, p)
	}
	r, err := recipe.Learn(d.table, t.recipe)
	if err != nil {
		return model{}, err
	}
	rows, err := r.Rows(d.table)
	if err != nil {
		return model{}, err
	}
	t.rows, t.skipped = d.rows()-rows.Dropped, rows.Dropped
	m, fitErr := t.fitRows(ctx, rows.X, rows.Y, p)
	if m.fitted == nil {
		return m, fitErr
	}
	m.recipe, err = recipe.New(r, m.fitted)
	return m, errors.Join(fitErr, err)
}

func (t *training) fitRows(ctx context.Context, x mat.Matrix, y *mat.Dense, p *progress) (model, error) {
	if t.learner.name == "" {
		var name string
		name, t.whyLearner = defaultLearner(x)
		t.learner, _ = learnerByName(name)
	}
	fit := t.learner.fit
	if t.recipe.Task == recipe.Classification {
		if fit = t.learner.classify; fit == nil {
			return model{}, misuse("%s predicts numbers, not classes: omit -learner, or use -task regression", t.learner.name)
		}
	}
	t.learner.record(p)
	m, err := fit(ctx, x, y)
	return model{fitted: m}, err
}

// score tests a model, if there are test rows.
func (t *training) score(m model, tests data) (*score, error) {
	if tests.table == nil && tests.x == nil {
		return nil, nil
	}
	tests, err := m.adapt(tests)
	if err == nil {
		reportSurplus(t.err, tests.surplus)
		var s *score
		if s, err = m.score(tests); err == nil {
			return s, nil
		}
	}
	return nil, fmt.Errorf("the model was not tested: %w", err)
}

// report is the output of rkhs train.
type report struct {
	Model   string  `json:"model"`
	Task    string  `json:"task"`
	Learner string  `json:"learner"`
	Why     string  `json:"why,omitempty"`
	Rows    int     `json:"rows"`
	Skipped int     `json:"skipped"` // rows without a target
	AllRows bool    `json:"allRows"` // the model is fitted to all rows, Score is for a model without the test rows
	Columns int     `json:"columns"`
	Recipe  string  `json:"recipe,omitempty"`
	Score   *score  `json:"score,omitempty"`
	Seconds float64 `json:"seconds"`
	// Notes reports how the cells of all rows were read.
	Notes []dataset.Note `json:"notes,omitempty"`

	lines, columns []string // of the text output
}

func (t *training) report(m model, d data) *report {
	r := &report{Model: t.model, Task: t.recipe.Task.String(), Learner: t.learner.name,
		Rows: t.rows, Skipped: t.skipped, Columns: m.inputs()}
	r.lines = []string{r.Task, "learner " + r.Learner}
	var reasons []string
	for i, why := range []string{t.whyTask, t.whyLearner} {
		if why != "" {
			reasons = append(reasons, why)
			r.lines[i] += ": " + why
		}
	}
	r.Why = strings.Join(reasons, "; ")
	if m.recipe != nil {
		r.Recipe = escape(m.recipe.Recipe().String())
		r.columns = describeColumns(m.recipe.Recipe(), d.table, t.recipe.Weights)
	}
	return r
}

func (r *report) write(a *arguments) error {
	if a.json {
		return writeJSON(a.out, r)
	}
	skipped := ""
	if r.Skipped > 0 {
		skipped = fmt.Sprintf(" (and %d without a target)", r.Skipped)
	}
	rows, inputs := summary.Count(r.Rows, "row"), summary.Count(r.Columns, "input")
	fmt.Fprintf(a.out, "%s\n%s%s, %s, %.1f s\n", strings.Join(r.lines, "\n"), rows, skipped, inputs, r.Seconds)
	if r.columns != nil {
		fmt.Fprintf(a.out, "\n%s\n\n", strings.Join(r.columns, "\n"))
	}
	if r.Score != nil {
		r.Score.write(a.out)
	}
	all := ""
	if r.AllRows {
		all = ", fitted to all rows"
	}
	_, err := fmt.Fprintf(a.out, "saved to %s%s\n", r.Model, all)
	return err
}
