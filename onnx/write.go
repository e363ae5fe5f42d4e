package onnx

import (
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/recipe"
)

const pkg = "onnx"

// Options say how a model is written. The zero value writes it in float64.
type Options struct {
	// Float32 makes rows, points and all that is computed single precision: half the memory,
	// what many runtimes and devices have alone. Where Σ_j |w_j·k(x, p_j)| is more than some
	// hundred times the spread of the scores, as with a small ridge, these are computed in
	// double precision, and only inputs and outputs are single.
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

// Write writes a model or classifier of this module. Errors wrap rkhs.ErrUnfitted;
// rkhs.ErrOption for a model without the method Formula, for a kernel or features that have
// no operators, which it names, and for numbers beyond the range of Float32; and
// rkhs.ErrMemory for a file of more than 2 GiB. The file is held in memory before it is
// written.
func Write(w io.Writer, m rkhs.Model, opts Options) error {
	f, err := formulaOf(m)
	if err != nil {
		return err
	}
	g := newGraph(opts)
	g.doc = fmt.Sprintf("%T", m)
	g.inputs = []value{{name: inputName, elem: g.real, columns: f.Inputs}}
	g.finish(f, g.function(f, inputName), nil)
	return g.write(w)
}

// WriteRecipe writes a recipe with its model. Errors are those of Write, and rkhs.ErrOption
// for a column that the recipe treats in a way without operators, which it names.
func WriteRecipe(w io.Writer, m *recipe.Model, opts Options) error {
	f, err := formulaOf(m.Model())
	if err != nil {
		return err
	}
	g := newGraph(opts)
	g.doc = fmt.Sprintf("%T of %q", m.Model(), m.Recipe().Target())
	x := g.recipe(m.Recipe())
	g.finish(f, g.function(f, x), m.Recipe().Classes())
	return g.write(w)
}

func formulaOf(m rkhs.Model) (formula.Formula, error) {
	if door.IsNil(m) {
		return formula.Formula{}, fmt.Errorf("%s: there is no model: %w", pkg, rkhs.ErrUnfitted)
	}
	of, ok := m.(formula.Modeler)
	if !ok {
		return formula.Formula{}, fmt.Errorf("%s: a %T has no Formula: %w", pkg, m, rkhs.ErrOption)
	}
	f := of.Formula()
	if f.Outputs() == 0 {
		return f, fmt.Errorf("%s: a %T that was not fitted: %w", pkg, m, rkhs.ErrUnfitted)
	}
	return f, nil
}

func (g *graph) write(w io.Writer) error {
	if g.err != nil {
		return g.err
	}
	if door.IsNil(w) {
		return fmt.Errorf("%s: there is nothing to write to: %w", pkg, rkhs.ErrOption)
	}
	_, err := w.Write(g.model())
	return err
}
