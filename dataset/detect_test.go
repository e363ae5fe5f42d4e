package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rkhs-go/rkhs"
)

// repeated returns a file with a column x of n quoted cells and a column y.
func repeated(n int, cell func(i int) string) string {
	lines := []string{"x,y"}
	for i := range n {
		lines = append(lines, fmt.Sprintf("%q,%d", cell(i), i))
	}
	return strings.Join(lines, "\n") + "\n"
}

// every returns a text in every step-th row, and a number in other rows.
func every(step int, text string) func(i int) string {
	return func(i int) string {
		if i%step == step-1 {
			return text
		}
		return fmt.Sprint(i)
	}
}

func tableOf(t *testing.T, text string, opts TableOptions) *Table {
	t.Helper()
	list, err := ReadTable(strings.NewReader(text), opts)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestMissingWords: a tenth, or one, of 300 numbers or dates is a word for a missing cell.
func TestMissingWords(t *testing.T) {
	for _, word := range []string{"-", "?", "N/A", "#N/A", "none", "NULL", "unknown", "Unknown", "n/a", "None", "#DIV/0!"} {
		for step, count := range map[int]int{10: 30, 300: 1} {
			c := tableOf(t, repeated(300, every(step, word)), TableOptions{}).Column("x")
			if _, ok, err := c.Number(step - 1); ok || err != nil || c.Kind() != Number {
				t.Errorf("%q in %d of 300 cells: %v, %v, in a %v", word, count, ok, err, c.Kind())
			}
			if v, ok, err := c.Number(1); v != 1 || !ok || err != nil {
				t.Errorf("%q: the second number is %v, %v, %v", word, v, ok, err)
			}
			if n := c.note(); n.Missing[word] != count || n.Support != 1 || !strings.Contains(n.String(), fmt.Sprintf("%q is missing in %d cell", word, count)) && word != "N/A" && word != "NULL" {
				t.Errorf("%q: note %v", word, n)
			}
		}
	}
	days := tableOf(t, repeated(300, func(i int) string { return []string{"2024-05-01", "unknown"}[i%2] }), TableOptions{}).Column("x")
	if days.Kind() != Date || !days.Missing(1) {
		t.Errorf("days and unknown are a %v", days.Kind())
	}
	for name, cell := range map[string]func(i int) string{
		"names":             func(i int) string { return []string{"none", "red", "blue"}[i%3] },
		"other words":       every(10, "many"),
		"a few other words": func(i int) string { return []string{"?", "1", "2", "a"}[i%4] },
	} {
		c := tableOf(t, repeated(300, cell), TableOptions{}).Column("x")
		if c.Kind() != Category || c.countMissing() > 0 {
			t.Errorf("%s: a %v with %d missing cells, want a category without any", name, c.Kind(), c.countMissing())
		}
	}
	if c := tableOf(t, repeated(300, func(int) string { return "?" }), TableOptions{}).Column("x"); c.Kind() != Blank || !c.Missing(0) {
		t.Errorf("only ? is a %v", c.Kind())
	}
}

// TestNumberForms: texts of 300 numbers, with the value of the second cell.
func TestNumberForms(t *testing.T) {
	for _, c := range []struct {
		name    string
		cell    func(i int) string
		second  float64
		unit    string
		comma   bool
		grouped bool
	}{
		{"thousands", func(i int) string { return fmt.Sprintf("%d,234.50", i) }, 1234.5, "", false, true},
		{"some thousands", func(i int) string { return []string{"7.5", "1,234", "-1,234,567"}[i%3] }, 1234, "", false, true},
		{"lakhs", func(i int) string { return []string{"7", "1,23,456.5"}[i%2] }, 123456.5, "", false, true},
		{"dollars", func(i int) string { return fmt.Sprintf("$%d.50", i) }, 1.5, "$", false, false},
		{"negative dollars", func(i int) string { return fmt.Sprintf("-$%d,000.50", i+1) }, -2000.5, "$", false, true},
		{"euros", func(i int) string { return fmt.Sprintf("%d,50 €", i) }, 1.5, "€", true, false},
		{"percent", func(i int) string { return fmt.Sprintf("%d.5%%", i) }, 1.5, "%", false, false},
		{"kilograms", func(i int) string { return fmt.Sprintf("%d.5 kg", i) }, 1.5, "kg", false, false},
		{"a unit of its own", func(i int) string { return fmt.Sprintf("%d pcs", i) }, 1, "pcs", false, false},
		{"decimal comma", func(i int) string { return fmt.Sprintf("%d,5", i) }, 1.5, "", true, false},
		{"points of thousands", func(i int) string { return fmt.Sprintf("%d.234,5", i+1) }, 2234.5, "", true, true},
		{"exponents", func(i int) string { return fmt.Sprintf("%de-3", i) }, .001, "", false, false},
	} {
		x := tableOf(t, repeated(300, c.cell), TableOptions{}).Column("x")
		v, ok, err := x.Number(1)
		if n := x.Notation(); v != c.second || !ok || err != nil || n.Kind != Number || n.Unit != c.unit || n.DecimalComma != c.comma || n.Grouped != c.grouped {
			t.Errorf("%s: %v, %v, %+v, want %v", c.name, v, err, n, c.second)
		}
	}
}

// TestMixedUnits: numbers with different common units are an error; names such as 1a and 12b are not
// numbers.
func TestMixedUnits(t *testing.T) {
	for _, units := range [][]string{{" kg", " g"}, {"$", "€"}, {"", "%"}} {
		c := tableOf(t, repeated(300, func(i int) string { return fmt.Sprint(i) + units[i%2] }), TableOptions{}).Column("x")
		_, _, first := c.Number(0)
		_, _, second := c.Number(1)
		if err := errors.Join(first, second); c.Kind() != Number || !errors.Is(err, rkhs.ErrFormat) || !strings.Contains(err.Error(), "has the unit") {
			t.Errorf("%q: %v in a %v", units, err, c.Kind())
		}
	}
	for _, names := range [][]string{{"1a", "1b", "2a"}, {"12", "12b"}, {"1.10.0", "1.9.1"}, {"10.0.0.1", "192.168.100.101"}, {"1st", "2nd"}} {
		c := tableOf(t, repeated(300, func(i int) string { return names[i%len(names)] }), TableOptions{}).Column("x")
		if text, _ := c.Text(1); c.Kind() != Category || text != names[1] {
			t.Errorf("%q are a %v", names, c.Kind())
		}
	}
}

// TestDecimalComma reads files with the separator ; and files with different decimal signs in
// different columns.
func TestDecimalComma(t *testing.T) {
	list := tableOf(t, "a;b;c;d\n1,5;1.234;1,234;x\n2,5;999;2,345;y\n", TableOptions{})
	for name, want := range map[string]float64{"a": 1.5, "b": 1234, "c": 1.234} {
		if v, _, err := list.Column(name).Number(0); v != want || err != nil {
			t.Errorf("column %s: %v, %v, want %v", name, v, err, want)
		}
	}
	points := tableOf(t, "a;b\n1.234;x\n999;y\n", TableOptions{})
	if v, _, _ := points.Column("a").Number(0); v != 1.234 {
		t.Errorf("a point in a file without decimal commas: %v", v)
	}
	noHeader := tableOf(t, "1,5;2,5\n2,5;3,5\n", TableOptions{})
	if v, _, _ := noHeader.Column("column_1").Number(0); v != 1.5 {
		t.Errorf("the first line of numbers is a header: %q", namesOf(noHeader))
	}
}

// TestDates: the order of day and month follows from a day above 12.
func TestDates(t *testing.T) {
	for _, c := range []struct {
		name string
		cell func(i int) string
		kind Kind
		want string
	}{
		{"day first", func(i int) string { return fmt.Sprintf("%02d/2/2020", 1+i%28) }, Date, "2020-02-02"},
		{"month first", func(i int) string { return fmt.Sprintf("2/%d/2020", 1+i%28) }, Date, "2020-02-02"},
		{"hyphens", func(i int) string { return fmt.Sprintf("%d-03-2020", 1+i%28) }, Date, "2020-03-02"},
		{"day and time", func(i int) string { return fmt.Sprintf("%d/3/2020 14:30", 1+i%28) }, Date, "2020-03-02T14:30:00Z"},
		{"month in letters", func(i int) string { return fmt.Sprintf("Dec %d, 2020", 1+i%31) }, Date, "2020-12-02"},
		{"day and letters", func(i int) string { return fmt.Sprintf("%d December 2020", 1+i%31) }, Date, "2020-12-02"},
		{"ambiguous", func(i int) string { return fmt.Sprintf("%d/%d/2020", 1+i%12, 1+i%7) }, Category, "2/2/2020"},
	} {
		x := tableOf(t, repeated(300, c.cell), TableOptions{}).Column("x")
		if text, _ := x.Text(1); x.Kind() != c.kind || text != c.want {
			t.Errorf("%s: %q, a %v, want %q", c.name, text, x.Kind(), c.want)
		}
		if n := x.note(); (n.Ambiguous != nil) != (c.name == "ambiguous") {
			t.Errorf("%s: %v", c.name, n)
		}
	}
}

// TestCodes: superfluous zeros are codes unless a cell is zero.
func TestCodes(t *testing.T) {
	for _, c := range []struct {
		name string
		cell func(i int) string
		kind Kind
	}{
		{"ZIP codes", func(i int) string { return fmt.Sprintf("%05d", 2139+i%40*1000) }, Category},
		{"numbers of fixed width", func(i int) string { return fmt.Sprintf("%05d", i%40*10) }, Number},
		{"numbers of one or two digits", func(i int) string { return []string{"0", "01", "02", "12"}[i%4] }, Number},
		{"one of 300", func(i int) string { return []string{"12", "012"}[i/299] }, Number},
		{"decimals", func(i int) string { return fmt.Sprintf("0.%02d", i%40) }, Number},
		{"identifiers", func(i int) string { return fmt.Sprintf("%05d", 1+i) }, Identifier},
	} {
		x := tableOf(t, repeated(300, c.cell), TableOptions{}).Column("x")
		if text, _ := x.Text(0); x.Kind() != c.kind || c.kind == Category && text != "02139" {
			t.Errorf("%s: %q, a %v, want a %v", c.name, text, x.Kind(), c.kind)
		}
	}
}

// TestNames: repeated and missing names of a header.
func TestNames(t *testing.T) {
	list := tableOf(t, "a,a,,a_2,a\nu,v,w,x,y\n", TableOptions{})
	if got, want := namesOf(list), []string{"a", "a_2", "column_3", "a_2_2", "a_3"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	var lines []string
	for _, n := range list.Notes() {
		lines = append(lines, n.String())
	}
	want := []string{"a: category", "a_2: category; another column of this name", "column_3: category; no name in the header",
		"a_2_2: category; another column of this name", "a_3: category; another column of this name"}
	if !slices.Equal(lines, want) {
		t.Errorf("notes %q, want %q", lines, want)
	}
}

// TestEncodings: other encodings than UTF-8 are decoded and noted.
func TestEncodings(t *testing.T) {
	want := [][]string{{"Zürich", "€"}, {"Köln", "$"}}
	little, big := []byte{0xff, 0xfe}, []byte{0xfe, 0xff}
	for _, r := range "ort,währung\nZürich,€\nKöln,$\n" {
		little, big = append(little, byte(r), byte(r>>8)), append(big, byte(r>>8), byte(r))
	}
	for text, encoding := range map[string]string{
		"ort,w\xe4hrung\nZ\xfcrich,\x80\nK\xf6ln,$\n": "windows-1252",
		string(little): "UTF-16",
		string(big):    "UTF-16",
	} {
		list := tableOf(t, text, TableOptions{})
		if got := cellsOf(list); !slices.EqualFunc(got, want, slices.Equal[[]string]) || namesOf(list)[1] != "währung" {
			t.Errorf("%s: %q under %q", encoding, got, namesOf(list))
		}
		for _, n := range list.Notes() {
			if n.Encoding != encoding || !strings.Contains(n.String(), "decoded from "+encoding) {
				t.Errorf("note %v, want %s", n, encoding)
			}
		}
	}
}

// TestNotations: the notation of one file reads a batch of texts, and another file that has a
// different likely notation.
func TestNotations(t *testing.T) {
	one := tableOf(t, "n;d;c;w\n1,5;31/12/2020;02139;5 kg\n-;01/02/2020;02140;6 kg\n", TableOptions{})
	opts := TableOptions{Notations: map[string]Notation{"absent": {Kind: Number}}}
	for _, c := range one.Columns() {
		opts.Notations[c.Name()] = c.Notation()
	}
	text := "n;d;c;w\n2;03/04/2020;12345;7 kg\n?;?;2;8\n"
	batch, err := first(TableBatches(strings.NewReader(text), 5, TableOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	for name, list := range map[string]*Table{"whole": tableOf(t, text, opts), "batch": batch} {
		for j, want := range []string{"2", "2020-04-03", "12345", "7"} {
			c, err := list.Columns()[j].As(opts.Notations[list.Columns()[j].Name()])
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := c.Text(0); text != want || c.Kind() != one.Columns()[j].Kind() {
				t.Errorf("%s: %q, a %v, want %q", name, text, c.Kind(), want)
			}
			if j == 3 {
				if _, _, err := c.Number(1); !errors.Is(err, rkhs.ErrFormat) {
					t.Errorf("%s: a number without its unit: %v", name, err)
				}
			}
		}
	}
	other := tableOf(t, "w\n7 g\n", TableOptions{Separator: ','}).Column("w")
	if _, err := other.As(opts.Notations["w"]); !errors.Is(err, rkhs.ErrFormat) {
		t.Errorf("grams for kilograms: %v", err)
	}
	made := NumberColumn("w", []float64{1}, nil)
	if _, err := made.As(opts.Notations["w"]); err != nil {
		t.Errorf("numbers of a program: %v", err)
	}
	day := TimeColumn("d", []time.Time{{}}, nil)
	if c, err := day.As(opts.Notations["d"]); err != nil || c.Kind() != Date {
		t.Errorf("days of a program: %v", err)
	}
}
