package examples

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The Examples in files named tasks_example_test.go show the most common tasks. Each has at
// most 30 lines, including error checks, and uses only public packages.
func TestTasksAreShort(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"../*/tasks_example_test.go", "../*/*/tasks_example_test.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	tasks := 0
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			if strings.Contains(spec.Path.Value, "/internal/") {
				t.Errorf("%s imports %s", path, spec.Path.Value)
			}
		}
		for _, d := range f.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Example") {
				continue
			}
			tasks++
			lines := 0
			body := source[files.Position(f.Body.Lbrace).Offset+1 : files.Position(f.Body.Rbrace).Offset]
			for _, line := range bytes.Split(body, []byte("\n")) {
				if len(bytes.TrimSpace(line)) > 0 {
					lines++
				}
			}
			t.Logf("%s %s: %d lines", path, f.Name.Name, lines)
			if lines > 30 {
				t.Errorf("%s: %s has %d lines", path, f.Name.Name, lines)
			}
		}
	}
	if tasks != 7 {
		t.Errorf("%d tasks in %v, want seven", tasks, paths)
	}
}
