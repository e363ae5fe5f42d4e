package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rkhs-go/rkhs/dataset"
)

// arguments are the flags that the commands share, and what stands beside flags.
type arguments struct {
	*flag.FlagSet
	json     bool
	model    string
	read     dataset.TableOptions
	operands []string
}

func newArguments(name, operands, about, examples string, s streams) *arguments {
	a := &arguments{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError)}
	a.SetOutput(io.Discard) // the error itself is told once, by run
	a.Usage = func() {
		a.SetOutput(s.out)
		fmt.Fprintf(s.out, "rkhs %s %s\n\n%s\n\nFlags:\n", name, operands, about)
		a.PrintDefaults()
		fmt.Fprintf(s.out, "\nFor example:\n%s\n", examples)
	}
	a.BoolVar(&a.json, "json", false, "write results as JSON")
	return a
}

// table adds the flags of reading a table.
func (a *arguments) table() {
	a.Func("sep", "the `character` between cells, or tab (default: found from the first line)", func(text string) error {
		if text == "tab" || text == `\t` {
			text = "\t"
		}
		if len(text) != 1 {
			return fmt.Errorf("want one character, or tab")
		}
		a.read.Separator = text[0]
		return nil
	})
	a.BoolVar(&a.read.Header, "header", false, "the first line names the columns (default: if none of its cells is a number)")
	a.BoolVar(&a.read.NoHeader, "no-header", false, "the first line is a row")
	a.BoolVar(&a.read.DecimalComma, "decimal-comma", false, "the decimal sign of numbers is a comma")
	a.Func("missing", "`texts`, parted by commas, that stand for a missing cell beside NA, NaN, null and the empty one", func(text string) error {
		a.read.Missing = append(a.read.Missing, strings.Split(text, ",")...)
		return nil
	})
	a.Func("dates", "a `layout` of dates as in 02/01/2006, where they are not ISO dates", func(text string) error {
		a.read.Dates = append(a.read.Dates, text)
		return nil
	})
}

// parse reads flags and operands in any order.
func (a *arguments) parse(args []string) error {
	for {
		err := a.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		if err != nil {
			return misuse("%w; rkhs %s -h lists the flags", err, a.Name())
		}
		if a.NArg() == 0 {
			return nil
		}
		a.operands = append(a.operands, a.Arg(0))
		args = a.Args()[1:]
	}
}

// operand returns the one file that was named.
func (a *arguments) operand() (string, error) {
	if len(a.operands) != 1 {
		return "", misuse("%s takes one file, not %q", a.Name(), a.operands)
	}
	return a.operands[0], nil
}

// free refuses to overwrite a file.
func free(flagName, path string, force bool) error {
	if _, err := os.Stat(path); err == nil && !force {
		return misuse("%s is there already: -force overwrites it, -%s names another file", path, flagName)
	}
	return nil
}
