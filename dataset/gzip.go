package dataset

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
)

// bufferSize is that of every buffer between a file and its values, in bytes.
const bufferSize = 64 << 10

// inflate returns the contents of r, decompressed if they begin with the two
// magic bytes of gzip. Errors in reading come through damage.
func inflate(r io.Reader) (*bufio.Reader, error) {
	if door.IsNil(r) {
		return nil, fmt.Errorf("the reader is nil: %w", rkhs.ErrEmpty)
	}
	b := bufio.NewReaderSize(r, bufferSize)
	if head, err := b.Peek(2); err != nil || head[0] != 0x1f || head[1] != 0x8b {
		return b, nil // an error of the source comes again with the first read
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("gzip header: %w", damage(err))
	}
	return bufio.NewReaderSize(z, bufferSize), nil
}

// damage adds rkhs.ErrFormat to the errors that mean that a file was cut off or
// corrupted, as against one that could not be read.
func damage(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the file is cut off: %w", rkhs.ErrFormat)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return fmt.Errorf("%w: %w", err, rkhs.ErrFormat)
	}
	return err
}
