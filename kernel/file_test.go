package kernel_test

import (
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	. "github.com/rkhs-go/rkhs/kernel"
)

// All later versions must read files of version 1.
func TestGoldenFile(t *testing.T) {
	var k Kernel = Sum{
		Scale{0.5, ARD{[]float64{1, 2}, Polynomial{Degree: 3, Offset: 1}}},
		LowRank{Gaussian{2}, mat.NewDense(1, 2, []float64{1, -1}), []float64{0.25}},
	}
	const golden = "524b48530100066b65726e656c0100cc00000000000000030000000000000053756d02000000000000000500000000000000" +
		"5363616c65000000000000e03f03000000000000004152440200000000000000000000000000f03f00000000000000400a00" +
		"000000000000506f6c796e6f6d69616c03000000000000000000000000000000000000000000f03f07000000000000004c6f" +
		"7752616e6b0800000000000000476175737369616e0000000000000040010000000000000002000000000000000000000000" +
		"00f03f000000000000f0bf0100000000000000000000000000d03f5c8d7182"
	data, err := Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(data); got != golden {
		t.Errorf("the file is\n%s", got)
	}
	file, err := hex.DecodeString(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Unmarshal(file); err != nil || !reflect.DeepEqual(got, k) {
		t.Errorf("the golden file gives %v, %v", got, err)
	}
}

type unregistered struct{ evalOnly }

func TestMarshalErrors(t *testing.T) {
	deep := Kernel(Linear{})
	for range 64 {
		deep = Scale{1, deep}
	}
	points := mat.NewDense(1, 1, []float64{1})
	low := LowRank{LowRank{LowRank{Linear{}, points, []float64{1}}, points, []float64{1}}, points, []float64{1}}
	for _, c := range []struct {
		k       Kernel
		want    error
		message string
	}{
		{nil, rkhs.ErrOption, "nil"},
		{Gaussian{-1}, rkhs.ErrOption, "Gaussian.Sigma"},
		{Sum{unregistered{}}, rkhs.ErrFormat, "kernel_test.unregistered is not registered"},
		{&unregistered{}, rkhs.ErrFormat, "*kernel_test.unregistered is not registered"},
		{deep, rkhs.ErrFormat, "nested"},
		{low, rkhs.ErrFormat, "nested"},
	} {
		if _, err := Marshal(c.k); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.message) || !strings.HasPrefix(err.Error(), "kernel: ") {
			t.Errorf("error %v, want one that is %q and says %q", err, c.want, c.message)
		}
	}
}

// payload writes a kernel by hand.
func payload(write func(e *codec.Encoder)) []byte {
	var e codec.Encoder
	write(&e)
	return codec.Marshal("kernel", 1, e.Payload())
}

func TestUnmarshalErrors(t *testing.T) {
	good, err := Marshal(Sum{Gaussian{1}, Linear{}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data    []byte
		message string
	}{
		"empty":       {nil, "early"},
		"truncated":   {good[:len(good)-1], "early"},
		"kind":        {codec.Marshal("slkl", 1, nil), "slkl"},
		"version":     {codec.Marshal("kernel", 77, nil), "version 77"},
		"no contents": {codec.Marshal("kernel", 1, nil), "truncated"},
		"name": {payload(func(e *codec.Encoder) { e.String("example.com/wavelet") }),
			`"example.com/wavelet" is not registered`},
		"parameter":  {payload(func(e *codec.Encoder) { e.String("Gaussian"); e.Float64(-1) }), "Gaussian.Sigma is -1"},
		"not finite": {payload(func(e *codec.Encoder) { e.String("Gaussian"); e.Float64(math.NaN()) }), "not finite"},
		"too long":   {payload(func(e *codec.Encoder) { e.String("Linear"); e.Float64(1) }), "8 bytes too many"},
		"many terms": {payload(func(e *codec.Encoder) { e.String("Sum"); e.Int(1 << 40) }), "announced"},
		"nested sums": {payload(func(e *codec.Encoder) {
			for range 1000 {
				e.String("Sum")
				e.Int(1)
			}
		}), "nested"},
		"large matrix": {payload(func(e *codec.Encoder) {
			e.String("LowRank")
			e.String("Linear")
			e.Int(1 << 30)
			e.Int(1 << 30)
		}), "announced"},
		"empty matrix": {payload(func(e *codec.Encoder) {
			e.String("LowRank")
			e.String("Linear")
			e.Int(1 << 40)
			e.Int(0)
			e.Float64s(nil)
		}), "×0 matrix"},
		"own": {payload(func(e *codec.Encoder) { e.String("test/evalOnly"); e.Bytes([]byte("x")) }), "test/evalOnly"},
	} {
		k, err := Unmarshal(c.data)
		if !errors.Is(err, rkhs.ErrFormat) || !strings.Contains(err.Error(), c.message) || !strings.HasPrefix(err.Error(), "kernel: ") {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.message)
		}
		if k != nil {
			t.Errorf("%s: a kernel came with the error", name)
		}
	}
}

func TestRegisterTwicePanics(t *testing.T) {
	decode := func([]byte) (k unregisteredToo, err error) { return }
	for _, name := range []string{"Gaussian", "test/evalOnly"} {
		if !panics(func() { Register(name, decode) }) {
			t.Errorf("%s: no panic", name)
		}
	}
	if !panics(func() { Register("test/again", func([]byte) (k evalOnly, err error) { return }) }) {
		t.Error("a type under two names: no panic")
	}
}

type unregisteredToo struct{ evalOnly }

// FuzzUnmarshal reads files, and payloads in a valid frame. It must write valid kernels and read them again.
func FuzzUnmarshal(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, e := range examples {
		data, err := Marshal(e.of(1 + r.IntN(3)))
		if err != nil {
			f.Fatal(err)
		}
		_, p, _ := codec.Unmarshal(data, "kernel")
		f.Add(data)
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, file := range [][]byte{data, codec.Marshal("kernel", 1, data)} {
			k, err := Unmarshal(file)
			if err != nil {
				if !errors.Is(err, rkhs.ErrFormat) {
					t.Fatalf("error %v", err)
				}
				continue
			}
			again, err := Marshal(k)
			if err != nil {
				t.Fatalf("%v cannot be saved: %v", k, err)
			}
			if _, err := Unmarshal(again); err != nil {
				t.Fatalf("%v cannot be loaded: %v", k, err)
			}
		}
	})
}
