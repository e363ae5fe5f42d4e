package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/internal/testutil"
)

// TestREADME checks that README.md contains this program and its output.
func TestREADME(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```go\n"+string(program)+"```\n") {
		t.Error("README.md does not contain examples/program/main.go")
	}
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	testutil.Long(t, "takes seconds")
	if output := printed(t, filepath.Join(dir, "abalone.csv.gz")); !strings.Contains(string(readme), "\n    "+output) {
		t.Errorf("README.md does not contain the output %q", output)
	}
}

// printed returns the output of the program in a folder with the data file.
func printed(t *testing.T, data string) string {
	rows, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("abalone.csv.gz", rows, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create("output")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	stdout := os.Stdout
	defer func() { os.Stdout = stdout }()
	os.Stdout = out
	main()
	if _, err := out.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
