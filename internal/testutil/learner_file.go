package testutil

import (
	"bytes"
	"testing"

	"github.com/rkhs-go/rkhs"
)

func (l Learner[O, M]) file(t testing.TB) {
	k, m := l.fitted(t)
	other := l.fit(t, rowsFrom(k.x, 0, 60), rowsFrom(k.y, 0, 60))
	want := predict(t, m, k.testX)
	for _, dst := range []M{l.Empty(), other} {
		checkFile(t, m, dst)
		if !identical(predict(t, dst, k.testX), want) {
			t.Error("the loaded model predicts other bits")
		}
	}
}

// checkFile loads what src saves into dst, and leaves it there, and by its header.
func checkFile[F File](t testing.TB, src, dst F) {
	t.Helper()
	data := marshal(t, src)
	mine := bytes.Clone(data)
	if err := dst.UnmarshalBinary(mine); err != nil {
		t.Fatalf("UnmarshalBinary: %v", err)
	}
	clear(mine)
	if !bytes.Equal(marshal(t, dst), data) {
		t.Error("what was loaded makes another file, or keeps the bytes it was loaded from")
	}
	clear(mine)
	var b bytes.Buffer
	if err := rkhs.Write(&b, src); err != nil {
		t.Fatalf("rkhs.Write: %v", err)
	}
	back, err := rkhs.Read[F](&b)
	switch {
	case err != nil:
		t.Errorf("rkhs.Read: %v", err)
	case !bytes.Equal(marshal(t, back), data):
		t.Error("what rkhs.Read loaded makes another file")
	}
}

func (l Learner[O, M]) damagedFile(t testing.TB) {
	k, m := l.fitted(t)
	dst := l.fit(t, rowsFrom(k.x, 0, 60), rowsFrom(k.y, 0, 60))
	checkDamage(t, l.Package, marshal(t, m), dst)
}

// checkDamage loads cut, flipped and lengthened files into dst, which must stay
// what it is.
func checkDamage(t testing.TB, pkg string, data []byte, dst File) {
	t.Helper()
	before := marshal(t, dst)
	refuses := func(what string, at int, bad []byte) {
		t.Helper()
		if s := (refusal{err: rkhs.ErrFormat}).wrong(pkg, dst.UnmarshalBinary(bad)); s != "" {
			t.Fatalf("%s at byte %d of %d: %s", what, at, len(data), s)
		}
	}
	for _, at := range sample(len(data)) {
		refuses("cut", at, data[:at])
		flipped := bytes.Clone(data)
		flipped[at] ^= 1 << (at % 8)
		refuses("flipped", at, flipped)
	}
	refuses("lengthened", len(data), append(bytes.Clone(data), 0))
	if !bytes.Equal(marshal(t, dst), before) {
		t.Error("a refused file changed what it was to be loaded into")
	}
}

// sample returns the first and last hundred of n places and two hundred between.
func sample(n int) []int {
	var list []int
	for i := 0; i < n; i++ {
		list = append(list, i)
		if i >= 100 && i < n-100 {
			i += n / 200
		}
	}
	return list
}
