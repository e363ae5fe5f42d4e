package testutil

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rkhs-go/rkhs/kernel"
)

// toyKernel is a Gaussian of a user, with a fault.
type toyKernel struct {
	fault
	Sigma float64
}

func init() {
	kernel.Register("test/toyKernel", func(data []byte) (toyKernel, error) {
		if len(data) != 8 {
			return toyKernel{}, errors.New("not eight bytes")
		}
		return toyKernel{Sigma: math.Float64frombits(binary.LittleEndian.Uint64(data))}, nil
	})
}

func (k toyKernel) Eval(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += (v - y[i]) * (v - y[i])
	}
	switch k.fault {
	case "not symmetric":
		return math.Exp(-s/(2*k.Sigma*k.Sigma)) * (1 + 1e-9*x[0])
	case "not definite":
		return 1 - s
	}
	return math.Exp(-s / (2 * k.Sigma * k.Sigma))
}

func (k toyKernel) String() string {
	if k.fault == "prints no expression" {
		return fmt.Sprintf("toy kernel %v", k.Sigma)
	}
	return fmt.Sprintf("toyKernel{Sigma: %v}", k.Sigma)
}

func (k toyKernel) MarshalBinary() ([]byte, error) {
	sigma := k.Sigma
	if k.fault == "saved in single precision" {
		sigma = float64(float32(sigma))
	}
	return binary.LittleEndian.AppendUint64(nil, math.Float64bits(sigma)), nil
}

// radialKernel computes values in blocks.
type radialKernel struct{ toyKernel }

func (k radialKernel) OfSquaredDistance(d []float64) {
	sigma := k.Sigma
	for i, v := range d {
		switch k.fault {
		case "another value in blocks":
			sigma = k.Sigma * (1 + 1e-9)
		case "another value at random":
			sigma = k.Sigma * (1 + 1e-15*float64(rand.IntN(2)))
		}
		d[i] = math.Exp(-v / (2 * sigma * sigma))
	}
}

// parametricKernel has gradients.
type parametricKernel struct{ toyKernel }

func (k parametricKernel) Parameters() []kernel.Parameter {
	list := []kernel.Parameter{{Name: "Sigma", Value: k.Sigma}}
	if k.fault == "two of a name" {
		list = append(list, list[0])
	}
	return list
}

func (k parametricKernel) WithParameters(v []float64) kernel.Kernel {
	return parametricKernel{toyKernel{k.fault, v[0]}}
}

func (k parametricKernel) LogGradient(dst, x, y []float64) int {
	v := k.Eval(x, y)
	dst[0] = v * -2 * math.Log(v)
	switch k.fault {
	case "half a gradient":
		dst[0] /= 2
	case "a number too many":
		dst[1] = 0
	}
	return 1
}

func (k parametricKernel) ScaleGradient(dst, x, y []float64) {
	v := k.Eval(x, y)
	for i := range dst {
		dst[i] = v * (x[i] - y[i]) * (x[i] - y[i]) / (k.Sigma * k.Sigma)
		if k.fault == "no square" {
			dst[i] = v * math.Abs(x[i]-y[i]) / (k.Sigma * k.Sigma)
		}
	}
}

// positiveKernel is a kernel of nonnegative points.
type positiveKernel struct{ toyKernel }

func (k positiveKernel) Outside(x []float64) (column int, reason string) {
	for i, v := range x {
		if v < 0 {
			if k.fault == "another column" {
				i = 0
			}
			return i, "is negative"
		}
	}
	return -1, ""
}

func toyPoint(r *rand.Rand, x []float64) {
	for i := range x {
		x[i] = math.Abs(r.NormFloat64())
	}
}

func checksOf(k kernel.Kernel) []check {
	return kernelCheck{k: k, d: 2, point: toyPoint, r: rand.New(rand.NewPCG(1, 2))}.checks()
}

func TestCheckKernelPassesGoodKernels(t *testing.T) {
	good := toyKernel{Sigma: 1.1}
	t.Run("toy", func(t *testing.T) { CheckKernel(t, good, 2, toyPoint) })
	for _, k := range []kernel.Kernel{radialKernel{good}, parametricKernel{good}, positiveKernel{good}} {
		t.Run(fmt.Sprintf("%T", k), func(t *testing.T) {
			for _, c := range checksOf(k) {
				if c.name != "file" { // the types are not registered
					t.Run(c.name, func(t *testing.T) { c.run(t) })
				}
			}
		})
	}
}

func TestCheckKernelFindsFaults(t *testing.T) {
	of := func(fault fault) toyKernel { return toyKernel{fault, 1.1} }
	for _, f := range []struct {
		k kernel.Kernel
		finding
	}{
		{of("not symmetric"), finding{"not symmetric", "symmetry", "k(z, x)"}},
		{of("not definite"), finding{"not definite", "semidefinite", "not positive semidefinite"}},
		{of("prints no expression"), finding{"prints no expression", "text", "is no Go expression"}},
		{of("saved in single precision"), finding{"saved in single precision", "file", "the saved kernel gives"}},
		{radialKernel{of("another value in blocks")}, finding{"another value in blocks", "operations", "by Eval"}},
		{radialKernel{of("another value in blocks")}, finding{"another value in sparse blocks", "sparse", "by Eval"}},
		{radialKernel{of("another value at random")}, finding{"another value at random", "operations", "has other bits"}},
		{radialKernel{of("another value at random")}, finding{"another value in a batch", "batches", "without the rest"}},
		{parametricKernel{of("two of a name")}, finding{"two of a name", "log gradient", "the same name"}},
		{parametricKernel{of("half a gradient")}, finding{"half a gradient", "log gradient", "differences give"}},
		{parametricKernel{of("a number too many")}, finding{"a number too many", "log gradient", "LogGradient set"}},
		{parametricKernel{of("no square")}, finding{"no square", "scale gradient", "differences give"}},
		{positiveKernel{of("another column")}, finding{"another column", "domain", "does not name"}},
	} {
		f.expect(t, checksOf(f.k))
	}
}
