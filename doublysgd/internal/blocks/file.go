package blocks

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// Encode writes the recipe of the features and the coefficients. The size
// does not depend on d.
func (f *Function) Encode(c *codec.Encoder) error {
	if err := c.Nested(kernel.Marshal(f.Map.Kernel())); err != nil {
		return err
	}
	c.Int(f.Map.Dim())
	c.Uint64(f.Options.Seed)
	c.Int(f.Options.Columns)
	c.Int(int(f.Options.Sampler))
	c.Int(f.Outputs)
	c.Float64(f.Scale)
	encodeBlocks(c, f.Blocks)
	c.Bool(f.Average != nil)
	if f.Average != nil {
		f.Average.encode(c)
	}
	return nil
}

// Decode returns nil if the contents are invalid. The features of blocks are kept in up to budget
// bytes.
func Decode(d *codec.Decoder, budget int64) *Function {
	k, dim := codec.Nested(d, kernel.Unmarshal), d.Int()
	o := features.Options{Seed: d.Uint64(), Columns: d.Int()}
	o.Sampler = codec.Enum[features.Sampler](d, math.MaxUint8)
	outputs, scale := d.Int(), d.Finite()
	if d.Err() == nil && (outputs < 1 || o.Columns < 1 || dim < 1 || !(scale >= smallestScale && scale <= 1)) {
		d.Fail("%d inputs, %d columns, %d outputs, scale %v", dim, o.Columns, outputs, scale)
	}
	if d.Err() != nil {
		return nil
	}
	e, err := Zero(k, dim, outputs, o, budget)
	if err != nil {
		d.Fail("%v", err)
		return nil
	}
	e.Blocks = decodeBlocks(d, e.Map.Columns(), outputs)
	if d.Bool() {
		e.Average = decodeAverage(d, e.Map.Columns(), outputs, len(e.Blocks))
	}
	if d.Err() != nil {
		return nil
	}
	e.Scale = scale
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

func (a *Average) encode(c *codec.Encoder) {
	c.Int(a.Steps)
	c.Float64(a.sum)
	c.Float64(a.Weight)
	encodeBlocks(c, a.Blocks)
}

func decodeAverage(d *codec.Decoder, columns, outputs, count int) *Average {
	m := &Average{Steps: d.Int(), sum: d.Finite(), Weight: d.Finite(), Blocks: decodeBlocks(d, columns, outputs)}
	if d.Err() == nil && (m.Steps < 0 || m.sum < 0 || m.Weight < 0 || len(m.Blocks) != count) {
		d.Fail("%d steps and %d averaged blocks, want %d", m.Steps, len(m.Blocks), count)
	}
	return m
}
