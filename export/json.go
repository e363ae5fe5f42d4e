package export

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/tree"
	"github.com/rkhs-go/rkhs/recipe"
)

const (
	pkg     = "export"
	format  = "rkhs model"
	version = 1
)

// JSON writes a model or classifier of this module as a Document. Errors wrap rkhs.ErrUnfitted;
// rkhs.ErrOption for a model without the method Formula, a user-defined kernel and features without
// a closed form; and rkhs.ErrMemory for more than 2 GiB of numbers. It holds the document in memory,
// about 20 bytes per number.
func JSON(w io.Writer, m rkhs.Model) error {
	d, err := documentOf(m)
	if err != nil {
		return err
	}
	return write(w, d)
}

// RecipeJSON is JSON for a recipe and its model.
func RecipeJSON(w io.Writer, m *recipe.Model) error {
	d, err := documentOf(m.Model())
	if err != nil {
		return err
	}
	d.Recipe = recipeOf(m.Recipe())
	return write(w, d)
}

func write(w io.Writer, d *Document) error {
	if input.IsNil(w) {
		return fmt.Errorf("%s: the writer is nil: %w", pkg, rkhs.ErrOption)
	}
	data, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("%s: %w", pkg, err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// maxNumbers is 2 GiB of numbers.
const maxNumbers = 1 << 28

func documentOf(m rkhs.Model) (*Document, error) {
	f, err := tree.FormulaOf(pkg, m)
	if err != nil {
		return nil, err
	}
	if n := f.Numbers(); n > maxNumbers {
		return nil, fmt.Errorf("%s: a model of %.1f GiB of numbers, more than %d: %w", pkg, n/(1<<27), maxNumbers>>27, rkhs.ErrMemory)
	}
	d := &Document{Format: format, Version: version, Inputs: f.Inputs, Outputs: f.Outputs(), Intercept: f.Intercept,
		Output: f.Output.String(), Labels: f.Labels}
	if f.Rule != formula.NoRule {
		d.Rule, d.Probabilities = f.Rule.String(), probabilitiesOf(f.Probabilities)
	}
	return d, d.add(f)
}

func (d *Document) add(f formula.Formula) error {
	for _, e := range f.Expansions {
		if e.ModelOrder() == 0 {
			continue
		}
		n, err := tree.Describe(e.Kernel, f.Inputs)
		if err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
		d.Expansions = append(d.Expansions, Expansion{kernelOf(n), Rows{e.Points}, Rows{e.Weights}})
	}
	for _, e := range f.Features {
		if e.ModelOrder() == 0 {
			continue
		}
		of, err := featuresOf(e)
		if err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
		d.Features = append(d.Features, of)
	}
	return nil
}

func featuresOf(e features.Expansion) (Features, error) {
	f := Features{Seed: e.Options.Seed, Columns: e.Map.Columns(), Sampler: e.Options.Sampler.String()}
	if n, err := tree.Describe(e.Map.Kernel(), e.Map.Dim()); err == nil {
		k := kernelOf(n)
		f.Kernel = &k
	}
	for b, a := range e.Coefficients {
		parts, err := features.PartsOf(e.Map, uint64(b))
		if err != nil {
			return f, err
		}
		block := Block{Coefficients: Rows{a}}
		for _, p := range parts {
			block.Parts = append(block.Parts, partOf(p))
		}
		f.Blocks = append(f.Blocks, block)
	}
	return f, nil
}

func recipeOf(r *recipe.Recipe) *Recipe {
	out := &Recipe{Target: r.Target(), Classes: r.Classes()}
	for _, s := range r.Steps() {
		step := Step{Column: s.Column, Kind: s.Kind.String(), Use: s.Use.String(), Width: s.Width,
			Flag: s.Flag, Scaled: s.Scaled, Levels: s.Levels, Missing: s.Missing, Unit: s.Unit}
		switch s.Use {
		case recipe.Numbers, recipe.Times:
			step.Median, step.Spread, step.Clock = &s.Median, &s.Spread, s.Clock
		case recipe.HashedLevels, recipe.Words:
			step.Bits = s.Bits
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
