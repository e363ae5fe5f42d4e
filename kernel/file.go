package kernel

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

// A kernel is saved as a tree. A node is the name of its type and then its
// fields in order, of which a kernel is a node, a list of kernels their number
// and the nodes, and all else what package codec makes of it. The node of a
// registered kernel is its name and the bytes that it marshals itself into.
const (
	// maxDepth bounds the tree, and maxLowRank the LowRanks in one another's
	// Base, whose checks would otherwise need more memory than their file.
	maxDepth   = 64
	maxLowRank = 2
)

// Marshal returns k as a file: a kernel of this package, a registered one, or
// any composition of these. The file gives back the same bits. Errors wrap those
// of the parameters, and rkhs.ErrFormat for a kernel that is not registered, or
// for more than 64 kernels or two LowRanks inside one another.
func Marshal(k Kernel) ([]byte, error) {
	if err := validate(k, 0); err != nil {
		return nil, err
	}
	return kernelFormat.Marshal(func(e *codec.Encoder) error {
		w := writer{out: e}
		return w.node(k)
	})
}

// Unmarshal reads what Marshal wrote. Anything else is an error that wraps
// rkhs.ErrFormat; a kernel that is not registered is named in it.
func Unmarshal(data []byte) (k Kernel, err error) {
	err = kernelFormat.Unmarshal(&k, data)
	return k, err
}

var kernelFormat = codec.Format[Kernel]{Kind: "kernel", Decode: decodeKernel}

func decodeKernel(d *codec.Decoder) Kernel {
	r := reader{in: d}
	k := r.node()
	if d.Err() != nil {
		return nil
	}
	if err := validate(k, 0); err != nil {
		d.Fail("%v", err)
	}
	return k
}

const nestedTooDeep = "kernels are nested too deep"

// nesting counts what encloses a node.
type nesting struct{ depth, lowRank int }

func (n *nesting) enter(t reflect.Type) bool {
	n.depth++
	if t == reflect.TypeFor[LowRank]() {
		n.lowRank++
	}
	return n.depth <= maxDepth && n.lowRank <= maxLowRank
}

func (n *nesting) leave(t reflect.Type) {
	n.depth--
	if t == reflect.TypeFor[LowRank]() {
		n.lowRank--
	}
}

type writer struct {
	nesting
	out *codec.Encoder
}

func (w *writer) node(k Kernel) error {
	t := reflect.TypeOf(k)
	if !w.enter(t) {
		return fmt.Errorf("%w: %s", rkhs.ErrFormat, nestedTooDeep)
	}
	defer w.leave(t)
	own, ok := registry.Own(k)
	if !ok {
		return registry.Encode(w.out, k)
	}
	v := reflect.ValueOf(own)
	w.out.String(v.Type().Name())
	return w.value(v)
}

func (w *writer) value(v reflect.Value) error {
	if v.Kind() == reflect.Interface {
		return w.node(v.Interface().(Kernel))
	}
	switch x := v.Interface().(type) {
	case float64:
		w.out.Float64(x)
	case int:
		w.out.Int(x)
	case []float64:
		w.out.Float64s(x)
	case [][]float64:
		w.out.Int(len(x))
		for _, list := range x {
			w.out.Float64s(list)
		}
	case *mat.Dense:
		w.out.Matrix(x.RawMatrix())
	case Sum, Product:
		w.out.Int(v.Len())
		return w.each(v.Len(), v.Index)
	default:
		return w.each(v.NumField(), v.Field)
	}
	return nil
}

func (w *writer) each(n int, at func(int) reflect.Value) error {
	for i := range n {
		if err := w.value(at(i)); err != nil {
			return err
		}
	}
	return nil
}

type reader struct {
	nesting
	in *codec.Decoder
}

// node returns nil after an error.
func (r *reader) node() Kernel {
	name := r.in.String()
	t := registry.Type(name)
	if !r.enter(t) {
		r.in.Fail(nestedTooDeep)
	}
	defer r.leave(t)
	if r.in.Err() != nil {
		return nil
	}
	if t == nil {
		return registry.Decode(r.in, name)
	}
	v := reflect.New(t).Elem()
	r.value(v)
	if r.in.Err() != nil {
		return nil
	}
	return v.Interface().(Kernel)
}

func (r *reader) value(v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case *float64:
		*p = r.in.Finite()
	case *int:
		*p = r.in.Int()
	case *[]float64:
		*p = r.in.Float64s()
	case *[][]float64:
		*p = make([][]float64, r.in.Count(8))
		for i := range *p {
			(*p)[i] = r.in.Float64s()
		}
	case **mat.Dense:
		*p = r.matrix()
	case *Kernel:
		*p = r.node()
	case *Sum:
		*p = r.nodes()
	case *Product:
		*p = r.nodes()
	default:
		for i := range v.NumField() {
			r.value(v.Field(i))
		}
	}
}

func (r *reader) nodes() []Kernel {
	k := make([]Kernel, r.in.Count(8))
	for i := range k {
		k[i] = r.node()
	}
	return k
}

func (r *reader) matrix() *mat.Dense {
	m := r.in.Matrix()
	if m.Rows == 0 || m.Cols == 0 {
		r.in.Fail("%d×%d matrix", m.Rows, m.Cols)
		return nil
	}
	return mat.NewDense(m.Rows, m.Cols, m.Data)
}
