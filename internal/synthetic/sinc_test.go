package synthetic

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/internal/rng"
)

func TestSincPower(t *testing.T) {
	inner := func(a float64) float64 {
		return quad.Fixed(func(b float64) float64 {
			v := sinc(math.Hypot(a, b))
			return v * v
		}, 0, 5, 40, nil, 0)
	}
	if want := quad.Fixed(inner, 0, 5, 40, nil, 0) / 25; math.Abs(sincPower-want) > 1e-15 {
		t.Errorf("sincPower = %v, want %v", sincPower, want)
	}
}

func TestSinAgainstMathSin(t *testing.T) {
	s := rng.New(1, "sin", 0)
	for i := range 200000 {
		r := 5 * math.Sqrt2 * s.Float64()
		if i%2 == 0 {
			r = math.Pi*float64(i%3) + 1e-6*s.NormFloat64() // near the zeros
		}
		// Each may have an error of 1 ulp. The error from rounding π to a float64 is much
		// smaller.
		if want := math.Sin(r); math.Abs(sin(r)-want) > 2*0x1p-52*math.Abs(want) && r >= 0 {
			t.Fatalf("sin(%v) = %v, want %v", r, sin(r), want)
		}
	}
	if sinc(0) != 1 {
		t.Errorf("sinc(0) = %v", sinc(0))
	}
}

func TestSinc(t *testing.T) {
	const n = 100000
	s, clean := Sinc(n, 1)
	noise := make([]float64, n)
	power := 0.0
	for i := range n {
		x := s.X.RawRowView(i)
		if want := math.Sin(math.Hypot(x[0], x[1])) / math.Hypot(x[0], x[1]); math.Abs(clean[i]-want) > 1e-15 {
			t.Fatalf("the target at %v is %v, want %v", x, clean[i], want)
		}
		noise[i] = s.Y[i] - clean[i]
		power += clean[i] * clean[i] / n
	}
	// Five standard errors each: power .2/sqrt(n), noise mean .1/sqrt(n), relative noise
	// variance sqrt(2/n), correlation 1/sqrt(n).
	mean, variance := stat.MeanVariance(noise, nil)
	for name, c := range map[string][2]float64{
		"power of the signal":  {power - sincPower, .2},
		"mean of the noise":    {mean, .1},
		"ratio in decibels":    {variance/(sincPower/10) - 1, math.Sqrt2},
		"correlation":          {stat.Correlation(noise, clean, nil), 1},
		"correlation in a row": {stat.Correlation(noise[1:], noise[:n-1], nil), 1},
	} {
		if math.Abs(c[0]) > 5*c[1]/math.Sqrt(n) {
			t.Errorf("%s is off by %v", name, c[0])
		}
	}
}

func TestSincPointsAreUniform(t *testing.T) {
	const n = 100000
	s, _ := Sinc(n, 2)
	var cells [10][10]int
	for i := range n {
		x := s.X.RawRowView(i)
		cells[int(math.Floor(x[0]))+5][int(math.Floor(x[1]))+5]++
	}
	chi2 := 0.0
	for _, row := range cells {
		for _, c := range row {
			chi2 += (float64(c) - n/100) * (float64(c) - n/100) / (n / 100)
		}
	}
	if z := (chi2 - 99) / math.Sqrt(2*99); math.Abs(z) > 5 {
		t.Errorf("chi-squared %v of 100 cells: %v", chi2, cells)
	}
}

func TestSincRowsDoNotDependOnN(t *testing.T) {
	long, longClean := Sinc(100, 3)
	short, shortClean := Sinc(40, 3)
	first := long.X.Slice(0, 40, 0, 2)
	if !mat.Equal(short.X, first) || !slices.Equal(short.Y, long.Y[:40]) || !slices.Equal(shortClean, longClean[:40]) {
		t.Error("the first rows depend on n")
	}
	if other, _ := Sinc(40, 4); mat.Equal(short.X, other.X) || slices.Equal(short.Y, other.Y) {
		t.Error("two seeds, one set")
	}
}

// Hash of the bits of a data set, equal on every machine.
func TestSincBitsAreFrozen(t *testing.T) {
	s, clean := Sinc(1000, 1)
	h := uint64(0)
	for _, v := range [][]float64{s.X.RawMatrix().Data, s.Y, clean} {
		for _, e := range v {
			h = rng.Hash(h, "", math.Float64bits(e))
		}
	}
	if h != 0xcbf1769c6b1137e8 {
		t.Errorf("hash of the bits is %#x", h)
	}
}
