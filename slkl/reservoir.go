package slkl

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// reservoir is a sample of the rows of a learner, which calibrates its models. It holds the rows with
// the lowest hashes of their numbers, so it does not depend on the batches.
type reservoir struct {
	hash []uint64 // ascending
	rows task
}

// add adds rows by their numbers or, without numbers, by their positions from first on.
func (v *reservoir) add(k task, first int, seed uint64) {
	hash := make([]uint64, k.x.Rows)
	var rows []int
	limit := uint64(math.MaxUint64)
	if n := len(v.hash); n == calibrate.Enough {
		limit = v.hash[n-1]
	}
	for i := range hash {
		number := uint64(first + i)
		if k.numbers != nil {
			number = k.numbers[i]
		}
		if hash[i] = rng.Hash(seed, "slkl rows to calibrate by", number); hash[i] < limit {
			rows = append(rows, i)
		}
	}
	if len(rows) > 0 {
		v.merge(reservoir{compute.PickOf(hash, rows), k.pick(new(compute.Points), rows)})
	}
}

// merge adds the rows of w.
func (v *reservoir) merge(w reservoir) {
	if len(w.hash) == 0 {
		return
	}
	hash, rows := w.hash, w.rows
	if len(v.hash) > 0 {
		hash, rows = slices.Concat(v.hash, w.hash), v.rows.with(w.rows)
	}
	order := compute.Indices(len(hash))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(hash[i], hash[j]) })
	order = order[:min(len(order), calibrate.Enough)]
	*v = reservoir{compute.PickOf(hash, order), rows.pick(new(compute.Points), order)}
}

// with returns the rows of k and m.
func (k task) with(m task) task {
	all := task{x: compute.StackPoints([]compute.Points{k.x, m.x}), y: compute.Stack(k.y, m.y),
		classes: slices.Concat(k.classes, m.classes)}
	if k.weights != nil || m.weights != nil {
		for _, t := range []task{k, m} {
			for i := range t.x.Rows {
				all.weights = append(all.weights, t.weights.At(i))
			}
		}
	}
	return all
}

func (v *reservoir) encode(e *codec.Encoder) {
	e.Int(len(v.hash))
	if len(v.hash) == 0 {
		return
	}
	for _, h := range v.hash {
		e.Uint64(h)
	}
	k := v.rows
	e.Fields(&k.x, &k.y, &k.classes)
	e.Float64s(k.weights)
}

// decodeReservoir reads a reservoir of rows with the given numbers of inputs and outputs.
func decodeReservoir(d *codec.Decoder, inputs, outputs int) (v reservoir) {
	for range d.Count(8) {
		v.hash = append(v.hash, d.Uint64())
	}
	n := len(v.hash)
	if n == 0 || d.Err() != nil {
		return v
	}
	k := &v.rows
	d.Fields(&k.x, &k.y, &k.classes)
	k.weights = d.Weights(k.x.Rows)
	if len(k.classes) == 0 {
		k.classes = nil
	}
	if d.Err() == nil && (n > calibrate.Enough || !slices.IsSorted(v.hash) || k.x.Rows != n || k.x.Cols != inputs ||
		k.y.Rows != n || k.y.Cols != outputs || len(k.classes) != n && k.classes != nil || !compute.AllFinite(k.y)) {
		d.Fail("%d hashes of %d×%d rows with %d×%d targets and %d classes",
			n, k.x.Rows, k.x.Cols, k.y.Rows, k.y.Cols, len(k.classes))
	}
	return v
}
