package learn

import (
	"bytes"
	"encoding/gob"
	"fmt"

	"github.com/rkhs-go/rkhs"
)

// encodeGob encodes a value that workers exchange.
func encodeGob(v any) ([]byte, error) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(v)
	return buf.Bytes(), err
}

// decodeGob returns an error that wraps rkhs.ErrFormat for invalid data.
func decodeGob[V any](data []byte) (v V, err error) {
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&v); err != nil {
		return v, fmt.Errorf("learn: bytes of a %T: %v: %w", v, err, rkhs.ErrFormat)
	}
	return v, nil
}
