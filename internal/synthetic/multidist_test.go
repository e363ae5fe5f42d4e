package synthetic

import (
	"math"
	"testing"
)

// The classes are equally likely, the modes of a class scatter around its centre, and the
// rule of the nearest mode does not beat the Bayes rule.
func TestMultidist(t *testing.T) {
	const n, draws = 4000, 30
	var counts [multidistClasses]float64
	var centre [multidistClasses][2]float64
	wrong := 0.0
	for seed := range uint64(draws) {
		s, bayes := Multidist(n, seed)
		for i, y := range s.Y {
			counts[int(y)]++
			centre[int(y)][0] += s.X.At(i, 0)
			centre[int(y)][1] += s.X.At(i, 1)
			if bayes[i] != y {
				wrong++
			}
		}
	}
	const total = n * draws
	for c, k := range counts {
		if z := (k - total/5) / math.Sqrt(total*0.16); math.Abs(z) > 5 {
			t.Errorf("class %d has %v of %d rows", c, k, total)
		}
		for j, want := range multidistCentres[c] {
			// 90 modes of variance 1.
			if got := centre[c][j] / k; math.Abs(got-want) > 5/math.Sqrt(3*draws) {
				t.Errorf("class %d has its centre at %v, want about %v", c, got, want)
			}
		}
	}
	if rate := wrong / total; rate < 0.07 || rate > 0.15 {
		t.Errorf("the Bayes rule errs in %.3f of the rows", rate)
	}
}

// Points have standard deviation 0.2 within a mode. Their squared distance to the nearest
// mode of their class has a mean of 2·0.2² or slightly less.
func TestMultidistSpread(t *testing.T) {
	s, _ := Multidist(20000, 3)
	modes := multidistDraw(3)
	mean := 0.0
	for i, y := range s.Y {
		least := math.Inf(1)
		for _, m := range modes[int(y)] {
			least = min(least, math.Pow(s.X.At(i, 0)-m[0], 2)+math.Pow(s.X.At(i, 1)-m[1], 2))
		}
		mean += least / 20000
	}
	if mean < 0.07 || mean > 0.082 {
		t.Errorf("mean squared distance from the mode %v, want about 0.08", mean)
	}
}

// The first rows do not depend on n, and another seed gives other modes.
func TestMultidistPrefix(t *testing.T) {
	few, bayesFew := Multidist(10, 1)
	many, bayesMany := Multidist(50, 1)
	other, _ := Multidist(10, 2)
	for i := range 10 {
		if few.X.At(i, 0) != many.X.At(i, 0) || few.Y[i] != many.Y[i] || bayesFew[i] != bayesMany[i] {
			t.Fatalf("row %d depends on the number of rows", i)
		}
	}
	if few.X.At(0, 0) == other.X.At(0, 0) {
		t.Error("two seeds give the same row")
	}
}

// The bits are the same on every machine.
func TestMultidistBits(t *testing.T) {
	s, _ := Multidist(3, 7)
	want := []float64{-0x1.32f851c23ec5bp+00, 0x1.c41a4ca52ab08p-01, 0x1.d508bff00b188p-01, -0x1.f5ef8e524df4ep-03, 0x1.3bbcfaf5e244ep+00, -0x1.752985a6464ap-01}
	for i, v := range s.X.RawMatrix().Data {
		if v != want[i] {
			t.Errorf("value %d is %x, want %x", i, v, want[i])
		}
	}
}
