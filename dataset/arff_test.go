package dataset

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
)

const arffText = `% a comment
%
@RELATION 'a test'

@attribute area NUMERIC
@ATTRIBUTE 'town name' {Ely, 'St Ives', "Bury", NA}
@attribute	grade {1,2,3}
@attribute note string
@attribute sold date "yyyy-MM-dd HH:mm"
@attribute code integer
@data
50.5, Ely, 1, 'it\'s 5, isn\'t it', "2024-05-01 12:30", 7
% between
?,'St Ives',?,?,?,-1
60	Bury 2 plain "2024-05-02 00:00" 8
1e3,NA,3,"?","2024-05-03 00:00",9
`

// TestARFF reads every type of attribute, quotes, comments and missing cells.
func TestARFF(t *testing.T) {
	for name, text := range map[string]string{"plain": arffText, "CRLF": strings.ReplaceAll(arffText, "\n", "\r\n"),
		"a mark": "\ufeff" + arffText, "gzip": string(compress([]byte(arffText)))} {
		table, err := ReadTable(strings.NewReader(text), TableOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		checkTable(t, table, []wantColumn{
			{"area", "50.5||60|1000", Number}, {"town name", "Ely|St Ives|Bury|", Category}, {"grade", "1||2|3", Category},
			{"note", "it's 5, isn't it||plain|?", Category}, {"sold", "2024-05-01T12:30:00Z||2024-05-02|2024-05-03", Date},
			{"code", "7|-1|8|9", Number},
		})
		if table.Line(0) != 12 || table.Line(1) != 14 {
			t.Errorf("%s: rows at lines %d and %d", name, table.Line(0), table.Line(1))
		}
	}
}

// wantColumn is the expected column of a table.
type wantColumn struct {
	name, texts string
	kind        Kind
}

func checkTable(t *testing.T, table *Table, want []wantColumn) {
	t.Helper()
	if _, n := table.Dims(); n != len(want) {
		t.Errorf("%d columns, want %d", n, len(want))
	}
	for j, c := range table.Columns() {
		if got := (wantColumn{c.Name(), strings.Join(textsOf(c), "|"), c.Kind()}); got != want[j] {
			t.Errorf("column %+v, want %+v", got, want[j])
		}
	}
}

// A sparse row omits zeros and first levels.
func TestSparseARFF(t *testing.T) {
	const text = "@relation r\n@attribute a real\n@attribute b {no,yes}\n@attribute c real\n@data\n{0 5, 1 yes}\n{}\n{ 2 ? }\n{2 -1,0 2}\n"
	table, err := ReadTable(strings.NewReader(text), TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, table, []wantColumn{{"a", "5|0|0|2", Number}, {"b", "yes|no|no|no", Category}, {"c", "0|0||-1", Number}})
}

// Errors name the line. With Skip, the other rows are read.
func TestARFFErrors(t *testing.T) {
	const head = "@relation r\n@attribute a real\n@attribute b {x,y}\n@attribute s string\n@data\n"
	for rows, part := range map[string]string{
		"1,x,q\n2,z,q\n":     `line 7: attribute "b": "z"`,
		"1,x,q\nw,x,q\n":     `line 7: attribute "a": "w"`,
		"1,x\n":              "line 6: 2 cells, want 3",
		"1,x,q,4\n":          "line 6: more than 3 cells",
		"1,x,'q\n":           "line 6: quote without end",
		"1,'x'y,q\n":         "line 6: ",
		"{0 1, 0 2, 2 q}\n":  "line 6: index 0 occurs twice",
		"{3 1}\n":            "line 6: index",
		"{0 1\n":             "line 6: the row has no closing brace",
		"{0 1}\n":            `line 6: attribute "s" is a text`,
		"1,x,q\n1e999,x,q\n": "line 7: ",
	} {
		_, err := ReadTable(strings.NewReader(head+rows), TableOptions{})
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, want %s", rows, err, part)
		}
		checkKnown(t, err)
		var skipped []error
		table, err := ReadTable(strings.NewReader(head+rows+"3,y,end\n"), TableOptions{Skip: func(err error) { skipped = append(skipped, err) }})
		if err != nil || len(skipped) != 1 {
			t.Errorf("%q: %v, skipped %v", rows, err, skipped)
			continue
		}
		n, _ := table.Dims()
		if text, _ := table.Column("s").Text(n - 1); text != "end" {
			t.Errorf("%q: the last row is %s", rows, text)
		}
	}
	for text, sentinel := range map[string]error{
		"@relation r\n@data\n1\n": rkhs.ErrEmpty, "@relation r\n@attribute a real\n": rkhs.ErrFormat, head: rkhs.ErrEmpty,
		"@relation r\n@attribute a relational\n@data\n": rkhs.ErrFormat, "@relation r\n@attribute a {x\n@data\n": rkhs.ErrFormat,
		"@relation r\n@attribute a real\n@attribute a real\n@data\n": rkhs.ErrFormat, "@relation r\nhello\n": rkhs.ErrFormat,
	} {
		checkError(t, errOf(ReadTable(strings.NewReader(text), TableOptions{})), sentinel)
	}
	many := head[:len(head)-6] + strings.Repeat("@attribute q", 0)
	for i := range 3000 {
		many += "@attribute q" + strings.Repeat("x", i%7) + decimal(float64(i)) + " real\n"
	}
	checkError(t, errOf(ReadTable(strings.NewReader(many+"@data\n"+strings.Repeat("{2 a}\n", 3000)), TableOptions{})), rkhs.ErrMemory)
}

// FuzzARFF checks that reading whole and in batches gives the same texts, and that each column has a
// cell for each row.
func FuzzARFF(f *testing.F) {
	f.Add([]byte(arffText), 2)
	f.Add([]byte("@relation r\n@attribute a real\n@attribute b {no,yes}\n@data\n{0 5, 1 yes}\n{}\n"), 1)
	f.Add([]byte("@relation r\n@attribute 'a\\'b' string\n@data\n'x\\n'\n"), 1)
	f.Fuzz(func(t *testing.T, data []byte, rows int) {
		if !isARFF(data) {
			data = append([]byte("@relation r\n"), data...)
		}
		checkBatches(t, data, max(rows, 1))
	})
}

// checkBatches checks that a text has the same rows whole and in batches.
func checkBatches(t *testing.T, data []byte, rows int) {
	t.Helper()
	whole, wholeErr := first(TableBatches(bytes.NewReader(data), 1<<30, TableOptions{}))
	if wholeErr != nil {
		checkKnown(t, wholeErr)
	}
	texts := map[string][]string{}
	read := 0
	for b, err := range TableBatches(bytes.NewReader(data), rows, TableOptions{}) {
		if err != nil {
			checkKnown(t, err)
			if wholeErr == nil {
				t.Fatalf("in batches: %v", err)
			}
			return
		}
		for _, c := range b.Columns() {
			texts[c.Name()] = append(append(texts[c.Name()], make([]string, read-len(texts[c.Name()]))...), textsOf(c)...)
		}
		n, _ := b.Dims()
		read += n
	}
	if wholeErr != nil {
		t.Fatalf("whole: %v", wholeErr)
	}
	for _, c := range whole.Columns() {
		if c.Len() != read || !slices.Equal(texts[c.Name()], textsOf(c)) {
			t.Fatalf("column %q: %q whole, %q in batches", c.Name(), textsOf(c), texts[c.Name()])
		}
	}
}
