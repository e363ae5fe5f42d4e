package dataset

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rkhs-go/rkhs"
)

// TestTypedColumns: each storage returns its values as text, number and time.
func TestTypedColumns(t *testing.T) {
	noon := time.Date(2024, 5, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	gap := []bool{false, true}
	for _, c := range []struct {
		column *Column
		kind   Kind
		text   string
		number float64 // NaN for an error
		time   bool
	}{
		{NumberColumn("a", []float64{1e6, 2}, gap), Number, "1000000", 1e6, false},
		{NumberColumn("a", []float64{.25, math.NaN()}, nil), Number, "0.25", .25, false},
		{NumberColumn("a", []float64{1e-7, math.NaN()}, []bool{false, false}), Number, "1e-07", 1e-7, false},
		{NumberColumn("a", []float64{math.Inf(1), 1}, gap), Number, "+Inf", math.NaN(), false},
		{IntegerColumn("a", []int64{math.MaxInt64, 0}, gap), Number, "9223372036854775807", math.MaxInt64, false},
		{BoolColumn("a", []bool{true, false}, gap), Category, "true", 1, false},
		{TimeColumn("a", []time.Time{noon, {}}, gap), Date, "2024-05-01T12:00:00+01:00", math.NaN(), true},
		{TextColumn("a", []string{" x ", ""}, nil), Category, "x", math.NaN(), false},
		{TextColumn("a", []string{"1.50", "y"}, gap), Number, "1.5", 1.5, false},
		{TextColumn("a", []string{"2024-05-01", "NA"}, nil), Date, "2024-05-01", math.NaN(), true},
	} {
		at := c.column
		text, ok := at.Text(0)
		v, _, numberErr := at.Number(0)
		_, _, timeErr := at.Time(0)
		if text != c.text || !ok || at.Kind() != c.kind || (timeErr == nil) != c.time {
			t.Errorf("%q, a %v, time: %v, want %q, a %v", text, at.Kind(), timeErr, c.text, c.kind)
		}
		if (numberErr != nil) != math.IsNaN(c.number) || numberErr == nil && v != c.number {
			t.Errorf("%q: %v, %v, want %v", text, v, numberErr, c.number)
		}
		if _, ok := at.Text(1); ok || !at.Missing(1) {
			t.Errorf("%q: the second cell is not missing", text)
		}
		if _, ok, err := at.Number(1); ok || err != nil {
			t.Errorf("%q: the second cell is a number, %v", text, err)
		}
		if _, ok, err := at.Time(1); ok || err != nil {
			t.Errorf("%q: the second cell is a time, %v", text, err)
		}
		if back := at.pick([]int{1, 0}); !back.Missing(0) || back.Missing(1) || back.cells.text(1) != c.text {
			t.Errorf("%q: rows in reverse are %v", text, back)
		}
	}
	if c := NumberColumn("a", []float64{math.NaN()}, nil); c.Kind() != Blank {
		t.Errorf("a column without a value is a %v", c.Kind())
	}
}

func TestTableOf(t *testing.T) {
	a, b := NumberColumn("a", []float64{1, 2}, nil), IntegerColumn("b", []int64{1}, nil)
	if _, err := TableOf(a, b); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("different lengths: %v", err)
	}
	if _, err := TableOf(a, nil); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("a nil column: %v", err)
	}
	if _, err := TableOf(a, a); !errors.Is(err, rkhs.ErrFormat) {
		t.Errorf("two of a name: %v", err)
	}
	list, err := TableOf(a, TextColumn("b", []string{"x", "y"}, nil))
	if err != nil || list.Line(1) != 2 {
		t.Errorf("line %d, %v", list.Line(1), err)
	}
}

// TestFault: a malformed cell among numbers keeps its text through every copy of the column.
func TestFault(t *testing.T) {
	text := "a\n" + strings.Repeat("1\n", 200) + "oops\n"
	list, err := ReadTable(strings.NewReader(text), TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	both, err := ConcatTables(list, list)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []struct {
		table *Table
		row   int
	}{{list, 200}, {list.Select([]int{3, 200}), 1}, {both, 401}} {
		c := at.table.Column("a")
		_, _, err := c.Number(at.row)
		if text, _ := c.Text(at.row); text != "oops" || !errors.Is(err, rkhs.ErrFormat) || c.Kind() != Number {
			t.Errorf("%q, %v in a column of kind %v", text, err, c.Kind())
		}
		if _, _, err := c.Number(at.row - 1); err != nil {
			t.Error(err)
		}
	}
	if n := list.Notes()[0]; n.Support != 200./201 {
		t.Errorf("note %+v", n)
	}
}

// TestConcatKinds: a column that is numbers in one table and names in another becomes texts.
func TestConcatKinds(t *testing.T) {
	x, _ := TableOf(NumberColumn("a", []float64{1, 2}, []bool{false, true}))
	y, _ := TableOf(TextColumn("a", []string{"u", "v"}, nil))
	all, err := ConcatTables(x, y)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Concat(cellsOf(all)...), []string{"1", "∅", "u", "v"}; !slices.Equal(got, want) || all.Column("a").Kind() != Category {
		t.Errorf("%q of kind %v, want %q", got, all.Column("a").Kind(), want)
	}
}
