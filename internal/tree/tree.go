// Package tree describes kernels as data, for exports to other formats.
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

// Node is a kernel as data: the name of a type of package kernel, its fields by name, and its parts.
type Node struct {
	// Family is the name of the type, such as Gaussian, Sum or ARD.
	Family string
	// Numbers are fields such as Sigma, Length, Nu, Degree or By.
	Numbers map[string]float64
	// Lists are fields such as Scales of ARD and Coefficients of DotProduct. A list for each column becomes one list of
	// all columns in order, such as Levels of OneHot and From and To of Warped, and Counts, the lengths by column.
	Lists map[string][]float64
	// Matrices are L of Projected and Points of LowRank.
	Matrices map[string]*mat.Dense
	// Of are the terms of Sum, the factors of Product, or the kernel in the field Of or Base of another kernel.
	Of []Node
}

// Describe returns k, a kernel of points of length dim, as data. The data shares no memory with k, and has the effective
// value of a field with a default. A type that embeds a kernel of package kernel is described as that kernel. The error
// wraps rkhs.ErrOption for any other kernel, for a type that embeds one and has other values, and for a parameter out
// of range.
func Describe(k kernel.Kernel, dim int) (Node, error) {
	const maxDepth = 64
	return describe(k, dim, maxDepth)
}

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

// defaults replaces zero values of fields by their defaults.
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

// ListsOf returns a field that has a list for each column.
func (n Node) ListsOf(field string) (lists [][]float64) {
	all := n.Lists[field]
	for _, count := range n.Lists["Counts"] {
		lists, all = append(lists, all[:int(count)]), all[int(count):]
	}
	return lists
}

func put[V any](m *map[string]V, name string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[name] = v
}
