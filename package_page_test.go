package rkhs_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPackagePages checks that the comment of each public package states its purpose and has a doc
// link, and that every doc link in the comments of its exported names resolves.
func TestPackagePages(t *testing.T) {
	pages := packagePages(t)
	for dir, p := range pages {
		if !strings.HasPrefix(p.Doc, "Package "+p.Name+" ") || len(strings.Fields(p.Synopsis(p.Doc))) < 5 {
			t.Errorf("%s: the package comment does not state a purpose: %q", dir, p.Synopsis(p.Doc))
		}
		links := 0
		for _, text := range commentsOf(p) {
			found, bad := docLinks(p, text)
			for _, l := range found {
				if target := pages[strings.TrimPrefix(l.ImportPath, module)]; l.ImportPath != "" && target != nil && !declares(target, l) {
					bad = append(bad, l.ImportPath+"."+l.Recv+"."+l.Name)
				}
			}
			for _, b := range bad {
				t.Errorf("%s: the doc link %q does not resolve", dir, b)
			}
			if text == p.Doc {
				links = len(found)
			}
		}
		if links == 0 {
			t.Errorf("%s: the package comment has no doc link", dir)
		}
	}
}

// packagePages returns the documentation of the public packages by their folder: "" for the root,
// "/kernel" for kernel.
func packagePages(t *testing.T) map[string]*doc.Package {
	pages := map[string]*doc.Package{}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		dir := strings.TrimSuffix("/"+filepath.ToSlash(path), "/.")
		if !public(module+dir) || dir == "/beam" || d.Name() == "testdata" || path != "." && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if files, fset := parsed(t, path); len(files) > 0 {
			pages[dir], err = doc.NewFromFiles(fset, files, module+dir)
		}
		return err
	})
	if err != nil || len(pages) < 15 {
		t.Fatalf("%d packages: %v", len(pages), err)
	}
	return pages
}

// parsed returns the files of a folder without tests.
func parsed(t *testing.T, dir string) (files []*ast.File, fset *token.FileSet) {
	fset = token.NewFileSet()
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files, fset
}

// commentsOf returns the comments of a package and of its exported names.
func commentsOf(p *doc.Package) []string {
	texts := []string{p.Doc}
	values := func(list []*doc.Value) {
		for _, v := range list {
			texts = append(texts, v.Doc)
		}
	}
	functions := func(list []*doc.Func) {
		for _, f := range list {
			texts = append(texts, f.Doc)
		}
	}
	values(p.Consts)
	values(p.Vars)
	functions(p.Funcs)
	for _, t := range p.Types {
		texts = append(texts, t.Doc)
		values(t.Consts)
		values(t.Vars)
		functions(t.Funcs)
		functions(t.Methods)
	}
	return texts
}

// unresolved matches a name in brackets that the parser left as text.
var unresolved = regexp.MustCompile(`(?:^|[\s(])\[(\*?(?:[a-z]+\.)?[A-Z]\w+(?:\.\w+)?)\]`)

// docLinks returns the doc links of a comment, and the names in brackets that are no links.
func docLinks(p *doc.Package, text string) (links []*comment.DocLink, bad []string) {
	visit := func(list []comment.Text) {
		for _, x := range list {
			switch x := x.(type) {
			case *comment.DocLink:
				links = append(links, x)
			case comment.Plain:
				for _, m := range unresolved.FindAllStringSubmatch(string(x), -1) {
					bad = append(bad, m[1])
				}
			}
		}
	}
	var blocks func(list []comment.Block)
	blocks = func(list []comment.Block) {
		for _, b := range list {
			switch b := b.(type) {
			case *comment.Paragraph:
				visit(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(p.Parser().Parse(text).Content)
	return links, bad
}

// declares reports whether a package of this module declares the target of a link.
func declares(p *doc.Package, l *comment.DocLink) bool {
	if l.Name == "" {
		return true
	}
	return p.Parser().LookupSym(l.Recv, l.Name)
}

// starts matches the functions with which the use of a package starts.
var starts = regexp.MustCompile(`^(Fit|FitClassifier|FitNovelty|Learn|Search|SearchClasses|Grid|Random|Load|Save|Read|Write|WriteRecipe|Merge|New|New[A-Z]\w*|Load[A-Z]\w*)$`)

// TestStartingExamples checks that each starting function of a public package occurs in an Example
// with output. The Example is of the function or of the type that it creates.
func TestStartingExamples(t *testing.T) {
	for dir, p := range packagePages(t) {
		shown := examplesOf(t, "."+dir)
		check := func(f *doc.Func, symbols ...string) {
			for _, s := range symbols {
				if shown[s][f.Name] {
					return
				}
			}
			t.Errorf("%s: no Example of %s with output", dir, f.Name)
		}
		for _, f := range p.Funcs {
			if starts.MatchString(f.Name) {
				check(f, "", f.Name)
			}
		}
		for _, typ := range p.Types {
			for _, f := range typ.Funcs {
				if starts.MatchString(f.Name) {
					check(f, "", f.Name, typ.Name)
				}
			}
		}
	}
}

// examplesOf returns the names in the Examples with output of a folder, by the symbol of the Example.
func examplesOf(t *testing.T, dir string) map[string]map[string]bool {
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	shown := map[string]map[string]bool{}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range doc.Examples(f) {
			symbol, _, _ := strings.Cut(e.Name, "_")
			if shown[symbol] == nil {
				shown[symbol] = map[string]bool{}
			}
			for _, used := range namesIn(e.Code) {
				shown[symbol][used] = shown[symbol][used] || e.Output != ""
			}
		}
	}
	return shown
}
