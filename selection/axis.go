package selection

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Axis is an option of a learner, of options O, and the values that it takes: those of a list
// (Values), which Grid and Random take, or numbers of an interval (Uniform, LogUniform), which
// Random takes alone.
type Axis[O any] struct {
	name string
	list []setting[O]                        // of Values
	draw func(stream *rng.Stream) setting[O] // of an interval
	err  error
}

// setting is one value of an axis.
type setting[O any] struct {
	value any
	set   func(*O)
}

// Values is the axis of the listed values, which set puts into the options. What is wrong with
// an axis is the error of Grid and Random: rkhs.ErrOption for no values, or no set.
func Values[O, V any](name string, set func(o *O, v V), values ...V) Axis[O] {
	a := Axis[O]{name: name, err: checkAxis(name, set == nil)}
	if a.err == nil && len(values) == 0 {
		a.err = fmt.Errorf("axis %s has no values: %w", name, rkhs.ErrOption)
	}
	for _, v := range values {
		a.list = append(a.list, settingOf(set, v))
	}
	return a
}

// Uniform is the axis of numbers that are equally likely from low to high: real ones of
// [low, high), whole ones of low … high. The error is rkhs.ErrOption unless low < high, and
// both are finite.
func Uniform[O any, V ~int | ~float64](name string, set func(o *O, v V), low, high V) Axis[O] {
	from, to := ends(low, high)
	a := interval(name, set, low, high, func(u float64) float64 { return from + float64(u*(to-from)) })
	if a.err == nil && !compute.Finite(to-from) {
		a.err = fmt.Errorf("axis %s from %v to %v is out of range: %w", name, low, high, rkhs.ErrOption)
	}
	return a
}

// LogUniform is the axis of positive numbers of which the logarithm is equally likely from that
// of low to that of high: real ones of [low, high], whole ones of low … high, k in proportion to
// log(1 + 1/k). It is that of strengths, lengths and numbers of points. The error is
// rkhs.ErrOption unless 0 < low < high, and both are finite.
func LogUniform[O any, V ~int | ~float64](name string, set func(o *O, v V), low, high V) Axis[O] {
	from, to := ends(low, high)
	logs := []float64{from, to}
	compute.Log(logs, logs) // with the same bits on every machine
	a := interval(name, set, low, high, func(u float64) float64 {
		return compute.ExpOne(logs[0] + float64(u*(logs[1]-logs[0])))
	})
	if a.err == nil && low <= 0 {
		a.err = fmt.Errorf("axis %s from %v, want more than 0 for logarithms: %w", name, low, rkhs.ErrOption)
	}
	return a
}

// number is what an interval is made of.
type number interface{ ~int | ~float64 }

// ends returns the interval of real numbers that whole ones are rounded down from.
func ends[V number](low, high V) (from, to float64) {
	if whole[V]() {
		return float64(low), float64(high) + 1
	}
	return float64(low), float64(high)
}

// whole tells whether numbers of a type are whole.
func whole[V number]() bool {
	half := 0.5
	return V(half) == 0
}

// interval is the axis of numbers from low to high, which at gives of numbers of [0, 1).
func interval[O any, V number](name string, set func(o *O, v V), low, high V, at func(u float64) float64) Axis[O] {
	a := Axis[O]{name: name, err: checkAxis(name, set == nil)}
	if a.err == nil && !(low < high && compute.Finite(float64(low)) && compute.Finite(float64(high))) {
		a.err = fmt.Errorf("axis %s from %v to %v, want low < high: %w", name, low, high, rkhs.ErrOption)
	}
	a.draw = func(stream *rng.Stream) setting[O] {
		v := at(stream.Float64())
		if whole[V]() {
			v = math.Floor(v)
		}
		return settingOf(set, min(max(V(v), low), high)) // rounding may lead out of it
	}
	return a
}

func settingOf[O, V any](set func(o *O, v V), v V) setting[O] {
	return setting[O]{value: v, set: func(o *O) { set(o, v) }}
}

func checkAxis(name string, noSet bool) error {
	switch {
	case name == "":
		return fmt.Errorf("an axis without a name: %w", rkhs.ErrOption)
	case noSet:
		return fmt.Errorf("axis %s has no function that sets it: %w", name, rkhs.ErrOption)
	}
	return nil
}
