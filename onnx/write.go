package onnx

import (
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/tree"
	"github.com/rkhs-go/rkhs/recipe"
)

const pkg = "onnx"

// Options configures the file. The zero value selects float64.
type Options struct {
	// Float32 selects single precision for inputs, points and computation. If terms cancel too much,
	// as with a small ridge, the scores are computed in double precision. Default: float64.
	Float32 bool
}

// Names of inputs and outputs.
const (
	inputName       = "x"
	scoresName      = "scores"
	labelsName      = "labels"
	predictionsName = "predictions"
	// probabilitiesName is rows×K, in the order of the labels.
	probabilitiesName = "probabilities"
)

// Write writes a model or classifier of this module. Errors wrap rkhs.ErrUnfitted; rkhs.ErrOption
// for a model without the method Formula, for a kernel or features without operators, and for
// overflow in Float32; and rkhs.ErrMemory for a file of more than 2 GiB. It holds the file in memory.
func Write(w io.Writer, m rkhs.Model, opts Options) error {
	f, err := tree.FormulaOf(pkg, m)
	if err != nil {
		return err
	}
	g := newGraph(opts)
	g.doc = fmt.Sprintf("%T", m)
	g.inputs = []value{{name: inputName, elem: g.real, columns: f.Inputs}}
	g.finish(f, g.function(f, inputName), nil)
	return g.write(w)
}

// WriteRecipe writes a recipe with its model. Errors are as for Write, and rkhs.ErrOption for a
// column with an encoding without operators.
func WriteRecipe(w io.Writer, m *recipe.Model, opts Options) error {
	f, err := tree.FormulaOf(pkg, m.Model())
	if err != nil {
		return err
	}
	g := newGraph(opts)
	g.doc = fmt.Sprintf("%T of %q", m.Model(), m.Recipe().Target())
	x := g.recipe(m.Recipe())
	g.finish(f, g.function(f, x), m.Recipe().Classes())
	return g.write(w)
}

func (g *graph) write(w io.Writer) error {
	if g.err != nil {
		return g.err
	}
	if input.IsNil(w) {
		return fmt.Errorf("%s: the writer is nil: %w", pkg, rkhs.ErrOption)
	}
	_, err := w.Write(g.model())
	return err
}
