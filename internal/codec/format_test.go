package codec_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

type pair struct{ a, b uint64 }

var pairFormat = codec.Format[pair]{Kind: "test pair", Decode: func(d *codec.Decoder) pair { return pair{a: d.Uint64(), b: d.Uint64()} }}

func (p pair) MarshalBinary() ([]byte, error) {
	return pairFormat.Marshal(func(e *codec.Encoder) error {
		e.Uint64(p.a)
		e.Uint64(p.b)
		return nil
	})
}

func TestFormatRoundTrip(t *testing.T) {
	file, err := pair{7, 8}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var p pair
	if err := pairFormat.Unmarshal(&p, file); err != nil || p != (pair{7, 8}) {
		t.Errorf("Unmarshal: %v, %v", p, err)
	}
}

func TestFormatKeepsTheReceiverOfABadFile(t *testing.T) {
	good, _ := pair{1, 2}.MarshalBinary()
	_, payload, _ := codec.Unmarshal(good, "test pair")
	for name, c := range map[string]struct {
		file    []byte
		message string
	}{
		"version 0":       {codec.Marshal("test pair", 0, payload), "version 0 is unknown, this library reads 1"},
		"version to come": {codec.Marshal("test pair", 2, payload), "version 2 is unknown, this library reads 1"},
		"of another kind": {codec.Marshal("test triple", 1, payload), "test triple"},
		"short payload":   {codec.Marshal("test pair", 1, payload[:15]), ""},
		"long payload":    {codec.Marshal("test pair", 1, append(payload, 0)), ""},
		"truncated":       {good[:len(good)-1], ""},
		"nothing":         {nil, ""},
		"damaged":         {append(good[:len(good)-1:len(good)-1], good[len(good)-1]^1), ""},
	} {
		p := pair{3, 4}
		err := pairFormat.Unmarshal(&p, c.file)
		if !errors.Is(err, rkhs.ErrFormat) || !strings.HasPrefix(err.Error(), "test: ") || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: error %v", name, err)
		}
		if p != (pair{3, 4}) {
			t.Errorf("%s: an invalid file changed its receiver to %v", name, p)
		}
	}
}

func TestNested(t *testing.T) {
	refuse := errors.New("no file")
	var e codec.Encoder
	if err := e.Nested([]byte("inner"), nil); err != nil {
		t.Fatal(err)
	}
	if err := e.Nested(nil, refuse); err != refuse {
		t.Errorf("error %v, want that of the file", err)
	}
	text := func(data []byte) (string, error) { return string(data), nil }
	d := codec.NewDecoder(e.Payload())
	if got := codec.Nested(d, text); got != "inner" || d.Err() != nil {
		t.Errorf("got %q, %v", got, d.Err())
	}
	d = codec.NewDecoder(e.Payload())
	codec.Nested(d, func([]byte) (string, error) { return "", fmt.Errorf("bad inside") })
	if err := d.Err(); !errors.Is(err, rkhs.ErrFormat) || !strings.Contains(err.Error(), "bad inside") {
		t.Errorf("error %v", err)
	}
}
