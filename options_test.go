package rkhs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Option comments have at most four lines, and Options structs have at most 14 fields.
func TestOptions(t *testing.T) {
	const most, mostFields = 4, 14
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			of, ok := n.(*ast.TypeSpec)
			if !ok || !strings.HasSuffix(of.Name.Name, "Options") && of.Name.Name != "Paper" {
				return true
			}
			fields, ok := of.Type.(*ast.StructType)
			if !ok {
				return true
			}
			count := 0
			for _, f := range fields.Fields.List {
				count += max(1, len(f.Names)) // an embedded field has no name
				for _, name := range f.Names {
					if !name.IsExported() {
						count--
					}
				}
				if lines := strings.Count(f.Doc.Text(), "\n"); lines > most && len(f.Names) > 0 {
					t.Errorf("%s: the comment on %s.%s has %d lines, want %d at most", path, of.Name.Name, f.Names[0].Name, lines, most)
				}
			}
			if count > mostFields {
				t.Errorf("%s: %s has %d fields, want %d at most", path, of.Name.Name, count, mostFields)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
