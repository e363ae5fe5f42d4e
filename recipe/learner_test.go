package recipe_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/slkl"
)

// TestLearners: learners of numbers and of classes resume from their files with the same result, and
// ignore rows without a target.
func TestLearners(t *testing.T) {
	text := houses(400, 3)
	all := table(t, text, dataset.TableOptions{})
	lacking := table(t, text+"50;2;Ely;\n", dataset.TableOptions{Kinds: map[string]dataset.Kind{"price": dataset.Number}})
	for _, target := range []string{"price", "town"} {
		r, err := recipe.Learn(all, recipe.Options{Target: target})
		if err != nil {
			t.Fatal(err)
		}
		x, _, err := r.Inputs(all)
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]int, len(r.Classes()))
		for i := range labels {
			labels[i] = i
		}
		var list []recipe.Updater
		add := func(u recipe.Updater, err error) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, u)
		}
		if target == "price" {
			add(polk.NewLearner(nil))
			add(doublysgd.NewLearner(nil))
			add(slkl.NewLearner(&slkl.Options{Points: x}))
		} else {
			add(polk.NewClassLearner(labels, nil))
			add(doublysgd.NewClassLearner(labels, nil))
			add(slkl.NewClassLearner(labels, &slkl.Options{Points: x}))
		}
		for _, u := range list {
			l, err := recipe.NewLearner(r, u)
			if err != nil {
				t.Fatal(err)
			}
			again := l
			for k := range 5 {
				for _, one := range []*recipe.Learner{l, again} {
					if _, err := one.Update(all); err != nil {
						t.Fatalf("%T: %v", u, err)
					}
					if k == 0 {
						break // they are one
					}
				}
				l.Position, again.Position = k, k
				data, err := again.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				again = new(recipe.Learner)
				if err := again.UnmarshalBinary(data); err != nil || again.Position != k || again.Rows() != l.Rows() {
					t.Fatalf("%T: position %d, %d rows, %v", u, again.Position, again.Rows(), err)
				}
			}
			a, errA := l.MarshalBinary()
			b, errB := again.MarshalBinary()
			if errA != nil || errB != nil || !bytes.Equal(a, b) {
				t.Errorf("%T: a learner saved on the way is another: %v, %v", u, errA, errB)
			}
			m, err := l.Model(context.Background())
			if err != nil {
				t.Fatalf("%T: %v", u, err)
			}
			n, err := again.Model(context.Background())
			if err != nil {
				t.Fatalf("%T: %v", u, err)
			}
			want, _ := m.Predict(all)
			got, err := n.Predict(all)
			if err != nil || !slices.Equal(got.Values, want.Values) {
				t.Errorf("%T: its model is another: %v", u, err)
			}
			if target == "price" {
				before := l.Rows()
				if rows, err := l.Update(lacking); err != nil || rows.Dropped != 1 || l.Rows() != before+400 {
					t.Errorf("%T: %+v, %v", u, rows, err)
				}
			}
		}
	}
}

// noModel is a learner without a method Model.
type noModel struct{}

func (noModel) Update(x, y mat.Matrix) error   { return nil }
func (noModel) Rows() int                      { return 0 }
func (noModel) MarshalBinary() ([]byte, error) { return nil, nil }

// TestLearnerRefused: NewLearner rejects other types, and invalid rows do not change a learner.
func TestLearnerRefused(t *testing.T) {
	all := table(t, houses(50, 3), dataset.TableOptions{})
	r, err := recipe.Learn(all, recipe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recipe.NewLearner(r, noModel{}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("without a model: %v", err)
	}
	if _, err := recipe.NewLearner(r, nil); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("nil: %v", err)
	}
	of, err := polk.NewLearner(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recipe.NewLearner(nil, of); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("no recipe: %v", err)
	}
	var none *recipe.Learner
	if _, err := none.Update(all); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("Update of nil: %v", err)
	}
	if _, err := none.Model(context.Background()); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("Model of nil: %v", err)
	}
	if none.Rows() != 0 || none.Recipe() != nil {
		t.Error("nil has rows or a recipe")
	}
	l, err := recipe.NewLearner(r, of)
	if err != nil {
		t.Fatal(err)
	}
	bad := table(t, "area;rooms;town;price\n1;2;Ely;dear\n", dataset.TableOptions{})
	narrow := table(t, "area;rooms;price\n1;2;3\n", dataset.TableOptions{})
	if _, err := l.Update(narrow); !errors.Is(err, rkhs.ErrShape) || !strings.Contains(err.Error(), `"town"`) || l.Rows() != 0 {
		t.Errorf("a table without a column: %v", err)
	}
	if _, err := l.Update(bad); !errors.Is(err, rkhs.ErrFormat) || l.Rows() != 0 {
		t.Errorf("%d rows, %v", l.Rows(), err)
	}
}
