package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestOptionDocs: -h describes options as their documentation does. With -rewrite, it writes
// option_docs.txt.
func TestOptionDocs(t *testing.T) {
	var b strings.Builder
	for _, l := range learners() {
		of := reflect.TypeOf(l.options).Elem()
		docs := documented(t, strings.TrimPrefix(of.PkgPath(), "github.com/rkhs-go/rkhs/"))
		for _, field := range reflect.VisibleFields(of) {
			if text := docs[field.Name]; text != "" && field.IsExported() && setter(reflect.New(field.Type).Elem()) != nil {
				fmt.Fprintf(&b, "%s.%s: %s\n", l.name, field.Name, shortened(text))
			}
		}
	}
	if *rewrite {
		if err := os.WriteFile("option_docs.txt", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if optionDocs != b.String() {
		t.Error("option_docs.txt differs from the documentation: -rewrite generates it")
	}
}

// documented returns the comments of the fields of Options in a folder of this module.
func documented(t *testing.T, folder string) map[string]string {
	files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "Options" && spec.Name.Name != "Paper" {
				return true
			}
			for _, field := range spec.Type.(*ast.StructType).Fields.List {
				for _, name := range field.Names {
					docs[name.Name] = field.Doc.Text()
				}
			}
			return false
		})
	}
	return docs
}

var (
	sentence = regexp.MustCompile(`^.*?\.( |$)`)
	defaults = regexp.MustCompile(`Default: .*?\.( |$)`)
)

// shortened returns the first sentence of a comment, and the sentence with the default.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	first, of := sentence.FindString(text), defaults.FindString(text)
	if strings.Contains(first, of) {
		of = ""
	}
	return strings.TrimSpace(first + of)
}
