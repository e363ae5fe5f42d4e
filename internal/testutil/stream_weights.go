package testutil

import (
	"bytes"
	"testing"

	"github.com/rkhs-go/rkhs"
)

// weights holds a learner of batches to what rkhs.Weighted says.
func (l Stream[S, M]) weights(t testing.TB) {
	if l.Repeats == 0 {
		return
	}
	k := l.task()
	n, _ := k.x.Dims()
	w, from := repeats(n), 0
	s, more := l.start(t, 0), l.start(t, 0)
	for _, b := range k.batches() {
		rows, _ := b.x.Dims()
		part := w[from : from+rows]
		from += rows
		twice := repeated(b.x, part)
		if twice.IsEmpty() {
			continue
		}
		l.update(t, s, rkhs.Weighted{Matrix: b.x, Weights: part}, b.y)
		l.update(t, more, twice, repeated(b.y, part))
	}
	if d := apart(scores(t, l.model(t, more), k.testX), scores(t, l.model(t, s), k.testX)); !(d <= l.Repeats) {
		t.Errorf("rows of whole weights differ by %.3g from rows repeated, want %.3g at most", d, l.Repeats)
	}
	before := marshal(t, s)
	for _, r := range weightRefusals(k.x) {
		if wrong := r.wrong(l.Package, l.Update(s, r.x, k.y)); wrong != "" {
			t.Errorf("%s, Update: %s", r.what, wrong)
		}
	}
	if !bytes.Equal(marshal(t, s), before) {
		t.Error("refused weights leave a trace")
	}
}
