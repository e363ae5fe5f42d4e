// Package tree describes kernels as data, for programs that write them in another form.
package tree

import (
	"fmt"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Node is a kernel as data, for programs that write it in another form: the name of a
// type of package kernel, its fields by their names, and the kernels that it is made of.
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

// maxDepth bounds the kernels inside one another.
const maxDepth = 64

// Describe returns k, a kernel of points of length dim, as data, which shares no memory
// with it. A field whose zero value stands for another value has that value. A type that
// embeds a kernel of package kernel is that kernel. Any other kernel, and a type that embeds
// one and has other values, is an error that wraps rkhs.ErrOption and names it; so is
// an error of kernel.Check about parameters.
func Describe(k kernel.Kernel, dim int) (Node, error) { return describe(k, dim, maxDepth) }

func describe(k kernel.Kernel, dim, depth int) (Node, error) {
	own, err := gram.Own(k, dim)
	if err != nil {
		return Node{}, err
	}
	if depth == 0 {
		return Node{}, fmt.Errorf("kernel: kernels are nested too deep: %w", rkhs.ErrOption)
	}
	v, of := reflect.ValueOf(own), gram.StructureOf(own)
	n := Node{Family: v.Type().Name()}
	if parts := slices.Concat(of.Terms, of.Factors); len(parts) > 0 {
		return n, n.add(dim, depth, parts...)
	}
	if of.Map != nil {
		dim = of.Map.Width(dim)
	}
	for i := range v.NumField() {
		if err := n.field(v.Type().Field(i).Name, v.Field(i).Interface(), dim, depth); err != nil {
			return Node{}, err
		}
	}
	n.defaults(own)
	return n, nil
}

// defaults sets fields of which the zero value stands for another value.
func (n *Node) defaults(k kernel.Kernel) {
	d := gram.Describe(k)
	for i, name := range d.Names {
		if _, ok := n.Numbers[name]; ok {
			n.Numbers[name] = d.Parameters[i]
		}
	}
}

func (n *Node) add(dim, depth int, of ...gram.Kernel) error {
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
	case kernel.Kernel:
		return n.add(dim, depth, gram.Kernel(v))
	}
	return nil
}

func put[V any](m *map[string]V, name string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[name] = v
}
