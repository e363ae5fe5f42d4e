package dataset

import (
	"bufio"
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCSVRecords compares rows with encoding/csv, which reads lines with and without quotes by the
// same code.
func TestCSVRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([ab1 ,"]|""|"[ab,\n]*"|\n|\r\n){0,30}`).Draw(t, "text")
		want := csv.NewReader(strings.NewReader(text))
		want.FieldsPerRecord, want.TrimLeadingSpace = -1, true
		got := newCSVRecords(lines{r: bufio.NewReader(strings.NewReader(text))}, ',')
		for {
			record, wantErr := want.Read()
			cells, line, err := got.next()
			if (err == io.EOF) != (wantErr == io.EOF) || (err == nil) != (wantErr == nil) {
				t.Fatalf("%q: %v, want %v", text, err, wantErr)
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				continue
			}
			var texts []string
			for i, cell := range cells {
				texts = append(texts, string(cell))
				record[i] = strings.TrimSpace(record[i])
			}
			if first, _ := want.FieldPos(0); !slices.Equal(texts, record) || line != first {
				t.Fatalf("%q: %q in line %d, want %q in line %d", text, texts, line, record, first)
			}
		}
	})
}

// TestSpectrum reads the variants of CSV in the files of csv-spectrum.
func TestSpectrum(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want [][]string
	}{
		"comma in quotes":     {"a,b\nJohn,\"Anytown, WW\"\n", [][]string{{"John", "Anytown, WW"}}},
		"empty":               {"a,b,c\n1,\"\",\"\"\n2,3,4\n", [][]string{{"1", "∅", "∅"}, {"2", "3", "4"}}},
		"empty, CRLF":         {"a,b,c\r\n1,\"\",\"\"\r\n2,3,4\r\n", [][]string{{"1", "∅", "∅"}, {"2", "3", "4"}}},
		"escaped quotes":      {"a,b\n1,\"ha \"\"ha\"\" ha\"\n3,4\n", [][]string{{"1", `ha "ha" ha`}, {"3", "4"}}},
		"JSON":                {"key,val\n1,\"{\"\"type\"\": \"\"Point\"\", \"\"at\"\": [102.0, 0.5]}\"\n", [][]string{{"1", `{"type": "Point", "at": [102.0, 0.5]}`}}},
		"coordinates":         {"a,b\nu,\"37.36,-120.5\"\nv,\"37.4,-121\"\n", [][]string{{"u", "37.36,-120.5"}, {"v", "37.4,-121"}}},
		"newlines":            {"a,b\nx,2\n\"Once upon \na time\",5\n7,8\n", [][]string{{"x", "2"}, {"Once upon \na time", "5"}, {"7", "8"}}},
		"newlines, CRLF":      {"a,b\r\nx,2\r\n\"Once upon \r\na time\",5\r\n", [][]string{{"x", "2"}, {"Once upon \na time", "5"}}},
		"quotes and newlines": {"a,b\n1,\"ha \n\"\"ha\"\" \nha\"\n3,4\n", [][]string{{"1", "ha \n\"ha\" \nha"}, {"3", "4"}}},
		"simple":              {"a,b,c\n1,2,3", [][]string{{"1", "2", "3"}}},
		"simple, CRLF":        {"a,b,c\r\n1,2,3\r\n", [][]string{{"1", "2", "3"}}},
		"UTF-8":               {"a,b,c\n1,2,3\n4,5,ʤ\n", [][]string{{"1", "2", "3"}, {"4", "5", "ʤ"}}},
	} {
		if got := cellsOf(tableOf(t, c.text, TableOptions{})); !slices.EqualFunc(got, c.want, slices.Equal[[]string]) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
