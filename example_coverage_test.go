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

// TestExamples checks that each exported type and function of the module occurs in an Example of
// its package.
func TestExamples(t *testing.T) {
	var missing []string
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "internal" || name == "examples" || name == "bench" || name != "." && strings.HasPrefix(name, ".") {
			return filepath.SkipDir
		}
		missing = append(missing, unshown(t, dir)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range missing {
		t.Errorf("%s is exported, and no Example of its package shows it", name)
	}
}

// unshown returns the exported types and functions of the package in dir that no Example uses,
// directly or through functions in test files. A type is also covered by a covered function that
// returns it or a covered field of that type.
func unshown(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var exported []string
	var used []use
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if strings.HasSuffix(path, "_test.go") {
				used = append(used, usesIn(d)...)
			} else {
				exported = append(exported, exports(d)...)
				used = append(used, typesOf(d)...)
			}
		}
	}
	shown := closure(used)
	for _, name := range exported {
		if !shown[name] {
			names = append(names, filepath.ToSlash(filepath.Join(dir, name)))
		}
	}
	return names
}

// exports returns the exported types or the function declared by d.
func exports(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.IsExported() {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
				names = append(names, s.Name.Name)
			}
		}
	}
	return names
}

// use states that an Example, or any code that uses the name by, covers names.
type use struct {
	by      string
	example bool
	names   []string
}

// usesIn returns the names used in a function of a test file, under the name of the function or of
// its receiver.
func usesIn(d ast.Decl) []use {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	u := use{by: f.Name.Name, names: namesIn(f)}
	if f.Recv != nil {
		u.by = namesIn(f.Recv.List[0].Type)[0]
		return []use{u}
	}
	if rest, ok := strings.CutPrefix(u.by, "Example"); ok || u.by == "init" {
		u.example = true
		u.names = append(u.names, strings.Split(rest, "_")...)
	}
	return []use{u}
}

// typesOf returns the result types of a function and the types of struct fields, under the name of
// the function or field.
func typesOf(d ast.Decl) (used []use) {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Type.Results != nil {
			used = append(used, use{by: f.Name.Name, names: namesIn(f.Type.Results)})
		}
		return used
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			for _, f := range s.Fields.List {
				for _, name := range f.Names {
					used = append(used, use{by: name.Name, names: namesIn(f.Type)})
				}
			}
		}
		return true
	})
	return used
}

func namesIn(n ast.Node) (names []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// closure returns all covered names.
func closure(used []use) map[string]bool {
	shown := map[string]bool{}
	for before := -1; before < len(shown); {
		before = len(shown)
		for _, u := range used {
			if u.example || shown[u.by] {
				for _, name := range u.names {
					shown[name] = true
				}
			}
		}
	}
	return shown
}
