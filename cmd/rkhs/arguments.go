package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/recipe"
)

// arguments are the flags that commands share, and the operands.
type arguments struct {
	*flag.FlagSet
	streams
	synopsis, about, examples string

	json  bool
	model string
	read  dataset.TableOptions
	// firstIndex is the first index of an svmlight file.
	firstIndex dataset.FirstIndex
	operands   []string
}

const firstIndexFlag = "first-index"

// Flags that have no effect on some files.
var (
	textFlags   = []string{"sep", "header", "no-header", "decimal-comma"}
	tableFlags  = append([]string{"missing", "dates"}, textFlags...)
	columnFlags = []string{"weights", "ignore", "kind", "levels"}
	recipeFlags = slices.Concat([]string{"target"}, columnFlags, tableFlags)
)

func newArguments(name, operands, about, examples string, s streams) *arguments {
	a := &arguments{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), streams: s,
		synopsis: name + " " + operands, about: about, examples: examples}
	a.SetOutput(io.Discard) // run prints errors
	a.Usage = func() {}
	return a
}

// help prints the flags of the command.
func (a *arguments) help() {
	a.SetOutput(a.out)
	fmt.Fprintf(a.out, "rkhs %s\n\n%s\n\nFlags:\n", a.synopsis, a.about)
	a.PrintDefaults()
	fmt.Fprintf(a.out, "\nFor example:\n%s\n", a.examples)
}

func (a *arguments) addJSON() { a.BoolVar(&a.json, "json", false, "write results as JSON") }

func (a *arguments) addModel() { a.StringVar(&a.model, "model", "", "the `file` of the model") }

// addRead adds the flags of reading a table.
func (a *arguments) addRead() {
	a.Func("sep", "the `character` between cells, or tab (default: found in the first line)", func(text string) error {
		if text == "tab" || text == `\t` {
			text = "\t"
		}
		if len(text) != 1 {
			return fmt.Errorf("want one character, or tab")
		}
		a.read.Separator = text[0]
		return nil
	})
	a.BoolVar(&a.read.Header, "header", false, "the first line names the columns (default: if it has no number)")
	a.BoolVar(&a.read.NoHeader, "no-header", false, "the first line is a row")
	a.BoolVar(&a.read.DecimalComma, "decimal-comma", false, "numbers have a decimal comma")
	missing := "`texts`, separated by commas, that mark a missing cell, in addition to NA, null, the empty text and, among numbers, words such as ? and none"
	a.Func("missing", missing, func(text string) error {
		a.read.Missing = append(a.read.Missing, strings.Split(text, ",")...)
		return nil
	})
	a.Func(firstIndexFlag, "the first `index` of an svmlight file, 0 or 1 (default: 0 if the file has it)", func(text string) error {
		first, known := map[string]dataset.FirstIndex{"0": dataset.FromZero, "1": dataset.FromOne}[text]
		if !known {
			return fmt.Errorf("want 0 or 1")
		}
		a.firstIndex = first
		return nil
	})
	a.Func("dates", "the `layout` of dates that are not ISO dates, such as 02/01/2006", func(text string) error {
		if !isLayout(text) {
			return fmt.Errorf("want the second of January 2006 in the format of the dates, such as 02/01/2006")
		}
		a.read.Dates = append(a.read.Dates, text)
		return nil
	})
}

// isLayout reports whether a layout of package time has an element of a date or a time. DD/MM/YYYY
// has no element, because package time reads it as literal text.
func isLayout(layout string) bool {
	a := time.Date(2006, 1, 2, 3, 4, 5, 6e8, time.UTC)
	b := a.AddDate(1, 1, 1).Add(13*time.Hour + time.Minute + 1100*time.Millisecond)
	return a.Format(layout) != b.Format(layout)
}

// addRecipe adds the flags of the recipe.
func (a *arguments) addRecipe(o *recipe.Options) {
	a.StringVar(&o.Target, "target", "", "the `column` to predict (default: the last)")
	a.StringVar(&o.Weights, "weights", "", "the `column` of row weights")
	a.Func("ignore", "`columns` to ignore, separated by commas", func(text string) error {
		o.Ignore = append(o.Ignore, strings.Split(text, ",")...)
		return nil
	})
	a.addKind()
	a.IntVar(&o.Levels, "levels", 0, "the largest `number` of category levels that are not hashed (default 64)")
	task := "the `task`, regression or classification (default: classification if the target has texts, two distinct numbers, " +
		"or the integers 0 to K−1 or 1 to K with enough rows each)"
	a.Func("task", task, func(text string) error {
		for _, task := range []recipe.Task{recipe.Regression, recipe.Classification} {
			if task.String() == text {
				o.Task = task
				return nil
			}
		}
		return fmt.Errorf("want regression or classification")
	})
}

func (a *arguments) addKind() {
	kind := "`column=kind` for number, category, text, date or identifier, repeatable (default: found in the cells)"
	a.Func("kind", kind, a.setKind)
}

func (a *arguments) setKind(text string) error {
	i := strings.LastIndex(text, "=")
	if i < 0 {
		return fmt.Errorf("want column=kind")
	}
	kind, err := dataset.ParseKind(text[i+1:])
	if err != nil {
		return err
	}
	if a.read.Kinds == nil {
		a.read.Kinds = map[string]dataset.Kind{}
	}
	a.read.Kinds[text[:i]] = kind
	return nil
}

// reject returns an error if one of the named flags is set; the format explains why it has no effect.
func (a *arguments) reject(names []string, format string, args ...any) (err error) {
	a.Visit(func(f *flag.Flag) {
		if err == nil && slices.Contains(names, f.Name) {
			err = misuse("-%s has no effect: %s", f.Name, fmt.Sprintf(format, args...))
		}
	})
	return err
}

// checkFormat rejects the flags of text tables for other files.
func (a *arguments) checkFormat(path string) error {
	format, err := formatOf(path)
	if err == nil && format != svmlight {
		err = a.reject([]string{firstIndexFlag}, "%s is not an svmlight file", path)
	}
	if err != nil || format == textTable {
		return err
	}
	return a.reject(textFlags, "%s is not a text table", path)
}

// parse reads flags and operands in any order.
func (a *arguments) parse(args []string) error {
	for {
		err := a.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			a.help()
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

// parseFile reads the arguments of a command that reads one file, and returns its path.
func (a *arguments) parseFile(args []string) (string, error) {
	if err := a.parse(args); err != nil {
		return "", err
	}
	if len(a.operands) != 1 {
		return "", misuse("%s reads one file, not %q; rkhs %s -h has examples", a.Name(), a.operands, a.Name())
	}
	return a.operands[0], nil
}

// parseModel reads the arguments of a command that reads only a model, with or without -model.
func (a *arguments) parseModel(args []string) error {
	if err := a.parse(args); err != nil {
		return err
	}
	if len(a.operands) == 1 && a.model == "" {
		a.model, a.operands = a.operands[0], nil
	}
	if len(a.operands) > 0 {
		return misuse("%s reads one model, not %q as well", a.Name(), a.operands)
	}
	return nil
}

// checkOutput returns an error if path cannot be written, or exists and force is not set. It prevents
// a fit that the command could not save.
func checkOutput(flagName, path string, force bool) error {
	info, err := os.Stat(path)
	exists := err == nil
	switch {
	case path == "":
		return misuse("-%s names no file", flagName)
	case exists && info.IsDir():
		return misuse("-%s: %s is a folder", flagName, path)
	case exists && !info.Mode().IsRegular(): // Write would replace /dev/null by a file
		return misuse("-%s: %s is a device or a pipe, want a file", flagName, path)
	case exists && !force:
		return misuse("%s exists: -force overwrites it, -%s names another file", path, flagName)
	}
	f, err := codec.CreateFile(path)
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	if err != nil {
		return fmt.Errorf("-%s: %s cannot be written: %w", flagName, path, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// addOutput adds the flags of an output file.
func (a *arguments) addOutput() (path *string, force *bool) {
	path = a.String("o", "", "the output `file` (default: the standard output)")
	return path, a.Bool("force", false, "overwrite the file of -o")
}

// writeOutput writes to a file, or to the standard output without a path.
func (a *arguments) writeOutput(path string, write func(io.Writer) error) error {
	if path == "" {
		return write(a.out)
	}
	return codec.WriteFile(path, write)
}
