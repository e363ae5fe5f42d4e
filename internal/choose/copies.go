package choose

import (
	"encoding/binary"
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// withoutCopies returns the order without rows that repeat an earlier one, targets and
// all: such a row, left out, is told by its copy. Where equal rows have different targets
// they are taken to be what the data is like, and all stay.
func withoutCopies(x compute.Points, y compute.Matrix, labels, order []int) []int {
	targetOf := map[string]string{}
	kept, key := make([]int, 0, len(order)), []byte(nil)
	for _, i := range order {
		target := ""
		if labels != nil {
			target = string(binary.AppendVarint(nil, int64(labels[i])))
		} else {
			target = bitsOf(compute.Row(y, i))
		}
		key = x.AppendKey(key[:0], i)
		before, known := targetOf[string(key)]
		if known && before != target {
			return order
		}
		if !known {
			targetOf[string(key)] = target
			kept = append(kept, i)
		}
	}
	return kept
}

// bitsOf returns numbers as a key, −0 as 0.
func bitsOf(v []float64) string {
	key := make([]byte, 0, 8*len(v))
	for _, u := range v {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(u+0))
	}
	return string(key)
}
