package loss

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

const (
	fileKind    = "loss"
	fileVersion = 1
)

// decoders makes each loss of this package from its name and its parameter,
// which is zero for those that have none.
var decoders = map[string]func(parameter float64) Loss{
	"Squared":            func(float64) Loss { return Squared{} },
	"Huber":              func(p float64) Loss { return Huber{Delta: p} },
	"EpsilonInsensitive": func(p float64) Loss { return EpsilonInsensitive{Epsilon: p} },
	"Absolute":           func(float64) Loss { return Absolute{} },
	"Pinball":            func(p float64) Loss { return Pinball{Tau: p} },
	"Hinge":              func(float64) Loss { return Hinge{} },
	"SquaredHinge":       func(float64) Loss { return SquaredHinge{} },
	"Logistic":           func(float64) Loss { return Logistic{} },
	"Softmax":            func(float64) Loss { return Softmax{} },
	"MulticlassHinge":    func(float64) Loss { return MulticlassHinge{} },
}

// Marshal returns l as a file. It is an error that wraps rkhs.ErrFormat if l is
// not a loss of this package, and one that wraps rkhs.ErrOption if its parameter
// is out of range.
func Marshal(l Loss) ([]byte, error) {
	name, parameter := fields(l)
	if name == "" {
		return nil, fmt.Errorf("loss: %v (%T) cannot be saved: it is not a loss of this package: %w", l, l, rkhs.ErrFormat)
	}
	if err := Check(l); err != nil {
		return nil, err
	}
	var e codec.Encoder
	e.String(name)
	e.Float64(parameter)
	return codec.Marshal(fileKind, fileVersion, e.Payload()), nil
}

func fields(l Loss) (name string, parameter float64) {
	switch l := l.(type) {
	case Huber:
		return "Huber", l.Delta
	case EpsilonInsensitive:
		return "EpsilonInsensitive", l.Epsilon
	case Pinball:
		return "Pinball", l.Tau
	}
	for name, decode := range decoders {
		if decode(0) == l {
			return name, 0
		}
	}
	return "", 0
}

// Unmarshal reads what Marshal wrote. Anything else is an error that wraps
// rkhs.ErrFormat.
func Unmarshal(data []byte) (Loss, error) {
	version, payload, err := codec.Unmarshal(data, fileKind)
	if err != nil {
		return nil, fmt.Errorf("loss: %w", err)
	}
	if version != fileVersion {
		return nil, fmt.Errorf("loss: %w: version %d is unknown, this library reads %d", rkhs.ErrFormat, version, fileVersion)
	}
	d := codec.NewDecoder(payload)
	name, parameter := d.String(), d.Float64()
	if err := d.Close(); err != nil {
		return nil, fmt.Errorf("loss: %w", err)
	}
	decode, ok := decoders[name]
	if !ok {
		return nil, fmt.Errorf("loss: %w: no loss is named %q", rkhs.ErrFormat, name)
	}
	l := decode(parameter)
	if err := Check(l); err != nil {
		return nil, fmt.Errorf("loss: %w: %w", rkhs.ErrFormat, err)
	}
	if _, own := fields(l); own != parameter {
		return nil, fmt.Errorf("loss: %w: %v has no parameter", rkhs.ErrFormat, l)
	}
	return l, nil
}
