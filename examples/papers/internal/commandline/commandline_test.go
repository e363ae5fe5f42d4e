package commandline

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// child is an environment variable, set in processes that run a command.
const child = "COMMANDLINE_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(child) {
	case "":
		os.Exit(m.Run())
	case "alone":
		toy(func(context.Context) error { _, err := fmt.Println("done"); return err })
	case "fails":
		toy(func(context.Context) error { return errors.Join(errors.New("one"), errors.New("two")) })
	case "interrupted":
		toy(func(ctx context.Context) error {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Signal(os.Interrupt)
			}
			if err != nil {
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		})
	}
}

// toy is a command without flags.
func toy(run func(ctx context.Context) error) {
	Main("toy", func(ctx context.Context, args []string) error {
		f := flag.NewFlagSet("toy", flag.ContinueOnError)
		f.Usage = func() { fmt.Fprintln(f.Output(), "toy takes no arguments") }
		if err := Parse(f, args, os.Stdout); err != nil {
			return err
		}
		return run(ctx)
	})
}

// command runs a command in a separate process.
func command(t *testing.T, kind string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	c.Env = append(os.Environ(), child+"="+kind)
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		kind, args     string
		stdout, stderr string
		status         int
	}{
		{"alone", "", "done\n", "", 0},
		{"alone", "-h", "toy takes no arguments\n", "", 0},
		{"alone", "-help", "toy takes no arguments\n", "", 0},
		{"alone", "more", "", "toy: unexpected argument \"more\" (-h lists the flags)\n", 1},
		{"alone", "-colour", "", "toy: flag provided but not defined: -colour (-h lists the flags)\n", 1},
		{"fails", "", "", "toy: one; two\n", 1},
		{"interrupted", "", "", "toy: context canceled\n", 1},
	} {
		if c.kind == "interrupted" && runtime.GOOS == "windows" {
			continue // no process can interrupt another
		}
		stdout, stderr, status := command(t, c.kind, strings.Fields(c.args)...)
		if stdout != c.stdout || stderr != c.stderr || status != c.status {
			t.Errorf("%s %s: prints %q and %q, status %d; want %q and %q, status %d", c.kind, c.args, stdout, stderr, status, c.stdout, c.stderr, c.status)
		}
	}
}

func TestLine(t *testing.T) {
	for message, want := range map[string]string{
		"slow":              "toy: slow",
		"toy: slow":         "toy: slow",
		"toys: slow\nlater": "toy: toys: slow; later",
	} {
		if line := Line("toy", errors.New(message)); line != want {
			t.Errorf("%q: %q, want %q", message, line, want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args string
		rows int
		help bool   // flag.ErrHelp and the flags
		want string // in the error
	}{
		{args: "", rows: 5},
		{args: "-rows 7", rows: 7},
		{args: "-h", help: true, want: "help"},
		{args: "-rows many", want: "-rows"},
		{args: "-rows 7 more", want: "more"},
	} {
		f := flag.NewFlagSet("toy", flag.ContinueOnError)
		rows := f.Int("rows", 5, "")
		var help bytes.Buffer
		err := Parse(f, strings.Fields(c.args), &help)
		if c.help != errors.Is(err, flag.ErrHelp) || c.help != strings.Contains(help.String(), "-rows") || !c.help && help.Len() > 0 {
			t.Errorf("%q: error %v, prints %q", c.args, err, help.String())
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one about %q", c.args, err, c.want)
		}
		if err == nil && *rows != c.rows {
			t.Errorf("%q: %d rows, want %d", c.args, *rows, c.rows)
		}
	}
}
