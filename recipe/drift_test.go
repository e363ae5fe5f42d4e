package recipe_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/recipe"
)

// TestDrift: counts by column list the cells that differ from the training rows.
func TestDrift(t *testing.T) {
	var b strings.Builder
	b.WriteString("size,day,town,y\n")
	for i := range 100 {
		fmt.Fprintf(&b, "%d.5,2020-01-%02d,%s,%d.25\n", i, 1+i%28, []string{"Ely", "Bath"}[i%2], i)
	}
	r, err := recipe.Learn(table(t, b.String(), dataset.TableOptions{}), recipe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fresh := table(t, "size,day\n-1,2020-01-05\n,2021-01-05\n99.5,2019-01-05\n100,2020-01-28\n", dataset.TableOptions{})
	_, counts, err := r.Inputs(fresh)
	want := []recipe.Count{{Column: "size", Missing: 1, Outside: 2}, {Column: "day", Outside: 2}, {Column: "town", Missing: 4, Absent: true}}
	if err != nil || !slices.Equal(counts, want) {
		t.Errorf("%+v, %v, want %+v", counts, err, want)
	}
}

// TestNotations: a recipe reads batches of text, and tables with their own notations, like its
// training rows.
func TestNotations(t *testing.T) {
	var b strings.Builder
	b.WriteString("load;share;day;zip;y\n")
	for i := range 100 {
		fmt.Fprintf(&b, "%d,5 kg;%d%%;%d/3/2020;%05d;%d,25\n", i, i, 1+i%28, 2130+i%10, i)
	}
	r, err := recipe.Learn(table(t, strings.Replace(b.String(), "7,5 kg", "-", 1), dataset.TableOptions{}), recipe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Steps() {
		want := map[string]dataset.Kind{"load": dataset.Number, "share": dataset.Number, "day": dataset.Date, "zip": dataset.Category}[s.Column]
		if s.Kind != want {
			t.Errorf("%s is a %v, want a %v", s.Column, s.Kind, want)
		}
	}
	text := "load;share;day;zip\n3 kg;?;3/4/2020;02131\n-;5%;5/6/2020;02132\n"
	want, _, err := r.Inputs(table(t, text, r.Reading()))
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]*dataset.Table{"read by itself": table(t, text, dataset.TableOptions{})}
	for batch, err := range dataset.TableBatches(strings.NewReader(text), 9, dataset.TableOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		tables["a batch"] = batch
	}
	for name, fresh := range tables {
		got, _, err := r.Inputs(fresh)
		if err != nil || !mat.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
}
