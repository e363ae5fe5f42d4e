package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
)

// cellsOf returns the texts of a table row by row, and "∅" for missing cells.
func cellsOf(t *Table) (rows [][]string) {
	n, _ := t.Dims()
	for i := range n {
		var row []string
		for _, c := range t.columns {
			text, ok := c.Text(i)
			if !ok {
				text = "∅"
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return rows
}

func namesOf(t *Table) (names []string) {
	for _, c := range t.Columns() {
		names = append(names, c.Name())
	}
	return names
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// TestReadTable: many variants of a file give the same table.
func TestReadTable(t *testing.T) {
	want := [][]string{{"1.5", "a b"}, {"∅", "c"}}
	for name, c := range map[string]struct {
		text string
		opts TableOptions
	}{
		"commas":            {"x,y\n1.5,a b\n,c\n", TableOptions{}},
		"no end of line":    {"x,y\n1.5,a b\n,c", TableOptions{}},
		"carriage returns":  {"x,y\r\n1.5,a b\r\n,c\r\n", TableOptions{}},
		"tabs":              {"x\ty\n1.5\ta b\nNA\tc\n", TableOptions{}},
		"semicolons":        {"x;y\n1.5;a b\n nan ;c\n", TableOptions{}},
		"bars":              {"x|y\n1.5|a b\nnull|c\n", TableOptions{}},
		"blanks":            {"x   y\n1.5 \"a b\"\nNA\tc\n", TableOptions{}},
		"quotes":            {"\"x\",\"y\"\n\"1.5\",\"a b\"\n\"\",\"c\"\n", TableOptions{}},
		"byte order mark":   {"\ufeffx,y\n1.5,a b\n,c\n", TableOptions{}},
		"comments":          {"# made by hand\n#\n\nx,y\n1.5,a b\n,c\n", TableOptions{}},
		"empty lines":       {"\n\nx,y\n\n1.5,a b\n\n,c\n\n", TableOptions{}},
		"gzip":              {zipped("x,y\n1.5,a b\n,c\n"), TableOptions{}},
		"a missing of ours": {"x,y\n1.5,a b\n?,c\n", TableOptions{Missing: []string{"?"}}},
		"a given separator": {"x:y\n1.5:a b\n:c\n", TableOptions{Separator: ':'}},
		"header":            {"x,y\n1.5,a b\n,c\n", TableOptions{Header: true}},
	} {
		list, err := ReadTable(strings.NewReader(c.text), c.opts)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := cellsOf(list); !slices.EqualFunc(got, want, slices.Equal[[]string]) || !slices.Equal(namesOf(list), []string{"x", "y"}) {
			t.Errorf("%s: %q under %q, want %q", name, got, namesOf(list), want)
		}
		if v, ok, err := list.Column("x").Number(0); v != 1.5 || !ok || err != nil {
			t.Errorf("%s: %v, %v, %v", name, v, ok, err)
		}
	}
}

// TestTableCells checks the contents of quotes, and the lines of rows.
func TestTableCells(t *testing.T) {
	list, err := ReadTable(strings.NewReader("#\na,b\n\"say \"\"no\"\"\",\"two\nlines\"\n\"1,5\",x\n"), TableOptions{DecimalComma: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := cellsOf(list); got[0][0] != `say "no"` || got[0][1] != "two\nlines" || list.Line(0) != 3 || list.Line(1) != 5 {
		t.Errorf("%q in lines %d and %d", got, list.Line(0), list.Line(1))
	}
	if v, ok, err := list.Column("a").Number(1); v != 1.5 || !ok || err != nil {
		t.Errorf("1,5 is %v, %v, %v", v, ok, err)
	}
	some := list.Select([]int{1, 1})
	if got := cellsOf(some); got[0][0] != "1,5" || got[1][1] != "x" || some.Line(1) != 5 {
		t.Errorf("selected %q", got)
	}
}

// TestHeader: the first line names the columns if it has no number.
func TestHeader(t *testing.T) {
	for _, c := range []struct {
		text  string
		opts  TableOptions
		names []string
		rows  int
	}{
		{"1,a\n2,b\n", TableOptions{}, []string{"column_1", "column_2"}, 2},
		{"a,b\nc,d\n", TableOptions{}, []string{"a", "b"}, 1},
		{"a,b\nc,d\n", TableOptions{NoHeader: true}, []string{"column_1", "column_2"}, 2},
		{"2020,2021\n1,2\n", TableOptions{Header: true}, []string{"2020", "2021"}, 1},
		{",b\n1,2\n", TableOptions{}, []string{"column_1", "b"}, 1},
	} {
		list, err := ReadTable(strings.NewReader(c.text), c.opts)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := list.Dims(); n != c.rows || !slices.Equal(namesOf(list), c.names) {
			t.Errorf("%q: %d rows under %q, want %d under %q", c.text, n, namesOf(list), c.rows, c.names)
		}
	}
}

// TestKinds: all cells of a column determine its kind.
func TestKinds(t *testing.T) {
	repeat := func(n int, cell func(i int) string) string {
		lines := []string{"name"}
		for i := range n {
			lines = append(lines, `"`+cell(i)+`"`)
		}
		return strings.Join(lines, "\n") + "\n"
	}
	for _, c := range []struct {
		what, text string
		opts       TableOptions
		kind       Kind
	}{
		{"numbers", repeat(50, func(i int) string { return fmt.Sprint(i) + "e-3" }), TableOptions{}, Number},
		{"numbers and one fault", repeat(200, func(i int) string { return []string{"7", "x"}[i/199] }), TableOptions{}, Number},
		{"names and numbers", repeat(50, func(i int) string { return []string{"7", "x"}[i%2] }), TableOptions{}, Category},
		{"names", repeat(50, func(i int) string { return []string{"u", "v", "w"}[i%3] }), TableOptions{}, Category},
		{"few names", repeat(5, func(i int) string { return fmt.Sprint("n", i) }), TableOptions{}, Category},
		{"identifiers", repeat(50, func(i int) string { return fmt.Sprint("n", i) }), TableOptions{}, Identifier},
		{"texts", repeat(50, func(i int) string { return fmt.Sprint("row number ", i) }), TableOptions{}, Text},
		{"days", repeat(50, func(i int) string { return fmt.Sprintf("2024-02-%02d", 1+i%29) }), TableOptions{}, Date},
		{"times", repeat(50, func(i int) string { return fmt.Sprintf("2024-02-01 %02d:30", i%24) }), TableOptions{}, Date},
		{"German days", repeat(50, func(i int) string { return fmt.Sprintf("%02d.02.2024", 1+i%29) }), TableOptions{}, Date},
		{"slashes", repeat(50, func(i int) string { return fmt.Sprintf("%02d/02/2024", 1+i%12) }), TableOptions{}, Category},
		{"slashes by a layout", repeat(50, func(i int) string { return fmt.Sprintf("%02d/02/2024", 1+i%29) }), TableOptions{Dates: []string{"02/01/2006"}}, Date},
		{"blank", repeat(50, func(i int) string { return "NA" }), TableOptions{}, Blank},
		{"as given", repeat(50, func(i int) string { return fmt.Sprint(i % 3) }), TableOptions{Kinds: map[string]Kind{"name": Category}}, Category},
	} {
		c.opts.Separator = ','
		list, err := ReadTable(strings.NewReader(c.text), c.opts)
		if err != nil {
			t.Fatal(c.what, err)
		}
		if got := list.Column("name").Kind(); got != c.kind {
			t.Errorf("%s: %v, want %v", c.what, got, c.kind)
		}
	}
	for k := Number; k <= Blank; k++ {
		if got, err := ParseKind(k.String()); got != k || err != nil {
			t.Errorf("%v is parsed as %v, %v", k, got, err)
		}
	}
}

// TestTableRefused checks the message and the line of errors for invalid files and options.
func TestTableRefused(t *testing.T) {
	for _, c := range []struct {
		what, text, says string
		opts             TableOptions
		err              error
	}{
		{"nothing", "", "no rows", TableOptions{}, rkhs.ErrEmpty},
		{"empty lines", "\n\n\n", "no rows", TableOptions{}, rkhs.ErrEmpty},
		{"comments", "# a\n# b", "no rows", TableOptions{}, rkhs.ErrEmpty},
		{"a header alone", "a,b\n", "no rows", TableOptions{}, rkhs.ErrEmpty},
		{"a short row", "a,b\n1,2\n3\n", "line 3: 1 cells, want 2", TableOptions{}, rkhs.ErrFormat},
		{"a long row", "# c\na,b\n1,2,3\n", "line 3: 3 cells, want 2", TableOptions{}, rkhs.ErrFormat},
		{"a quote without end", "a,b\n1,\"2\n", "line 2", TableOptions{}, rkhs.ErrFormat},
		{"a quote inside", "a,b\n1,x\"y\n", "line 2", TableOptions{}, rkhs.ErrFormat},
		{"a quote among blanks", "a b\n1 \"x\n", "line 2, cell 2", TableOptions{}, rkhs.ErrFormat},
		{"gzip that is cut off", zipped("a,b\n1,2\n")[:20], "cut off", TableOptions{}, rkhs.ErrFormat},
		{"UTF-16 without rows", "\xff\xfea\x00,\x00b\x00\n\x00", "no rows", TableOptions{}, rkhs.ErrEmpty},
		{"zero bytes", "# c\n1,2\x00\n3,4\n", "line 2 has a zero byte", TableOptions{}, rkhs.ErrFormat},
		{"carriage returns alone", "a,b\r1,2\r3,4\r", "carriage returns", TableOptions{}, rkhs.ErrFormat},
		{"svmlight", "# c\n-1 3:1 11:0.5 # d\n1 2:1\n", "line 2 is svmlight", TableOptions{}, rkhs.ErrFormat},
		{"svmlight of one column", "-1 3:1\n1 2:1\n", "line 1 is svmlight", TableOptions{}, rkhs.ErrFormat},
		{"header and none", "a,b\n1,2\n", "both set", TableOptions{Header: true, NoHeader: true}, rkhs.ErrOption},
		{"a separator", "a,b\n1,2\n", "Separator", TableOptions{Separator: '"'}, rkhs.ErrOption},
		{"a kind", "a,b\n1,2\n", "Kind(77)", TableOptions{Kinds: map[string]Kind{"a": 77}}, rkhs.ErrOption},
		{"a kind of nothing", "a,b\n1,2\n", `no column "c"`, TableOptions{Kinds: map[string]Kind{"c": Number}}, rkhs.ErrOption},
	} {
		_, err := ReadTable(strings.NewReader(c.text), c.opts)
		if !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q and %v", c.what, err, c.says, c.err)
		}
	}
	for what, text := range map[string]string{"times": "12 3:30 a\n13 4:30 b\n", "svmlight by a blank": "1 1:1 2:1\n-1 1:2 2:1\n"} {
		var o TableOptions
		if what != "times" {
			o.Separator = ' '
		}
		if _, err := ReadTable(strings.NewReader(text), o); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := LoadTable("no/such/file.csv", TableOptions{}); err == nil {
		t.Error("a file that is not there")
	}
	if _, err := ReadTable(nil, TableOptions{}); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("a nil reader: %v", err)
	}
	if _, err := ParseKind("unknown"); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("an unknown kind: %v", err)
	}
	list, err := ReadTable(strings.NewReader("a\tb\nx\t1,5\n1.5\t1.5\n"), TableOptions{DecimalComma: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range []struct {
		column string
		row    int
	}{{"a", 0}, {"a", 1}, {"b", 1}} {
		if _, _, err := list.Column(cell.column).Number(cell.row); !errors.Is(err, rkhs.ErrFormat) || !strings.Contains(err.Error(), cell.column) {
			t.Errorf("%v: %v", cell, err)
		}
	}
	if _, _, err := list.Column("a").Time(1); !errors.Is(err, rkhs.ErrFormat) {
		t.Errorf("a number as a time: %v", err)
	}
	if _, err := (*Table)(nil).WithKinds(map[string]Kind{"a": Text}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("kinds of no table: %v", err)
	}
	if _, err := ConcatTables(list, nil); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("a table and none: %v", err)
	}
	if none, err := ConcatTables(nil, nil); err != nil || len(none.Columns()) != 0 {
		t.Errorf("no tables: %v", err)
	}
}

// TestTableBatches: batches have the rows of the table. An error with its line ends them.
func TestTableBatches(t *testing.T) {
	text := "a,b\n1,x\n2,y\n3,z\n4,u\n5,v\n"
	var got [][]string
	for b, err := range TableBatches(strings.NewReader(text), 2, TableOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, cellsOf(b)...)
		if b.Column("a").Kind() != UnknownKind {
			t.Error("a batch has kinds")
		}
	}
	all, err := ReadTable(strings.NewReader(text), TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(got, cellsOf(all), slices.Equal[[]string]) {
		t.Errorf("batches of %q", got)
	}
	rows := 0
	for b, e := range TableBatches(strings.NewReader(text+"6\n"), 2, TableOptions{}) {
		if err = e; e == nil {
			n, _ := b.Dims()
			rows += n
		}
	}
	if rows != 4 || !errors.Is(err, rkhs.ErrFormat) || !strings.Contains(err.Error(), "line 7") {
		t.Errorf("%d rows, then %v", rows, err)
	}
	for _, err := range TableBatches(strings.NewReader(text), 0, TableOptions{}) {
		if !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("batches of no rows: %v", err)
		}
	}
}

// TestTableSplit: every row is in one part.
func TestTableSplit(t *testing.T) {
	var b strings.Builder
	b.WriteString("n\n")
	for i := range 100 {
		fmt.Fprintln(&b, i)
	}
	all, err := ReadTable(strings.NewReader(b.String()), TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	train, test, err := all.Split(0.2, 4)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range append(cellsOf(train), cellsOf(test)...) {
		seen[row[0]] = true
	}
	if n, _ := test.Dims(); n != 20 || len(seen) != 100 {
		t.Errorf("%d rows to test on, %d on either side", n, len(seen))
	}
	for _, fraction := range []float64{0, 1, -1} {
		if _, _, err := all.Split(fraction, 0); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("fraction %v: %v", fraction, err)
		}
	}
	if _, _, err := all.Select([]int{3}).Split(0.5, 0); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("one row: %v", err)
	}
}

// FuzzReadTable: any bytes are an error, or a table with readable cells that is the same whole and in
// batches.
func FuzzReadTable(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", "a;b\n\"x;\n\";3\n", "1 2\n3 4\n", "#\n\na\tb\n1\t\n", "\ufeffa|b\r\n2024-01-01|x\r\n", zipped("a\n1\n"), "\x1f\x8b", "\"", "a,a\n", "a\n\"x\"y\n"} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, comma bool) {
		opts := TableOptions{DecimalComma: comma}
		whole, err := ReadTable(bytes.NewReader(data), opts)
		var rows [][]string
		var last error
		for b, err := range TableBatches(bytes.NewReader(data), 2, opts) {
			if last = err; err == nil {
				rows = append(rows, cellsOf(b)...)
			}
		}
		if (err == nil) != (last == nil) {
			t.Fatalf("whole: %v, in batches: %v", err, last)
		}
		if err != nil {
			return
		}
		if !slices.EqualFunc(rows, cellsOf(whole), slices.Equal[[]string]) {
			t.Error("batches are another table")
		}
		for _, c := range whole.Columns() {
			for i := range c.Len() {
				c.Number(i)
				c.Time(i)
			}
			if c.Kind() == UnknownKind {
				t.Errorf("column %q has no kind", c.Name())
			}
		}
	})
}
