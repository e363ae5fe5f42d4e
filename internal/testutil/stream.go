package testutil

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Stream describes a learner that is updated with batches, with models M, to CheckStream.
type Stream[S File, M Model] struct {
	// Package is the name at the beginning of errors.
	Package string
	// New returns a learner without rows.
	New func(seed uint64, workers int) (S, error)
	// Empty returns a zero learner, into which files are loaded.
	Empty func() S
	// Update adds a batch.
	Update func(s S, x, y mat.Matrix) error
	// Model returns the model of the rows so far.
	Model func(s S) (M, error)

	// Outputs is the number of columns of y. Default: 1.
	Outputs int
	// Labels, if not nil, are the values of the single column y, which Predict returns.
	Labels []int
	// Repeats is the same as in Learner, for batches.
	Repeats float64
	// Exact claims that no option of New is in the units of rows or targets, so that their scaling by
	// a power of two is exact.
	Exact bool
}

// CheckStream runs the checks that every learner with updates must pass. The learner predicts well,
// does not change its data, and is not changed by rejected batches, by calls of Model, or by saving
// and loading. Its bits do not depend on the number of workers or the type of the matrices. With the
// race detector it only checks the workers.
func CheckStream[S File, M Model](t *testing.T, l Stream[S, M]) {
	t.Helper()
	runAll(t, []check{{"workers", l.workers}})
	if !raceDetector {
		runAll(t, l.results())
	}
}

func (l Stream[S, M]) checks() []check { return append(l.results(), check{"workers", l.workers}) }

func (l Stream[S, M]) results() []check {
	return []check{
		{"model", l.goodModel},
		{"data untouched", l.untouched},
		{"bad input", l.badInput},
		{"snapshot", l.snapshot},
		{"no rows", l.noRows},
		{"resume", l.resume},
		{"types of matrix", l.matrixTypes},
		{"damaged file", l.damagedFile},
		{"nil and zero", l.unfitted},
		{"nil context", l.nilContext},
		{"scanned once", l.scannedOnce},
		{"weights", l.weights},
		{"powers of two", l.powersOfTwo},
		{"few rows", l.fewRows},
	}
}

func (l Stream[S, M]) task() task { return newTask(trainRows, Inputs, l.Outputs, l.Labels) }

func (l Stream[S, M]) start(t testing.TB, workers int) S {
	t.Helper()
	return must(l.New(5, workers))(t)
}

func (l Stream[S, M]) update(t testing.TB, s S, x, y mat.Matrix) {
	t.Helper()
	noError(t, l.Update(s, x, y))
}

func (l Stream[S, M]) model(t testing.TB, s S) M {
	t.Helper()
	return must(l.Model(s))(t)
}

// batches returns tasks with parts of the training rows of k.
func (k task) batches() (list []task) {
	sizes := []int{1, 7, 2, 25, 10}
	for from, i := 0, 0; from < trainRows; i++ {
		to := min(from+sizes[i%len(sizes)], trainRows)
		list = append(list, task{x: between(k.x, from, to), y: between(k.y, from, to)})
		from = to
	}
	return list
}

// after returns a learner of all batches of k.
func (l Stream[S, M]) after(t testing.TB, k task, workers int) S {
	t.Helper()
	s := l.start(t, workers)
	for _, b := range k.batches() {
		l.update(t, s, b.x, b.y)
	}
	return s
}

// same compares the bits of two learners and of their predictions.
func (l Stream[S, M]) same(t testing.TB, k task, what string, got, want S) {
	expect(t, bytes.Equal(marshal(t, got), marshal(t, want)), "%s: the learner has other bits", what)
	m, other := l.model(t, got), l.model(t, want)
	for _, x := range []mat.Matrix{k.testX, Sparse(k.testX)} {
		same := identical(predict(t, m, x), predict(t, other, x))
		expect(t, same, "%s: the model predicts other bits", what)
	}
}

func (l Stream[S, M]) goodModel(t testing.TB) {
	k := l.task()
	m := l.model(t, l.after(t, k, 0))
	k.beatsConstant(t, m)
	checkCalibrated(t, m, k.testX, false)
	checkRows(t, m, k)
}

func (l Stream[S, M]) untouched(t testing.TB) {
	k := l.task()
	before := dump(k)
	s := l.start(t, 0)
	l.update(t, s, k.x, k.y)
	expect(t, dump(k) == before, "Update wrote to its data")
	file := marshal(t, s)
	overwrite(k.x, k.y)
	expect(t, bytes.Equal(marshal(t, s), file), "the learner changes with its data after Update")
}

// rejects checks the errors of Update, and that the learner does not change.
func (l Stream[S, M]) rejects(t testing.TB, s S, list []badInput) {
	before := marshal(t, s)
	for _, b := range list {
		b.check(t, l.Package, "Update", l.Update(s, b.x, b.y))
	}
	expect(t, bytes.Equal(marshal(t, s), before), "a rejected batch changed the learner")
}

func (l Stream[S, M]) badInput(t testing.TB) {
	k := l.task()
	l.rejects(t, l.start(t, 0), k.badPairs())
	l.rejects(t, l.after(t, k, 0), append(k.badPairs(), k.wrongColumns()...))
}

// snapshot requests models between the batches.
func (l Stream[S, M]) snapshot(t testing.TB) {
	k := l.task()
	s := l.start(t, 0)
	var early M
	var want *mat.Dense
	for i, b := range k.batches() {
		l.update(t, s, b.x, b.y)
		before := marshal(t, s)
		m := l.model(t, s)
		require(t, bytes.Equal(marshal(t, s), before), "Model changes the learner")
		if i == 3 {
			early, want = m, predict(t, m, k.testX)
		}
	}
	expect(t, identical(predict(t, early, k.testX), want), "a model changes with later batches")
	l.same(t, k, "with models after each batch", s, l.after(t, k, 0))
}

// noRows requests a model without rows, which may be an error.
func (l Stream[S, M]) noRows(t testing.TB) {
	m, err := l.Model(l.start(t, 0))
	switch {
	case err == nil:
		predict(t, m, l.task().testX)
	case !isSentinel(err):
		t.Errorf("error %v does not wrap an error of package rkhs", err)
	case !reflect.ValueOf(m).IsNil():
		t.Errorf("a model with the error %v", err)
	}
}

// resume saves and loads a learner after each batch. All batches are dense, or every third, second
// or single one is sparse.
func (l Stream[S, M]) resume(t testing.TB) {
	k := l.task()
	for _, every := range []int{trainRows, 3, 2, 1} {
		s, saved := l.start(t, 0), l.start(t, 0)
		for i, b := range k.batches() {
			var x mat.Matrix = b.x
			if (i+1)%every == 0 {
				x = Sparse(b.x)
			}
			l.update(t, s, x, b.y)
			l.update(t, saved, x, b.y)
			loaded := l.Empty()
			checkFile(t, saved, loaded)
			saved = loaded
		}
		l.same(t, k, fmt.Sprintf("with a file after each batch, one of %d sparse", every), saved, s)
		k = sparseTask(k)
	}
}

func (l Stream[S, M]) matrixTypes(t testing.TB) {
	k := l.task()
	want := l.after(t, k, 0)
	for _, typ := range matrixTypes {
		s := l.start(t, 0)
		for _, b := range k.batches() {
			l.update(t, s, typ.of(b.x), typ.of(b.y))
		}
		l.same(t, k, typ.name, s, want)
	}
}

func (l Stream[S, M]) workers(t testing.TB) {
	k := l.task()
	one := l.after(t, k, 1)
	for _, workers := range []int{2, 8} {
		l.same(t, k, fmt.Sprint(workers, " workers"), l.after(t, k, workers), one)
	}
}

func (l Stream[S, M]) damagedFile(t testing.TB) {
	k := l.task()
	early := l.start(t, 0)
	l.update(t, early, between(k.x, 0, 9), between(k.y, 0, 9))
	checkDamage(t, l.Package, marshal(t, l.after(t, k, 0)), early)
}

func (l Stream[S, M]) scannedOnce(t testing.TB) {
	k, s := l.task(), l.start(t, 0)
	for _, b := range k.batches() {
		n, _ := b.x.Dims()
		CheckScans(t, "Update", 2*n, func() { l.update(t, s, b.x, b.y) })
	}
	CheckScans(t, "Model", 0, func() { l.model(t, s) })
}
