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
	"github.com/rkhs-go/rkhs/internal/door"
)

// Updater learns from rows of numbers batch by batch, as the Learner and the ClassLearner of
// packages slkl, doublysgd and polk do. It has besides a method Model(context.Context) that
// returns an rkhs.Model of what was learned so far, and an error.
type Updater interface {
	Update(x, y mat.Matrix) error
	// Rows returns the number of rows learned from.
	Rows() int
	encoding.BinaryMarshaler
}

// Learner is a recipe with what learns from its rows. It must not be used by several
// goroutines at a time.
type Learner struct {
	recipe *Recipe
	of     Updater
	// Position is at the disposal of who feeds the learner, and stands in its file: how far it
	// has come in what it reads.
	Position int
}

// NewLearner returns a recipe, learned from the first rows of a stream, with a learner that has
// seen none or some of its rows: of the labels 0, 1, … where the recipe has classes.
func NewLearner(r *Recipe, of Updater) (*Learner, error) {
	l := &Learner{recipe: r, of: of}
	if !l.fitted() {
		return nil, fmt.Errorf("%s: NewLearner of a recipe that was not learned, or of no learner: %w", pkg, rkhs.ErrUnfitted)
	}
	if !reflect.ValueOf(of).MethodByName("Model").IsValid() {
		return nil, fmt.Errorf("%s: a %T has no method Model: %w", pkg, of, rkhs.ErrOption)
	}
	return l, nil
}

func (l *Learner) fitted() bool { return l != nil && l.recipe.Width() > 0 && !door.IsNil(l.of) }

// Recipe returns the recipe.
func (l *Learner) Recipe() *Recipe {
	if l == nil {
		return nil
	}
	return l.recipe
}

// Rows returns the number of rows learned from.
func (l *Learner) Rows() int {
	if !l.fitted() {
		return 0
	}
	return l.of.Rows()
}

// Update learns from raw rows with their targets, and returns how many were left out since they
// have none. Errors are those of Recipe.Rows and of the learner, and nothing is learned then;
// not one row with a target is rkhs.ErrEmpty.
func (l *Learner) Update(t *dataset.Table) (dropped int, err error) {
	if !l.fitted() {
		return 0, fmt.Errorf("%s: Update of a learner that was not made by NewLearner: %w", pkg, rkhs.ErrUnfitted)
	}
	rows, err := l.recipe.Rows(t)
	if err != nil {
		return 0, err
	}
	return rows.Dropped, l.of.Update(rows.X, rows.Y)
}

// Model returns what was learned so far. Errors are those of the learner.
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

// modelOf calls the method Model, which returns another type for each learner.
func modelOf(ctx context.Context, of Updater) (rkhs.Model, error) {
	method := reflect.ValueOf(of).MethodByName("Model")
	if t := method.Type(); t.NumIn() != 1 || t.NumOut() != 2 {
		return nil, fmt.Errorf("%s: method Model of a %T is a %v: %w", pkg, of, t, rkhs.ErrOption)
	}
	out := method.Call([]reflect.Value{reflect.ValueOf(&ctx).Elem()})
	err, _ := out[1].Interface().(error)
	m, ok := out[0].Interface().(rkhs.Model)
	if !ok || door.IsNil(m) {
		return nil, err
	}
	return m, err
}

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "recipe learner", Decode: decodeLearner,
	Encode: (*Learner).encode, Fitted: (*Learner).fitted})

// MarshalBinary returns recipe and learner as a file.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

// UnmarshalBinary replaces l by what is in data. On an error, which wraps
// rkhs.ErrFormat, l is left as it was.
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
