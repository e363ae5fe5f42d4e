package main

import (
	"context"
	"encoding"
	"fmt"

	"github.com/rkhs-go/rkhs"
	_ "github.com/rkhs-go/rkhs/doublysgd/novelty" // to load models that programs saved
	_ "github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

// model is a model with or without a recipe.
type model struct {
	recipe  *recipe.Model // nil if the model predicts rows of numbers
	fitted  rkhs.Model
	learner *recipe.Learner // nil if the file has no learner
}

// loadModel reads a model, or the current model of a learner.
func loadModel(path string) (m model, err error) {
	if path == "" {
		return m, misuse("-model must name the file of the model")
	}
	v, err := rkhs.Load[any](path)
	if err != nil {
		return m, err
	}
	switch v := v.(type) {
	case *recipe.Learner:
		r, err := v.Model(context.Background())
		return model{r, r.Model(), v}, inFile(path, err)
	case *recipe.Model:
		return model{recipe: v, fitted: v.Model()}, nil
	case rkhs.Model:
		return model{fitted: v}, nil
	}
	return m, fmt.Errorf("%s contains a %T, which cannot predict", path, v)
}

// file returns the value to save.
func (m model) file() encoding.BinaryMarshaler {
	if m.recipe != nil {
		return m.recipe
	}
	return m.fitted.(encoding.BinaryMarshaler)
}

// inputs returns the number of columns of numbers.
func (m model) inputs() int {
	d, _ := m.fitted.Dims()
	return d
}

// loadModelFor loads the model and checks that the flags suit the model and the
// file. It adopts the notations of the training rows.
func (a *arguments) loadModelFor(path string) (model, error) {
	m, err := loadModel(a.model)
	switch {
	case err != nil:
		return m, err
	case m.recipe != nil:
		a.adoptReading(m.recipe.Recipe())
		return m, a.checkFormat(path)
	case path == "-" || isPipe(path):
		return m, misuse("%s is read as a table, and the model needs %s: name an svmlight or IDX file",
			path, summary.Count(m.inputs(), "numbered column"))
	}
	return m, a.reject(tableFlags, "it is for tables, and the model needs %s", summary.Count(m.inputs(), "numbered column"))
}

// adoptReading reads tables like the training rows of the recipe, and by the flags.
func (a *arguments) adoptReading(r *recipe.Recipe) { a.read.Notations = r.Reading().Notations }

// adapt converts rows for the model: to a table if it has a recipe, else to its number of columns.
func (m model) adapt(d data) (data, error) {
	switch {
	case m.recipe != nil && d.table == nil:
		n, err := numberingOf(m.recipe.Recipe())
		if err != nil {
			return data{}, err
		}
		return n.table(d)
	case m.recipe == nil && d.table != nil:
		return data{}, fmt.Errorf("the file is a table, and the model needs %s, as in svmlight and IDX files: %w",
			summary.Count(m.inputs(), "numbered column"), rkhs.ErrShape)
	case m.recipe == nil:
		d.x, d.surplus = limitColumns(d.x, m.inputs())
	}
	return d, nil
}

// predict predicts adapted rows. Intervals have the given coverage, unless it is 0.
func (m model) predict(d data, coverage float64) (p *recipe.Predictions, err error) {
	if m.recipe != nil {
		p, err = m.recipe.PredictIntervals(d.table, coverage)
	} else {
		p, err = recipe.PredictionsOf(m.fitted, d.x, coverage)
	}
	if err != nil {
		return nil, err
	}
	p.Classes, p.Names = escapeAll(p.Classes), escapeAll(p.Names)
	for i := range p.Counts {
		p.Counts[i].Column = escape(p.Counts[i].Column)
	}
	if p.Averaged != nil {
		p.Averaged.Columns = escapeAll(p.Averaged.Columns)
	}
	return p, nil
}

// score compares predictions of adapted rows with their targets.
func (m model) score(d data) (s *score, err error) {
	s = &score{classes: escapeAll(m.recipe.Recipe().Classes())}
	if m.recipe != nil {
		s.Score, err = m.recipe.Score(d.table)
	} else {
		s.Score, err = recipe.ScoreOf(m.fitted, d.x, d.y)
	}
	if err != nil {
		return nil, err
	}
	if s.Averaged != nil {
		s.Averaged.Columns = escapeAll(s.Averaged.Columns)
	}
	return s, nil
}
