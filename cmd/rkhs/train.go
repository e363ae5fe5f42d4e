package main

import (
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/recipe"
)

// training is a call of rkhs train.
type training struct {
	*arguments
	streams
	recipe  recipe.Options
	learner string
	test    string
	holdout float64
	seed    uint64
	keep    bool
	force   bool
	quiet   bool

	of  learner
	why string // it was chosen
}

const trainExamples = `  rkhs train houses.csv -target price -model price.rkhs
  rkhs train letters.csv -target letter -learner slkl -Landmarks 1000
  rkhs train a9a.svm -task classification -model a9a.rkhs
  rkhs train -learner ridge -h        lists the options of ridge`

// train is rkhs train.
func train(ctx context.Context, args []string, s streams) error {
	t := &training{streams: s, arguments: newArguments("train", "FILE [flags]", "Learns a model from the rows of FILE, and says how well it predicts rows that were held out.", trainExamples, s)}
	t.table()
	t.flags()
	if name := learnerIn(args); name != "" {
		var err error
		if t.of, err = named(name); err != nil {
			return err
		}
		optionFlags(t.FlagSet, t.of)
	}
	if err := t.parse(args); err != nil {
		if t.of.name == "" && strings.Contains(err.Error(), "not defined") {
			return misuse("%w (options of a learner need -learner)", err)
		}
		return err
	}
	path, err := t.operand()
	if err != nil {
		return err
	}
	if !(t.holdout >= 0 && t.holdout < 1) {
		return misuse("-holdout %v: want a fraction of 0 or more, below 1", t.holdout)
	}
	if err := free("model", t.model, t.force); err != nil {
		return err
	}
	all, err := t.load(path, s)
	if err != nil {
		return err
	}
	if err := t.suited(all, path); err != nil {
		return err
	}
	return t.run(ctx, all)
}

// ofTables are flags that mean nothing for a file of numbered columns.
var ofTables = []string{"target", "weights", "ignore", "kind", "levels", "sep", "header", "no-header", "decimal-comma", "missing", "dates"}

// suited refuses flags of tables, weights among them, where none is read.
func (t *training) suited(all data, path string) (err error) {
	if all.table != nil {
		return nil
	}
	t.Visit(func(f *flag.Flag) {
		if slices.Contains(ofTables, f.Name) {
			err = misuse("-%s is for tables, and %s has numbered columns", f.Name, path)
		}
	})
	return err
}

func (t *training) flags() {
	t.StringVar(&t.model, "model", "model.rkhs", "the `file` to save the model to")
	t.StringVar(&t.recipe.Target, "target", "", "the `column` to predict (default: the last)")
	t.StringVar(&t.recipe.Weights, "weights", "", "the `column` of the weights of the rows")
	t.Func("ignore", "`columns`, parted by commas, to leave out", func(text string) error {
		t.recipe.Ignore = append(t.recipe.Ignore, strings.Split(text, ",")...)
		return nil
	})
	t.Func("kind", "`column=kind`: number, category, text, date or identifier, in place of what the cells tell", func(text string) error {
		column, name, ok := cutLast(text, "=")
		if !ok {
			return fmt.Errorf("want column=kind")
		}
		kind, err := dataset.ParseKind(name)
		if err != nil {
			return err
		}
		if t.read.Kinds == nil {
			t.read.Kinds = map[string]dataset.Kind{}
		}
		t.read.Kinds[column] = kind
		return nil
	})
	t.Func("task", "`regression` or classification (default: classification of names, of two numbers, and of 0 to K−1 or 1 to K that all have their rows)", func(text string) error {
		for _, task := range []recipe.Task{recipe.Regression, recipe.Classification} {
			if task.String() == text {
				t.recipe.Task = task
				return nil
			}
		}
		return fmt.Errorf("want regression or classification")
	})
	t.IntVar(&t.recipe.Levels, "levels", 0, "the `number` of levels of a category beyond which they are hashed (default 64)")
	t.StringVar(&t.learner, "learner", "", "ridge, doublysgd, slkl, polk, alignment or gp (default: chosen by the rows); its options become flags")
	t.StringVar(&t.test, "test", "", "a `file` of rows to test on, in place of rows held out")
	t.Float64Var(&t.holdout, "holdout", 0.2, "the `fraction` of the rows to hold out; 0 holds out none")
	t.Uint64Var(&t.seed, "seed", 0, "selects the rows that are held out")
	t.BoolVar(&t.keep, "keep", false, "save the model of the rows that were not held out, in place of one of all rows")
	t.BoolVar(&t.force, "force", false, "overwrite the file of the model")
	t.BoolVar(&t.quiet, "quiet", false, "show no progress")
}

// cutLast cuts at the last separator.
func cutLast(text, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// learnerIn returns the value of -learner before flags are parsed, as the others depend on it.
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

// run learns from rows, tests, learns from all rows, and saves.
func (t *training) run(ctx context.Context, all data) error {
	fitted, tested, tests := all, data{}, t.test != "" || t.holdout > 0
	var err error
	switch {
	case t.test != "":
		tested, err = t.load(t.test, t.streams)
	case t.holdout > 0:
		fitted, tested, err = all.split(t.holdout, t.seed)
	}
	if err != nil {
		return err
	}
	if all.table != nil {
		// What the target is follows from all rows, and from those to test on: the others may
		// lack some of its classes.
		if err := t.settle(all, tested); err != nil {
			return err
		}
	}
	began := time.Now()
	m, fitErr := t.fit(ctx, fitted)
	if m.of == nil {
		return fitErr
	}
	r := t.report(m, fitted)
	var scoreErr error
	if tests {
		if r.Score, scoreErr = m.score(tested); scoreErr != nil {
			r.Score = nil
			scoreErr = fmt.Errorf("the model could not be tested: %w", scoreErr)
		}
	}
	if fitErr == nil && t.test == "" && t.holdout > 0 && !t.keep {
		if again, err := t.fit(ctx, all); again.of != nil {
			m, fitErr, r.Rows = again, err, all.rows()
		}
	}
	r.Seconds = time.Since(began).Seconds()
	if err := rkhs.Save(t.model, m.file()); err != nil {
		return err
	}
	if err := t.write(r); err != nil {
		return err
	}
	if fitErr != nil {
		return fmt.Errorf("the model so far is saved to %s: %w", t.model, fitErr)
	}
	return scoreErr
}

// settle finds the task, and the classes that there are.
func (t *training) settle(all, tested data) error {
	r, err := recipe.Learn(all.table, t.recipe)
	if err != nil {
		return err
	}
	t.recipe.Target, t.recipe.Classes = r.Target(), r.Classes()
	t.recipe.Task = recipe.Regression
	if r.Classes() == nil {
		return nil
	}
	t.recipe.Task = recipe.Classification
	if c := tested.table.Column(r.Target()); c != nil {
		for i := range c.Len() {
			if text, ok := c.Text(i); ok {
				t.recipe.Classes = append(t.recipe.Classes, text)
			}
		}
	}
	return nil
}

func (m model) file() encoding.BinaryMarshaler {
	if m.recipe != nil {
		return m.recipe
	}
	return m.of.(encoding.BinaryMarshaler)
}

// fit returns the model so far beside an error, or none.
func (t *training) fit(ctx context.Context, d data) (model, error) {
	if d.table == nil {
		return t.fitRows(ctx, d.x, d.y, t.classes(d.y))
	}
	r, err := recipe.Learn(d.table, t.recipe)
	if err != nil {
		return model{}, err
	}
	rows, err := r.Rows(d.table)
	if err != nil {
		return model{}, err
	}
	m, fitErr := t.fitRows(ctx, rows.X, rows.Y, r.Classes() != nil)
	if m.of == nil {
		return m, fitErr
	}
	m.recipe, err = recipe.New(r, m.of)
	return m, errors.Join(fitErr, err)
}

// classes reports whether targets are labels.
func (t *training) classes(y *mat.Dense) bool {
	if t.recipe.Task != recipe.AutoTask {
		return t.recipe.Task == recipe.Classification
	}
	return recipe.TaskOf(mat.Col(nil, 0, y)) == recipe.Classification
}

func (t *training) fitRows(ctx context.Context, x mat.Matrix, y *mat.Dense, classes bool) (model, error) {
	if t.of.name == "" {
		name, why := choose(x)
		t.of, _ = named(name)
		t.why = why
	}
	fit := t.of.fit
	if classes {
		if fit = t.of.classify; fit == nil {
			return model{}, misuse("%s predicts numbers, not classes: leave -learner out, or -task regression", t.of.name)
		}
	}
	p := newProgress(t.err, t.quiet)
	defer p.end()
	t.of.record(p)
	m, err := fit(ctx, x, y)
	return model{of: m}, err
}

// report is what rkhs train prints.
type report struct {
	Model    string        `json:"model"`
	Task     string        `json:"task"`
	Learner  string        `json:"learner"`
	Why      string        `json:"why,omitempty"`
	Rows     int           `json:"rows"`
	Columns  int           `json:"columns"`
	Recipe   string        `json:"recipe,omitempty"`
	Score    *recipe.Score `json:"score,omitempty"`
	Seconds  float64       `json:"seconds"`
	Headline string        `json:"-"`
}

func (t *training) report(m model, d data) *report {
	r := &report{Model: t.model, Task: "regression", Learner: t.of.name, Why: t.why, Rows: d.rows(), Columns: m.columns()}
	if _, ok := m.of.(rkhs.Classifier); ok {
		r.Task = "classification"
	}
	if m.recipe != nil {
		r.Recipe = m.recipe.Recipe().String()
	}
	return r
}

func (t *training) write(r *report) error {
	if t.json {
		return writeJSON(t.out, r)
	}
	why := ""
	if r.Why != "" {
		why = " (" + r.Why + ")"
	}
	fmt.Fprintf(t.out, "%s by %s%s\n%d rows, %d columns of numbers, %.1f s\n", r.Task, r.Learner, why, r.Rows, r.Columns, r.Seconds)
	if r.Recipe != "" {
		fmt.Fprint(t.out, "\n", r.Recipe, "\n")
	}
	writeScore(t.out, r.Score)
	_, err := fmt.Fprintf(t.out, "saved to %s\n", r.Model)
	return err
}

func writeJSON(w interface{ Write([]byte) (int, error) }, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
