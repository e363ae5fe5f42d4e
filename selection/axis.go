package selection

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Axis is an option of a learner with options O and its values: a list (Values) for Grid and
// Random, or an interval (Uniform, LogUniform) for Random.
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

// Values returns the axis of the listed values. set stores a value in the options. Grid and Random
// return the error of an axis: rkhs.ErrOption without values or set.
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

// Uniform returns the axis of uniform numbers, in [low, high) or from the integers low … high. The
// error is rkhs.ErrOption unless low < high and both are finite.
func Uniform[O any, V ~int | ~float64](name string, set func(o *O, v V), low, high V) Axis[O] {
	from, to := realInterval(low, high)
	a := interval(name, set, low, high, func(u float64) float64 { return from + float64(u*(to-from)) })
	if a.err == nil && !compute.Finite(to-from) {
		a.err = fmt.Errorf("axis %s from %v to %v is out of range: %w", name, low, high, rkhs.ErrOption)
	}
	return a
}

// LogUniform returns the axis of positive numbers with a uniform logarithm, in [low, high] or from
// the integers k = low … high with probabilities proportional to log(1 + 1/k). It fits
// regularization, length scales and numbers of points. The error is rkhs.ErrOption unless
// 0 < low < high and both are finite.
func LogUniform[O any, V ~int | ~float64](name string, set func(o *O, v V), low, high V) Axis[O] {
	from, to := realInterval(low, high)
	logs := []float64{from, to}
	compute.Log(logs, logs) // the same bits on every machine
	a := interval(name, set, low, high, func(u float64) float64 {
		return compute.ExpOne(logs[0] + float64(u*(logs[1]-logs[0])))
	})
	if a.err == nil && low <= 0 {
		a.err = fmt.Errorf("axis %s from %v, want more than 0 for logarithms: %w", name, low, rkhs.ErrOption)
	}
	return a
}

type number interface{ ~int | ~float64 }

// realInterval returns the interval of real numbers. Integers are real numbers rounded down.
func realInterval[V number](low, high V) (from, to float64) {
	if isInteger[V]() {
		return float64(low), float64(high) + 1
	}
	return float64(low), float64(high)
}

func isInteger[V number]() bool {
	half := 0.5
	return V(half) == 0
}

// interval returns the axis of the numbers at(u) for uniform u in [0, 1).
func interval[O any, V number](name string, set func(o *O, v V), low, high V, at func(u float64) float64) Axis[O] {
	a := Axis[O]{name: name, err: checkAxis(name, set == nil)}
	if a.err == nil && !(low < high && compute.Finite(float64(low)) && compute.Finite(float64(high))) {
		a.err = fmt.Errorf("axis %s from %v to %v, want low < high: %w", name, low, high, rkhs.ErrOption)
	}
	a.draw = func(stream *rng.Stream) setting[O] {
		v := at(stream.Float64())
		if isInteger[V]() {
			v = math.Floor(v)
		}
		return settingOf(set, min(max(V(v), low), high)) // rounding may leave the interval
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
