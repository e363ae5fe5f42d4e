package doublysgd

import (
	"math"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// encode writes what regenerates the features, and the coefficients. The size
// does not depend on d.
func (e *expansion) encode(c *codec.Encoder) error {
	if err := c.Nested(kernel.Marshal(e.m.Kernel())); err != nil {
		return err
	}
	c.Int(e.m.Dim())
	c.Uint64(e.options.Seed)
	c.Int(e.options.Columns)
	c.Int(int(e.options.Sampler))
	c.Int(e.outputs)
	c.Float64(e.scale)
	encodeBlocks(c, e.blocks)
	c.Bool(e.mean != nil)
	if e.mean != nil {
		e.mean.encode(c)
	}
	return nil
}

// decodeExpansion returns nil if the contents are at fault. The features of
// blocks are kept in up to budget bytes.
func decodeExpansion(d *codec.Decoder, budget int64) *expansion {
	k, dim := codec.Nested(d, kernel.Unmarshal), d.Int()
	o := features.Options{Seed: d.Uint64(), Columns: d.Int()}
	o.Sampler = features.Sampler(smallInt(d))
	outputs, scale := d.Int(), d.Finite()
	if d.Err() == nil && (outputs < 1 || o.Columns < 1 || dim < 1 || !(scale >= smallestScale && scale <= 1)) {
		d.Fail("%d inputs, %d columns, %d outputs, scale %v", dim, o.Columns, outputs, scale)
	}
	if d.Err() != nil {
		return nil
	}
	m, err := features.New(k, dim, o)
	if err != nil {
		d.Fail("%v", err)
		return nil
	}
	blocks := decodeBlocks(d, m.Columns(), outputs)
	var average *mean
	if d.Bool() {
		average = decodeMean(d, m.Columns(), outputs, len(blocks))
	}
	if d.Err() != nil {
		return nil
	}
	e := newExpansion(m, o, outputs, budget)
	e.scale, e.blocks, e.mean = scale, blocks, average
	return e
}

func encodeBlocks(c *codec.Encoder, blocks []compute.Matrix) {
	c.Int(len(blocks))
	for _, a := range blocks {
		c.Matrix(a)
	}
}

// decodeBlocks reads blocks that must all be columns×outputs.
func decodeBlocks(d *codec.Decoder, columns, outputs int) []compute.Matrix {
	var blocks []compute.Matrix
	for n := d.Count(16); n > 0 && d.Err() == nil; n-- {
		a := d.Matrix()
		if d.Err() == nil && (a.Rows != columns || a.Cols != outputs) {
			d.Fail("coefficients are %d×%d, want %d×%d", a.Rows, a.Cols, columns, outputs)
		}
		blocks = append(blocks, a)
	}
	return blocks
}

func (m *mean) encode(c *codec.Encoder) {
	c.Int(m.steps)
	c.Float64(m.sum)
	c.Float64(m.weight)
	encodeBlocks(c, m.blocks)
}

func decodeMean(d *codec.Decoder, columns, outputs, count int) *mean {
	m := &mean{steps: d.Int(), sum: d.Finite(), weight: d.Finite(), blocks: decodeBlocks(d, columns, outputs)}
	if d.Err() == nil && (m.steps < 0 || m.sum < 0 || m.weight < 0 || len(m.blocks) != count) {
		d.Fail("%d steps and %d averaged blocks, want %d", m.steps, len(m.blocks), count)
	}
	return m
}

// smallInt reads an integer that fits a byte.
func smallInt(d *codec.Decoder) uint8 {
	v := d.Int()
	if v < 0 || v > math.MaxUint8 {
		d.Fail("%d is out of range", v)
		return 0
	}
	return uint8(v)
}
