package report

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
)

// Experiment is a part of a paper. Its settings have type S.
type Experiment[S any] struct {
	Name string
	Run  func(context.Context, S) error
}

// Experiments are the parts of a paper in execution order.
type Experiments[S any] []Experiment[S]

// Register adds the flag -only to f. After f is parsed, the result holds the named experiments, or
// all if the flag is empty.
func (e Experiments[S]) Register(f *flag.FlagSet) *Experiments[S] {
	selected := e
	usage := "comma-separated `names` of what to do, of " + strings.Join(e.names(), ", ") + "; all if empty"
	f.Func("only", usage, func(list string) (err error) {
		selected, err = e.selected(list)
		return err
	})
	return &selected
}

func (e Experiments[S]) names() []string {
	var list []string
	for _, x := range e {
		list = append(list, x.Name)
	}
	return list
}

// Has reports whether e has an experiment of the given name.
func (e Experiments[S]) Has(name string) bool { return slices.Contains(e.names(), name) }

func (e Experiments[S]) selected(list string) (Experiments[S], error) {
	if list == "" {
		return e, nil
	}
	wanted := strings.Split(list, ",")
	for _, name := range wanted {
		if !e.Has(name) {
			return nil, fmt.Errorf("no %q among %s", name, strings.Join(e.names(), ", "))
		}
	}
	other := func(x Experiment[S]) bool { return !slices.Contains(wanted, x.Name) }
	return slices.DeleteFunc(slices.Clone(e), other), nil
}

// Run runs the experiments until one fails. The error begins with the name of the experiment.
func (e Experiments[S]) Run(ctx context.Context, s S) error {
	for _, x := range e {
		if err := x.Run(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	return nil
}
