package kernel

import (
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Clone returns a copy of k that shares no slice and no matrix with it, which a
// model keeps so that writing to the original does not change it. Kernels of
// other packages are taken as they are, inside a composition too: they must not
// change once in use. Of a pointer to a kernel of this package it copies the kernel.
func Clone(k Kernel) Kernel {
	if k == nil {
		return nil
	}
	own, ok := registry.Own(k)
	if !ok {
		return k
	}
	v := reflect.New(reflect.TypeOf(own)).Elem()
	cloneTo(v, reflect.ValueOf(own))
	return v.Interface().(Kernel)
}

func cloneTo(dst, src reflect.Value) {
	switch x := src.Interface().(type) {
	case []float64:
		dst.Set(reflect.ValueOf(slices.Clone(x)))
	case [][]float64:
		lists := make([][]float64, len(x))
		for i, list := range x {
			lists[i] = slices.Clone(list)
		}
		dst.Set(reflect.ValueOf(lists))
	case *mat.Dense:
		if x != nil {
			dst.Set(reflect.ValueOf(mat.DenseCopyOf(x)))
		}
	case Sum, Product:
		dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			cloneElement(dst.Index(i), src.Index(i))
		}
	case float64, int:
		dst.Set(src)
	default:
		for i := range src.NumField() {
			cloneElement(dst.Field(i), src.Field(i))
		}
	}
}

// cloneElement copies a field or an element, which may be a kernel or none.
func cloneElement(dst, src reflect.Value) {
	if src.Kind() != reflect.Interface {
		cloneTo(dst, src)
	} else if !src.IsNil() {
		dst.Set(reflect.ValueOf(Clone(src.Interface().(Kernel))))
	}
}
