package kernel

import (
	"bytes"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Clone returns a copy of k that shares no slice and no matrix with it. Models keep such copies. Clone does not copy
// user-defined kernels, by themselves or inside a composition. They must not change once in use. For a pointer to a
// kernel of this package it returns a copy of the kernel.
func Clone(k Kernel) Kernel {
	if k == nil {
		return nil
	}
	own, ok := registry.Own(k)
	if !ok {
		return k
	}
	switch k := own.(type) {
	case Sum:
		return Sum(cloneAll(k))
	case Product:
		return Product(cloneAll(k))
	case Scale:
		return Scale{k.By, Clone(k.Of)}
	case ARD:
		return ARD{slices.Clone(k.Scales), Clone(k.Of)}
	case Projected:
		return Projected{cloneMatrix(k.L), Clone(k.Of)}
	case OneHot:
		return OneHot{cloneLists(k.Levels), Clone(k.Of)}
	case Warped:
		return Warped{cloneLists(k.From), cloneLists(k.To), Clone(k.Of)}
	case LowRank:
		return LowRank{Clone(k.Base), cloneMatrix(k.Points), slices.Clone(k.Weights)}
	case DotProduct:
		return DotProduct{slices.Clone(k.Coefficients)}
	}
	return own
}

func cloneAll(kernels []Kernel) []Kernel {
	list := slices.Clone(kernels)
	for i, k := range list {
		list[i] = Clone(k)
	}
	return list
}

func cloneLists(lists [][]float64) [][]float64 {
	lists = slices.Clone(lists)
	for i, list := range lists {
		lists[i] = slices.Clone(list)
	}
	return lists
}

func cloneMatrix(m *mat.Dense) *mat.Dense {
	if m == nil {
		return nil
	}
	return mat.DenseCopyOf(m)
}

// Equal reports whether a and b are of the same type and have the same parameters to the bit. It compares
// user-defined kernels by reflect.DeepEqual, or else by their files.
func Equal(a, b Kernel) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	x, errX := Marshal(a)
	y, errY := Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
