package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // beamx registers other file systems
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/rkhs-go/rkhs"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// The exit codes.
const (
	done = iota
	failed
	misused
)

// command is a verb of rkhs-beam.
type command struct {
	name, operands, about, example string
	// flags adds the flags of the command, which may depend on other flags in args, and returns
	// the job.
	flags func(f *flag.FlagSet, args []string) (job, error)
}

// job is a sequence of pipelines, and a function to run after them, even after a failure.
type job struct {
	pipelines []builder
	after     func(ctx context.Context) error // or nil
}

// builder adds steps for a pattern of files to a pipeline.
type builder func(ctx context.Context, s beam.Scope, pattern string) error

func commands() []command { return []command{trainCommand(), predictCommand()} }

// usageError is an error in the arguments.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func misuse(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run returns the exit code.
func run(ctx context.Context, args []string, out, log io.Writer) int {
	err := dispatch(ctx, args, out, log)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return done
	case errors.As(err, new(usageError)):
		fmt.Fprintf(log, "rkhs-beam: %v\n", err)
		return misused
	}
	fmt.Fprintf(log, "rkhs-beam: %v\n", err)
	return failed
}

func dispatch(ctx context.Context, args []string, out, log io.Writer) error {
	if len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-h" && args[0] != "-help" && args[0] != "--help" {
		return worker(args)
	}
	for _, c := range commands() {
		if len(args) > 0 && c.name == args[0] {
			return c.run(ctx, args[1:], out, log)
		}
	}
	fmt.Fprintln(out, "rkhs-beam learns and predicts by kernel machines on Apache Beam.")
	for _, c := range commands() {
		fmt.Fprintf(out, "\n  rkhs-beam %s %s\n\t%s\n", c.name, c.operands, c.about)
	}
	fmt.Fprintln(out, "\nrkhs-beam COMMAND -h lists the flags of a command.")
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") && args[0] != "help" {
		return misuse("want one of the commands, not %q", args)
	}
	return nil
}

// worker runs this program as a worker of a runner. Beam.Init does not return.
func worker(args []string) error {
	if err := flag.CommandLine.Parse(args); err != nil {
		return misuse("%w", err)
	}
	beam.Init()
	return misuse("say what to do before flags: rkhs-beam -h lists it")
}

// run parses the flags of a command and of Beam, and runs the pipeline of the command.
func (c command) run(ctx context.Context, args []string, out, log io.Writer) error {
	own := flag.NewFlagSet(c.name, flag.ContinueOnError)
	j, err := c.flags(own, args)
	if err != nil {
		return err
	}
	verbose := own.Bool("v", false, "show what the runner logs")
	operands, err := parse(withBeam(own), args)
	if errors.Is(err, flag.ErrHelp) {
		c.help(own, out)
	}
	if err != nil {
		return err
	}
	if len(operands) != 1 {
		return misuse("%s takes one file or pattern, in quotes, not %q", c.name, operands)
	}
	if !beam.Initialized() {
		beam.Init()
	}
	if !*verbose { // run also returns errors
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}
	counts, err := j.run(ctx, operands[0])
	switch {
	case err == nil:
		tell(log, counts) // of a job that failed there may be no metrics to ask for
	case !*verbose:
		err = causeOf(err)
	}
	return err
}

// run runs the pipelines and returns the counters of this library. A counter of several passes
// over the same files counts one pass.
func (j job) run(ctx context.Context, pattern string) (counts map[string]int64, err error) {
	if j.after != nil {
		defer func() { err = errors.Join(err, j.after(context.WithoutCancel(ctx))) }()
	}
	counts = map[string]int64{}
	for _, build := range j.pipelines {
		p, s := beam.NewPipelineWithRoot()
		switch err := build(ctx, s, pattern); {
		case errors.Is(err, rkhs.ErrOption):
			return nil, usageError{err}
		case err != nil:
			return nil, err
		}
		result, err := beamx.RunWithMetrics(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, c := range result.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == "rkhs" }).Counters() {
			counts[c.Name()] = max(counts[c.Name()], c.Result())
		}
	}
	return counts, nil
}

// causeOf returns the last of the causes that Beam lists, below the plan of the step that failed.
func causeOf(err error) error {
	const mark = "caused by:\n"
	if at := strings.LastIndex(err.Error(), mark); at >= 0 {
		return errors.New(err.Error()[at+len(mark):])
	}
	return err
}

// withBeam returns the flags of a command and about a hundred flags of Beam and its runners.
func withBeam(own *flag.FlagSet) *flag.FlagSet {
	all := flag.NewFlagSet(own.Name(), flag.ContinueOnError)
	all.SetOutput(io.Discard) // the error is printed once
	add := func(f *flag.Flag) {
		if all.Lookup(f.Name) == nil {
			all.Var(f.Value, f.Name, f.Usage)
		}
	}
	own.VisitAll(add)
	flag.CommandLine.VisitAll(add)
	return all
}

// help prints the flags of a command.
func (c command) help(own *flag.FlagSet, out io.Writer) {
	fmt.Fprintf(out, "rkhs-beam %s %s\n\n%s\n\nFor example:\n%s\n\nFlags:\n", c.name, c.operands, c.about, c.example)
	own.SetOutput(out)
	own.PrintDefaults()
	fmt.Fprintln(out, "\nand those of Beam's runners: -runner (prism, flink, spark, dataflow, universal), -endpoint and so on.")
}

// parse reads flags and operands in any order.
func parse(f *flag.FlagSet, args []string) (operands []string, err error) {
	for {
		err := f.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		if err != nil {
			return nil, misuse("%w; rkhs-beam %s -h lists the flags", err, f.Name())
		}
		if f.NArg() == 0 {
			return operands, nil
		}
		operands = append(operands, f.Arg(0))
		args = f.Args()[1:]
	}
}

// tell prints the counters of this library.
func tell(log io.Writer, counts map[string]int64) {
	for _, c := range []struct{ name, does string }{
		{"rows", "rows read"}, {"rejected", "unreadable rows or ends of files"},
		{"learned", "training rows"}, {"unconverged", "models that did not converge"},
		{"predicted", "rows predicted"}, {"failed", "rows with an error of the model"},
	} {
		if n, known := counts[c.name]; known {
			fmt.Fprintf(log, "%d %s\n", n, c.does)
		}
	}
}
