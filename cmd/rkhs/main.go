package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
)

// heapGrowth is by how many percent the heap may grow between two collections. A fit holds few large matrices, which
// cost nothing to scan, and by default as much garbage beside them.
const heapGrowth = 25

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	ctx, stop := context.Background(), func() {}
	if len(os.Args) > 1 && slices.ContainsFunc(commands(), func(c command) bool { return c.name == os.Args[1] && c.stops }) {
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		context.AfterFunc(ctx, stop) // a second signal ends the process
	}
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// streams are those of a process.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// The exit codes.
const (
	done = iota
	failed
	misused
)

// command is one of the things that rkhs does.
type command struct {
	name, does string
	run        func(ctx context.Context, args []string, s streams) error
	stops      bool // when ctx is done; a signal ends the others as it does any process
}

func commands() []command {
	return []command{
		{"train", "learn a model from a file", train, true},
		{"predict", "predict the rows of a file", predict, true},
		{"eval", "compare predictions with the targets of a file", eval, false},
		{"inspect", "say what a model is", inspect, false},
		{"export", "write a model as ONNX or JSON", exportModel, false},
		{"update", "learn on from a stream of rows", update, true},
		{"serve", "answer over HTTP", serve, true},
	}
}

// usageError is a fault in how the command was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func misuse(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	err := dispatch(ctx, args, s)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return done
	case errors.As(err, new(usageError)):
		fmt.Fprintf(s.err, "rkhs: %v\n", err)
		return misused
	}
	fmt.Fprintf(s.err, "rkhs: %v\n", err)
	return failed
}

func dispatch(ctx context.Context, args []string, s streams) error {
	if len(args) == 0 {
		usage(s.err)
		return misuse("say what to do: rkhs -h lists it")
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(ctx, args[1:], s)
		}
	}
	if name := args[0]; name != "-h" && name != "-help" && name != "--help" && name != "help" {
		return misuse("there is no command %q: rkhs -h lists those that there are", name)
	}
	usage(s.out)
	return nil
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "rkhs learns from a file and predicts by kernel machines.")
	fmt.Fprintln(w)
	for _, c := range commands() {
		fmt.Fprintf(w, "  rkhs %-8s %s\n", c.name, c.does)
	}
	fmt.Fprintln(w, `
rkhs COMMAND -h lists the flags of a command. For example:

  rkhs train houses.csv -target price -model price.rkhs
  rkhs predict -model price.rkhs new.csv > predicted.csv`)
}
