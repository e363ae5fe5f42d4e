package golden

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	marshals   = regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?([A-Z]\w*)\) MarshalBinary\(`)
	registered = regexp.MustCompile(`codec\.Register\(codec\.Format\[(\w+)\]\{`)
)

// TestRegistered checks in the sources that rkhs.Read can open every exported type with a
// MarshalBinary method.
func TestRegistered(t *testing.T) {
	written, opened := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range marshals.FindAllSubmatch(source, -1) {
			written[filepath.Dir(path)+" "+string(m[1])] = true
		}
		for _, m := range registered.FindAllSubmatch(source, -1) {
			opened[filepath.Dir(path)+" "+string(m[1])] = true
		}
		return err
	})
	if err != nil || len(written) == 0 {
		t.Fatalf("%d types with MarshalBinary: %v", len(written), err)
	}
	for name := range written {
		if !opened[name] {
			t.Errorf("%s has MarshalBinary, but no registered format", name)
		}
	}
}
