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

// heapGrowth replaces the default GOGC of 100. A fit has few large matrices, which are cheap to
// scan, so frequent collections save memory at almost no cost.
const heapGrowth = 25

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	ctx, stop := context.Background(), func() {}
	cancels := func(c command) bool { return c.name == os.Args[1] && c.cancels }
	if len(os.Args) > 1 && slices.ContainsFunc(commands(), cancels) {
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		context.AfterFunc(ctx, stop) // a second signal ends the process
	}
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// streams are the standard streams of the process.
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

// command is a subcommand of rkhs.
type command struct {
	name, about string
	run         func(ctx context.Context, args []string, s streams) error
	cancels     bool // a signal cancels ctx; other commands end at once
}

func commands() []command {
	return []command{
		{"describe", "describe the columns of a file", describeFile, false},
		{"train", "fit a model to the rows of a file", train, true},
		{"predict", "predict the rows of a file", predict, true},
		{"eval", "compare predictions with the targets of a file", eval, false},
		{"inspect", "describe a model", inspect, false},
		{"export", "write a model as ONNX or JSON", exportModel, false},
		{"update", "train a learner on a stream of rows", update, true},
		{"serve", "answer predictions over HTTP", serve, true},
	}
}

// usageError is an error in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func misuse(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run executes the command and returns its exit code.
func run(ctx context.Context, args []string, s streams) int {
	err := dispatch(ctx, args, s)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return done
	}
	fmt.Fprintf(s.err, "rkhs: %s\n", escape(err.Error()))
	if errors.As(err, new(usageError)) {
		return misused
	}
	return failed
}

func dispatch(ctx context.Context, args []string, s streams) error {
	if len(args) == 0 {
		usage(s.err)
		return misuse("no command: rkhs -h lists the commands")
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(ctx, args[1:], s)
		}
	}
	if !slices.Contains([]string{"-h", "-help", "--help", "help"}, args[0]) {
		return misuse("unknown command %q: rkhs -h lists the commands", args[0])
	}
	usage(s.out)
	return nil
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "rkhs trains kernel models on files and predicts with them.")
	fmt.Fprintln(w)
	for _, c := range commands() {
		fmt.Fprintf(w, "  rkhs %-8s %s\n", c.name, c.about)
	}
	fmt.Fprintln(w, `
rkhs COMMAND -h lists the flags of a command and has examples.`)
}
