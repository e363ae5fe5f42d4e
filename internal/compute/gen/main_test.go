package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestCommitted checks that the committed files equal the output of the generator.
func TestCommitted(t *testing.T) {
	dir := t.TempDir()
	for _, target := range targets {
		if err := write(dir, target); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 2*len(targets) {
		t.Fatalf("generated %v, %v", files, err)
	}
	for _, name := range files {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("..", filepath.Base(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate writes", filepath.Base(name))
		}
	}
}
