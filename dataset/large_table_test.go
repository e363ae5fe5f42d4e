package dataset

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPlainNumber: every text that plainNumber reads has the value of strconv, bit for bit.
func TestPlainNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`-?[0-9]{0,20}(\.[0-9]{0,20})?([eE][-+]?[0-9]{1,3})?`),
			rapid.Map(rapid.Float64(), func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }),
			rapid.StringMatching(`[-+0-9.eExX_infa]{0,6}`)).Draw(t, "text")
		v, ok := plainNumber([]byte(text))
		want, err := strconv.ParseFloat(text, 64)
		if ok && (err != nil || math.Float64bits(v) != math.Float64bits(want)) {
			t.Errorf("%q is %v, want %v, %v", text, v, want, err)
		}
	})
	for _, text := range []string{"0", "-0", "1.5", "-.5", "12.", "1e5", "9007199254740993", "0.30000000000000004"} {
		if _, ok := plainNumber([]byte(text)); !ok {
			t.Errorf("%q is not read", text)
		}
	}
}

// TestLargeTable: after sampleRows, columns are stored as numbers. The values are equal to the values
// of a small file.
func TestLargeTable(t *testing.T) {
	const n = 3 * sampleRows
	cells := map[string]func(i int) string{
		"numbers":    func(i int) string { return fmt.Sprintf("%d.50", i%50) },
		"late words": func(i int) string { return []string{"1.25", "?", "", "unknown"}[max(0, i%4)*min(1, i/(2*sampleRows))] },
		"late fault": func(i int) string { return []string{"1.25", "oops"}[i/(n-1)] },
		"late names": func(i int) string { return []string{"12", "red"}[min(1, i/(2*sampleRows))] },
		"late codes": func(i int) string { return []string{"12", "012"}[min(1, i/(2*sampleRows))] },
		"late units": func(i int) string { return []string{"12", "12 kg"}[min(1, i/(2*sampleRows))] },
		"late plus":  func(i int) string { return []string{"12", "+3"}[i/(n-1)] },
		"gaps":       func(i int) string { return []string{"7", "", "NA"}[i%3] },
		"names":      func(i int) string { return []string{"red", "blü"}[i%2] },
		"days":       func(i int) string { return fmt.Sprintf("2020-01-%02d", 1+i%28) },
	}
	for name, cell := range cells {
		var b strings.Builder
		b.WriteString("y,x\n")
		texts := make([]string, n)
		for i := range n {
			texts[i] = cell(i)
			fmt.Fprintf(&b, "1,%s\n", texts[i])
		}
		got, want := tableOf(t, b.String(), TableOptions{}).Column("x"), TextColumn("x", texts, nil)
		if name == "late units" {
			if _, _, err := got.Number(n - 1); err == nil {
				t.Error("mixed units are numbers")
			}
			continue
		}
		if got.Kind() != want.Kind() || fmt.Sprint(got.note()) != fmt.Sprint(want.note()) {
			t.Errorf("%s: %v, want %v", name, got.note(), want.note())
		}
		for i := range n {
			a, aOK := got.Text(i)
			b, bOK := want.Text(i)
			if a != b || aOK != bOK {
				t.Fatalf("%s: row %d is %q, %v, want %q, %v", name, i, a, aOK, b, bOK)
			}
		}
	}
}

// TestTableMemory: a table of numbers needs at most 1.2 times their size after reading.
func TestTableMemory(t *testing.T) {
	const rows, columns = 60000, 20
	text := csvText(rows, columns, 9)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := ReadTable(bytes.NewReader(text), TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if ratio := float64(after.HeapAlloc-before.HeapAlloc) / (rows * columns * 8); ratio > 1.2 {
		t.Errorf("the table needs %.2f times the size of its numbers", ratio)
	}
	runtime.KeepAlive(table)
	runtime.KeepAlive(text)
}
