// Package codec implements the file format of this module.
//
// A file consists of the magic "RKHS", the version of the framing (uint16), the kind of the contents (a
// length byte and a name), the version of the contents (uint16), the length of the payload (uint64),
// the payload, and the CRC-32 (Castagnoli) of all preceding bytes (uint32), all little-endian. Kind and
// version select the decoder. Decoders do not panic, and allocate at most a small multiple of the
// length of the input.
package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

const (
	magic   = "RKHS"
	framing = 1
	maxKind = 32
)

// ErrFormat and ErrUnfitted are errors of the root package, which imports this package.
var (
	ErrFormat   = errors.New("invalid format")
	ErrUnfitted = errors.New("not fitted")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Marshal frames a payload. The kind is at most 32 bytes long.
func Marshal(kind string, version uint16, payload []byte) []byte {
	if len(kind) > maxKind {
		panic("codec: kind too long")
	}
	b := make([]byte, 0, len(magic)+2+1+len(kind)+2+8+len(payload)+4)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint16(b, framing)
	b = append(b, byte(len(kind)))
	b = append(b, kind...)
	b = binary.LittleEndian.AppendUint16(b, version)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(payload)))
	b = append(b, payload...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// Unmarshal returns version and payload of a file of the given kind. Other data is rkhs.ErrFormat.
func Unmarshal(data []byte, kind string) (version uint16, payload []byte, err error) {
	r := bytes.NewReader(data)
	f, err := Read(r)
	if err == nil {
		err = f.check(kind)
	}
	if err == nil && r.Len() > 0 {
		err = fmt.Errorf("%w: %d bytes after the end", ErrFormat, r.Len())
	}
	return f.Version, f.Payload, err
}

// File is the content of a frame.
type File struct {
	Kind    string
	Version uint16
	Payload []byte
}

// check returns an error unless f has the given kind.
func (f File) check(kind string) error {
	if f.Kind != kind {
		return fmt.Errorf("%w: the file holds a %q, wanted a %q", ErrFormat, f.Kind, kind)
	}
	return nil
}

// Read reads one file of any kind from r, and no further bytes.
func Read(r io.Reader) (File, error) {
	sum := crc32.New(castagnoli)
	sums := io.TeeReader(r, sum)
	var head [len(magic) + 3]byte
	if _, err := io.ReadFull(sums, head[:]); err != nil {
		return File{}, truncated(err)
	}
	if string(head[:len(magic)]) != magic {
		return File{}, fmt.Errorf("%w: not a file of this library (magic %q)", ErrFormat, head[:len(magic)])
	}
	if v := binary.LittleEndian.Uint16(head[len(magic):]); v != framing {
		return File{}, fmt.Errorf("%w: framing version %d is unknown, this library reads %d", ErrFormat, v, framing)
	}
	rest := make([]byte, int(head[len(magic)+2])+2+8)
	if _, err := io.ReadFull(sums, rest); err != nil {
		return File{}, truncated(err)
	}
	name, numbers := rest[:len(rest)-10], rest[len(rest)-10:]
	payload, err := readPayload(sums, binary.LittleEndian.Uint64(numbers[2:]))
	if err != nil {
		return File{}, truncated(err)
	}
	var crc [4]byte
	if _, err := io.ReadFull(r, crc[:]); err != nil {
		return File{}, truncated(err)
	}
	if got, want := binary.LittleEndian.Uint32(crc[:]), sum.Sum32(); got != want {
		return File{}, fmt.Errorf("%w: checksum %08x, contents give %08x", ErrFormat, got, want)
	}
	return File{string(name), binary.LittleEndian.Uint16(numbers), payload}, nil
}

// readPayload grows its buffer as bytes arrive, because the declared length may be wrong.
func readPayload(r io.Reader, n uint64) ([]byte, error) {
	if n > math.MaxInt64 {
		return nil, io.ErrUnexpectedEOF
	}
	var b bytes.Buffer
	_, err := io.CopyN(&b, r, int64(n))
	return b.Bytes(), err
}

func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the file ends too early", ErrFormat)
	}
	return err
}
