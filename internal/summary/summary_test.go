package summary_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/internal/summary"
)

// Lines aligns values, omits zeros, NaN and empty texts, and truncates long lists.
func TestLines(t *testing.T) {
	var l summary.Lines
	l.Add("rows", "%d", 30)
	l.AddNumber("gap", 0)
	l.AddNumber("loss", math.NaN())
	l.AddNumber("objective", .25)
	l.AddText("kernel", "")
	l.AddNumbers("residual", []float64{1, 2, 3, 4, 5})
	want := "rows       30\nobjective  0.25\nresidual   1 2 3 4 ... (5 values)"
	if got := l.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Short keeps the beginning and the end of a long value.
func TestShort(t *testing.T) {
	long := strings.Repeat("é", 300) + "end"
	got := []rune(summary.Short(long))
	if len(got) != 100 || string(got[97:]) != "end" || summary.Short("k") != "k" {
		t.Errorf("%d runes: %s", len(got), string(got))
	}
}

func TestCount(t *testing.T) {
	if a, b, c := summary.Count(1, "row"), summary.Count(0, "row"), summary.Count(2, "pass"); a != "1 row" || b != "0 rows" || c != "2 passes" {
		t.Errorf("%s, %s, %s", a, b, c)
	}
}
