package dataset

import (
	"encoding/binary"
	"math"
)

// element is the type of the elements of an IDX file.
type element struct {
	size    int // bytes
	convert func(dst []float64, src []byte)
}

// elements are keyed by the type byte of the header. Numbers are big-endian.
var elements = map[byte]element{
	0x08: {1, func(dst []float64, src []byte) {
		for i, b := range src {
			dst[i] = float64(b)
		}
	}},
	0x09: {1, func(dst []float64, src []byte) {
		for i, b := range src {
			dst[i] = float64(int8(b))
		}
	}},
	0x0b: {2, func(dst []float64, src []byte) {
		for i := range dst {
			dst[i] = float64(int16(binary.BigEndian.Uint16(src[2*i:])))
		}
	}},
	0x0c: {4, func(dst []float64, src []byte) {
		for i := range dst {
			dst[i] = float64(int32(binary.BigEndian.Uint32(src[4*i:])))
		}
	}},
	0x0d: {4, func(dst []float64, src []byte) {
		for i := range dst {
			dst[i] = float64(math.Float32frombits(binary.BigEndian.Uint32(src[4*i:])))
		}
	}},
	0x0e: {8, func(dst []float64, src []byte) {
		for i := range dst {
			dst[i] = math.Float64frombits(binary.BigEndian.Uint64(src[8*i:]))
		}
	}},
}
