package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/export"
)

// plain is a table without dates, so ONNX can express its recipe.
func plain(n int) string {
	lines := strings.Split(strings.TrimSpace(flats(n, 1)), "\n")
	for i, l := range lines {
		cells := strings.Split(l, ",")
		lines[i] = strings.Join([]string{cells[0], cells[1], cells[3]}, ",")
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestExport(t *testing.T) {
	dir := t.TempDir()
	model, table := filepath.Join(dir, "m.rkhs"), write(t, "plain.csv", plain(60))
	must(t, "train", table, "-model", model, "-quiet", "-holdout", "0", "-learner", "ridge", "-Ridge", "1") // single precision does
	var sizes []int64
	for _, args := range [][]string{{"-o", "64.onnx"}, {"-o", "32.onnx", "-float32"}, {"-o", "any", "-format", "onnx"}, {"-o", "m.json"}} {
		args[1] = filepath.Join(dir, args[1])
		must(t, append([]string{"export", model}, args...)...)
		info, err := os.Stat(args[1])
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	if sizes[0] != sizes[2] || !(sizes[1] < sizes[0]) {
		t.Errorf("sizes %v", sizes)
	}
	written, err := os.ReadFile(filepath.Join(dir, "m.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d export.Document
	if said := must(t, "export", "-model", model, "-format", "json"); said != string(written) || json.Unmarshal(written, &d) != nil || len(d.Recipe.Steps) != 2 {
		t.Errorf("the standard output has %d bytes, the file %d: %.100s", len(said), len(written), said)
	}
}

func TestExportFaults(t *testing.T) {
	dir := t.TempDir()
	dated, there := filepath.Join(dir, "dated.rkhs"), write(t, "there.onnx", "a file")
	must(t, "train", write(t, "flats.csv", flats(60, 1)), "-model", dated, "-quiet", "-holdout", "0")
	for _, c := range []struct {
		name    string
		args    []string
		code    int
		message string
	}{
		{"no model", []string{"-o", "a.onnx"}, misused, "-model"},
		{"no format", []string{dated}, misused, "onnx or json"},
		{"another format", []string{dated, "-o", "a.pmml"}, misused, `"pmml"`},
		{"two models", []string{dated, dated, "-format", "json"}, misused, "one model"},
		{"float32 as JSON", []string{dated, "-format", "json", "-float32"}, misused, "-float32"},
		{"-json", []string{dated, "-format", "json", "-json"}, misused, "-json"},
		{"a file that is there", []string{dated, "-o", there}, misused, "-force"},
		{"dates", []string{dated, "-o", filepath.Join(dir, "a.onnx")}, failed, `"since"`},
		{"no file", []string{filepath.Join(dir, "none"), "-format", "json"}, failed, "none"},
		{"no folder", []string{dated, "-o", filepath.Join(dir, "none", "a.json")}, failed, "none"},
	} {
		code, out, stderr := call(context.Background(), "", append([]string{"export"}, c.args...)...)
		if code != c.code || out != "" || !strings.Contains(stderr, c.message) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q, %q", c.name, code, out, stderr)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "a.*")); left != nil {
		t.Errorf("left behind: %q", left)
	}
}
