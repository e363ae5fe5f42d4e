package parquet

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/rkhs-go/rkhs"
)

// textOf returns the function that converts the values of a column to text.
func textOf(field parquet.Field) (func(parquet.Value) (string, error), error) {
	switch {
	case field.Repeated():
		return nil, fmt.Errorf("is a list: %w", rkhs.ErrFormat)
	case !field.Leaf():
		return nil, fmt.Errorf("has fields of its own: %w", rkhs.ErrFormat)
	}
	kind, logical := field.Type().Kind(), field.Type().LogicalType()
	switch {
	case kind == parquet.Int96:
		return nil, fmt.Errorf("is of type INT96, which is not read: %w", rkhs.ErrFormat)
	case logical == nil:
	case logical.Decimal != nil:
		scale := int(logical.Decimal.Scale)
		return func(v parquet.Value) (string, error) { return decimal(v, scale) }, nil
	case logical.Date != nil:
		return func(v parquet.Value) (string, error) {
			return time.Unix(int64(v.Int32())*24*60*60, 0).UTC().Format(time.DateOnly), nil
		}, nil
	case logical.Timestamp != nil:
		unit := logical.Timestamp.Unit
		return func(v parquet.Value) (string, error) {
			at := time.UnixMilli(v.Int64())
			switch {
			case unit.Micros != nil:
				at = time.UnixMicro(v.Int64())
			case unit.Nanos != nil:
				at = time.Unix(0, v.Int64())
			}
			return at.UTC().Format(time.RFC3339), nil
		}, nil
	case logical.Integer != nil && !logical.Integer.IsSigned:
		return func(v parquet.Value) (string, error) {
			if v.Kind() == parquet.Int32 {
				return strconv.FormatUint(uint64(v.Uint32()), 10), nil
			}
			return strconv.FormatUint(v.Uint64(), 10), nil
		}, nil
	case logical.UTF8 == nil && logical.Enum == nil && logical.Integer == nil && logical.Json == nil && logical.Time == nil:
		return nil, fmt.Errorf("is of type %v, which is not read: %w", field.Type(), rkhs.ErrFormat)
	}
	return plain, nil
}

// plain returns the text of a value of a physical type. NaN is a missing cell.
func plain(v parquet.Value) (string, error) {
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.FormatBool(v.Boolean()), nil
	case parquet.Int32:
		return strconv.Itoa(int(v.Int32())), nil
	case parquet.Int64:
		return strconv.FormatInt(v.Int64(), 10), nil
	case parquet.Float:
		return float(float64(v.Float()), 32)
	case parquet.Double:
		return float(v.Double(), 64)
	}
	return string(v.ByteArray()), nil
}

func float(x float64, bits int) (string, error) {
	if math.IsNaN(x) {
		return "", nil
	}
	if math.IsInf(x, 0) {
		return "", fmt.Errorf("%v: %w", x, rkhs.ErrNotFinite)
	}
	return strconv.FormatFloat(x, 'g', -1, bits), nil
}

// decimal returns the text of unscaled·10^−scale.
func decimal(v parquet.Value, scale int) (string, error) {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32:
		n.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		n.SetInt64(v.Int64())
	default: // big-endian two's complement
		bytes := v.ByteArray()
		n.SetBytes(bytes)
		if len(bytes) > 0 && bytes[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(bytes))))
		}
	}
	if scale == 0 {
		return n.String(), nil
	}
	return n.String() + "e-" + strconv.Itoa(scale), nil
}
