package polk_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// twin is loss.Absolute under another name.
type twin struct{ loss.Absolute }

// A loss is asked for what it can do by its methods: one that embeds another gives the
// same model, whatever the unit of the targets.
func TestTwinOfAbsolute(t *testing.T) {
	x, y := sample(400, 1)
	y.Scale(100, y)
	var want *mat.Dense
	var report polk.Report
	for _, l := range []loss.Loss{loss.Absolute{}, twin{}} {
		m, err := polk.Fit(context.Background(), x, y, &polk.Options{Loss: l, Passes: 5})
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		r := m.Report()
		r.Loss = nil
		if want == nil {
			want, report = got, r
		}
		if !mat.Equal(got, want) || r != report {
			t.Errorf("%T: report %+v, want %+v", l, r, report)
		}
	}
}

// Rows are looked through once.
func TestScannedOnce(t *testing.T) {
	const n = 300
	x, y := sample(n, 1)
	scans := func(do func() error) int64 {
		before := door.Scanned()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		return door.Scanned() - before
	}
	var m *polk.Model
	l := newLearner(t, polk.Options{})
	for name, c := range map[string]struct {
		want int64
		do   func() error
	}{
		"Fit": {2 * n, func() (err error) {
			m, err = polk.Fit(context.Background(), x, y, &polk.Options{Passes: 2})
			return err
		}},
		"Update": {2 * n, func() error { return l.Update(x, y) }},
	} {
		if got := scans(c.do); got != c.want {
			t.Errorf("%s scans %d rows, want %d", name, got, c.want)
		}
	}
	if got := scans(func() error { _, err := m.Predict(x); return err }); got != n {
		t.Errorf("Predict scans %d rows, want %d", got, n)
	}
}
