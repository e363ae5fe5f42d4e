package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/slkl"
)

const updateAbout = `Trains a learner on the rows of FILE, or of a table on the standard input for -, batch by batch, and
saves it regularly. An existing learner continues with its columns, kinds and task. Invalid rows are
skipped and counted. SIGINT and SIGTERM save the learner and end.`

const updateExamples = `  tail -f rows.csv | rkhs update - -target price -model price.learner
  rkhs update rows.csv -model price.learner -resume
  rkhs predict -model price.learner new.csv`

// streamLearners are the learners of newUpdater.
var streamLearners = []string{"polk", "doublysgd", "slkl"}

// updating is a call of rkhs update.
type updating struct {
	*arguments
	recipe             recipe.Options
	learnerName        string
	size, first, every int // rows of a batch, for the recipe, and between checkpoints
	seconds            float64
	resume             bool

	path      string
	numbering *numbering // nil if the file is a table
	learner   *recipe.Learner
	waiting   []*dataset.Table // batches before there is a recipe
	waitRows  int
	surplus   int
	skipped   int // rows
	reported  int // lines about them
	before    int // rows of the learner at the start

	checkpointModel  *recipe.Model // scored on later rows
	scored           scored
	drift            drift
	saved, shown     int // rows, at the last checkpoint and the last line
	savedAt, shownAt time.Time
}

// update is rkhs update.
func update(ctx context.Context, args []string, s streams) (err error) {
	u := &updating{arguments: newArguments("update", "FILE [flags]", updateAbout, updateExamples, s)}
	u.addFlags()
	if u.path, err = u.parseFile(args); err != nil {
		return err
	}
	if u.size < 1 || u.first < 2 || u.every < 1 || !(u.seconds >= 0) {
		return misuse("-batch %d -first %d -every %d -seconds %v: want at least 1, 2, 1 and 0",
			u.size, u.first, u.every, u.seconds)
	}
	if err := u.checkFormat(u.path); err != nil {
		return err
	}
	if err := u.open(); err != nil {
		return err
	}
	if err := checkOutput("model", u.model, true); err != nil {
		return err
	}
	if err := u.setNumbering(); err != nil {
		return err
	}
	return u.run(ctx)
}

func (u *updating) addFlags() {
	u.addJSON()
	u.addRead()
	u.StringVar(&u.model, "model", "model.learner", "the `file` of the learner")
	u.addRecipe(&u.recipe)
	u.StringVar(&u.learnerName, "learner", "polk", "the `name` of a new learner: "+strings.Join(streamLearners, ", "))
	u.IntVar(&u.first, "first", 1024, "the number of `rows` that determine the columns of a new learner")
	u.IntVar(&u.size, "batch", 32, "the number of `rows` of an update")
	u.IntVar(&u.every, "every", 10000, "the number of `rows` between checkpoints")
	u.Float64Var(&u.seconds, "seconds", 60, "the most `seconds` between checkpoints; 0: no limit")
	u.BoolVar(&u.resume, "resume", false, "continue an interrupted update of FILE, with the same flags, after the last checkpoint")
}

// open loads an existing learner.
func (u *updating) open() error {
	if _, err := os.Stat(u.model); errors.Is(err, os.ErrNotExist) { // with -resume: no checkpoint yet
		if !slices.Contains(streamLearners, u.learnerName) {
			return misuse("-learner %q: want one of %s", u.learnerName, strings.Join(streamLearners, ", "))
		}
		return nil
	}
	v, err := rkhs.Load[any](u.model)
	if err != nil {
		return err
	}
	l, ok := v.(*recipe.Learner)
	if !ok {
		return misuse("%s is a %T, which cannot be updated: -model names another file", u.model, v)
	}
	if u.recipe.Target != "" && u.recipe.Target != l.Recipe().Target() {
		return misuse("%s predicts %q, not %q: -model names another file", u.model, l.Recipe().Target(), u.recipe.Target)
	}
	u.learner = l
	u.adoptReading(l.Recipe())
	if u.resume {
		return nil
	}
	l.Position = 0
	fixed := append([]string{"task", "learner", "first"}, columnFlags...)
	return u.reject(fixed, "the learner in %s is set up; -model names another file", u.model)
}

// setNumbering prepares the conversion of numbered columns to a table.
func (u *updating) setNumbering() error {
	format, err := formatOf(u.path)
	if err != nil || !format.numbered() {
		return err
	}
	if err := u.reject(recipeFlags, "%s has numbered columns", u.path); err != nil {
		return err
	}
	var n numbering
	if u.learner != nil {
		n, err = numberingOf(u.learner.Recipe())
	} else {
		n, err = u.numberingIn(u.path)
	}
	u.numbering = &n
	return err
}

// batch is a batch of rows, and errors of rows before it that could not be read.
type batch struct {
	data
	unread []error
}

// source reads the file.
func (u *updating) source() iter.Seq2[batch, error] {
	var unread []error
	u.read.Skip = func(err error) { unread = append(unread, err) }
	batches := u.batches(u.path, u.size, true)
	return func(yield func(batch, error) bool) {
		for d, err := range batches {
			if errors.Is(err, rkhs.ErrEmpty) && len(unread) > 0 {
				err = nil // the errors in unread are more precise
			}
			if !yield(batch{d, unread}, err) {
				return
			}
			unread = nil
		}
		if len(unread) > 0 {
			yield(batch{unread: unread}, nil)
		}
	}
}

// run trains until the rows end or ctx is done, and saves the learner.
func (u *updating) run(ctx context.Context) error {
	u.shownAt, u.savedAt = time.Now(), time.Now()
	position := 0
	if u.learner != nil {
		position, u.before = u.learner.Position, u.learner.Rows()
		u.saved, u.shown = u.before, u.before
	}
	var err error
	for b, readErr := range until(ctx, u.source()) {
		if ctx.Err() != nil {
			break
		}
		for _, e := range b.unread {
			u.skip(e)
		}
		if err = readErr; err == nil {
			position, err = u.add(ctx, b.data, position)
		}
		if err != nil {
			break
		}
	}
	if err == nil && u.learner == nil && u.waitRows > 1 {
		err = u.begin(ctx)
	}
	if err != nil && u.learner.Rows() == u.before {
		return err
	}
	return errors.Join(err, u.end(ctx, err))
}

// add trains on a batch without its first rows, or keeps it until there are enough rows for a
// recipe. It returns how many rows of later batches to pass over.
func (u *updating) add(ctx context.Context, d data, pass int) (left int, err error) {
	if u.numbering != nil && d.x != nil {
		d, err = u.numbering.table(d)
		if err != nil {
			return 0, inFile(u.path, err)
		}
		u.surplus += d.surplus
	}
	t := d.table
	n, _ := t.Dims()
	if n <= pass {
		return pass - n, nil
	}
	if pass > 0 {
		rows := make([]int, n-pass)
		for i := range rows {
			rows[i] = pass + i
		}
		t = t.Select(rows)
	}
	if u.learner == nil {
		u.waiting, u.waitRows = append(u.waiting, t), u.waitRows+n
		if u.waitRows < u.first {
			return 0, nil
		}
		return 0, u.begin(ctx)
	}
	if err := u.complete(t); err != nil {
		return 0, err
	}
	u.train(t)
	return 0, u.checkpoint(ctx, false)
}

// complete returns an error for a table without a column of the learner.
func (u *updating) complete(t *dataset.Table) error {
	r := u.learner.Recipe()
	if t.Column(r.Target()) == nil {
		return fmt.Errorf("the rows have no column %q, the target of %s: %w", r.Target(), u.model, rkhs.ErrShape)
	}
	for _, s := range r.Steps() {
		if s.Use != recipe.LeftOut && t.Column(s.Column) == nil {
			return fmt.Errorf("the rows have no column %q, which %s needs: %w", s.Column, u.model, rkhs.ErrShape)
		}
	}
	return nil
}

// begin creates a learner from the waiting rows and trains it on them.
func (u *updating) begin(ctx context.Context) error {
	all, err := dataset.ConcatTables(u.waiting...)
	if err == nil {
		all, err = all.WithKinds(u.read.Kinds)
	}
	if err != nil {
		return err
	}
	u.printNotes(all, u.recipe.Ignore)
	r, err := recipe.Learn(all, u.recipe)
	if err != nil {
		return err
	}
	x, _, err := r.Inputs(all)
	if err != nil {
		return err
	}
	updater, err := newUpdater(u.learnerName, len(r.Classes()), x)
	if err != nil {
		return err
	}
	if u.learner, err = recipe.NewLearner(r, updater); err != nil {
		return err
	}
	if !u.json {
		columns := strings.Join(describeColumns(r, all, u.recipe.Weights), "\n")
		fmt.Fprintf(u.out, "%v of %q by %s, set up from the first %s\n\n%s\n\n",
			taskOf(r), r.Target(), u.learnerName, summary.Count(u.waitRows, "row"), columns)
	}
	for _, t := range u.waiting {
		u.train(t)
	}
	u.waiting = nil
	return u.checkpoint(ctx, false)
}

// newUpdater returns a learner for some classes, or for a regression if there are no classes. The
// landmarks of slkl are the first rows.
func newUpdater(name string, classes int, first mat.Matrix) (recipe.Updater, error) {
	if classes == 0 {
		switch name {
		case "doublysgd":
			return doublysgd.NewLearner(nil)
		case "slkl":
			return slkl.NewLearner(&slkl.Options{Points: first})
		}
		return polk.NewLearner(nil)
	}
	labels := make([]int, classes)
	for i := range labels {
		labels[i] = i
	}
	switch name {
	case "doublysgd":
		return doublysgd.NewClassLearner(labels, nil)
	case "slkl":
		return slkl.NewClassLearner(labels, &slkl.Options{Points: first})
	}
	return polk.NewClassLearner(labels, nil)
}
