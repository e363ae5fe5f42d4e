package examples

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Users can copy a command and compile it, because it imports only public packages. The
// programs of the papers are exempt.
func TestCommandsImportPublicPackages(t *testing.T) {
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
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if strings.Contains(name, "/internal/") || strings.Contains(name, "/examples/") {
				t.Errorf("%s imports %s", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// All examples that draw pictures contain the same style file, and all that draw maps the same
// map file. Each folder is then complete, and all pictures have one style.
func TestPicturesLookAlike(t *testing.T) {
	for name, least := range map[string]int{"draw.go": 9, "bar.go": 3} {
		paths, err := filepath.Glob("*/" + name)
		if err != nil || len(paths) < least {
			t.Fatalf("%s is in %v (%v), want %d folders", name, paths, err, least)
		}
		first, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths[1:] {
			other, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, other) {
				t.Errorf("%s and %s differ", paths[0], path)
			}
		}
	}
}
