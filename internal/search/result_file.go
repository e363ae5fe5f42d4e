package search

import (
	"reflect"
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// EncodeResult writes a search result for DecodeResult to read. Column scales and knots can be
// long and many trials share them, so each set is written once.
func EncodeResult(e *codec.Encoder, c kernel.SearchResult) error {
	e.Bool(c.Kernel != nil)
	if c.Kernel == nil {
		return nil
	}
	e.Bool(c.Stopped)
	e.Int(len(c.Curve))
	trials := append([]kernel.Trial{c.Trial, c.Exact}, c.Curve...)
	var shared, inner []kernel.Kernel
	var at []int
	for _, t := range trials {
		outer, of := split(t.Kernel)
		i := slices.IndexFunc(shared, func(k kernel.Kernel) bool { return reflect.DeepEqual(k, outer) })
		if i < 0 {
			i, shared = len(shared), append(shared, outer)
		}
		at, inner = append(at, i), append(inner, of)
	}
	e.Int(len(shared))
	for _, k := range shared {
		if err := e.Nested(kernel.Marshal(k)); err != nil {
			return err
		}
	}
	for i, t := range trials {
		e.Int(at[i])
		if err := e.Nested(kernel.Marshal(inner[i])); err != nil {
			return err
		}
		e.Int(t.Rows)
		for _, v := range []float64{t.Noise, t.Error, t.StandardError, t.Wrong} {
			e.Float64(v)
		}
		e.Bool(t.AtEdge)
	}
	return nil
}

// inside marks the inner kernel in an outer one.
var inside = kernel.Gaussian{Sigma: 1}

// split splits k into the maps of the columns, around inside, and the kernel of the images.
func split(k kernel.Kernel) (outer, inner kernel.Kernel) {
	switch k := k.(type) {
	case kernel.ARD:
		k.Of, inner = split(k.Of)
		return k, inner
	case kernel.Warped:
		k.Of, inner = split(k.Of)
		return k, inner
	case kernel.OneHot:
		k.Of, inner = split(k.Of)
		return k, inner
	}
	return inside, k
}

// join reverses split.
func join(outer, inner kernel.Kernel) kernel.Kernel {
	switch k := outer.(type) {
	case kernel.ARD:
		k.Of = join(k.Of, inner)
		return k
	case kernel.Warped:
		k.Of = join(k.Of, inner)
		return k
	case kernel.OneHot:
		k.Of = join(k.Of, inner)
		return k
	}
	return inner
}

// DecodeResult reads the output of EncodeResult.
func DecodeResult(d *codec.Decoder) kernel.SearchResult {
	if !d.Bool() || d.Err() != nil {
		return kernel.SearchResult{}
	}
	c := kernel.SearchResult{Stopped: d.Bool()}
	curve := d.Count(trialBytes)
	shared := make([]kernel.Kernel, d.Count(8))
	for i := range shared {
		shared[i] = codec.Nested(d, kernel.Unmarshal)
	}
	c.Trial, c.Exact = decodeTrial(d, shared), decodeTrial(d, shared)
	for range curve {
		c.Curve = append(c.Curve, decodeTrial(d, shared))
	}
	return c
}

// decodeKernel reads a kernel with shared maps of the columns.
func decodeKernel(d *codec.Decoder, shared []kernel.Kernel) kernel.Kernel {
	at, inner := d.Int(), codec.Nested(d, kernel.Unmarshal)
	if at < 0 || at >= len(shared) {
		d.Fail("maps of columns %d of %d", at, len(shared))
	}
	if d.Err() != nil {
		return inner
	}
	k := join(shared[at], inner)
	if err := gram.Validate(k); err != nil {
		d.Fail("%v", err)
	}
	return k
}

// trialBytes is a lower bound on the size of an encoded trial.
const trialBytes = 49

func decodeTrial(d *codec.Decoder, shared []kernel.Kernel) kernel.Trial {
	return kernel.Trial{Kernel: decodeKernel(d, shared), Rows: d.Int(),
		Noise: d.Float64(), Error: d.Float64(), StandardError: d.Float64(), Wrong: d.Float64(), AtEdge: d.Bool()}
}
