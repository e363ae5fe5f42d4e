package report

import (
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func labels(list []plot.Tick) string {
	var out []string
	for _, t := range list {
		if t.Label != "" {
			out = append(out, t.Label)
		}
	}
	return strings.Join(out, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticks     plot.Ticker
		low, high float64
		want      string
	}{
		{roundTicks{}, 0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{roundTicks{}, -0.11, 0.45, "-0.1 0.0 0.1 0.2 0.3 0.4"},
		{roundTicks{}, 118, 5003, "1000 2000 3000 4000 5000"},
		{roundTicks{}, 0, 0.012, "0.000 0.002 0.004 0.006 0.008 0.010 0.012"},
		{logTicks{}, 0.1, 10, "0.1 0.2 0.5 1 2 5 10"},
		{logTicks{}, 3, 5e4, "10 100 1000 10000"},
	} {
		if got := labels(c.ticks.Ticks(c.low, c.high)); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}
