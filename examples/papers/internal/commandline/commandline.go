// Package commandline has shared code of the paper commands. An interrupt cancels them, and an
// error ends them with a one-line message.
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

// Main is the main function of a command. An interrupt cancels the context of run. An error of run
// other than flag.ErrHelp is printed and ends the process with status 1.
func Main(name string, run func(ctx context.Context, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, Line(name, err))
		os.Exit(1)
	}
}

// Line returns the message of err as one line that begins with the name of the command.
func Line(name string, err error) string {
	message := strings.ReplaceAll(err.Error(), "\n", "; ")
	return name + ": " + strings.TrimPrefix(message, name+": ")
}

// Parse sets the flags of f and returns an error for extra arguments. f must use
// flag.ContinueOnError. With -h it prints the flags to help and returns flag.ErrHelp.
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
