package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
)

const jsonText = `{"area": 50.5, "town": "Ely", "lift": true, "in": {"a": [1, "}"]}, "n": 1}

{"town":"St \"Iv\u00e9s\"","area":null,"n":2.5,"late":"2024-05-01","in":[]}
{"area":6e1,"lift":false,"n":-3,"in":null}
`

// TestJSON reads values of every type, missing keys, nested values, and each form of a file.
func TestJSON(t *testing.T) {
	array := "[\n" + strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(jsonText, "\n\n", "\n")), "}\n{", "},\n{") + "\n]\n"
	for name, text := range map[string]string{"lines": jsonText, "CRLF": strings.ReplaceAll(jsonText, "\n", "\r\n"), "array": array,
		"one line": strings.ReplaceAll(array, "\n", ""), "a mark": "\ufeff" + jsonText, "gzip": string(compress([]byte(jsonText)))} {
		table, err := ReadTable(strings.NewReader(text), TableOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		checkTable(t, table, []wantColumn{{"area", "50.5||60", Number}, {"town", `Ely|St "Ivés"|`, Category}, {"lift", "true||false", Category},
			{"n", "1|2.5|-3", Number}, {"late", "|2024-05-01|", Date}, {"in", "||", Blank}})
		notes := table.Notes()
		if last := notes[len(notes)-1]; last.Column != "in" || last.Cells != 2 || last.Ignored != "nested values" || !strings.Contains(last.String(), "2 cells") {
			t.Errorf("%s: the last note is %v", name, last)
		}
	}
	table, err := ReadTable(strings.NewReader(jsonText), TableOptions{Missing: []string{"-3", "Ely"}, Kinds: map[string]Kind{"n": Category}})
	if err != nil || table.Line(1) != 3 || !table.Column("n").Missing(2) || !table.Column("town").Missing(0) || table.Column("n").Kind() != Category {
		t.Errorf("%v, row 1 at line %d", err, table.Line(1))
	}
}

func TestJSONErrors(t *testing.T) {
	const good = `{"a":1,"b":"x"}` + "\n"
	for row, part := range map[string]string{
		`{"a":1`: "line 2: ", `{"a":1,"a":2}`: `key "a" occurs twice`, `5`: "not an object", `{"a":1e999}`: `column "a"`, `{"b":tru}`: "line 2: ",
	} {
		_, err := ReadTable(strings.NewReader(good+row+"\n"), TableOptions{})
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, want %s", row, err, part)
		}
		checkKnown(t, err)
		count := 0
		table, err := ReadTable(strings.NewReader(good+row+"\n"+good), TableOptions{Skip: func(error) { count++ }})
		if err != nil || count != 1 || strings.Join(textsOf(table.Column("a")), "|") != "1|1" {
			t.Errorf("%s: %v, %d skipped", row, err, count)
		}
	}
	for text, sentinel := range map[string]error{`[{"a":1},{"a":2}`: rkhs.ErrFormat, `[{"a":1}] x`: rkhs.ErrFormat, `[{"a":1},3]`: rkhs.ErrFormat,
		"{}\n{}\n": rkhs.ErrEmpty, `[{"a":1},]`: rkhs.ErrFormat} {
		checkError(t, errOf(ReadTable(strings.NewReader(text), TableOptions{})), sentinel)
	}
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "{\"k%d\":1}\n", i)
	}
	checkError(t, errOf(ReadTable(strings.NewReader(b.String()), TableOptions{})), rkhs.ErrMemory)
}

// Maps give the values of JSON, with columns in order of their names. Batches keep the columns of
// earlier batches.
func TestFromMaps(t *testing.T) {
	var rows []map[string]any
	for line := range strings.SplitSeq(strings.TrimSpace(jsonText), "\n") {
		var row map[string]any
		if line == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	want := []wantColumn{{"area", "50.5||60", Number}, {"in", "||", Blank}, {"late", "|2024-05-01|", Date}, {"lift", "true||false", Category},
		{"n", "1|2.5|-3", Number}, {"town", `Ely|St "Ivés"|`, Category}}
	table, err := FromMaps(rows)
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, table, want)
	var counts []int
	for b, err := range MapBatches(slices.Values(rows), 1) {
		if err != nil {
			t.Fatal(err)
		}
		_, columns := b.Dims()
		counts = append(counts, columns)
	}
	if !slices.Equal(counts, []int{4, 5, 6}) && !slices.Equal(counts, []int{4, 6, 6}) {
		t.Errorf("batches of %v columns", counts)
	}
	if _, err := FromMaps([]map[string]any{{"a": make(chan int)}}); !errors.Is(err, rkhs.ErrFormat) {
		t.Errorf("a channel: %v", err)
	}
	checkError(t, errOf(FromMaps(nil)), rkhs.ErrEmpty)
	checkError(t, errOf(FromMaps([]map[string]any{{}})), rkhs.ErrEmpty)
}

// JSON lines have the same texts whole and in batches.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(jsonText), 2)
	f.Add([]byte(`[{"a":1},{"b":"x\u00e9"}]`), 1)
	f.Add([]byte("{\"a\":{}}\n{\"a\":1}\n{\"a\":\"\"}"), 1)
	f.Fuzz(func(t *testing.T, data []byte, rows int) {
		if isJSON(data) {
			checkBatches(t, data, max(rows, 1))
		}
	})
}
