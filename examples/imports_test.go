package examples

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pending are the commands that do not yet do without packages of the module that
// a program outside of it cannot import.
var pending = []string{"alignment", "doublysgd", "gp", "mnist8m", "novelty", "polk", "quickstart", "slkl", "stream"}

// A command can be copied out and compiles: it imports public packages alone. The
// harness of the papers need not, nor what it shares.
func TestCommandsImportPublicPackages(t *testing.T) {
	found := make(map[string][]string)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == "papers" || path == "internal" {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		command, _, _ := strings.Cut(filepath.ToSlash(path), "/")
		for _, spec := range f.Imports {
			if name, _ := strconv.Unquote(spec.Path.Value); strings.Contains(name, "/internal/") {
				found[command] = append(found[command], path+" imports "+name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for command, imports := range found {
		if !slices.Contains(pending, command) {
			t.Errorf("%s: %s", command, strings.Join(imports, ", "))
		}
	}
	for _, command := range pending {
		if found[command] == nil {
			t.Errorf("%s imports public packages alone: it is pending no longer", command)
		}
	}
}
