package kernel

import (
	"fmt"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Node is a kernel as data, for programs that write it in another form: the name of a
// type of this package, its fields by their names, and the kernels that it is made of.
type Node struct {
	// Family is the name of the type: Gaussian, Matern, … Sum, Product, Scale, ARD,
	// Projected, OneHot, LowRank.
	Family string
	// Numbers are fields as Sigma, Length, Nu, Degree, By.
	Numbers map[string]float64
	// Lists are fields as Scales of ARD and Coefficients of DotProduct. Those of OneHot are Levels,
	// of all columns in turn, and Counts, how many each has.
	Lists map[string][]float64
	// Matrices are L of Projected and Points of LowRank.
	Matrices map[string]*mat.Dense
	// Of are the terms of Sum, the factors of Product, and the one kernel in the
	// field Of, or Base, of the others.
	Of []Node
}

// Describe returns k, a kernel of points of length dim, as data, which shares no memory
// with it. A field whose zero value stands for another value has that value. A type that
// embeds a kernel of this package is that kernel. Any other kernel, and a type that embeds
// one and has other values, is an error that wraps rkhs.ErrOption and names it; so is
// what Check says of parameters.
func Describe(k Kernel, dim int) (n Node, err error) {
	defer refusePanic(k, &err)
	if err := validate(k, dim); err != nil {
		return Node{}, err
	}
	return describe(k, dim, maxDepth)
}

func describe(k Kernel, dim, depth int) (Node, error) {
	own, err := ownOf(k, dim)
	if err != nil {
		return Node{}, err
	}
	if depth == 0 {
		return Node{}, fmt.Errorf("kernel: %s: %w", nestedTooDeep, rkhs.ErrOption)
	}
	v := reflect.ValueOf(own)
	n := Node{Family: v.Type().Name()}
	switch of := own.(type) {
	case Sum:
		return n, n.add(dim, depth, of...)
	case Product:
		return n, n.add(dim, depth, of...)
	case Polynomial:
		of.Scale = of.slope()
		v = reflect.ValueOf(of)
	case Projected:
		dim = of.L.RawMatrix().Rows
	case OneHot:
		dim = gram.Encoding(of.Levels).Width(dim)
	}
	for i := range v.NumField() {
		if err := n.field(v.Type().Field(i).Name, v.Field(i).Interface(), dim, depth); err != nil {
			return Node{}, err
		}
	}
	return n, nil
}

// ownOf returns the kernel of this package that k is, or embeds.
func ownOf(k Kernel, dim int) (Kernel, error) {
	if own, ok := registry.Own(k); ok {
		return own, nil
	}
	of := k
	if c, ok := k.(composite); ok {
		of = c.composition()
	} else if r, ok := k.(Represented); ok {
		of = r.Representation(dim).Of
	}
	own, ok := Kernel(nil), false
	if of != nil {
		own, ok = registry.Own(of)
	}
	if !ok {
		return nil, fmt.Errorf("kernel: %v of type %T is no kernel of package kernel: %w", k, k, rkhs.ErrOption)
	}
	return own, agree(k, own, dim)
}

func (n *Node) add(dim, depth int, of ...Kernel) error {
	for _, k := range of {
		part, err := describe(k, dim, depth-1)
		if err != nil {
			return err
		}
		n.Of = append(n.Of, part)
	}
	return nil
}

func (n *Node) field(name string, v any, dim, depth int) error {
	switch v := v.(type) {
	case float64:
		put(&n.Numbers, name, v)
	case int:
		put(&n.Numbers, name, float64(v))
	case []float64:
		put(&n.Lists, name, slices.Clone(v))
	case [][]float64:
		put(&n.Lists, name, slices.Concat(v...))
		counts := make([]float64, len(v))
		for i, list := range v {
			counts[i] = float64(len(list))
		}
		put(&n.Lists, "Counts", counts)
	case *mat.Dense:
		put(&n.Matrices, name, mat.DenseCopyOf(v))
	case Kernel:
		return n.add(dim, depth, v)
	}
	return nil
}

func put[V any](m *map[string]V, name string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[name] = v
}
