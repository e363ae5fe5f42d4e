package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/beside"
	"github.com/rkhs-go/rkhs/recipe"
)

// arguments are the flags that the commands share, and what stands beside flags.
type arguments struct {
	*flag.FlagSet
	json     bool
	model    string
	read     dataset.TableOptions
	operands []string
	help     func()
	// Of sparse rows: how many values are in columns that the model does not know, and how many
	// it knows.
	beyond, columnsKnown int
}

func newArguments(name, operands, about, examples string, s streams) *arguments {
	a := &arguments{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError)}
	a.SetOutput(io.Discard) // the error itself is told once, by run
	a.Usage = func() {}     // nor is help shown for an error, in place of a result
	a.help = func() {
		a.SetOutput(s.out)
		fmt.Fprintf(s.out, "rkhs %s %s\n\n%s\n\nFlags:\n", name, operands, about)
		a.PrintDefaults()
		fmt.Fprintf(s.out, "\nFor example:\n%s\n", examples)
	}
	return a
}

// results adds the flag of how results are written.
func (a *arguments) results() {
	a.BoolVar(&a.json, "json", false, "write results as JSON")
}

// table adds the flags of reading a table.
func (a *arguments) table() {
	a.text()
	a.cells()
}

// text adds the flags of reading a table of text.
func (a *arguments) text() {
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
}

// cells adds the flags of reading the cells of any table.
func (a *arguments) cells() {
	a.Func("missing", "`texts`, parted by commas, that stand for a missing cell beside NA, NaN, null and the empty one", func(text string) error {
		a.read.Missing = append(a.read.Missing, strings.Split(text, ",")...)
		return nil
	})
	a.Func("dates", "a `layout` of dates as in 02/01/2006, where they are not ISO dates", func(text string) error {
		if !tellsTime(text) {
			return fmt.Errorf("want the second of January 2006 as the dates are written, such as 02/01/2006")
		}
		a.read.Dates = append(a.read.Dates, text)
		return nil
	})
}

// tellsTime reports whether a layout says anything of a time: package time takes all of DD/MM/YYYY
// for mere text, which no date would be read by.
func tellsTime(layout string) bool {
	begin := time.Date(2006, 1, 2, 3, 4, 5, 6e8, time.UTC)
	return begin.Format(layout) != begin.AddDate(1, 1, 1).Add(13*time.Hour+time.Minute+1100*time.Millisecond).Format(layout)
}

// recipeOf adds the flags of what is made of a table.
func (a *arguments) recipeOf(o *recipe.Options) {
	a.StringVar(&o.Target, "target", "", "the `column` to predict (default: the last)")
	a.columns(o)
}

// columns adds the flags of what is made of the columns beside the target.
func (a *arguments) columns(o *recipe.Options) {
	a.StringVar(&o.Weights, "weights", "", "the `column` of the weights of the rows")
	a.Func("ignore", "`columns`, parted by commas, to leave out", func(text string) error {
		o.Ignore = append(o.Ignore, strings.Split(text, ",")...)
		return nil
	})
	a.Func("kind", "`column=kind`, as often as there are columns to tell of: number, category, text, date or identifier, in place of what the cells tell", func(text string) error {
		column, name, ok := cutLast(text, "=")
		if !ok {
			return fmt.Errorf("want column=kind")
		}
		kind, err := dataset.ParseKind(name)
		if err != nil {
			return err
		}
		if a.read.Kinds == nil {
			a.read.Kinds = map[string]dataset.Kind{}
		}
		a.read.Kinds[column] = kind
		return nil
	})
	a.IntVar(&o.Levels, "levels", 0, "the `number` of levels of a category beyond which they are hashed (default 64)")
}

// task adds the flag of what is learned of the target.
func (a *arguments) task(o *recipe.Options) {
	a.Func("task", "`regression` or classification (default: classification of names, of two numbers, and of 0 to K−1 or 1 to K that all have their rows)", func(text string) error {
		for _, task := range []recipe.Task{recipe.Regression, recipe.Classification} {
			if task.String() == text {
				o.Task = task
				return nil
			}
		}
		return fmt.Errorf("want regression or classification")
	})
}

// refuse tells of a flag that is given, and is one of those that add adds, why it has no effect.
func (a *arguments) refuse(add func(*arguments), format string, args ...any) (err error) {
	of := newArguments("", "", "", "", streams{})
	add(of)
	a.Visit(func(f *flag.Flag) {
		if err == nil && of.Lookup(f.Name) != nil {
			err = misuse("-%s has no effect: "+format, append([]any{f.Name}, args...)...)
		}
	})
	return err
}

// tableAndRecipe adds the flags that mean nothing where a file of numbered columns is not read as
// a table.
func (a *arguments) tableAndRecipe() {
	a.table()
	a.recipeOf(new(recipe.Options))
}

// suits refuses flags that have no effect on a file.
func (a *arguments) suits(path string) error {
	format, err := formatOf(path)
	if err != nil || format == dataset.CSVFormat && !isParquet(path) {
		return err
	}
	return a.refuse((*arguments).text, "%s is no table of text", path)
}

// cutLast cuts at the last separator.
func cutLast(text, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
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

// operand returns the one file that was named.
func (a *arguments) operand() (string, error) {
	if len(a.operands) != 1 {
		return "", misuse("%s takes one file, not %q; rkhs %s -h has examples", a.Name(), a.operands, a.Name())
	}
	return a.operands[0], nil
}

// free refuses to overwrite a file, and a path that no file can be written to, before any work
// is done for it.
func free(flagName, path string, force bool) error {
	if info, err := os.Stat(path); err == nil && !force && info.Mode().IsRegular() {
		return misuse("%s is there already: -force overwrites it, -%s names another file", path, flagName)
	}
	return writable(flagName, path)
}

// writable tells why no file can be written beside path and take its place.
func writable(flagName, path string) error {
	if path == "" {
		return misuse("-%s names no file", flagName)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return misuse("-%s: %s is a folder", flagName, path)
	} else if err == nil && !info.Mode().IsRegular() { // a file would take the place of /dev/null
		return misuse("-%s: %s is a device or a pipe, want a file", flagName, path)
	}
	f, err := beside.Create(path)
	if err != nil {
		return fmt.Errorf("-%s: %s cannot be written: %w", flagName, path, cause(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// cause returns what is wrong with a path without the path.
func cause(err error) error {
	var of *os.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
