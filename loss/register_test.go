package loss_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/loss"
)

// scaled is Absolute times Price.
type scaled struct{ Price float64 }

func (s scaled) Value(f, y float64) float64 { return s.Price * loss.Absolute{}.Value(f, y) }

func (s scaled) Derivative(f, y float64) float64 { return s.Price * loss.Absolute{}.Derivative(f, y) }

func (s scaled) Curvature() float64 { return math.Inf(1) }

func (s scaled) Validate() error {
	if s.Price > 0 {
		return nil
	}
	return errors.New("test: Price must be positive")
}

func (s scaled) String() string { return fmt.Sprintf("scaled{Price: %v}", s.Price) }

func (s scaled) MarshalBinary() ([]byte, error) {
	if s.Price == 13 {
		return nil, errUnlucky
	}
	return binary.LittleEndian.AppendUint64(nil, math.Float64bits(s.Price)), nil
}

var errUnlucky = errors.New("unlucky")

func unmarshalScaled(data []byte) (scaled, error) {
	if len(data) != 8 {
		return scaled{}, fmt.Errorf("%d bytes", len(data))
	}
	return scaled{math.Float64frombits(binary.LittleEndian.Uint64(data))}, nil
}

func init() { loss.Register("example.org/scaled", unmarshalScaled) }

func TestRegistered(t *testing.T) {
	for _, l := range []loss.Loss{scaled{3}, &scaled{3}} {
		data, err := loss.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := loss.Unmarshal(data); err != nil || back != (scaled{3}) {
			t.Errorf("%T came back as %v, error %v", l, back, err)
		}
	}
	if _, err := loss.Marshal(scaled{13}); !errors.Is(err, errUnlucky) {
		t.Errorf("error %v, want that of MarshalBinary", err)
	}
}

type renamed struct{ scaled }

func TestRegisterTwice(t *testing.T) {
	for name, do := range map[string]func(){
		"a name that is taken":   func() { loss.Register("example.org/scaled", func([]byte) (renamed, error) { return renamed{}, nil }) },
		"a type that is taken":   func() { loss.Register("example.org/again", unmarshalScaled) },
		"the name of a built-in": func() { loss.Register("Huber", func([]byte) (renamed, error) { return renamed{}, nil }) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			do()
		}()
	}
}
