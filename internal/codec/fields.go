package codec

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Fields writes the values at the pointers: numbers, booleans, strings, lists of them, matrices and
// fields of OneOf. A struct passes the same pointers to Decoder.Fields.
func (e *Encoder) Fields(pointers ...any) {
	for _, p := range pointers {
		switch p := p.(type) {
		case *int:
			e.Int(*p)
		case *int64:
			e.Int(int(*p))
		case *uint64:
			e.Uint64(*p)
		case *bool:
			e.Bool(*p)
		case *float64:
			e.Float64(*p)
		case *[]float64:
			e.Float64s(*p)
		case *[]int:
			e.Ints(*p)
		case *string:
			e.String(*p)
		case *[]string:
			list(e, *p, e.String)
		case *[]uint64:
			list(e, *p, e.Uint64)
		case *blas64.General:
			e.Matrix(*p)
		case *compute.Points:
			e.Points(*p)
		case field:
			e.Int(p.get())
		default:
			panic(fmt.Sprintf("codec: a field of type %T", p))
		}
	}
}

// Fields reads the values that Encoder.Fields wrote. Elements of lists and matrices must be finite;
// single numbers may have any value.
func (d *Decoder) Fields(pointers ...any) {
	for _, p := range pointers {
		switch p := p.(type) {
		case *int:
			*p = d.Int()
		case *int64:
			*p = int64(d.Int())
		case *uint64:
			*p = d.Uint64()
		case *bool:
			*p = d.Bool()
		case *float64:
			*p = d.Float64()
		case *[]float64:
			*p = d.Float64s()
		case *[]int:
			*p = d.Ints()
		case *string:
			*p = d.String()
		case *[]string:
			*p = listed(d, d.String)
		case *[]uint64:
			*p = listed(d, d.Uint64)
		case *blas64.General:
			*p = d.Matrix()
		case *compute.Points:
			*p = d.Points()
		case field:
			p.read(d)
		default:
			panic(fmt.Sprintf("codec: a field of type %T", p))
		}
	}
}

// list writes the length of a list and its elements.
func list[T any](e *Encoder, v []T, write func(T)) {
	e.Int(len(v))
	for _, x := range v {
		write(x)
	}
}

// listed reads a list of elements of at least 8 bytes. An empty list is nil.
func listed[T any](d *Decoder, read func() T) (v []T) {
	for range d.Count(8) {
		v = append(v, read())
	}
	return v
}

// field is a field of OneOf.
type field struct {
	get  func() int
	read func(d *Decoder)
}

// OneOf is the field of an enumeration with the given last value.
func OneOf[T ~uint8](p *T, last T) any {
	return field{get: func() int { return int(*p) }, read: func(d *Decoder) { *p = Enum(d, last) }}
}
