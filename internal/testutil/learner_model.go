package testutil

import (
	"bytes"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// batches predicts the same rows one by one, in parts, in reverse and after other rows.
func (l Learner[O, M]) batches(t testing.TB) {
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	for _, size := range []int{1, 7, testRows} {
		for from := 0; from < testRows; from += size {
			to := min(from+size, testRows)
			if !identical(predict(t, m, between(k.testX, from, to)), between(want, from, to)) {
				t.Fatalf("rows [%d, %d) have other predictions without the rest", from, to)
			}
		}
	}
	if !identical(reversed(predict(t, m, reversed(k.testX))), want) {
		t.Error("rows have other predictions in another order")
	}
	many := predict(t, m, stacked(scaled(50, k.x), k.testX))
	if !identical(between(many, trainRows, trainRows+testRows), want) {
		t.Error("rows have other predictions after other rows")
	}
}

// concurrent predicts from several goroutines.
func (l Learner[O, M]) concurrent(t testing.TB) {
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	const users, each = 8, 10
	var wrong atomic.Bool
	var wg sync.WaitGroup
	for u := range users {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				from := (u*each + i) % (testRows - 20)
				p, err := m.Predict(between(k.testX, from, from+20))
				if err != nil || !identical(p, between(want, from, from+20)) {
					wrong.Store(true)
				}
			}
		}()
	}
	wg.Wait()
	if wrong.Load() {
		t.Fatal("concurrent predictions differ from serial predictions")
	}
}

// predictTo predicts into matrices of all kinds, the argument included, and of wrong sizes.
func (l Learner[O, M]) predictTo(t testing.TB) {
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	_, q := want.Dims()
	slice := strided(constant(testRows, q, 7)).(*mat.Dense)
	for _, dst := range []*mat.Dense{{}, constant(testRows, q, 7), slice} {
		if err := m.PredictTo(dst, k.testX); err != nil || !identical(dst, want) {
			t.Errorf("PredictTo differs from Predict (error %v)", err)
		}
	}
	for _, dst := range []*mat.Dense{constant(testRows-1, q, 7), constant(testRows, q+1, 7)} {
		before := mat.DenseCopyOf(dst)
		if err := m.PredictTo(dst, k.testX); !errors.Is(err, rkhs.ErrShape) || !identical(dst, before) {
			t.Errorf("a destination of another size: error %v, want %v, and the destination unchanged", err, rkhs.ErrShape)
		}
	}
	if err := m.PredictTo(nil, k.testX); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("a nil destination: error %v, want %v", err, rkhs.ErrShape)
	}
	square := newTask(trainRows, q, l.Outputs, l.Labels)
	m = l.fit(t, square.x, square.y)
	want, both := predict(t, m, square.testX), mat.DenseCopyOf(square.testX)
	if err := m.PredictTo(both, both); err != nil || !identical(both, want) {
		t.Errorf("PredictTo over its own argument differs from Predict (error %v)", err)
	}
}

func (l Learner[O, M]) singleRows(t testing.TB) {
	k, m := l.fitted(t)
	checkRows(t, m, k)
}

// checkRows compares PredictRow with Predict, up to rounding, and checks that it does not allocate.
func checkRows(t testing.TB, m Model, k task) {
	t.Helper()
	of, ok := m.(interface {
		PredictRow(dst, x []float64) error
	})
	if !ok {
		return
	}
	want := predict(t, m, k.testX)
	_, q := want.Dims()
	dst, size := make([]float64, q), max(mat.Max(want), -mat.Min(want))
	x := mat.DenseCopyOf(k.testX)
	_, labels := m.(probabilities)
	different := 0
	for i := range testRows {
		if err := of.PredictRow(dst, x.RawRowView(i)); err != nil {
			t.Fatalf("PredictRow: %v", err)
		}
		for o, v := range dst {
			if d := math.Abs(v - want.At(i, o)); !labels && !(d <= 1e-6*size) {
				t.Fatalf("row %d: PredictRow gives %v, Predict %v", i, v, want.At(i, o))
			} else if labels && d > 0 {
				different++
			}
		}
	}
	if different > 1 { // rounding may decide between equal scores
		t.Errorf("PredictRow gives %d of %d rows another label", different, testRows)
	}
	row := x.RawRowView(0)
	if n := testing.AllocsPerRun(20, func() { _ = of.PredictRow(dst, row) }); n > 0 && !raceDetector {
		t.Errorf("PredictRow allocates %v times", n)
	}
	for _, wrong := range []struct {
		dst, x []float64
		want   error
	}{
		{dst, row[:Inputs-1], rkhs.ErrShape},
		{dst, nil, rkhs.ErrShape},
		{make([]float64, q+1), row, rkhs.ErrShape},
		{nil, row, rkhs.ErrShape},
		{dst, append([]float64{math.NaN()}, row[1:]...), rkhs.ErrNotFinite},
		{dst, append([]float64{math.Inf(-1)}, row[1:]...), rkhs.ErrNotFinite},
	} {
		if err := of.PredictRow(wrong.dst, wrong.x); !errors.Is(err, wrong.want) {
			t.Errorf("%d numbers of x and %d of dst: error %v, want %v", len(wrong.x), len(wrong.dst), err, wrong.want)
		}
	}
}

// file loads a model into an empty and into a fitted model.
func (l Learner[O, M]) file(t testing.TB) {
	k, m := l.fitted(t)
	for _, dst := range []M{l.Empty(), l.fit(t, between(k.x, 0, 60), between(k.y, 0, 60))} {
		checkReload(t, m, dst, k.testX)
	}
}

// checkReload saves m, loads it into dst and compares predictions at x.
func checkReload[M Model](t testing.TB, m, dst M, x mat.Matrix) {
	t.Helper()
	want := predict(t, m, x)
	checkFile(t, m, dst)
	if !identical(predict(t, dst, x), want) {
		t.Error("the loaded model predicts other bits")
	}
}

// checkFile loads the file of src into dst, and by its kind with rkhs.Read.
func checkFile[F File](t testing.TB, src, dst F) {
	t.Helper()
	data := marshal(t, src)
	buffer := bytes.Clone(data)
	if err := dst.UnmarshalBinary(buffer); err != nil {
		t.Fatalf("UnmarshalBinary: %v", err)
	}
	clear(buffer)
	if !bytes.Equal(marshal(t, dst), data) {
		t.Error("the loaded value makes another file, or keeps the bytes it was loaded from")
	}
	clear(buffer)
	var b bytes.Buffer
	if err := rkhs.Write(&b, src); err != nil {
		t.Fatalf("rkhs.Write: %v", err)
	}
	back, err := rkhs.Read[F](&b)
	switch {
	case err != nil:
		t.Errorf("rkhs.Read: %v", err)
	case !bytes.Equal(marshal(t, back), data):
		t.Error("the value from rkhs.Read makes another file")
	}
}

func (l Learner[O, M]) damagedFile(t testing.TB) {
	k, m := l.fitted(t)
	checkDamage(t, l.Package, marshal(t, m), l.fit(t, between(k.x, 0, 60), between(k.y, 0, 60)))
}

// checkDamage loads truncated, changed and extended files into dst, which must not change.
func checkDamage(t testing.TB, pkg string, data []byte, dst File) {
	t.Helper()
	before := marshal(t, dst)
	rejects := func(what string, at int, bad []byte) {
		t.Helper()
		if s := wrongError(pkg, dst.UnmarshalBinary(bad), rkhs.ErrFormat); s != "" {
			t.Fatalf("%s at byte %d of %d: %s", what, at, len(data), s)
		}
	}
	for at := 0; at < len(data); at++ {
		rejects("truncated", at, data[:at])
		flipped := bytes.Clone(data)
		flipped[at] ^= 1 << (at % 8)
		rejects("flipped", at, flipped)
		if at >= 100 && at < len(data)-100 {
			at += len(data) / 200
		}
	}
	rejects("extended", len(data), append(bytes.Clone(data), 0))
	if !bytes.Equal(marshal(t, dst), before) {
		t.Error("a damaged file changed the value it was loaded into")
	}
}
