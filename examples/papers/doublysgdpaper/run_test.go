package doublysgdpaper

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/internal/testutil"
)

// The short form of all experiments runs, and each table has all its lines.
func TestShort(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	data, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	var out bytes.Buffer
	if err := Run(context.Background(), []string{"-short", "-runs", "1", "-data", data, "-out", t.TempDir()}, &out); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	want := make(map[string]int)
	for _, m := range methods {
		want[m.name] += 4
	}
	for _, r := range regressions {
		want[r.name]++
	}
	for name, tables := range want {
		if n := strings.Count(out.String(), "\n"+name+"  "); n != tables {
			t.Errorf("%s stands in %d tables, want %d", name, n, tables)
		}
	}
}

func TestBadArguments(t *testing.T) {
	var out bytes.Buffer
	err := Run(context.Background(), []string{"-only", "adult,colours", "-data", t.TempDir()}, &out)
	if err == nil || !strings.Contains(err.Error(), "colours") || !strings.Contains(err.Error(), "covtype") {
		t.Errorf("error %v, want one that names the experiments", err)
	}
}
