package loss_test

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/loss"
)

type userDefined struct{}

func (userDefined) Curvature() float64 { return 1 }
func (userDefined) String() string     { return "foreign" }

// userDefinedScalar cannot be compared with ==.
type userDefinedScalar struct {
	userDefined
	table []float64
}

func (l userDefinedScalar) Value(f, y float64) float64      { return l.table[0] * f }
func (l userDefinedScalar) Derivative(f, y float64) float64 { return l.table[0] }

func all() []loss.Loss {
	var out []loss.Loss
	for _, l := range append(regression, margins...) {
		out = append(out, l)
	}
	for _, l := range multiclass {
		out = append(out, l)
	}
	return out
}

func TestCheck(t *testing.T) {
	for _, l := range append(all(), userDefinedScalar{}) {
		if err := loss.Check(l); err != nil {
			t.Errorf("%v: %v", l, err)
		}
	}
	bad := []loss.Loss{
		nil, userDefined{}, loss.Huber{}, loss.Huber{Delta: -1}, loss.Huber{Delta: math.NaN()}, loss.Huber{Delta: math.Inf(1)},
		loss.EpsilonInsensitive{Epsilon: -1}, loss.EpsilonInsensitive{Epsilon: math.NaN()},
		loss.Pinball{}, loss.Pinball{Tau: 1}, loss.Pinball{Tau: math.NaN()},
	}
	for _, l := range bad {
		if err := loss.Check(l); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%v: %v", l, err)
		}
		if _, err := loss.Marshal(l); err == nil {
			t.Errorf("%v was saved", l)
		}
	}
	if err := loss.Check(loss.Huber{Delta: -2}); !strings.Contains(err.Error(), "Delta") || !strings.Contains(err.Error(), "-2") {
		t.Errorf("the error does not name the field and its value: %v", err)
	}
}

func TestFilesRefused(t *testing.T) {
	for _, l := range []loss.Loss{userDefinedScalar{}, &userDefinedScalar{}, struct{ loss.Squared }{}} {
		if _, err := loss.Marshal(l); !errors.Is(err, rkhs.ErrFormat) || !strings.HasPrefix(err.Error(), "loss: ") || !strings.Contains(err.Error(), "loss.Register") {
			t.Errorf("%T, which is not registered: %v", l, err)
		}
	}
	file := func(version uint16, name string, parameters ...float64) []byte {
		var e codec.Encoder
		e.String(name)
		for _, p := range parameters {
			e.Float64(p)
		}
		return codec.Marshal("loss", version, e.Payload())
	}
	registered := func(data []byte) []byte {
		var e codec.Encoder
		e.String("example.org/scaled")
		e.Bytes(data)
		return codec.Marshal("loss", 1, e.Payload())
	}
	for name, data := range map[string][]byte{
		"nothing":               nil,
		"another version":       file(9, "Squared"),
		"an unknown name":       file(1, "Cubed", 0),
		"no parameter":          file(1, "Huber"),
		"bytes of no loss":      registered([]byte("x")),
		"a loss out of range":   registered(binary.LittleEndian.AppendUint64(nil, math.Float64bits(-2))),
		"a parameter":           file(1, "Huber", -1),
		"a parameter of none":   file(1, "Squared", 1),
		"a truncated file":      file(1, "Pinball", 0.5)[:40],
		"the file of something": codec.Marshal("kernel", 1, nil),
	} {
		if l, err := loss.Unmarshal(data); l != nil || !errors.Is(err, rkhs.ErrFormat) || !strings.HasPrefix(err.Error(), "loss: ") {
			t.Errorf("%s: %v, error %v", name, l, err)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, l := range append(all(), scaled{3}) {
		data, _ := loss.Marshal(l)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := loss.Unmarshal(data)
		if err != nil {
			return
		}
		again, err := loss.Marshal(l)
		if err != nil || string(again) != string(data) {
			t.Errorf("%v was read from what it does not write: %v", l, err)
		}
	})
}
