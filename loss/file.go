package loss

import (
	"reflect"

	"github.com/rkhs-go/rkhs/internal/codec"
)

// format is the file of a loss: its name, then the fields of a loss of this package, or the bytes of
// a registered loss.
var format = codec.Format[Loss]{Kind: "loss", Decode: decode}

// Marshal returns the file of a loss of this package, a registered loss, or a pointer to either, which
// Unmarshal returns as a value. Errors wrap rkhs.ErrFormat for another loss, and are as for Check.
func Marshal(l Loss) ([]byte, error) {
	if err := Check(l); err != nil {
		return nil, err
	}
	return format.Marshal(func(e *codec.Encoder) error { return encode(e, l) })
}

func encode(e *codec.Encoder, l Loss) error {
	own, ok := registry.Own(l)
	if !ok {
		return registry.Encode(e, l)
	}
	v := reflect.ValueOf(own)
	e.String(v.Type().Name())
	for i := range v.NumField() {
		e.Float64(v.Field(i).Float())
	}
	return nil
}

// Unmarshal reads the result of Marshal. Other data, and losses that are not registered, are
// rkhs.ErrFormat.
func Unmarshal(data []byte) (l Loss, err error) {
	err = format.Unmarshal(&l, data)
	return l, err
}

// decode returns nil after an error.
func decode(d *codec.Decoder) Loss {
	l := decodeNamed(d, d.String())
	if d.Err() != nil {
		return nil
	}
	if err := Check(l); err != nil {
		d.Fail("%v", err)
	}
	return l
}

func decodeNamed(d *codec.Decoder, name string) Loss {
	t := registry.Type(name)
	if t == nil {
		return registry.Decode(d, name)
	}
	v := reflect.New(t).Elem()
	for i := range v.NumField() {
		v.Field(i).SetFloat(d.Float64())
	}
	return v.Interface().(Loss)
}
