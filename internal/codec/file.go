// Package codec is the file format that everything in this module is saved in.
//
// A file is the magic "RKHS", the version of this framing (uint16), the kind of
// its contents (one byte of length, then a name), the version of these contents
// (uint16), the length of the payload (uint64), the payload, and the CRC-32
// (Castagnoli) of all bytes before it (uint32); all little-endian. Decoders pick
// the reader of the payload by kind and version. No input makes a decoder panic,
// or allocate more than a small multiple of its own length.
package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

const (
	magic   = "RKHS"
	framing = 1
	maxKind = 32
)

// ErrFormat is rkhs.ErrFormat, which the root package takes from here, as it opens
// files itself.
var ErrFormat = errors.New("invalid format")

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

// Unmarshal returns version and payload of a framed file of the given kind; the
// payload shares data. Anything else is an error that wraps rkhs.ErrFormat.
func Unmarshal(data []byte, kind string) (version uint16, payload []byte, err error) {
	r := &sliceReader{data: data}
	f, _, err := read(r, r.take)
	if err == nil {
		err = f.holds(kind)
	}
	if err == nil && len(r.data) > 0 {
		err = fmt.Errorf("%w: %d bytes after the end", ErrFormat, len(r.data))
	}
	return f.Version, f.Payload, err
}

// Read reads one framed file of any kind from r and not a byte more. It returns the
// number of bytes read with any outcome.
func Read(r io.Reader) (f File, n int64, err error) {
	return read(r, func(n uint64) ([]byte, error) { return readChunks(r, n) })
}

// File is what a frame says and holds.
type File struct {
	Kind    string
	Version uint16
	Payload []byte
}

// holds returns an error unless f is of the given kind.
func (f File) holds(kind string) error {
	if f.Kind != kind {
		return fmt.Errorf("%w: the file holds a %q, wanted a %q", ErrFormat, f.Kind, kind)
	}
	return nil
}

func read(r io.Reader, body func(n uint64) ([]byte, error)) (f File, n int64, err error) {
	sum := crc32.New(castagnoli)
	next := func(b []byte) error {
		m, err := io.ReadFull(r, b)
		n += int64(m)
		sum.Write(b[:m])
		return truncated(err)
	}
	var head [len(magic) + 3]byte
	if err = next(head[:]); err != nil {
		return File{}, n, err
	}
	if string(head[:len(magic)]) != magic {
		return File{}, n, fmt.Errorf("%w: not a file of this library (magic %q)", ErrFormat, head[:len(magic)])
	}
	if v := binary.LittleEndian.Uint16(head[len(magic):]); v != framing {
		return File{}, n, fmt.Errorf("%w: framing version %d is unknown, this library reads %d", ErrFormat, v, framing)
	}
	rest := make([]byte, int(head[len(magic)+2])+2+8)
	if err = next(rest); err != nil {
		return File{}, n, err
	}
	name, numbers := rest[:len(rest)-10], rest[len(rest)-10:]
	f = File{Kind: string(name), Version: binary.LittleEndian.Uint16(numbers)}
	f.Payload, err = body(binary.LittleEndian.Uint64(numbers[2:]))
	n += int64(len(f.Payload))
	if err != nil {
		return File{}, n, truncated(err)
	}
	sum.Write(f.Payload)
	want := sum.Sum32()
	var crc [4]byte
	if err = next(crc[:]); err != nil {
		return File{}, n, err
	}
	if got := binary.LittleEndian.Uint32(crc[:]); got != want {
		return File{}, n, fmt.Errorf("%w: checksum %08x, contents give %08x", ErrFormat, got, want)
	}
	return f, n, nil
}

// readChunks grows its buffer only as bytes arrive, so that an announced length
// costs nothing.
func readChunks(r io.Reader, n uint64) ([]byte, error) {
	const chunk = 1 << 20
	var b []byte
	for uint64(len(b)) < n {
		from := len(b)
		b = append(b, make([]byte, min(n-uint64(from), chunk))...)
		m, err := io.ReadFull(r, b[from:])
		if err != nil {
			return b[:from+m], err
		}
	}
	return b, nil
}

func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the file ends too early", ErrFormat)
	}
	return err
}

type sliceReader struct{ data []byte }

func (s *sliceReader) Read(b []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, s.data)
	s.data = s.data[n:]
	return n, nil
}

func (s *sliceReader) take(n uint64) ([]byte, error) {
	if n > uint64(len(s.data)) {
		return nil, io.ErrUnexpectedEOF
	}
	b := s.data[:n:n]
	s.data = s.data[n:]
	return b, nil
}
