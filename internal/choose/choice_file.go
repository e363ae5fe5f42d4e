package choose

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Formats of an encoded search result.
const (
	noChoice     = iota
	wholeKernels // each trial has its own kernel file: the format before scales were shared
	sharedScales // each set of column scales once, then kernels that refer to them
)

// EncodeChoice writes a search result for DecodeChoice to read. Column scales can be
// long and many trials share them, so each set is written once.
func EncodeChoice(e *codec.Encoder, c kernel.SearchResult) error {
	if c.Kernel == nil {
		e.Byte(noChoice)
		return nil
	}
	e.Byte(sharedScales)
	e.Bool(c.Stopped)
	e.Int(len(c.Curve))
	trials := append([]kernel.Trial{c.Trial, c.Exact}, c.Curve...)
	scales := scalesOf(trials)
	e.Int(len(scales))
	for _, s := range scales {
		e.Float64s(s)
	}
	for _, t := range trials {
		of, at := t.Kernel, len(scales)
		if ard, ok := of.(kernel.ARD); ok {
			of, at = ard.Of, indexOf(scales, ard.Scales)
		}
		e.Int(at)
		if err := e.Nested(kernel.Marshal(of)); err != nil {
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

// scalesOf returns the distinct column scales of the trials.
func scalesOf(trials []kernel.Trial) (scales [][]float64) {
	for _, t := range trials {
		if ard, ok := t.Kernel.(kernel.ARD); ok && indexOf(scales, ard.Scales) < 0 {
			scales = append(scales, ard.Scales)
		}
	}
	return scales
}

// indexOf returns the index of s in list, or −1.
func indexOf(list [][]float64, s []float64) int {
	return slices.IndexFunc(list, func(t []float64) bool { return slices.Equal(s, t) })
}

// DecodeChoice reads the output of any version of EncodeChoice.
func DecodeChoice(d *codec.Decoder) kernel.SearchResult {
	form := d.Byte()
	if form > sharedScales {
		d.Fail("a choice of form %d", form)
	}
	if d.Err() != nil || form == noChoice {
		return kernel.SearchResult{}
	}
	c := kernel.SearchResult{Stopped: d.Bool()}
	curve := d.Count(trialBytes)
	kernelOf := func() kernel.Kernel { return codec.Nested(d, kernel.Unmarshal) }
	if form == sharedScales {
		kernelOf = scaledKernels(d)
	}
	c.Trial, c.Exact = decodeTrial(d, kernelOf), decodeTrial(d, kernelOf)
	for range curve {
		c.Curve = append(c.Curve, decodeTrial(d, kernelOf))
	}
	return c
}

// scaledKernels reads the column scales and returns a function that reads a kernel with them.
func scaledKernels(d *codec.Decoder) func() kernel.Kernel {
	scales := make([][]float64, d.Count(8))
	for i := range scales {
		scales[i] = d.Float64s()
	}
	return func() kernel.Kernel {
		at, of := d.Int(), codec.Nested(d, kernel.Unmarshal)
		if at < 0 || at > len(scales) {
			d.Fail("scales %d of %d", at, len(scales))
		}
		if d.Err() != nil || at == len(scales) {
			return of
		}
		k := kernel.ARD{Scales: scales[at], Of: of}
		if err := gram.Validate(k); err != nil {
			d.Fail("%v", err)
		}
		return k
	}
}

// trialBytes is a lower bound on the size of an encoded trial.
const trialBytes = 49

func decodeTrial(d *codec.Decoder, kernelOf func() kernel.Kernel) kernel.Trial {
	return kernel.Trial{Kernel: kernelOf(), Rows: d.Int(),
		Noise: d.Float64(), Error: d.Float64(), StandardError: d.Float64(), Wrong: d.Float64(), AtEdge: d.Bool()}
}
