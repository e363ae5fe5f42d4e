package search

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestBasisOfAll uses an exact basis. The selection must be the best exact trial up to the
// rule for simpler families.
func TestBasisOfAll(t *testing.T) {
	x, y := wave(300, 2, 0.1)
	o := small
	o.Basis = func(dst compute.Matrix, k kernel.Kernel, _ float64, x compute.Points) bool {
		gram.Evaluator{Kernel: k}.GramOf(dst, x)
		return true
	}
	got := Tune(compute.DensePoints(x), y, nil, o)
	if got.Error < got.Exact.Error*(1-1e-9) || got.Error > 1.02*got.Exact.Error {
		t.Errorf("by the basis %v of %v, exactly %v of %v", got.Error, got.Kernel, got.Exact.Error, got.Exact.Kernel)
	}
}

// TestBasisOfOneFamily uses a basis that rejects Gaussians and shrinks other kernels.
func TestBasisOfOneFamily(t *testing.T) {
	x, y := wave(300, 2, 0.1)
	o := small
	o.Basis = func(dst compute.Matrix, k kernel.Kernel, _ float64, x compute.Points) bool {
		a, scaled := k.(kernel.ARD)
		if scaled {
			k = a.Of
		}
		if _, smooth := k.(kernel.Gaussian); smooth {
			return false
		}
		if scaled {
			k = kernel.ARD{Scales: a.Scales, Of: k}
		}
		gram.Evaluator{Kernel: kernel.Scale{By: 0.01, Of: k}}.GramOf(dst, x)
		return true
	}
	got := Tune(compute.DensePoints(x), y, nil, o)
	k := got.Kernel
	if a, ok := k.(kernel.ARD); ok {
		k = a.Of
	}
	if _, smooth := k.(kernel.Gaussian); smooth || got.Error < got.Exact.Error || got.Rows != 300 {
		t.Errorf("%+v, exactly %+v", got.Trial, got.Exact)
	}
}

// A basis may round its kernel relative to the noise it receives, which is at most the noise
// of any row. Tune requests a kernel again only for smaller noise.
func TestBasisNoise(t *testing.T) {
	x, y := wave(300, 2, 0.1)
	o := small
	o.Narrower, o.Weights = true, make([]float64, 300)
	for i := range o.Weights {
		o.Weights[i] = .5 + float64(i%2)
	}
	var last kernel.Kernel
	told := map[string]float64{}
	o.Basis = func(dst compute.Matrix, k kernel.Kernel, noise float64, x compute.Points) bool {
		name := fmt.Sprint(k)
		if at, again := told[name]; again && reflect.DeepEqual(k, last) && noise >= at {
			t.Errorf("%v again, at noise %v after %v", k, noise, at)
		}
		last, told[name] = k, noise
		// The basis represents wide kernels badly, so narrower kernels have lower errors.
		gram.Evaluator{Kernel: k}.GramOf(dst, x)
		for i := range dst.Rows {
			for j := range dst.Cols {
				dst.Data[i*dst.Stride+j] += .02 * math.Sin(float64(i*j))
			}
		}
		return true
	}
	got := Tune(compute.DensePoints(x), y, nil, o)
	if at, ok := told[fmt.Sprint(got.Kernel)]; !ok || at > got.Noise/1.5*(1+1e-12) || len(told) < 3 {
		t.Errorf("noise %v was told of %v, which has %v; %d kernels", at, got.Kernel, got.Noise, len(told))
	}
}

// TestTuneGiven fixes the kernel, the noise, and both.
func TestTuneGiven(t *testing.T) {
	x, y := wave(300, 2, 0.1)
	free := Tune(compute.DensePoints(x), y, nil, small)
	o := small
	o.Kernel = kernel.Scale{By: 100, Of: free.Kernel}
	of := Tune(compute.DensePoints(x), y, nil, o)
	if r := of.Noise / (100 * free.Noise); r < 0.1 || r > 10 || !reflect.DeepEqual(of.Kernel, o.Kernel) {
		t.Errorf("of a kernel that is 100 times as large: noise %v, of the kernel itself %v", of.Noise, free.Noise)
	}
	o = small
	o.Noise = 7
	given := Tune(compute.DensePoints(x), y, nil, o)
	for _, c := range given.Curve {
		if c.Noise != 7 {
			t.Fatalf("noise %v where 7 was given", c.Noise)
		}
	}
	o.Kernel = kernel.Gaussian{Sigma: 2}
	if both := Tune(compute.DensePoints(x), y, nil, o); len(both.Curve) != 1 || both.Noise != 7 || math.IsInf(both.Error, 0) {
		t.Errorf("of nothing to choose: %+v", both)
	}
}

func TestChoiceFile(t *testing.T) {
	x, y := wave(100, 2, 0.1)
	for _, c := range []kernel.SearchResult{{}, Tune(compute.DensePoints(x), y, nil, small)} {
		var e codec.Encoder
		if err := EncodeResult(&e, c); err != nil {
			t.Fatal(err)
		}
		d := codec.NewDecoder(e.Payload())
		if got := DecodeResult(d); d.Close() != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%+v, %v; want %+v", got, d.Err(), c)
		}
	}
}
