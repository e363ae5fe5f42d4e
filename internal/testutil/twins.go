package testutil

import (
	"fmt"
	"reflect"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// lossTwins embed the losses of package loss, as a user does to give one a name of
// their own.
var lossTwins = []loss.Loss{
	struct{ loss.Squared }{}, struct{ loss.Huber }{}, struct{ loss.EpsilonInsensitive }{}, struct{ loss.Absolute }{},
	struct{ loss.Pinball }{}, struct{ loss.Hinge }{}, struct{ loss.SquaredHinge }{}, struct{ loss.Logistic }{},
	struct{ loss.Softmax }{}, struct{ loss.MulticlassHinge }{},
}

// kernelTwins embed the kernels of package kernel.
var kernelTwins = []kernel.Kernel{
	struct{ kernel.Gaussian }{}, struct{ kernel.Laplacian }{}, struct{ kernel.Cauchy }{}, struct{ kernel.Matern }{},
	struct{ kernel.RationalQuadratic }{}, struct{ kernel.Linear }{}, struct{ kernel.Polynomial }{}, struct{ kernel.DotProduct }{},
	struct{ kernel.ArcCosine }{}, struct{ kernel.Dirichlet }{}, struct{ kernel.AdditiveChiSquared }{}, struct{ kernel.Hellinger }{},
	struct{ kernel.Intersection }{}, struct{ kernel.JensenShannon }{}, struct{ kernel.SkewedChiSquared }{},
	struct{ kernel.SkewedIntersection }{}, struct{ kernel.ExponentialSemigroup }{}, struct{ kernel.ReciprocalSemigroup }{},
	struct{ kernel.ARD }{}, struct{ kernel.Sum }{}, struct{ kernel.Product }{}, struct{ kernel.Scale }{}, struct{ kernel.LowRank }{},
	struct{ kernel.Projected }{}, struct{ kernel.OneHot }{},
}

// twin is the same kernel or loss as another type.
type twin[V any] struct {
	name string
	v    V
}

// twinsOfLoss returns a pointer to l, unless l is one, and a struct that embeds it if it
// is one of package loss.
func twinsOfLoss(l loss.Loss) []twin[loss.Loss] { return twinsOf(l, lossTwins) }

// twinsOfKernel returns a pointer to k, unless k is one, a struct that embeds it if it is
// one of package kernel, and a composition of such structs if it is a composition.
func twinsOfKernel(k kernel.Kernel) []twin[kernel.Kernel] {
	list := twinsOf(k, kernelTwins)
	if parts, ok := twinOfParts(k); ok {
		list = append(list, twin[kernel.Kernel]{"a composition of structs that embed", parts})
	}
	return list
}

func twinsOf[V any](v V, prototypes []V) []twin[V] {
	var list []twin[V]
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	if p, ok := p.Interface().(V); ok {
		list = append(list, twin[V]{"a pointer to", p})
	}
	e, ok := embedded(v, prototypes)
	if ok {
		list = append(list, twin[V]{"a struct that embeds", e})
	}
	if home := reflect.TypeFor[V]().PkgPath(); !ok && reflect.TypeOf(v).PkgPath() == home {
		panic(fmt.Sprintf("testutil: twins.go has no struct that embeds %T", v))
	}
	return list
}

// embedded returns the struct of the prototypes that embeds the type of v, holding v.
func embedded[V any](v V, prototypes []V) (V, bool) {
	for _, p := range prototypes {
		s := reflect.New(reflect.TypeOf(p)).Elem()
		if s.Field(0).Type() == reflect.TypeOf(v) {
			s.Field(0).Set(reflect.ValueOf(v))
			return s.Interface().(V), true
		}
	}
	return v, false
}

// twinOfParts replaces the kernels that k is composed of by structs that embed them.
func twinOfParts(k kernel.Kernel) (kernel.Kernel, bool) {
	v := reflect.New(reflect.TypeOf(k)).Elem()
	v.Set(reflect.ValueOf(k))
	var parts []reflect.Value
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.Zero(v.Type()), v))
		for i := range v.Len() {
			parts = append(parts, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			parts = append(parts, v.Field(i))
		}
	}
	changed := false
	for _, p := range parts {
		if inner, ok := p.Interface().(kernel.Kernel); ok && p.Kind() == reflect.Interface {
			e, ok := embedded(inner, kernelTwins)
			p.Set(reflect.ValueOf(&e).Elem())
			changed = changed || ok
		}
	}
	return v.Interface().(kernel.Kernel), changed
}
