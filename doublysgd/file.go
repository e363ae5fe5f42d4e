package doublysgd

import (
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

const fileVersion = 1

// pack frames what encode writes.
func pack(kind string, encode func(*codec.Encoder) error) ([]byte, error) {
	var e codec.Encoder
	if err := encode(&e); err != nil {
		return nil, fmt.Errorf("doublysgd: %w", err)
	}
	return codec.Marshal(kind, fileVersion, e.Payload()), nil
}

// unmarshal stores in dst what decode reads from a file of the given kind,
// unless there is anything wrong.
func unmarshal[T any](dst *T, data []byte, kind string, decode func(*codec.Decoder) T) error {
	version, payload, err := codec.Unmarshal(data, kind)
	return unpack(dst, version, payload, err, decode)
}

// read is unmarshal from a stream, of which it takes no more than the file.
func read[T any](dst *T, r io.Reader, kind string, decode func(*codec.Decoder) T) (int64, error) {
	version, payload, n, err := codec.Read(r, kind)
	return n, unpack(dst, version, payload, err, decode)
}

func unpack[T any](dst *T, version uint16, payload []byte, err error, decode func(*codec.Decoder) T) error {
	if err == nil && version != fileVersion {
		err = fmt.Errorf("%w: version %d is unknown, this library reads %d", rkhs.ErrFormat, version, fileVersion)
	}
	if err != nil {
		return fmt.Errorf("doublysgd: %w", err)
	}
	d := codec.NewDecoder(payload)
	v := decode(d)
	if err := d.Close(); err != nil {
		return fmt.Errorf("doublysgd: %w", err)
	}
	*dst = v
	return nil
}

func write(w io.Writer, v interface{ MarshalBinary() ([]byte, error) }) (int64, error) {
	data, err := v.MarshalBinary()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	return int64(n), err
}
