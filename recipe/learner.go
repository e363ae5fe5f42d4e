package recipe

import (
	"bytes"
	"context"
	"encoding"
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Updater learns from batches of encoded rows, like the Learner and the ClassLearner of packages
// slkl, doublysgd and polk. It also has a method Model(context.Context) that returns an rkhs.Model
// and an error.
type Updater interface {
	Update(x, y mat.Matrix) error
	// Rows returns the number of training rows.
	Rows() int
	encoding.BinaryMarshaler
}

// Learner trains an Updater on the encoded rows of a recipe. It is not safe for concurrent use.
type Learner struct {
	recipe *Recipe
	of     Updater
	// Position is free for the caller, for example as the position in a stream. The file of the
	// learner contains it.
	Position int
}

// NewLearner combines a recipe, usually of the first rows of a stream, with a learner of its rows.
// The labels are 0, 1, … if the recipe has classes.
func NewLearner(r *Recipe, of Updater) (*Learner, error) {
	l := &Learner{recipe: r, of: of}
	if !l.fitted() {
		return nil, fmt.Errorf("%s: NewLearner needs a fitted recipe and a learner: %w", pkg, rkhs.ErrUnfitted)
	}
	if !reflect.ValueOf(of).MethodByName("Model").IsValid() {
		return nil, fmt.Errorf("%s: a %T has no method Model: %w", pkg, of, rkhs.ErrOption)
	}
	return l, nil
}

func (l *Learner) fitted() bool { return l != nil && l.recipe.Width() > 0 && !input.IsNil(l.of) }

// Recipe returns the recipe.
func (l *Learner) Recipe() *Recipe {
	if l == nil {
		return nil
	}
	return l.recipe
}

// Rows returns the number of training rows.
func (l *Learner) Rows() int {
	if !l.fitted() {
		return 0
	}
	return l.of.Rows()
}

// Update trains on the rows of a table and returns the encoded rows, with counts of irregular cells.
// Errors are as for Recipe.Rows and for the learner, and rkhs.ErrShape for a table that lacks a
// column. An error does not change the learner.
func (l *Learner) Update(t *dataset.Table) (*Rows, error) {
	if !l.fitted() {
		return nil, fmt.Errorf("%s: Update of a learner that was not made by NewLearner: %w", pkg, rkhs.ErrUnfitted)
	}
	rows, err := l.recipe.Rows(t)
	if err != nil {
		return nil, err
	}
	for _, c := range rows.Counts {
		if c.Absent {
			return nil, fmt.Errorf("%s: the rows have no column %q, which the learner needs, only %q: %w", pkg, c.Column, namesOf(t.Columns()), rkhs.ErrShape)
		}
	}
	if err := l.of.Update(rows.X, rows.Y); err != nil {
		return nil, err
	}
	return rows, nil
}

// Model returns the current model. Errors are as for the learner.
func (l *Learner) Model(ctx context.Context) (*Model, error) {
	if !l.fitted() {
		return nil, fmt.Errorf("%s: Model of a learner that was not made by NewLearner: %w", pkg, rkhs.ErrUnfitted)
	}
	m, err := modelOf(ctx, l.of)
	if m == nil {
		return nil, err
	}
	model, e := New(l.recipe, m)
	if e != nil {
		return nil, e
	}
	return model, err
}

// modelOf calls the method Model by reflection, because each learner returns another type.
func modelOf(ctx context.Context, of Updater) (rkhs.Model, error) {
	method := reflect.ValueOf(of).MethodByName("Model")
	if t := method.Type(); t.NumIn() != 1 || t.NumOut() != 2 {
		return nil, fmt.Errorf("%s: method Model of a %T is a %v: %w", pkg, of, t, rkhs.ErrOption)
	}
	out := method.Call([]reflect.Value{reflect.ValueOf(&ctx).Elem()})
	err, _ := out[1].Interface().(error)
	m, ok := out[0].Interface().(rkhs.Model)
	if !ok || input.IsNil(m) {
		return nil, err
	}
	return m, err
}

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "recipe learner", Decode: decodeLearner,
	Encode: (*Learner).encode, Fitted: (*Learner).fitted})

// MarshalBinary returns recipe and learner as a file.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

// UnmarshalBinary reads the result of MarshalBinary. Other data is rkhs.ErrFormat and leaves l
// unchanged.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

func (l *Learner) encode(e *codec.Encoder) error {
	l.recipe.encode(e)
	e.Int(l.Position)
	return e.Nested(l.of.MarshalBinary())
}

func decodeLearner(d *codec.Decoder) Learner {
	l := Learner{recipe: decodeRecipe(d), Position: d.Int()}
	l.of = codec.Nested(d, func(data []byte) (Updater, error) {
		return rkhs.Read[Updater](bytes.NewReader(data))
	})
	return l
}
