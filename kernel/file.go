package kernel

import (
	"encoding"
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

// own lists the kernels of this package.
var own = []Kernel{
	Gaussian{}, Laplacian{}, Cauchy{}, Matern{}, RationalQuadratic{}, Linear{}, Polynomial{}, DotProduct{},
	ArcCosine{}, Dirichlet{}, AdditiveChiSquared{}, Hellinger{}, Intersection{}, JensenShannon{},
	SkewedChiSquared{}, SkewedIntersection{}, ExponentialSemigroup{}, ReciprocalSemigroup{},
	ARD{}, Sum{}, Product{}, Scale{}, LowRank{}, Projected{}, OneHot{}, Warped{},
}

var registry = codec.NewRegistry("kernel", own...)

// Register registers kernels of type K for Marshal and Unmarshal under the given name. Marshal writes the
// bytes of MarshalBinary, and Unmarshal reads them by decode, which must return an error for invalid bytes and
// must not keep the slice. A good name starts with an import path. Call Register from an init function. It
// panics if the name or the type is registered.
func Register[K interface {
	Kernel
	encoding.BinaryMarshaler
}](name string, decode func(data []byte) (K, error)) {
	registry.Add(name, reflect.TypeFor[K](), func(data []byte) (Kernel, error) { return decode(data) })
}

// A file of a kernel is a tree. A node is the name of a type, followed by its fields in order. A field that is a kernel
// is a node, a list of kernels is their number and the nodes, and package codec encodes other fields. The node of a
// registered kernel is its name and the bytes of its MarshalBinary.

var kernelFormat = codec.Format[Kernel]{Kind: "kernel", Decode: decodeKernel}

// Marshal returns k as a file: a kernel of this package, a registered one, or any composition of these. Unmarshal
// restores the same bits. Errors wrap the errors of the parameters, and rkhs.ErrFormat for a kernel that is not
// registered, for more than 64 kernels inside one another, and for more than two LowRanks.
func Marshal(k Kernel) ([]byte, error) {
	if err := validate(k, 0); err != nil {
		return nil, err
	}
	return kernelFormat.Marshal(func(e *codec.Encoder) error { return writeNode(e, k, nesting{}) })
}

// Unmarshal reads the output of Marshal. Errors wrap rkhs.ErrFormat, and name a kernel that is not registered.
func Unmarshal(data []byte) (k Kernel, err error) {
	err = kernelFormat.Unmarshal(&k, data)
	return k, err
}

func decodeKernel(d *codec.Decoder) Kernel {
	k := readNode(d, nesting{})
	if d.Err() != nil {
		return nil
	}
	if err := validate(k, 0); err != nil {
		d.Fail("%v", err)
	}
	return k
}

// nesting counts the kernels, and the LowRanks, that enclose a node.
type nesting struct{ kernels, lowRanks int }

const nestedTooDeep = "kernels are nested too deep"

// within returns the nesting inside a kernel of type t, or false if it is too deep. Checks of nested LowRanks would
// need more memory than the file.
func (n nesting) within(t reflect.Type) (nesting, bool) {
	n.kernels++
	if t == reflect.TypeFor[LowRank]() {
		n.lowRanks++
	}
	return n, n.kernels <= 64 && n.lowRanks <= 2
}

func writeNode(out *codec.Encoder, k Kernel, n nesting) error {
	n, ok := n.within(reflect.TypeOf(k))
	if !ok {
		return fmt.Errorf("%w: %s", rkhs.ErrFormat, nestedTooDeep)
	}
	own, ok := registry.Own(k)
	if !ok {
		return registry.Encode(out, k)
	}
	v := reflect.ValueOf(own)
	out.String(v.Type().Name())
	return writeValue(out, v, n)
}

func writeValue(out *codec.Encoder, v reflect.Value, n nesting) error {
	if v.Kind() == reflect.Interface {
		return writeNode(out, v.Interface().(Kernel), n)
	}
	count, part := 0, v.Field
	switch x := v.Interface().(type) {
	case float64:
		out.Float64(x)
	case int:
		out.Int(x)
	case []float64:
		out.Float64s(x)
	case [][]float64:
		out.Int(len(x))
		for _, list := range x {
			out.Float64s(list)
		}
	case *mat.Dense:
		out.Matrix(x.RawMatrix())
	case Sum, Product:
		count, part = v.Len(), v.Index
		out.Int(count)
	default:
		count = v.NumField()
	}
	for i := range count {
		if err := writeValue(out, part(i), n); err != nil {
			return err
		}
	}
	return nil
}

// readNode returns nil after an error.
func readNode(in *codec.Decoder, n nesting) Kernel {
	name := in.String()
	t := registry.Type(name)
	n, ok := n.within(t)
	if !ok {
		in.Fail(nestedTooDeep)
	}
	if in.Err() != nil {
		return nil
	}
	if t == nil {
		return registry.Decode(in, name)
	}
	v := reflect.New(t).Elem()
	readValue(in, v, n)
	if in.Err() != nil {
		return nil
	}
	return v.Interface().(Kernel)
}

func readValue(in *codec.Decoder, v reflect.Value, n nesting) {
	switch p := v.Addr().Interface().(type) {
	case *float64:
		*p = in.Finite()
	case *int:
		*p = in.Int()
	case *[]float64:
		*p = in.Float64s()
	case *[][]float64:
		*p = make([][]float64, in.Count(8))
		for i := range *p {
			(*p)[i] = in.Float64s()
		}
	case **mat.Dense:
		*p = readMatrix(in)
	case *Kernel:
		*p = readNode(in, n)
	case *Sum:
		*p = readNodes(in, n)
	case *Product:
		*p = readNodes(in, n)
	default:
		for i := range v.NumField() {
			readValue(in, v.Field(i), n)
		}
	}
}

func readNodes(in *codec.Decoder, n nesting) []Kernel {
	k := make([]Kernel, in.Count(8))
	for i := range k {
		k[i] = readNode(in, n)
	}
	return k
}

func readMatrix(in *codec.Decoder) *mat.Dense {
	m := in.Matrix()
	if m.Rows == 0 || m.Cols == 0 {
		in.Fail("%d×%d matrix", m.Rows, m.Cols)
		return nil
	}
	return mat.NewDense(m.Rows, m.Cols, m.Data)
}
