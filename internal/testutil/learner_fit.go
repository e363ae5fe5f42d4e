package testutil

import (
	"bytes"
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// learns asks for far less than the loss of a constant, and for the same model
// from nil options as from zero options.
func (l Learner[O, M]) learns(t testing.TB) {
	k, m := l.fitted(t)
	l.beatsConstant(t, m, k)
	if l.Options != nil {
		return
	}
	same, err := l.Fit(context.Background(), k.x, k.y, nil)
	if err != nil {
		t.Fatalf("Fit without options: %v", err)
	}
	if !identical(predict(t, same, k.testX), predict(t, m, k.testX)) {
		t.Error("nil options give another model than zero options")
	}
}

func (l Learner[O, M]) beatsConstant(t testing.TB, m M, k task) {
	t.Helper()
	beatsConstant(t, predict(t, m, k.testX), k, l.Labels)
}

func beatsConstant(t testing.TB, p *mat.Dense, k task, labels []int) {
	t.Helper()
	n, q := k.testY.Dims()
	if r, c := p.Dims(); r != n || c != q {
		t.Fatalf("prediction is %d×%d, want %d×%d", r, c, n, q)
	}
	limit := k.baseline(labels) / 2
	if labels != nil {
		limit = k.baseline(labels) * 2 / 3 // the noise decides for more of the rows
	}
	if got := lossOf(p, k.testY, labels); !(got < limit) {
		t.Errorf("test loss %.4g, want less than %.4g, that of a constant being %.4g", got, limit, k.baseline(labels))
	}
}

func (l Learner[O, M]) untouched(t testing.TB) {
	k := l.task()
	opts := l.set(3, 2, nil)
	before := fingerprint([]any{k, opts})
	m := l.fitWith(t, k.x, k.y, opts)
	if fingerprint([]any{k, opts}) != before {
		t.Error("Fit wrote to its data or options")
	}
	predict(t, m, k.testX)
	if fingerprint([]any{k, opts}) != before {
		t.Error("Predict wrote to its data")
	}
}

// notAliased overwrites what went in and what came out.
func (l Learner[O, M]) notAliased(t testing.TB) {
	k := l.task()
	opts := l.set(3, 2, nil)
	m := l.fitWith(t, k.x, k.y, opts)
	want, file := predict(t, m, k.testX), marshal(t, m)
	kept := mat.DenseCopyOf(want)
	wreckMatrix(k.x)
	wreckMatrix(k.y)
	wreck(opts)
	wreckMatrix(want)
	if !identical(predict(t, m, k.testX), kept) || !bytes.Equal(marshal(t, m), file) {
		t.Error("the model changes with the data, the options or the prediction")
	}
}

// refit fits another task between two fits of the same.
func (l Learner[O, M]) refit(t testing.TB) {
	k, other := l.task(), taskOf(1, l.Outputs, l.Labels)
	first := l.fit(t, k.x, k.y)
	before := predict(t, first, k.testX)
	l.fit(t, other.x, other.y)
	if !identical(predict(t, first, k.testX), before) {
		t.Error("a later fit changed the model")
	}
	if !bytes.Equal(marshal(t, l.fit(t, k.x, k.y)), marshal(t, first)) {
		t.Error("a fit depends on the fits before it")
	}
}

func (l Learner[O, M]) kinds(t testing.TB) {
	for _, k := range []task{l.task(), taskOf(1, l.Outputs, l.Labels)} {
		m := l.fit(t, k.x, k.y)
		want, file := predict(t, m, k.testX), marshal(t, m)
		for _, kind := range kinds[1:] { // the first is Dense, as k is
			if !bytes.Equal(marshal(t, l.fit(t, kind.of(k.x), kind.of(k.y))), file) {
				t.Errorf("%s: the model has other bits", kind.name)
			}
			if !identical(predict(t, m, kind.of(k.testX)), want) {
				t.Errorf("%s: the prediction has other bits", kind.name)
			}
		}
	}
}

// workers are one, two and eight. That a fit repeated has the same bits is what refit asks.
func (l Learner[O, M]) workers(t testing.TB) {
	k := l.task()
	one := l.fitWith(t, k.x, k.y, l.set(5, 1, nil))
	want, file := predict(t, one, k.testX), marshal(t, one)
	for _, workers := range []int{2, 8} {
		m := l.fitWith(t, k.x, k.y, l.set(5, workers, nil))
		if !bytes.Equal(marshal(t, m), file) {
			t.Errorf("%d workers give a model of other bits than one", workers)
		}
		if !identical(predict(t, m, k.testX), want) {
			t.Errorf("%d workers give a prediction of other bits than one", workers)
		}
	}
	if s, ok := any(one).(interface{ Seed() uint64 }); ok && s.Seed() != 5 {
		t.Errorf("the model has seed %d, want 5", s.Seed())
	}
}
