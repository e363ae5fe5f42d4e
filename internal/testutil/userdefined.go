package testutil

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// RegressionLosses returns the losses of package loss for targets, for Learner.Losses.
func RegressionLosses() []loss.Loss {
	return []loss.Loss{
		loss.Squared{}, loss.Huber{Delta: 0.7}, loss.EpsilonInsensitive{Epsilon: 0.3}, loss.Absolute{}, loss.Pinball{Tau: 0.8},
	}
}

// LabelLosses returns the losses of package loss for the given number of labels, for Learner.Losses.
func LabelLosses(labels int) []loss.Loss {
	multi := []loss.Loss{loss.Softmax{}, loss.MulticlassHinge{}}
	if labels > 2 {
		return multi
	}
	return append([]loss.Loss{loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}}, multi...)
}

// Kernels returns a kernel of each type of package kernel for points of Inputs columns, for
// Learner.Kernels.
func Kernels() []kernel.Kernel {
	g, p := kernel.Gaussian{Sigma: 2}, kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1}
	return []kernel.Kernel{
		g, kernel.Laplacian{Sigma: 3}, kernel.Cauchy{Sigma: 2}, kernel.Matern{Nu: 1.5, Length: 2},
		kernel.RationalQuadratic{Alpha: 1, Length: 2}, kernel.Linear{}, p,
		kernel.DotProduct{Coefficients: []float64{1, 1, 0.5}}, kernel.ArcCosine{Order: 1},
		kernel.Dirichlet{Sigma: 0.2}, kernel.AdditiveChiSquared{}, kernel.Hellinger{},
		kernel.Intersection{}, kernel.JensenShannon{}, kernel.SkewedChiSquared{C: 0.1}, kernel.SkewedIntersection{C: 0.1},
		kernel.ExponentialSemigroup{Beta: 0.5}, kernel.ReciprocalSemigroup{Lambda: 1},
		kernel.ARD{Scales: []float64{1, 2, 3}, Of: g}, kernel.Sum{g, p}, kernel.Product{g, p}, kernel.Scale{By: 2, Of: g},
		kernel.LowRank{Base: g, Points: mat.NewDense(2, Inputs, []float64{0, 0, 0, 1, 1, 1}), Weights: []float64{1, 0.5}},
		kernel.Projected{L: mat.NewDense(2, Inputs, []float64{1, 0, 1, 0, 2, -1}), Of: g},
		kernel.OneHot{Levels: [][]float64{nil, {0, 1}, nil}, Of: g},
		kernel.Warped{From: [][]float64{{-1, 0, 1}, nil, {0, 1}}, To: [][]float64{{-2, 0, 1}, nil, {0, 3}}, Of: g},
	}
}

// embeddedLosses are user-defined types that embed a loss of package loss.
var embeddedLosses = []loss.Loss{
	struct{ loss.Squared }{}, struct{ loss.Huber }{}, struct{ loss.EpsilonInsensitive }{}, struct{ loss.Absolute }{},
	struct{ loss.Pinball }{}, struct{ loss.Hinge }{}, struct{ loss.SquaredHinge }{}, struct{ loss.Logistic }{},
	struct{ loss.Softmax }{}, struct{ loss.MulticlassHinge }{},
}

// embeddedKernels are user-defined types that embed a kernel of package kernel.
var embeddedKernels = []kernel.Kernel{
	struct{ kernel.Gaussian }{}, struct{ kernel.Laplacian }{}, struct{ kernel.Cauchy }{}, struct{ kernel.Matern }{},
	struct{ kernel.RationalQuadratic }{}, struct{ kernel.Linear }{}, struct{ kernel.Polynomial }{},
	struct{ kernel.DotProduct }{}, struct{ kernel.ArcCosine }{}, struct{ kernel.Dirichlet }{},
	struct{ kernel.AdditiveChiSquared }{}, struct{ kernel.Hellinger }{}, struct{ kernel.Intersection }{},
	struct{ kernel.JensenShannon }{}, struct{ kernel.SkewedChiSquared }{}, struct{ kernel.SkewedIntersection }{},
	struct{ kernel.ExponentialSemigroup }{}, struct{ kernel.ReciprocalSemigroup }{}, struct{ kernel.ARD }{},
	struct{ kernel.Sum }{}, struct{ kernel.Product }{}, struct{ kernel.Scale }{}, struct{ kernel.LowRank }{},
	struct{ kernel.Projected }{}, struct{ kernel.OneHot }{}, struct{ kernel.Warped }{},
}

// userDefined is a kernel or loss of another type with the same values.
type userDefined[V any] struct {
	name string
	v    V
}

func userDefinedLosses(l loss.Loss) []userDefined[loss.Loss] { return otherTypes(l, embeddedLosses) }

// UserDefinedKernel returns a struct that embeds k, or k itself if its type is user-defined.
func UserDefinedKernel(k kernel.Kernel) kernel.Kernel {
	e, _ := embedOwn(k, embeddedKernels)
	return e
}

func userDefinedKernels(k kernel.Kernel) []userDefined[kernel.Kernel] {
	list := otherTypes(k, embeddedKernels)
	if parts, ok := withUserDefinedParts(k); ok {
		list = append(list, userDefined[kernel.Kernel]{"a composition of structs that embed", parts})
	}
	return list
}

// otherTypes returns a pointer to v, unless v is a pointer, and a struct that embeds v if v has a
// type of the package of V.
func otherTypes[V any](v V, prototypes []V) (list []userDefined[V]) {
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	if p, ok := p.Interface().(V); ok {
		list = append(list, userDefined[V]{"a pointer to", p})
	}
	if e, ok := embedOwn(v, prototypes); ok {
		list = append(list, userDefined[V]{"a struct that embeds", e})
	}
	return list
}

// embedOwn is embed. It panics if v has a type of the package of V without a prototype.
func embedOwn[V any](v V, prototypes []V) (V, bool) {
	e, ok := embed(v, prototypes)
	if home := reflect.TypeFor[V]().PkgPath(); !ok && reflect.TypeOf(v).PkgPath() == home {
		panic(fmt.Sprintf("testutil: userdefined.go has no struct that embeds %T", v))
	}
	return e, ok
}

// embed returns the prototype that embeds the type of v, with the value v.
func embed[V any](v V, prototypes []V) (V, bool) {
	for _, p := range prototypes {
		s := reflect.New(reflect.TypeOf(p)).Elem()
		if s.Field(0).Type() == reflect.TypeOf(v) {
			s.Field(0).Set(reflect.ValueOf(v))
			return s.Interface().(V), true
		}
	}
	return v, false
}

// withUserDefinedParts replaces the kernels inside a composition by structs that embed them.
func withUserDefinedParts(k kernel.Kernel) (of kernel.Kernel, changed bool) {
	v := reflect.New(reflect.TypeOf(k)).Elem()
	v.Set(reflect.ValueOf(k))
	replace := func(part reflect.Value) {
		if inner, ok := part.Interface().(kernel.Kernel); ok && part.Kind() == reflect.Interface {
			if e, ok := embed(inner, embeddedKernels); ok {
				part.Set(reflect.ValueOf(e))
				changed = true
			}
		}
	}
	switch v.Kind() {
	case reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.Zero(v.Type()), v))
		for i := range v.Len() {
			replace(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			replace(v.Field(i))
		}
	}
	return v.Interface().(kernel.Kernel), changed
}
