package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/recipe"
)

// TestDescribeColumns: each column has a line with its kind, its levels and its missing cells.
func TestDescribeColumns(t *testing.T) {
	text := "n,one,many,two,id,empty,w,y\n"
	for i := range 400 {
		n := fmt.Sprint(i)
		if i == 7 {
			n = ""
		}
		text += fmt.Sprintf("%s,u,l%d,t%d,id-%d,,1,c%d\n", n, i%70, i%2, i, i%9)
	}
	table, err := dataset.ReadTable(strings.NewReader(text), dataset.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := recipe.Learn(table, recipe.Options{Target: "y", Weights: "w", Ignore: []string{"id"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"y: target, 9 classes: c0, c1, c2, c3, c4, c5, c6, c7, …", "w: weights", "n: number, 1 of 400 cells missing",
		"one: category, not used", "many: category (hashed to 64 columns)", "two: category (2 levels)", "id: identifier, not used",
		"empty: blank, not used"}
	if got := describeColumns(r, table, "w"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := describeColumns(r, nil, ""); len(got) != len(want)-1 || got[1] != "n: number" {
		t.Errorf("without rows: %q", got)
	}
}
