package testutil

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rkhs-go/rkhs"
)

func (l Learner[O, M]) file(t testing.TB) {
	k := newTask(l.Outputs, l.Labels)
	m := l.fit(t, k.x, k.y)
	other := l.fit(t, rowsFrom(k.x, 0, 60), rowsFrom(k.y, 0, 60))
	want := predict(t, m, k.testX)
	for _, dst := range []M{l.Empty(), other} {
		checkFile(t, m, dst)
		if !identical(predict(t, dst, k.testX), want) {
			t.Error("the loaded model predicts other bits")
		}
	}
}

// checkFile loads what src saves into dst, in every way, and leaves it there.
func checkFile(t testing.TB, src, dst File) {
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
	if w, ok := src.(io.WriterTo); ok {
		checkWrite(t, w, data)
		checkRead(t, dst, data)
	}
}

func checkWrite(t testing.TB, src io.WriterTo, want []byte) {
	t.Helper()
	var b bytes.Buffer
	if n, err := src.WriteTo(&b); err != nil || n != int64(len(want)) || !bytes.Equal(b.Bytes(), want) {
		t.Errorf("WriteTo wrote %d bytes and says %d (error %v), MarshalBinary gives %d", b.Len(), n, err, len(want))
	}
	r, w := io.Pipe()
	r.Close()
	if n, err := src.WriteTo(w); n != 0 || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("WriteTo a closed pipe gives %d, %v", n, err)
	}
}

// checkRead reads from a stream that goes on, in whole and byte by byte.
func checkRead(t testing.TB, dst File, data []byte) {
	t.Helper()
	const tail = "and more"
	for _, slow := range []bool{false, true} {
		rest := strings.NewReader(string(data) + tail)
		var r io.Reader = rest
		if slow {
			r = iotest.OneByteReader(rest)
		}
		n, err := dst.(io.ReaderFrom).ReadFrom(r)
		if err != nil || n != int64(len(data)) || !bytes.Equal(marshal(t, dst), data) {
			t.Errorf("ReadFrom says %d bytes (error %v) of %d, or loads something else", n, err, len(data))
		}
		if left, _ := io.ReadAll(rest); string(left) != tail {
			t.Errorf("ReadFrom leaves %q of %q", left, tail)
		}
	}
	broken := errors.New("broken")
	r := io.MultiReader(bytes.NewReader(data[:len(data)/2]), iotest.ErrReader(broken))
	if n, err := dst.(io.ReaderFrom).ReadFrom(r); !errors.Is(err, broken) || n != int64(len(data)/2) {
		t.Errorf("ReadFrom a broken stream gives %d, %v", n, err)
	}
}

func (l Learner[O, M]) damagedFile(t testing.TB) {
	k := newTask(l.Outputs, l.Labels)
	m := l.fit(t, k.x, k.y)
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
		if r, ok := dst.(io.ReaderFrom); ok && what != "lengthened" {
			_, err := r.ReadFrom(bytes.NewReader(bad))
			if s := (refusal{err: rkhs.ErrFormat}).wrong(pkg, err); s != "" {
				t.Fatalf("%s at byte %d of %d, ReadFrom: %s", what, at, len(data), s)
			}
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
