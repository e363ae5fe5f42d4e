package main

import (
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
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
	why []string // task and learner were chosen

	fits, rows, leftOut int // how many fits there are, and what the last one had
}

const trainExamples = `  rkhs train houses.csv -target price -model price.rkhs
  rkhs train letters.csv -target letter -learner slkl -MaxPoints 1000
  rkhs train a9a.svm -task classification -model a9a.rkhs
  rkhs train -learner ridge -h        lists the options of ridge`

// train is rkhs train.
func train(ctx context.Context, args []string, s streams) error {
	t := &training{streams: s, arguments: newArguments("train", "FILE [flags]", "Learns a model from the rows of FILE, and says how well it predicts rows that were held out.", trainExamples, s)}
	t.results()
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
	if err := t.suits(path); err != nil {
		return err
	}
	all, err := t.await(ctx, path)
	if err == nil && all.table == nil {
		err = t.refuse((*arguments).tableAndRecipe, "%s has numbered columns", path)
	}
	if err != nil {
		return err
	}
	return t.run(ctx, path, all)
}

// await loads a file, unless ctx is done before it is read.
func (t *training) await(ctx context.Context, path string) (data, error) {
	once := func(yield func(data, error) bool) { yield(t.load(path, t.streams)) }
	for d, err := range until(ctx, once) {
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("stopped before %s was read, and nothing is saved: %w", path, err)
		}
		return d, err
	}
	return data{}, nil // there is one
}

func (t *training) flags() {
	t.StringVar(&t.model, "model", "model.rkhs", "the `file` to save the model to")
	t.recipeOf(&t.recipe)
	t.task(&t.recipe)
	t.StringVar(&t.learner, "learner", "", strings.Join(learnerNames(), ", ")+" (default: chosen by the rows); its options become flags: rkhs train -learner `name` -h")
	t.StringVar(&t.test, "test", "", "a `file` of rows to test on, in place of rows held out")
	t.Float64Var(&t.holdout, "holdout", 0.2, "the `fraction` of the rows to hold out; 0 holds out none")
	t.Uint64Var(&t.seed, "seed", 0, "selects the rows that are held out")
	t.BoolVar(&t.keep, "keep", false, "save the model of the rows that were not held out, in place of one of all rows")
	t.BoolVar(&t.force, "force", false, "overwrite the file of the model")
	t.BoolVar(&t.quiet, "quiet", false, "show no progress")
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
func (t *training) run(ctx context.Context, path string, all data) error {
	fitted, tested, tests := all, data{}, t.test != "" || t.holdout > 0
	var err error
	switch {
	case t.test != "":
		if tested, err = t.load(t.test, t.streams); err != nil {
			return fmt.Errorf("-test: %w", err)
		}
		fitted, err = all, t.comparable(all, tested)
	case t.holdout > 0:
		fitted, tested, err = all.split(t.holdout, t.seed)
	}
	if err == nil && all.table != nil {
		// What the target is follows from all rows, and from those to test on: the others may
		// lack some of its classes.
		err = t.settle(all, tested)
		for _, says := range t.doubts(all.table, t.recipe.Ignore) {
			fmt.Fprintf(t.err, "rkhs: %s\n", says)
		}
	}
	if err != nil {
		return within(path, err)
	}
	if all.table == nil && t.recipe.Task == recipe.AutoTask {
		t.why = append(t.why, whyTask(labelsOf(all.y), true))
	}
	again := t.test == "" && t.holdout > 0 && !t.keep
	began := time.Now()
	m, fitErr := t.fit(ctx, fitted, again)
	if m.of == nil {
		return within(path, fitErr)
	}
	var score *recipe.Score
	var scoreErr error
	if tests {
		if score, scoreErr = m.score(t.arguments, tested); scoreErr != nil {
			scoreErr = fmt.Errorf("the model could not be tested: %w", scoreErr)
		}
		t.tellBeyond(t.err)
	}
	r := t.report(m)
	if fitErr == nil && again {
		var whole model
		if whole, fitErr = t.fit(ctx, all, again); whole.of != nil {
			m, r = whole, t.report(whole)
			r.AllRows = true
		}
	}
	if scoreErr == nil {
		r.Score = m.scored(score)
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

// within names the file that an error is in, unless that is known, or it is another.
func within(path string, err error) error {
	if err == nil || errors.As(err, new(usageError)) || strings.Contains(err.Error(), path) || strings.HasPrefix(err.Error(), "-test") {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// comparable tells before any fit if its model cannot be tested by other rows.
func (t *training) comparable(all, tested data) error {
	if (all.table == nil) != (tested.table == nil) {
		return fmt.Errorf("-test %s: one of the files is a table and the other has numbered columns: %w", t.test, rkhs.ErrShape)
	}
	if all.table != nil {
		return nil
	}
	_, d := all.x.Dims()
	_, sparse := tested.x.(*rkhs.Sparse) // whose further columns are left out
	if _, columns := tested.x.Dims(); columns != d && !sparse {
		return fmt.Errorf("-test %s: %d columns, where the rows to learn from have %d: %w", t.test, columns, d, rkhs.ErrShape)
	}
	return nil
}

// settle finds the task, and the classes that there are.
func (t *training) settle(all, tested data) error {
	r, err := recipe.Learn(all.table, t.recipe)
	if err != nil {
		return err
	}
	if t.test != "" {
		if tested.table.Column(r.Target()) == nil {
			return fmt.Errorf("-test %s: there is no column %q, the target: %w", t.test, r.Target(), rkhs.ErrShape)
		}
		if _, _, err := r.Inputs(tested.table); err != nil {
			return fmt.Errorf("-test %s: %w", t.test, err)
		}
	}
	if t.recipe.Task == recipe.AutoTask {
		t.why = append(t.why, whyTask(r.Classes(), all.table.Column(r.Target()).Kind() == dataset.Number))
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

// whyTask says why targets are taken for classes, nil for none, or for numbers.
func whyTask(classes []string, numbers bool) string {
	switch k := len(classes); {
	case k == 0:
		return "the target has numbers"
	case !numbers:
		return "the target has names"
	case k == 2:
		return "the target has two values, numbers for -task regression"
	default:
		return fmt.Sprintf("the target has the whole numbers %s to %s, numbers for -task regression", classes[0], classes[k-1])
	}
}

// labelsOf returns the different targets in ascending order where they are labels, and else nil.
func labelsOf(y *mat.Dense) (list []string) {
	values := mat.Col(nil, 0, y)
	if recipe.TaskOf(values) != recipe.Classification {
		return nil
	}
	slices.Sort(values)
	for _, v := range slices.Compact(values) {
		list = append(list, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return list
}

func (m model) file() encoding.BinaryMarshaler {
	if m.recipe != nil {
		return m.recipe
	}
	return m.of.(encoding.BinaryMarshaler)
}

// fit returns the model so far beside an error, or none.
func (t *training) fit(ctx context.Context, d data, again bool) (model, error) {
	t.fits++
	stage := ""
	if again {
		stage = fmt.Sprintf("fit %d of 2, ", t.fits)
	}
	p := newProgress(t.err, stage, t.quiet)
	defer p.end()
	if d.table == nil {
		t.rows = d.rows()
		return t.fitRows(ctx, d.x, d.y, t.classes(d.y), p)
	}
	r, err := recipe.Learn(d.table, t.recipe)
	if err != nil {
		return model{}, err
	}
	rows, err := r.Rows(d.table)
	if err != nil {
		return model{}, err
	}
	t.rows, t.leftOut = d.rows()-rows.Dropped, rows.Dropped
	m, fitErr := t.fitRows(ctx, rows.X, rows.Y, r.Classes() != nil, p)
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

func (t *training) fitRows(ctx context.Context, x mat.Matrix, y *mat.Dense, classes bool, p *progress) (model, error) {
	if t.of.name == "" {
		name, why := choose(x)
		t.of, _ = named(name)
		t.why = append(t.why, why)
	}
	fit := t.of.fit
	if classes {
		if fit = t.of.classify; fit == nil {
			return model{}, misuse("%s predicts numbers, not classes: leave -learner out, or -task regression", t.of.name)
		}
	}
	t.of.record(p)
	m, err := fit(ctx, x, y)
	return model{of: m}, err
}

// report is what rkhs train prints.
type report struct {
	Model   string  `json:"model"`
	Task    string  `json:"task"`
	Learner string  `json:"learner"`
	Why     string  `json:"why,omitempty"`
	Rows    int     `json:"rows"`
	LeftOut int     `json:"leftOut"` // rows without a target
	AllRows bool    `json:"allRows"` // those of Score were learned from when it was made
	Columns int     `json:"columns"`
	Recipe  string  `json:"recipe,omitempty"`
	Score   *scored `json:"score,omitempty"`
	Seconds float64 `json:"seconds"`
}

// report says what a fit was.
func (t *training) report(m model) *report {
	r := &report{Model: t.model, Task: "regression", Learner: t.of.name, Why: strings.Join(t.why, "; "), Rows: t.rows, LeftOut: t.leftOut, Columns: m.columns()}
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
	left := ""
	if r.LeftOut > 0 {
		left = fmt.Sprintf(" (%d more have no target)", r.LeftOut)
	}
	fmt.Fprintf(t.out, "%s by %s%s\n%d rows%s, %d columns of numbers, %.1f s\n", r.Task, r.Learner, why, r.Rows, left, r.Columns, r.Seconds)
	if r.Recipe != "" {
		fmt.Fprint(t.out, "\n", firstLines(r.Recipe), "\n")
	}
	if r.Score != nil {
		writeScore(t.out, r.Score.Score)
	}
	of := ""
	if r.AllRows {
		of = ", learned from all rows"
	}
	_, err := fmt.Fprintf(t.out, "saved to %s%s\n", r.Model, of)
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
