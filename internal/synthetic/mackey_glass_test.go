package synthetic

import (
	"math"
	"testing"
)

// The samples satisfy the differential equation: its right-hand side agrees with finite
// differences of a finer integration.
func TestMackeyGlassEquation(t *testing.T) {
	const h = 0.1
	x := make([]float64, 4000)
	for i := range 171 {
		x[i] = 1.2
	}
	for i := 170; i+1 < len(x); i++ {
		x[i+1] = mackeyGlassStep(x[i], x[i-170], x[i-169])
	}
	for i := 2000; i < 3900; i++ {
		got := (x[i-2] - 8*x[i-1] + 8*x[i+1] - x[i+2]) / (12 * h)
		want := 0.2*x[i-170]/(1+math.Pow(x[i-170], 10)) - 0.1*x[i]
		if math.Abs(got-want) > 2e-5 {
			t.Fatalf("step %d: slope %v, the equation gives %v", i, got, want)
		}
	}
}

// The mean is zero, the noise has the documented variance, and the series has its known
// range of 0.2 to 1.4 and variance of about 0.05.
func TestMackeyGlassMoments(t *testing.T) {
	const n = 5000
	noisy, clean := MackeyGlass(n, 1)
	mean, variance, noise := 0.0, 0.0, 0.0
	low, high := math.Inf(1), math.Inf(-1)
	for i, v := range clean {
		mean += v / n
		variance += v * v / n
		noise += (noisy[i] - v) * (noisy[i] - v) / n
		low, high = min(low, v), max(high, v)
	}
	if math.Abs(mean) > 1e-12 || variance < 0.04 || variance > 0.06 || high-low < 0.8 || high-low > 1.3 {
		t.Errorf("mean %v, variance %v, range %v to %v", mean, variance, low, high)
	}
	// Five standard errors of the sample variance of n normals.
	if math.Abs(noise/mackeyGlassNoise-1) > 5*math.Sqrt(2.0/n) {
		t.Errorf("noise of variance %v, want %v", noise, mackeyGlassNoise)
	}
}

func TestMackeyGlassBits(t *testing.T) {
	noisy, clean := MackeyGlass(100, 7)
	for _, c := range []struct{ got, want float64 }{{noisy[50], -0x1.b0c9aa5e4f843p-06}, {noisy[99], 0x1.0decd2a3da985p-05}, {clean[50], -0x1.a32f4d3dbf4ap-05}, {clean[99], 0x1.26b746b3cf2p-09}} {
		if c.got != c.want {
			t.Errorf("value %x, want %x", c.got, c.want)
		}
	}
}

func TestEmbed(t *testing.T) {
	s := Embed([]float64{1, 2, 3, 4, 5}, []float64{10, 20, 30, 40, 50}, 3)
	if n, d := s.X.Dims(); n != 2 || d != 3 || s.X.At(1, 0) != 2 || s.X.At(1, 2) != 4 || s.Y[0] != 40 || s.Y[1] != 50 {
		t.Errorf("rows %v, targets %v", s.X.RawMatrix().Data, s.Y)
	}
}
