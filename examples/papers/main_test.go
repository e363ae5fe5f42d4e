package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"strings"
	"testing"
)

func TestListsPapers(t *testing.T) {
	var b bytes.Buffer
	if err := run(context.Background(), nil, &b); err != nil {
		t.Fatal(err)
	}
	for _, p := range papers {
		if !strings.Contains(b.String(), p.name) || !strings.Contains(b.String(), p.title) {
			t.Errorf("%q is missing in:\n%s", p.name, b.String())
		}
	}
}

func TestHelpOfEachPaper(t *testing.T) {
	for _, p := range papers {
		var b bytes.Buffer
		if err := run(context.Background(), []string{p.name, "-h"}, &b); !errors.Is(err, flag.ErrHelp) || !strings.Contains(b.String(), "-runs") {
			t.Errorf("%s -h: error %v, prints:\n%s", p.name, err, b.String())
		}
	}
}

func TestBadArguments(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"nothing"}, "nothing"},
		{[]string{"slkl", "-colour"}, "-colour"},
		{[]string{"slkl", "-data", dir, "more"}, "more"},
		{[]string{"slkl", "-data", dir, "-runs", "0"}, "-runs"},
		{[]string{"slkl", "-data", dir + "/none"}, "RKHS_DATA"},
		{[]string{"slkl", "-data", dir, "-out", dir}, "boston.csv.gz"},
		{[]string{"polk", "more"}, "more"},
		{[]string{"polk", "-only", "multidist", "-data", dir + "/none", "-runs", "0"}, "-runs"},
		{[]string{"polk", "-data", dir + "/none"}, "RKHS_DATA"},
	} {
		var b bytes.Buffer
		if err := run(context.Background(), c.args, &b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one about %s", c.args, err, c.want)
		}
	}
}
