package main

import (
	"os"
	"strings"
	"testing"
)

func Example() {
	main()
	// Output: 1.0 -1.0
}

func TestREADMEShowsThisProgram(t *testing.T) {
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
}
