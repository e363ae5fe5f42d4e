package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestDescribe: each column has a line with its kind, its distribution and its remarks.
func TestDescribe(t *testing.T) {
	text := "n,n,day,town,none,same\n"
	for i := range 120 {
		n := fmt.Sprint(i)
		if i == 7 {
			n = "?"
		}
		text += fmt.Sprintf("%s,%d%%,%d/2/2020,%s,,1\n", n, i%10*i%10, 1+i%28, []string{"Ely", "Bath", "Ely"}[i%3])
	}
	file := write(t, "x.csv", text)
	want := `120 rows, 6 columns

n     number      ████████████  0 to 119, median 60; "?" is missing in 1 cell
n_2   number      ▄█   █▄ █  █  0 to 9, median 4; another column of this name; numbers in %
day   date        █▆▆▅▇▅▅▅▇▅▅▇  2020-02-01 to 2020-02-28, median 2020-02-13; dates as 2/1/2006
town  category    2 levels: Ely 80, Bath 40
none  blank       120 empty cells
same  number      1 to 1, median 1
`
	if got := must(t, "describe", file); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var columns []overview
	if err := json.Unmarshal([]byte(must(t, "describe", file, "-json")), &columns); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range columns[0].Histogram {
		sum += n
	}
	if len(columns) != 6 || sum != 119 || columns[0].Missing["?"] != 1 || columns[1].Unit != "%" || columns[3].Distinct != 2 || columns[3].Levels[0].Rows != 80 {
		t.Errorf("%+v", columns)
	}
	if out := must(t, "describe", file, "-kind", "same=category"); !strings.Contains(out, "1 level: 1 120") {
		t.Errorf("same as a category: %s", out)
	}
	if code, _, stderr := call(context.Background(), "", "describe", write(t, "x.svm", "1 1:2\n")); code != misused || !strings.Contains(stderr, "describe reads tables") {
		t.Errorf("numbered columns: exit code %d: %s", code, stderr)
	}
}
