package main

import (
	"testing"

	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
)

func TestColours(t *testing.T) {
	picturetest.TellApart(t, black, blue, vermillion)
	picturetest.TellApart(t, paleBlue, paleVermillion)
}

// Ticks are multiples of 1, 2 or 5 times a power of ten, and there are four or more.
func TestRoundTicks(t *testing.T) {
	for _, c := range []struct{ low, high, step float64 }{{0, 1, 0.2}, {-1.15, 1.15, 0.5}, {2000, 40000, 5000}, {0, 0.117, 0.02}} {
		ticks := roundTicks{}.Ticks(c.low, c.high)
		if len(ticks) < 4 || ticks[0].Value < c.low || ticks[len(ticks)-1].Value > c.high+1e-9*c.step {
			t.Errorf("%v to %v: ticks %v", c.low, c.high, ticks)
		}
		for i := 1; i < len(ticks); i++ {
			if d := ticks[i].Value - ticks[i-1].Value; d < c.step*(1-1e-9) || d > c.step*(1+1e-9) {
				t.Errorf("%v to %v: step %v, want %v", c.low, c.high, d, c.step)
			}
		}
	}
}
