package learn

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// deal assigns rows to shards.
type deal struct {
	Shards int
	Seed   uint64
	gather gather
	emit   func(int, dealt)
}

// StartBundle resets the state after a failed bundle.
func (f *deal) StartBundle(_ context.Context, emit func(int, dealt)) error {
	f.gather, f.emit = gather{}, emit
	return nil
}

// ProcessElement adds a batch.
func (f *deal) ProcessElement(_ context.Context, b rows.Batch, emit func(int, dealt)) error {
	f.emit = emit
	return f.gather.add(&b, f.out)
}

// out emits the buffered rows by shard.
func (f *deal) out(all rows.Batch, numbers []uint64) error {
	lists := make([][]int, f.Shards)
	for i, number := range numbers {
		k := rng.Hash(f.Seed, "learn shard", number) % uint64(f.Shards)
		lists[k] = append(lists[k], i)
	}
	for k, list := range lists {
		if len(list) == 0 {
			continue
		}
		d := dealt{rows: pick(&all, list)}
		for _, i := range list {
			d.numbers = append(d.numbers, numbers[i])
		}
		f.emit(k, d)
	}
	return nil
}

// FinishBundle emits the remaining rows.
func (f *deal) FinishBundle(_ context.Context, emit func(int, dealt)) error {
	f.emit = emit
	err := f.gather.flush(f.out)
	f.emit = nil
	return err
}

// dealt holds rows of a shard with their numbers.
type dealt struct {
	numbers []uint64
	rows    rows.Batch
}

func encodeDealt(d dealt) []byte {
	var buf []byte
	for _, v := range d.numbers {
		buf = binary.LittleEndian.AppendUint64(buf, v)
	}
	buf = append(buf, rows.Encode(d.rows)...)
	return binary.LittleEndian.AppendUint64(buf, uint64(len(d.numbers)))
}

// decodeDealt returns an error that wraps rkhs.ErrFormat for invalid data.
func decodeDealt(data []byte) (d dealt, err error) {
	bad := fmt.Errorf("learn: %d bytes of rows of a shard: %w", len(data), rkhs.ErrFormat)
	if len(data) < 8 {
		return d, bad
	}
	rest := data[:len(data)-8]
	count := binary.LittleEndian.Uint64(data[len(rest):])
	if count > uint64(len(rest)/8) {
		return d, bad
	}
	for range count {
		d.numbers = append(d.numbers, binary.LittleEndian.Uint64(rest))
		rest = rest[8:]
	}
	if d.rows, err = rows.Decode(rest); err == nil && d.rows.Rows != len(d.numbers) {
		err = bad
	}
	return d, err
}

// sorted returns the rows of pieces ordered by number, and by values for equal numbers.
func sorted(pieces []dealt) rows.Batch {
	var parts []rows.Batch
	var numbers []uint64
	for _, d := range pieces {
		parts, numbers = append(parts, d.rows), append(numbers, d.numbers...)
	}
	all := join(parts)
	order := make([]int, all.Rows)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(numbers[i], numbers[j]), compareRows(&all, i, j))
	})
	return pick(&all, order)
}

// gathered returns the rows of a shard, or no rows if all weights are zero. Call it before
// taking a lock: a waiting bundle with unread rows blocks the stream of all bundles of the
// worker.
func gathered(pieces func(*dealt) bool) rows.Batch {
	var list []dealt
	var d dealt
	for pieces(&d) {
		list = append(list, d)
		d = dealt{}
	}
	if b := sorted(list); counts(&b) {
		return b
	}
	return rows.Batch{}
}
