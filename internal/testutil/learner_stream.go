package testutil

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Stream describes a learner that takes in batches, with models M, to
// CheckStream.
type Stream[S File, M Model] struct {
	// Package is the name with which the errors begin.
	Package string
	// New returns a learner that has seen nothing, for rows of Inputs columns.
	New func(seed uint64, workers int) (S, error)
	// Empty returns a learner to load a file into.
	Empty func() S
	// Update takes in a batch.
	Update func(s S, x, y mat.Matrix) error
	// Model returns the model of what was taken in.
	Model func(s S) (M, error)

	// Outputs is the number of columns of y. Default: 1.
	Outputs int
	// Labels makes y one column of these labels, which Predict returns.
	Labels []int
	// Repeats, if positive, claims that rows may have weights, and that batches of rows of
	// whole weights teach what the same batches teach with their rows repeated as often, up to
	// this error relative to the spread of the predictions or scores.
	Repeats float64
}

// CheckStream is the battery for learners that take in batches: they learn,
// leave data alone, refuse bad batches without a trace, do not change by being
// asked for a model, go on from a file as if nothing had happened, and give the
// same bits for the same seed whatever the number of workers and the kind of
// matrix.
func CheckStream[S File, M Model](t *testing.T, l Stream[S, M]) {
	t.Helper()
	runAll(t, l.checks())
}

func (l Stream[S, M]) checks() []check {
	return []check{
		{"learns", l.learns},
		{"data untouched", l.untouched},
		{"refuses", l.refuses},
		{"snapshot", l.snapshot},
		{"nothing seen", l.nothingSeen},
		{"resume", l.resume},
		{"kinds of matrix", l.kinds},
		{"workers", l.workers},
		{"damaged file", l.damagedFile},
		{"nil and zero", l.unfitted},
		{"nil context", l.nilContext},
		{"scanned once", l.scannedOnce},
		{"weights", l.weights},
		{"sparse rows", l.sparse},
		{"calibrated", l.calibrated},
		{"single rows", l.singleRows},
	}
}

func (l Stream[S, M]) task() task { return newTask(l.Outputs, l.Labels) }

func (l Stream[S, M]) start(t testing.TB, workers int) S {
	t.Helper()
	s, err := l.New(5, workers)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (l Stream[S, M]) update(t testing.TB, s S, x, y mat.Matrix) {
	t.Helper()
	if err := l.Update(s, x, y); err != nil {
		t.Fatalf("Update: %v", err)
	}
}

func (l Stream[S, M]) model(t testing.TB, s S) M {
	t.Helper()
	m, err := l.Model(s)
	if err != nil {
		t.Fatalf("Model: %v", err)
	}
	return m
}

// batch is a few rows of a task.
type batch struct{ x, y *mat.Dense }

// batches cuts the training rows into batches of sizes that vary.
func (k task) batches() (list []batch) {
	sizes := []int{1, 7, 2, 25, 10}
	for from, i := 0, 0; from < trainRows; i++ {
		to := min(from+sizes[i%len(sizes)], trainRows)
		list = append(list, batch{rowsFrom(k.x, from, to), rowsFrom(k.y, from, to)})
		from = to
	}
	return list
}

// after returns a learner that has seen all the batches of k.
func (l Stream[S, M]) after(t testing.TB, k task, workers int) S {
	t.Helper()
	s := l.start(t, workers)
	for _, b := range k.batches() {
		l.update(t, s, b.x, b.y)
	}
	return s
}

func (l Stream[S, M]) learns(t testing.TB) {
	k := l.task()
	m := l.model(t, l.after(t, k, 0))
	beatsConstant(t, predict(t, m, k.testX), k, l.Labels)
}

func (l Stream[S, M]) untouched(t testing.TB) {
	k := l.task()
	before := fingerprint(k)
	s := l.start(t, 0)
	l.update(t, s, k.x, k.y)
	if fingerprint(k) != before {
		t.Error("Update wrote to its data")
	}
	file := marshal(t, s)
	wreckMatrix(k.x)
	wreckMatrix(k.y)
	if !bytes.Equal(marshal(t, s), file) {
		t.Error("the learner changes with the data that it has seen")
	}
}

// refuses hands bad batches to a learner before its first batch and after.
func (l Stream[S, M]) refuses(t testing.TB) {
	k := l.task()
	fresh, used := l.start(t, 0), l.after(t, k, 0)
	list := slices.Concat(k.numbersX(), k.numbersY(), k.emptyX(), k.emptyY(), k.rowsDiffer(), k.badLabels(l.Labels))
	for _, s := range []S{fresh, used} {
		before := marshal(t, s)
		for _, r := range list {
			if s := r.wrong(l.Package, l.Update(s, r.x, r.y)); s != "" {
				t.Errorf("%s, Update: %s", r.what, s)
			}
		}
		if !bytes.Equal(marshal(t, s), before) {
			t.Error("a refused batch left its trace")
		}
		list = append(list, k.columnsDiffer()...)
	}
}

// snapshot asks for models in between.
func (l Stream[S, M]) snapshot(t testing.TB) {
	k := l.task()
	s, silent := l.start(t, 0), l.after(t, k, 0)
	var early M
	var want *mat.Dense
	for i, b := range k.batches() {
		l.update(t, s, b.x, b.y)
		before := marshal(t, s)
		m := l.model(t, s)
		if !bytes.Equal(marshal(t, s), before) {
			t.Fatal("asking for a model changes the learner")
		}
		if i == 3 {
			early, want = m, predict(t, m, k.testX)
		}
	}
	if !identical(predict(t, early, k.testX), want) {
		t.Error("a model changes with the batches after it")
	}
	if !bytes.Equal(marshal(t, s), marshal(t, silent)) {
		t.Error("asking for models changes what is learned")
	}
}

// nothingSeen lets a learner refuse to make a model of nothing.
func (l Stream[S, M]) nothingSeen(t testing.TB) {
	s := l.start(t, 0)
	m, err := l.Model(s)
	switch {
	case err == nil:
		predict(t, m, l.task().testX)
	case !isSentinel(err):
		t.Errorf("error %v is none of package rkhs", err)
	case !reflect.ValueOf(m).IsNil():
		t.Errorf("a model with the error %v", err)
	}
}

// resume saves and loads between any two batches.
func (l Stream[S, M]) resume(t testing.TB) {
	k := l.task()
	s := l.start(t, 0)
	for _, b := range k.batches() {
		l.update(t, s, b.x, b.y)
		loaded := l.Empty()
		checkFile(t, s, loaded)
		s = loaded
	}
	whole := l.after(t, k, 0)
	if !bytes.Equal(marshal(t, s), marshal(t, whole)) {
		t.Error("with saving and loading in between, the learner has other bits")
	}
	if !identical(predict(t, l.model(t, s), k.testX), predict(t, l.model(t, whole), k.testX)) {
		t.Error("with saving and loading in between, the model predicts other bits")
	}
}

func (l Stream[S, M]) kinds(t testing.TB) {
	k := l.task()
	want := marshal(t, l.after(t, k, 0))
	for _, kind := range kinds {
		s := l.start(t, 0)
		for _, b := range k.batches() {
			l.update(t, s, kind.of(b.x), kind.of(b.y))
		}
		if !bytes.Equal(marshal(t, s), want) {
			t.Errorf("%s: the learner has other bits", kind.name)
		}
	}
}

func (l Stream[S, M]) workers(t testing.TB) {
	k := l.task()
	one := l.after(t, k, 1)
	want, file := predict(t, l.model(t, one), k.testX), marshal(t, one)
	for _, workers := range []int{1, 2, 8} {
		s := l.after(t, k, workers)
		if !bytes.Equal(marshal(t, s), file) || !identical(predict(t, l.model(t, s), k.testX), want) {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
}

func (l Stream[S, M]) damagedFile(t testing.TB) {
	k := l.task()
	early := l.start(t, 0)
	l.update(t, early, rowsFrom(k.x, 0, 9), rowsFrom(k.y, 0, 9))
	checkDamage(t, l.Package, marshal(t, l.after(t, k, 0)), early)
}
