package rkhs_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/internal/testutil"
)

// TestDependencies checks that learners, recipes, data sets and searches depend only on gonum,
// x/exp, x/sys, x/text and the standard library.
func TestDependencies(t *testing.T) {
	testutil.Long(t, "go list takes a second")
	packages := []string{".", "./slkl", "./doublysgd", "./doublysgd/gp", "./doublysgd/novelty", "./doublysgd/ratio", "./alignment", "./polk", "./ridge", "./svm", "./metric", "./kernel", "./features", "./linalg", "./loss", "./dataset", "./recipe", "./selection", "./formula", "./export"}
	out, err := exec.Command("go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}, packages...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	// gonum's optimize imports one package of x/tools, for sets of integers.
	seen := map[string]bool{
		"": true, "github.com/rkhs-go/rkhs": true, "gonum.org/v1/gonum": true, "golang.org/x/exp": true, "golang.org/x/sys": true, "golang.org/x/tools": true,
		"golang.org/x/text": true, // decodes UTF-16 and Windows-1252 in dataset
	}
	for _, module := range strings.Split(string(out), "\n") {
		if !seen[module] {
			seen[module] = true
			t.Errorf("module %s is linked", module)
		}
	}
}
