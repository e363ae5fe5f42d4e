package learn

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
)

// numbers returns the numbers of the rows of a batch. They are hashes of file and line, so
// they depend neither on batch boundaries nor on the order of reading.
func numbers(b *rows.Batch) []uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(b.Source)) // a hash cannot fail
	source := h.Sum64()
	list := make([]uint64, b.Rows)
	for i := range list {
		list[i] = mix(source ^ mix(uint64(b.Row(i))))
	}
	return list
}

// mix is the finaliser of SplitMix64, a bijection.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// shape holds the dimensions that all rows share.
type shape struct{ cols, outputs int }

// check validates a batch and compares its shape with earlier batches.
func (s *shape) check(b *rows.Batch) error {
	if err := b.Check(); err != nil {
		return err
	}
	if b.Cols == 0 || b.Outputs == 0 {
		return fmt.Errorf("learn: %s has rows of %d columns and %d targets, want numbers of both: %w", b.Source, b.Cols, b.Outputs, rkhs.ErrShape)
	}
	if s.cols == 0 {
		*s = shape{b.Cols, b.Outputs}
	}
	if *s != (shape{b.Cols, b.Outputs}) {
		return fmt.Errorf("learn: %s has rows of %d columns and %d targets, others have %d and %d: %w", b.Source, b.Cols, b.Outputs, s.cols, s.outputs, rkhs.ErrShape)
	}
	return nil
}

// pick returns a copy of the listed rows. It keeps only inputs, targets and weights.
func pick(b *rows.Batch, list []int) rows.Batch {
	p := rows.Batch{Rows: len(list), Cols: b.Cols, Outputs: b.Outputs}
	if b.Offsets != nil {
		p.Offsets = make([]int, 1, len(list)+1)
	}
	for _, i := range list {
		if b.Offsets != nil {
			p.Columns = append(p.Columns, b.Columns[b.Offsets[i]:b.Offsets[i+1]]...)
			p.Values = append(p.Values, b.Values[b.Offsets[i]:b.Offsets[i+1]]...)
			p.Offsets = append(p.Offsets, len(p.Values))
		} else {
			p.Values = append(p.Values, b.Values[i*b.Cols:(i+1)*b.Cols]...)
		}
		p.Targets = append(p.Targets, b.Targets[i*b.Outputs:(i+1)*b.Outputs]...)
		if b.Weights != nil {
			p.Weights = append(p.Weights, b.Weights[i])
		}
	}
	return p
}

// join returns the rows of batches of one shape. It keeps only inputs, targets and weights.
// The result is sparse only if all parts are.
func join(parts []rows.Batch) (all rows.Batch) {
	sparse, weighted := true, false
	for i := range parts {
		sparse = sparse && parts[i].Offsets != nil
		weighted = weighted || parts[i].Weights != nil
	}
	if sparse {
		all.Offsets = []int{0}
	}
	for i := range parts {
		p := &parts[i]
		all.Rows, all.Cols, all.Outputs = all.Rows+p.Rows, p.Cols, p.Outputs
		appendInputs(&all, p, sparse)
		all.Targets = append(all.Targets, p.Targets...)
		switch {
		case p.Weights != nil:
			all.Weights = append(all.Weights, p.Weights...)
		case weighted:
			all.Weights = append(all.Weights, slices.Repeat([]float64{1}, p.Rows)...)
		}
	}
	return all
}

// appendInputs appends the inputs of p to a sparse or dense batch.
func appendInputs(all, p *rows.Batch, sparse bool) {
	if sparse {
		from, to, behind := p.Offsets[0], p.Offsets[p.Rows], len(all.Values)
		all.Columns, all.Values = append(all.Columns, p.Columns[from:to]...), append(all.Values, p.Values[from:to]...)
		for _, end := range p.Offsets[1:] {
			all.Offsets = append(all.Offsets, behind+end-from)
		}
		return
	}
	if p.Offsets == nil {
		all.Values = append(all.Values, p.Values...)
		return
	}
	for i := range p.Rows {
		row := make([]float64, p.Cols)
		for k := p.Offsets[i]; k < p.Offsets[i+1]; k++ {
			row[p.Columns[k]] = p.Values[k]
		}
		all.Values = append(all.Values, row...)
	}
}
