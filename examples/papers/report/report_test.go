package report

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
)

func TestSampleText(t *testing.T) {
	for _, c := range []struct {
		s    Sample
		want string
	}{
		{nil, ""},
		{Sample{1.25}, "1.2"},
		{Sample{1, 3}, "2.0±1.4"},
	} {
		if got := c.s.Text(1); got != c.want {
			t.Errorf("%v: %q, want %q", []float64(c.s), got, c.want)
		}
	}
}

func TestTableAligns(t *testing.T) {
	var b bytes.Buffer
	table := Table{Title: "errors", Head: []string{"", "ours"}}
	table.Row("ridge", "0.1")
	table.Row("x", "10.25")
	if err := table.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := "\nerrors\n       ours\nridge  0.1\nx      10.25\n"
	if b.String() != want {
		t.Errorf("got\n%q, want\n%q", b.String(), want)
	}
}

func TestChartSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.png")
	points := plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 3}}
	for _, save := range []func(string) error{
		Chart{Title: "t", LogX: true, LogY: true, Lines: []Line{{Label: "a", Points: points}, {Label: "a", Points: points}}}.Save,
		Chart{Title: "t", Lines: []Line{{Label: "a", Points: points, Spread: []float64{0.1, 0.2}}}}.Save,
		Chart{Title: "t", Names: []string{"x", "y", "z"}, Lines: []Line{{Label: "a", Points: points, Spread: []float64{0.1, 0.2}}}}.Save,
		Surface{Title: "t", Low: -1, High: 1, Value: func(x, y float64) float64 { return x * y }}.Save,
	} {
		if err := save(path); err != nil {
			t.Fatal(err)
		}
		picturetest.Check(t, path)
	}
}

// Lines with the same label share a style, different labels differ, and a family shares its
// colour.
func TestStyles(t *testing.T) {
	c := Chart{Lines: []Line{{Label: "a"}, {Label: "b, first", Family: "b"}, {Label: "b, second", Family: "b"}, {Label: "a"}, {}}}
	s := c.styles()
	if len(s) != 4 {
		t.Fatalf("%d styles for four labels", len(s))
	}
	one, two := s["b, first"], s["b, second"]
	if one.colour != two.colour || len(one.dashes) == len(two.dashes) {
		t.Errorf("lines of a family are %+v and %+v", one, two)
	}
	var many Chart
	for i := range 2 * len(colours) {
		many.Lines = append(many.Lines, Line{Label: string(rune('a' + i))})
	}
	looks := make(map[string]string)
	for label, s := range many.styles() {
		look := fmt.Sprint(s.colour, len(s.dashes), s.glyph)
		if other, seen := looks[look]; seen {
			t.Errorf("%s and %s look the same", label, other)
		}
		looks[look] = label
	}
	if s["a"].colour == one.colour || s["a"].colour == s[""].colour {
		t.Error("two families share a colour")
	}
}

func TestColoursAreSafe(t *testing.T) {
	var list []color.Color
	for _, c := range colours {
		list = append(list, c)
	}
	picturetest.TellApart(t, list...)
}

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	s := Settings{W: io.Discard}
	f := flag.NewFlagSet("", flag.ContinueOnError)
	s.Register(f)
	out := filepath.Join(dir, "new", "folder")
	if err := f.Parse([]string{"-data", dir, "-out", out, "-runs", "2", "-seed", "7"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(out); err != nil {
		t.Errorf("the folder for figures: %v", err)
	}
	var seeds []uint64
	if err := s.Each(context.Background(), func(seed uint64) error { seeds = append(seeds, seed); return nil }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seeds, []uint64{7, 8}) {
		t.Errorf("seeds %v, want 7 and 8", seeds)
	}
}

func TestBadSettings(t *testing.T) {
	for _, c := range []struct {
		s    Settings
		want string
	}{
		{Settings{Runs: 0, Data: t.TempDir()}, "-runs"},
		{Settings{Runs: 1, Data: filepath.Join(t.TempDir(), "none")}, "RKHS_DATA"},
	} {
		if err := c.s.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one about %s", c.s, err, c.want)
		}
	}
}

func TestNamesCoverNothing(t *testing.T) {
	n := &named{style: newPlot("", "", "").X.Tick.Label}
	within := vg.Rectangle{Max: vg.Point{X: 400, Y: 300}}
	var taken []vg.Rectangle
	for _, at := range []vg.Point{{X: 200, Y: 100}, {X: 210, Y: 104}, {X: 205, Y: 97}, {X: 395, Y: 50}} {
		r := n.place(within, at, "doubly SGD", taken)
		if covers(r, taken) || r.Max.X > within.Max.X || r.Min.X < within.Min.X {
			t.Errorf("the name at %v covers another, or leaves the picture: %v of %v", at, r, taken)
		}
		taken = append(taken, r)
	}
}
