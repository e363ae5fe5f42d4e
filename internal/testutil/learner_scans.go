package testutil

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/door"
)

// CheckScans reports what does not scan just so many rows for numbers that are not finite.
func CheckScans(t testing.TB, what string, want int, do func()) {
	t.Helper()
	before := door.Scanned()
	do()
	if got := door.Scanned() - before; got != int64(want) {
		t.Errorf("%s scans %d rows for numbers that are not finite, want %d: each row once", what, got, want)
	}
}

func (l Learner[O, M]) scannedOnce(t testing.TB) {
	k := l.task()
	for _, kind := range kinds {
		var m M
		CheckScans(t, kind.name+", Fit", 2*trainRows, func() { m = l.fit(t, kind.of(k.x), kind.of(k.y)) })
		CheckScans(t, kind.name+", Predict", testRows, func() { predict(t, m, kind.of(k.testX)) })
		CheckScans(t, kind.name+", PredictTo", testRows, func() {
			if err := m.PredictTo(new(mat.Dense), kind.of(k.testX)); err != nil {
				t.Error(err)
			}
		})
	}
}

func (l Stream[S, M]) scannedOnce(t testing.TB) {
	k, s := l.task(), l.start(t, 0)
	for _, b := range k.batches() {
		n, _ := b.x.Dims()
		CheckScans(t, "Update", 2*n, func() { l.update(t, s, b.x, b.y) })
	}
	CheckScans(t, "Model", 0, func() { l.model(t, s) })
}
