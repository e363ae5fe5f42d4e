package rkhs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Exported signatures of public packages do not mention types of internal packages or of blas64,
// because users cannot name them.
func TestPublicSignatures(t *testing.T) {
	files := exportFiles(t)
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	from := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	for path := range files {
		if !public(path) {
			continue
		}
		pkg, err := from.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		var bad []string
		for _, name := range pkg.Scope().Names() {
			if o := pkg.Scope().Lookup(name); o.Exported() {
				bad = append(bad, engineIn(o)...)
			}
		}
		if len(bad) > 0 {
			t.Errorf("%s: signatures that mention internal or blas64 types:\n\t%s", path, strings.Join(bad, "\n\t"))
		}
	}
}

const module = "github.com/rkhs-go/rkhs"

func public(path string) bool {
	rest, ok := strings.CutPrefix(path, module)
	for _, part := range []string{"internal", "cmd", "examples", "bench"} {
		ok = ok && !slices.Contains(strings.Split(rest, "/"), part)
	}
	return ok
}

// exportFiles returns the export data of all packages of the module and their imports.
func exportFiles(t *testing.T) map[string]string {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return files
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
	}
}

// engineIn returns the signatures of an object, its methods and its fields that mention internal
// or blas64 types.
func engineIn(o types.Object) (bad []string) {
	check := func(name string, t types.Type) {
		if mentionsEngine(t, map[types.Type]bool{}) {
			bad = append(bad, name+" "+t.String())
		}
	}
	named, ok := o.Type().(*types.Named)
	if _, isType := o.(*types.TypeName); !isType || !ok {
		check(o.Name(), o.Type())
		return bad
	}
	for m := range named.Methods() {
		if m.Exported() {
			check(o.Name()+"."+m.Name(), m.Signature())
		}
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() {
				check(o.Name()+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range u.Methods() {
			if m.Exported() {
				check(o.Name()+"."+m.Name(), m.Signature())
			}
		}
	default:
		check(o.Name(), u)
	}
	return bad
}

// mentionsEngine reports whether t contains a type of an internal package or of blas64.
func mentionsEngine(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	any := func(list ...types.Type) bool {
		return slices.ContainsFunc(list, func(t types.Type) bool { return mentionsEngine(t, seen) })
	}
	switch t := t.(type) {
	case *types.Alias:
		return ofEngine(t.Obj()) || any(types.Unalias(t))
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if any(arg) {
				return true
			}
		}
		return ofEngine(t.Obj())
	case *types.Pointer:
		return any(t.Elem())
	case *types.Slice:
		return any(t.Elem())
	case *types.Array:
		return any(t.Elem())
	case *types.Map:
		return any(t.Key(), t.Elem())
	case *types.Chan:
		return any(t.Elem())
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				if any(v.Type()) {
					return true
				}
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() && any(f.Type()) {
				return true
			}
		}
	}
	return false
}

func ofEngine(o *types.TypeName) bool {
	if o.Pkg() == nil {
		return false
	}
	path := o.Pkg().Path()
	return strings.HasPrefix(path, module+"/") && slices.Contains(strings.Split(path, "/"), "internal") || strings.HasSuffix(path, "/blas/blas64")
}
