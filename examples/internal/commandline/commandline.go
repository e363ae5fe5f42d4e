// Package commandline is what all example commands have in common: an interrupt
// ends them in order, and a wrong argument or file ends them with one line.
package commandline

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

// Main is the main function of a command. An interrupt cancels the context of
// run; an error of run, other than flag.ErrHelp, is printed and ends the process
// with status 1.
func Main(name string, run func(ctx context.Context, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, Line(name, err))
		os.Exit(1)
	}
}

// Alone is Main for a command without arguments.
func Alone(name string, run func(ctx context.Context) error) {
	Main(name, func(ctx context.Context, args []string) error {
		f := flag.NewFlagSet(name, flag.ContinueOnError)
		f.Usage = func() { fmt.Fprintln(f.Output(), name, "takes no arguments") }
		if err := Parse(f, args, os.Stdout); err != nil {
			return err
		}
		return run(ctx)
	})
}

// Line returns the message of err on one line that begins with the name of the
// command.
func Line(name string, err error) string {
	message := strings.ReplaceAll(err.Error(), "\n", "; ")
	return name + ": " + strings.TrimPrefix(message, name+": ")
}

// IsTerminal tells whether w is a terminal, where progress can be shown.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Parse sets the flags of f, made with flag.ContinueOnError, and refuses
// arguments that are left over. -h prints the flags to help and returns
// flag.ErrHelp.
func Parse(f *flag.FlagSet, args []string, help io.Writer) error {
	f.SetOutput(io.Discard)
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		f.SetOutput(help)
		f.Usage()
		return err
	case err != nil:
		return fmt.Errorf("%w (-h lists the flags)", err)
	case f.NArg() > 0:
		return fmt.Errorf("unexpected argument %q (-h lists the flags)", f.Arg(0))
	}
	return nil
}
