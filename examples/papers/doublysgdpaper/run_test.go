package doublysgdpaper

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/internal/testutil"
)

// Short experiments run, all of them with RKHS_PAPERS, and each table is complete.
func TestShort(t *testing.T) {
	testutil.Long(t, "takes seconds")
	data, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	args, tables := []string{"-short", "-runs", "1", "-data", data, "-out", t.TempDir()}, 4
	if os.Getenv("RKHS_PAPERS") == "" {
		t.Log("without digits, covtype and molecules: RKHS_PAPERS is not set")
		args, tables = append(args, "-only", "ridge,process,adult,8against6"), 2
	}
	var out bytes.Buffer
	if err := Run(context.Background(), args, &out); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	want := make(map[string]int)
	for _, m := range methods {
		want[m.name] += tables
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
