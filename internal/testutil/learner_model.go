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
			got := predict(t, m, between(k.testX, from, to))
			same := identical(got, between(want, from, to))
			require(t, same, "rows [%d, %d) have other predictions without the rest", from, to)
		}
	}
	expect(t, identical(reversed(predict(t, m, reversed(k.testX))), want), "rows have other predictions in another order")
	many := predict(t, m, stacked(scaled(50, k.x), k.testX))
	expect(t, identical(between(many, trainRows, trainRows+testRows), want), "rows have other predictions after other rows")
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
	expect(t, !wrong.Load(), "concurrent predictions differ from serial predictions")
}

// predictTo predicts into matrices of all kinds, the argument included, and of wrong sizes.
func (l Learner[O, M]) predictTo(t testing.TB) {
	k, m := l.fitted(t)
	want := predict(t, m, k.testX)
	_, q := want.Dims()
	slice := strided(constant(testRows, q, 7)).(*mat.Dense)
	for _, dst := range []*mat.Dense{{}, constant(testRows, q, 7), slice} {
		err := m.PredictTo(dst, k.testX)
		expect(t, err == nil && identical(dst, want), "PredictTo differs from Predict (error %v)", err)
	}
	for _, dst := range []*mat.Dense{constant(testRows-1, q, 7), constant(testRows, q+1, 7)} {
		before := mat.DenseCopyOf(dst)
		err := m.PredictTo(dst, k.testX)
		expect(t, errors.Is(err, rkhs.ErrShape), "a destination of another size: error %v", err)
		expect(t, identical(dst, before), "a destination of another size was changed")
	}
	err := m.PredictTo(nil, k.testX)
	expect(t, errors.Is(err, rkhs.ErrShape), "a nil destination: error %v", err)
	square := newTask(trainRows, q, l.Outputs, l.Labels)
	m = l.fit(t, square.x, square.y)
	want, both := predict(t, m, square.testX), mat.DenseCopyOf(square.testX)
	err = m.PredictTo(both, both)
	expect(t, err == nil && identical(both, want), "PredictTo over its own argument differs from Predict (error %v)", err)
}

func (l Learner[O, M]) singleRows(t testing.TB) {
	k, m := l.fitted(t)
	checkRows(t, m, k)
}

// checkRows compares PredictRow with Predict, up to rounding, and checks that it does not allocate.
func checkRows(t testing.TB, m Model, k task) {
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
		noError(t, of.PredictRow(dst, x.RawRowView(i)))
		for o, v := range dst {
			d := math.Abs(v - want.At(i, o))
			require(t, labels || d <= 1e-6*size, "row %d: PredictRow gives %v, Predict %v", i, v, want.At(i, o))
			if labels && d > 0 {
				different++
			}
		}
	}
	// Rounding may decide between equal scores.
	expect(t, different <= 1, "PredictRow gives %d of %d rows another label", different, testRows)
	row := x.RawRowView(0)
	n := testing.AllocsPerRun(20, func() { _ = of.PredictRow(dst, row) })
	expect(t, n == 0 || raceDetector, "PredictRow allocates %v times", n)
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
		err := of.PredictRow(wrong.dst, wrong.x)
		expect(t, errors.Is(err, wrong.want), "%d numbers of x and %d of dst: error %v, want %v",
			len(wrong.x), len(wrong.dst), err, wrong.want)
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
	want := predict(t, m, x)
	checkFile(t, m, dst)
	expect(t, identical(predict(t, dst, x), want), "the loaded model predicts other bits")
}

// checkFile loads the file of src into dst, and by its kind with rkhs.Read.
func checkFile[F File](t testing.TB, src, dst F) {
	data := marshal(t, src)
	buffer := bytes.Clone(data)
	noError(t, dst.UnmarshalBinary(buffer))
	clear(buffer)
	expect(t, bytes.Equal(marshal(t, dst), data), "the loaded value makes another file, or keeps the bytes of its file")
	clear(buffer)
	var b bytes.Buffer
	noError(t, rkhs.Write(&b, src))
	back, err := rkhs.Read[F](&b)
	require(t, err == nil, "rkhs.Read: %v", err)
	expect(t, bytes.Equal(marshal(t, back), data), "the value from rkhs.Read makes another file")
}

func (l Learner[O, M]) damagedFile(t testing.TB) {
	k, m := l.fitted(t)
	checkDamage(t, l.Package, marshal(t, m), l.fit(t, between(k.x, 0, 60), between(k.y, 0, 60)))
}

// checkDamage loads truncated, changed and extended files into dst, which must not change.
func checkDamage(t testing.TB, pkg string, data []byte, dst File) {
	before := marshal(t, dst)
	rejects := func(name string, at int, bad []byte) {
		t.Helper()
		s := wrongError(pkg, dst.UnmarshalBinary(bad), rkhs.ErrFormat)
		require(t, s == "", "%s at byte %d of %d: %s", name, at, len(data), s)
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
	expect(t, bytes.Equal(marshal(t, dst), before), "a damaged file changed the value it was loaded into")
}
