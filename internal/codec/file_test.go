package codec_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

const kind = "test thing"

var payload = []byte("forty-two bytes of payload, no more no less")

// TestLayout fixes the bytes of a file: they must never change.
func TestLayout(t *testing.T) {
	want := "524b4853" + "0100" + "03" + hex.EncodeToString([]byte("abc")) + "0703" + "0200000000000000" + "ff00"
	raw, err := hex.DecodeString(want)
	if err != nil {
		t.Fatal(err)
	}
	sum := crc32.Checksum(raw, crc32.MakeTable(crc32.Castagnoli))
	raw = append(raw, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
	if got := codec.Marshal("abc", 0x0307, []byte{0xff, 0}); !bytes.Equal(got, raw) {
		t.Errorf("got %x, want %x", got, raw)
	}
}

// readKind is Read of a file that must be of the given kind. n is the number of bytes read.
func readKind(r io.Reader, kind string) (version uint16, payload []byte, n int64, err error) {
	c := &counter{r: r}
	f, err := codec.Read(c)
	if err == nil && f.Kind != kind {
		err = fmt.Errorf("%w: the file holds a %q, wanted a %q", rkhs.ErrFormat, f.Kind, kind)
	}
	return f.Version, f.Payload, c.n, err
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

func TestRoundTrip(t *testing.T) {
	for _, k := range []string{"", "k", strings.Repeat("k", 32)} {
		for _, p := range [][]byte{nil, {0}, payload, make([]byte, 3<<20)} {
			data := codec.Marshal(k, 65535, p)
			v, got, err := codec.Unmarshal(data, k)
			if err != nil || v != 65535 || !bytes.Equal(got, p) {
				t.Errorf("Unmarshal of kind %q with %d bytes: version %d, %d bytes, error %v", k, len(p), v, len(got), err)
			}
			v, got, n, err := readKind(bytes.NewReader(data), k)
			if err != nil || v != 65535 || !bytes.Equal(got, p) || n != int64(len(data)) {
				t.Errorf("Read of kind %q with %d bytes: version %d, %d bytes of %d, error %v", k, len(p), v, len(got), n, err)
			}
		}
	}
}

func TestMarshalPanicsOnLongKind(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a kind of 33 bytes was accepted")
		}
	}()
	codec.Marshal(strings.Repeat("k", 33), 1, nil)
}

// refused fails if a decoder accepts a file, or rejects it for another reason.
func refused(t *testing.T, data []byte, names ...string) {
	t.Helper()
	_, _, err := codec.Unmarshal(data, kind)
	_, _, n, readErr := readKind(bytes.NewReader(data), kind)
	for _, err := range []error{err, readErr} {
		if !errors.Is(err, rkhs.ErrFormat) {
			t.Fatalf("error %v, want one that wraps %v", err, rkhs.ErrFormat)
		}
		for _, s := range names {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("error %q does not name %q", err, s)
			}
		}
	}
	if n > int64(len(data)) {
		t.Errorf("Read takes %d bytes of %d", n, len(data))
	}
}

func TestEveryTruncationIsRefused(t *testing.T) {
	data := codec.Marshal(kind, 1, payload)
	for n := range data {
		refused(t, data[:n], "ends too early")
	}
}

func TestEveryFlippedBitIsRefused(t *testing.T) {
	data := codec.Marshal(kind, 1, payload)
	for i := range 8 * len(data) {
		bad := bytes.Clone(data)
		bad[i/8] ^= 1 << (i % 8)
		refused(t, bad)
	}
}

func TestErrorsNameTheFault(t *testing.T) {
	change := func(at int, v byte) []byte {
		bad := codec.Marshal(kind, 1, payload)
		bad[at] = v
		return bad
	}
	refused(t, change(0, 'X'), `magic "XKHS"`)
	refused(t, change(4, 9), "framing version 9", "reads 1")
	refused(t, codec.Marshal("other", 1, payload), `"other"`, `"test thing"`)
	refused(t, change(40, 0), "checksum")
	refused(t, []byte("hello, this is text and not a model"), "not a file of this library")
}

func TestUnmarshalRefusesTrailingBytes(t *testing.T) {
	data := append(codec.Marshal(kind, 1, payload), 1, 2, 3)
	if _, _, err := codec.Unmarshal(data, kind); !errors.Is(err, rkhs.ErrFormat) || !strings.Contains(err.Error(), "3 bytes after") {
		t.Errorf("error %v", err)
	}
}

// TestReadStopsAtTheEnd reads two files from one stream, in small pieces.
func TestReadStopsAtTheEnd(t *testing.T) {
	one, two := codec.Marshal(kind, 1, payload), codec.Marshal(kind, 2, nil)
	src := bytes.NewReader(append(append(bytes.Clone(one), two...), "tail"...))
	r := iotest.OneByteReader(src)
	if v, p, n, err := readKind(r, kind); v != 1 || !bytes.Equal(p, payload) || n != int64(len(one)) || err != nil {
		t.Errorf("first: version %d, %d bytes of %d, error %v", v, len(p), n, err)
	}
	if v, p, n, err := readKind(r, kind); v != 2 || len(p) != 0 || n != int64(len(two)) || err != nil {
		t.Errorf("second: version %d, %d bytes of %d, error %v", v, len(p), n, err)
	}
	if rest, _ := io.ReadAll(src); string(rest) != "tail" {
		t.Errorf("the remainder is %q", rest)
	}
}

// TestReadPassesErrorsOn breaks the stream after each byte, which is not a format error.
func TestReadPassesErrorsOn(t *testing.T) {
	data := codec.Marshal(kind, 1, payload)
	broken := errors.New("broken")
	for at := range data {
		r := io.MultiReader(bytes.NewReader(data[:at]), iotest.ErrReader(broken))
		_, _, n, err := readKind(r, kind)
		if !errors.Is(err, broken) || errors.Is(err, rkhs.ErrFormat) || n != int64(at) {
			t.Fatalf("broken after %d bytes: read %d, error %v", at, n, err)
		}
	}
}

// TestAnnouncedLengthCostsNothing declares a much longer payload than the file has.
func TestAnnouncedLengthCostsNothing(t *testing.T) {
	for _, announced := range []byte{0x10, 0x3f, 0x7f, 0x80, 0xff} {
		data := codec.Marshal(kind, 1, payload)
		data[len(data)-4-len(payload)-1] = announced // the highest byte of the length
		if n := testutil.Allocated(func() { refused(t, data, "ends too early") }); n > 4<<20 {
			t.Errorf("%d bytes were allocated for a file of %d", n, len(data))
		}
	}
}
