package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/slkl"
)

const updateExamples = `  tail -f rows.csv | rkhs update - -target price -model price.learner
  rkhs update rows.csv -model price.learner -resume
  rkhs predict -model price.learner new.csv`

// updating is a call of rkhs update.
type updating struct {
	*arguments
	streams
	recipe         recipe.Options
	learner        string
	batch, first   int
	every          int
	seconds        float64
	resume         bool
	from           iter.Seq2[*dataset.Table, error]
	unread         []error // since the last of from
	of             *recipe.Learner
	waiting        []*dataset.Table // batches from which a recipe will be learned
	held           int              // rows of these
	bad, told      int              // rows left out, and lines that say why
	served         *recipe.Model    // what is judged by the rows behind it
	judged         judgement
	known          int // rows that the learner had taken before
	saved, shown   int // rows, at the last checkpoint and line
	savedAt, began time.Time
}

// judgement sums the errors of rows that were predicted before they were learned from.
type judgement struct {
	rows          int
	wrong, square float64
}

// update is rkhs update.
func update(ctx context.Context, args []string, s streams) error {
	u := &updating{streams: s, arguments: newArguments("update", "FILE [flags]",
		"Learns from the rows of FILE, or of a table on the standard input for -, one batch after the other, and\nsaves the learner on the way. A learner that is there goes on with the\ncolumns, kinds and task that it began with; rows at fault are counted and left out. Ctrl-C and SIGTERM save and end.", updateExamples, s)}
	u.results()
	u.table()
	u.flags()
	if err := u.parse(args); err != nil {
		return err
	}
	path, err := u.operand()
	if err != nil {
		return err
	}
	if u.batch < 1 || u.first < 2 || u.every < 1 || !(u.seconds >= 0) {
		return misuse("-batch %d -first %d -every %d -seconds %v: want 1, 2, 1 and 0 or more", u.batch, u.first, u.every, u.seconds)
	}
	if err := u.suits(path); err != nil {
		return err
	}
	if err := u.open(); err != nil {
		return err
	}
	if err := writable("model", u.model); err != nil {
		return err
	}
	if u.from, err = u.source(path); err != nil {
		return err
	}
	return u.run(ctx)
}

// skip takes a row that could not be read.
func (u *updating) skip(err error) { u.unread = append(u.unread, err) }

// source returns the rows of a file.
func (u *updating) source(path string) (iter.Seq2[*dataset.Table, error], error) {
	format, err := formatOf(path)
	if err != nil || format == dataset.CSVFormat {
		return u.tables(path, u.batch, u.skip, u.streams), err
	}
	if err := u.refuse((*arguments).tableAndRecipe, "%s has numbered columns", path); err != nil {
		return nil, err
	}
	var as numbering
	if u.of != nil {
		as, err = numberingOf(u.of.Recipe())
	} else {
		as, err = numberingIn(path, format)
	}
	return u.numbered(path, format, u.batch, as), err
}

func (u *updating) flags() {
	u.StringVar(&u.model, "model", "model.learner", "the `file` of the learner")
	u.recipeOf(&u.recipe)
	u.settled(u.arguments)
	u.IntVar(&u.batch, "batch", 32, "`rows` that are learned from together")
	u.IntVar(&u.every, "every", 10000, "`rows` from one checkpoint, and line of figures, to the next")
	u.Float64Var(&u.seconds, "seconds", 60, "`seconds` from one checkpoint to the next at most; 0 leaves it to the rows")
	u.BoolVar(&u.resume, "resume", false, "FILE and flags are those of the learner that was interrupted: go on behind the rows it has taken")
}

// settled adds the flags of a new learner, beside the target.
func (u *updating) settled(a *arguments) {
	a.task(&u.recipe)
	a.StringVar(&u.learner, "learner", "polk", "the `name` of a new learner: "+strings.Join(updaters, ", "))
	a.IntVar(&u.first, "first", 1024, "`rows` that tell kinds, medians, levels and classes to a new learner")
}

// open loads the learner that is there.
func (u *updating) open() error {
	if _, err := os.Stat(u.model); errors.Is(err, os.ErrNotExist) { // also if interrupted before the first checkpoint
		if !slices.Contains(updaters, u.learner) {
			return misuse("-learner %q: %s learn from streams", u.learner, strings.Join(updaters, ", "))
		}
		return nil
	}
	v, err := rkhs.Load[any](u.model)
	if err != nil {
		return err
	}
	l, ok := v.(*recipe.Learner)
	if !ok {
		return misuse("%s holds a %T, which learns no further: -model names another file", u.model, v)
	}
	if u.recipe.Target != "" && u.recipe.Target != l.Recipe().Target() {
		return misuse("%s holds a learner of %q, not of %q: -model names another file", u.model, l.Recipe().Target(), u.recipe.Target)
	}
	if !u.resume {
		settled := func(a *arguments) {
			a.columns(new(recipe.Options))
			new(updating).settled(a)
		}
		if err := u.refuse(settled, "the learner in %s has settled it, -model names another file", u.model); err != nil {
			return err
		}
	}
	u.of = l
	u.like(l.Recipe())
	if !u.resume {
		l.Position = 0
	}
	return nil
}

// newUpdater returns a learner of so many classes, or of numbers for none. Landmarks of slkl are
// the first rows.
func newUpdater(name string, classes int, first mat.Matrix) (recipe.Updater, error) {
	labels := make([]int, classes)
	for i := range labels {
		labels[i] = i
	}
	switch {
	case name == "polk" && classes > 0:
		return polk.NewClassLearner(labels, nil)
	case name == "polk":
		return polk.NewLearner(nil)
	case name == "doublysgd" && classes > 0:
		return doublysgd.NewClassLearner(labels, nil)
	case name == "doublysgd":
		return doublysgd.NewLearner(nil)
	case name == "slkl" && classes > 0:
		return slkl.NewClassLearner(labels, &slkl.Options{Points: first})
	case name == "slkl":
		return slkl.NewLearner(&slkl.Options{Points: first})
	}
	panic("no learner " + name)
}

// updaters are what newUpdater makes.
var updaters = []string{"polk", "doublysgd", "slkl"}

// batch is what was read, behind rows that could not be.
type batch struct {
	table *dataset.Table // or nil
	bad   []error
}

// run learns until the rows end or ctx is done, and saves.
func (u *updating) run(ctx context.Context) error {
	u.began, u.savedAt = time.Now(), time.Now()
	skip := 0
	if u.of != nil {
		skip = u.of.Position
		u.known = u.of.Rows()
		u.saved, u.shown = u.known, u.known
	}
	var err error
	for b, fault := range until(ctx, u.batches()) {
		if ctx.Err() != nil {
			break
		}
		for _, fault := range b.bad {
			u.leaveOut(fault)
		}
		if err = fault; err == nil && b.table != nil {
			var rest *dataset.Table
			if rest, skip = behind(b.table, skip); rest != nil {
				err = u.take(ctx, rest)
			}
		}
		if err != nil {
			break
		}
	}
	if err == nil && u.of == nil && u.held > 1 {
		err = u.begin(ctx)
	}
	if err != nil && u.of == nil {
		return err
	}
	if err != nil && u.of.Rows() == u.known {
		return err
	}
	return errors.Join(err, u.end(ctx, err))
}

// behind returns the rows behind so many of a table, or nil, and how many of another are left to
// skip.
func behind(t *dataset.Table, skip int) (rest *dataset.Table, left int) {
	n, _ := t.Dims()
	if skip == 0 {
		return t, 0
	}
	if skip >= n {
		return nil, skip - n
	}
	rows := make([]int, n-skip)
	for i := range rows {
		rows[i] = skip + i
	}
	return t.Select(rows), 0
}

// batches reads rows, and those beside them that cannot be read.
func (u *updating) batches() iter.Seq2[batch, error] {
	return func(yield func(batch, error) bool) {
		for t, err := range u.from {
			if err != nil && errors.Is(err, rkhs.ErrEmpty) && len(u.unread) > 0 {
				err = nil // it is told that no row is left
			}
			if !yield(batch{t, u.unread}, err) {
				return
			}
			u.unread = nil
		}
		if len(u.unread) > 0 {
			yield(batch{bad: u.unread}, nil)
		}
	}
}

// take learns from a batch, or keeps it until there are enough to make a recipe of.
func (u *updating) take(ctx context.Context, t *dataset.Table) error {
	if u.of == nil {
		n, _ := t.Dims()
		u.waiting, u.held = append(u.waiting, t), u.held+n
		if u.held < u.first {
			return nil
		}
		return u.begin(ctx)
	}
	if target := u.of.Recipe().Target(); t.Column(target) == nil {
		return fmt.Errorf("the rows have no column %q, which %s learns to predict: %w", target, u.model, rkhs.ErrShape)
	}
	u.learn(t)
	return u.checkpoint(ctx, false)
}

// begin makes a learner by the rows that wait, and learns from them.
func (u *updating) begin(ctx context.Context) error {
	all, err := dataset.ConcatTables(u.waiting...)
	if err == nil {
		all, err = all.WithKinds(u.arguments.read.Kinds)
	}
	if err != nil {
		return err
	}
	for _, says := range u.doubts(all, u.recipe.Ignore) {
		fmt.Fprintf(u.err, "rkhs: %s\n", says)
	}
	r, err := recipe.Learn(all, u.recipe)
	if err != nil {
		return err
	}
	x, _, err := r.Inputs(all)
	if err != nil {
		return err
	}
	of, err := newUpdater(u.learner, len(r.Classes()), x)
	if err != nil {
		return err
	}
	if u.of, err = recipe.NewLearner(r, of); err != nil {
		return err
	}
	if !u.json {
		fmt.Fprintf(u.out, "%s of %q by %s, of the first %d rows:\n%s\n", taskOf(r), r.Target(), u.learner, u.held, firstLines(r.String()))
	}
	for _, t := range u.waiting {
		u.learn(t)
	}
	u.waiting = nil
	return u.checkpoint(ctx, false)
}

func taskOf(r *recipe.Recipe) string {
	if r.Classes() != nil {
		return "classification"
	}
	return "regression"
}

// learn predicts a batch and learns from it; if there is anything wrong with it, from its rows
// one by one, of which those at fault are left out.
func (u *updating) learn(t *dataset.Table) {
	n, _ := t.Dims()
	u.of.Position += n
	u.judge(t)
	dropped, err := u.of.Update(t)
	if err == nil {
		u.lack(dropped)
		return
	}
	for i := range n {
		if n > 1 {
			_, err = u.of.Update(t.Select([]int{i}))
		}
		if err != nil {
			u.leaveOut(err)
		}
	}
}

// lack counts rows without a target.
func (u *updating) lack(rows int) {
	if rows > 0 {
		u.leaveOut(fmt.Errorf("%d rows up to row %d have no target", rows, u.of.Position))
		u.bad += rows - 1
	}
}

// judge compares what is served with the targets of a batch; rows at fault will be told of.
func (u *updating) judge(t *dataset.Table) {
	if u.served == nil {
		return
	}
	s, err := u.served.Score(t)
	if err != nil {
		return
	}
	u.judged.rows += s.Rows
	u.judged.wrong += s.Errors * float64(s.Rows)
	u.judged.square += s.RMSE * s.RMSE * float64(s.Rows)
}

// mostTold is the number of rows at fault that are told of one by one.
const mostTold = 10

func (u *updating) leaveOut(err error) {
	u.bad++
	if u.told++; u.told <= mostTold {
		fmt.Fprintf(u.err, "left out: %v\n", err)
	}
	if u.told == mostTold {
		fmt.Fprintln(u.err, "further rows at fault are counted alone")
	}
}

// checkpoint saves the learner and writes a line of figures when it is time, or in any case.
func (u *updating) checkpoint(ctx context.Context, always bool) error {
	rows := u.of.Rows()
	late := u.seconds > 0 && time.Since(u.savedAt).Seconds() >= u.seconds
	if !always && rows/u.every == u.saved/u.every && !late {
		return nil
	}
	if err := rkhs.Save(u.model, u.of); err != nil {
		return err
	}
	u.saved, u.savedAt = rows, time.Now()
	if !always || rows > u.shown {
		u.show(rows)
	}
	if always {
		return nil
	}
	// A learner that has seen too little for a model is judged later.
	if m, err := u.of.Model(context.WithoutCancel(ctx)); err == nil || m != nil {
		u.served = m
	}
	return nil
}

// figures are those of a checkpoint. The errors are those of rows since the one before, by
// what had been learned then.
type figures struct {
	Rows    int      `json:"rows"`
	LeftOut int      `json:"leftOut"`
	Rate    float64  `json:"rowsPerSecond"`
	Judged  int      `json:"judged"`
	RMSE    *float64 `json:"rmse,omitempty"`
	Errors  *float64 `json:"errors,omitempty"`
}

// show writes a line of figures.
func (u *updating) show(rows int) {
	f := figures{Rows: rows, LeftOut: u.bad, Rate: float64(rows-u.shown) / max(1e-3, time.Since(u.began).Seconds()), Judged: u.judged.rows}
	text := fmt.Sprintf("%d rows, %d left out, %.0f rows/s", f.Rows, f.LeftOut, f.Rate)
	if n := float64(f.Judged); n > 0 {
		wrong, rmse := u.judged.wrong/n, math.Sqrt(u.judged.square/n)
		if u.of.Recipe().Classes() != nil {
			f.Errors = &wrong
			text += fmt.Sprintf("; %.2f %% errors at the last %d before they were learned from", 100*wrong, f.Judged)
		} else {
			f.RMSE = &rmse
			text += fmt.Sprintf("; RMSE %.5g at the last %d before they were learned from", rmse, f.Judged)
		}
	}
	u.judged, u.shown, u.began = judgement{}, rows, time.Now()
	if u.json {
		line, _ := json.Marshal(f) // of numbers
		text = string(line)
	}
	fmt.Fprintln(u.out, text)
}

// end saves what was learned, and fails if there was nothing to learn from.
func (u *updating) end(ctx context.Context, broken error) error {
	if u.of == nil || u.of.Rows() == 0 {
		if ctx.Err() != nil {
			return fmt.Errorf("stopped after %d rows, of which -first %d were to make a learner: nothing is saved", u.held, u.first)
		}
		return fmt.Errorf("no row was learned from; %d were left out", u.bad)
	}
	if u.of.Rows() == u.known && u.bad > 0 {
		return fmt.Errorf("no row was learned from, and %s is as it was; %d were left out", u.model, u.bad)
	}
	if err := u.checkpoint(ctx, true); err != nil {
		return err
	}
	u.tellBeyond(u.err)
	why := "the rows are at their end"
	if ctx.Err() != nil || broken != nil {
		why = "stopped"
	}
	_, err := fmt.Fprintf(u.err, "%s: the learner is saved to %s\n", why, u.model)
	return err
}
