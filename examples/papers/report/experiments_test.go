package report

import (
	"context"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
)

func TestExperiments(t *testing.T) {
	failed := errors.New("failed")
	note := func(name string) func(context.Context, *[]string) error {
		return func(_ context.Context, ran *[]string) error {
			*ran = append(*ran, name)
			if name == "b" {
				return failed
			}
			return nil
		}
	}
	all := Experiments[*[]string]{{"a", note("a")}, {"c", note("c")}, {"b", note("b")}, {"d", note("d")}}
	for _, c := range []struct {
		args string
		ran  string
		want string // in the error
	}{
		{"", "a c b", "b: failed"},
		{"-only=", "a c b", "b: failed"},
		{"-only=d,a", "a d", ""}, // in the order of the paper
		{"-only=c", "c", ""},
		{"-only=a,e", "", `no "e" among a, c, b, d`},
		{"-only=a,", "", `no ""`},
	} {
		f := flag.NewFlagSet("toy", flag.ContinueOnError)
		f.SetOutput(io.Discard)
		selected := all.Register(f)
		var ran []string
		err := f.Parse(strings.Fields(c.args))
		if err == nil {
			err = selected.Run(context.Background(), &ran)
		}
		if got := strings.Join(ran, " "); got != c.ran {
			t.Errorf("%q ran %q, want %q", c.args, got, c.ran)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one about %q", c.args, err, c.want)
		}
	}
}
