package codec

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Fields writes the values that the pointers point to, in order: numbers, of any value,
// booleans, lists of numbers, matrices and fields of OneOf. With Decoder.Fields a struct lists once
// what its file holds.
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

// Fields reads what Encoder.Fields wrote. Elements of lists and of matrices must be
// finite, numbers need not be.
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

// field is one of the values of a type.
type field struct {
	get  func() int
	read func(d *Decoder)
}

// OneOf is the field of a value of a type of which the last value is given.
func OneOf[T ~uint8](p *T, last T) any {
	return field{get: func() int { return int(*p) }, read: func(d *Decoder) { *p = Enum(d, last) }}
}
