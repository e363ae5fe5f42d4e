package onnx_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/fitted"
	"github.com/rkhs-go/rkhs/onnx"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

// inputsOf returns the columns of cells that a recipe uses, in the types that a program would pass.
func inputsOf(cells [][]string, r *recipe.Recipe, kind string) map[string]array {
	inputs := map[string]array{}
	for k, name := range cells[0] {
		for _, s := range r.Steps() {
			if s.Column != name || s.Use == recipe.LeftOut {
				continue
			}
			a := array{Type: "string", Dims: []int{len(cells) - 1, 1}}
			for _, row := range cells[1:] {
				if s.Use == recipe.Levels {
					a.Data = append(a.Data, row[k])
					continue
				}
				a.Type = kind
				if v, err := strconv.ParseFloat(row[k], 64); err == nil {
					a.Data = append(a.Data, v)
				} else {
					a.Data = append(a.Data, "NaN")
				}
			}
			inputs[name] = a
		}
	}
	return inputs
}

func TestRecipeRuntime(t *testing.T) {
	comparesRecipes(t, func(tasks []task) []result { return runtime(t, tasks) })
}

func TestRecipeEvaluator(t *testing.T) { comparesRecipes(t, evaluate) }

func comparesRecipes(t *testing.T, run func([]task) []result) {
	regression, classes, err := fitted.Recipes()
	if err != nil {
		t.Fatal(err)
	}
	table, cells := fitted.Table(60, 2)
	for _, c := range precisions {
		kind := map[bool]string{false: "float64", true: "float32"}[c.o.Float32]
		var tasks []task
		for _, m := range []*recipe.Model{regression, classes} {
			var b bytes.Buffer
			if err := onnx.WriteRecipe(&b, m, c.o); err != nil {
				t.Fatal(err)
			}
			tasks = append(tasks, task{"recipe", b.Bytes(), inputsOf(cells, m.Recipe(), kind)})
		}
		results := run(tasks)
		if results[0].Error+results[1].Error != "" {
			t.Fatal(results[0].Error, results[1].Error)
		}
		want, err := fitted.PredictEncoded(regression, table)
		if err != nil {
			t.Fatal(err)
		}
		worst, low, high := 0.0, math.Inf(1), math.Inf(-1)
		for i, v := range want.Values {
			worst = math.Max(worst, math.Abs(results[0].Outputs["predictions"].number(i)-v))
			low, high = min(low, v), max(high, v)
		}
		if !(worst <= c.tolerance*(high-low)) {
			t.Errorf("%+v: off by %.2g of the spread", c.o, worst/(high-low))
		}
		if want, err = fitted.PredictEncoded(classes, table); err != nil {
			t.Fatal(err)
		}
		got := results[1].Outputs["labels_"] // because labels is the name of an input
		for i, text := range want.Classes {
			if len(got.Data) != len(want.Classes) || got.Data[i] != text {
				t.Fatalf("%+v: row %d is of %v, want %s", c.o, i, got.Data[i], text)
			}
		}
	}
}

// Dates, words and many levels have no operators.
func TestRecipeRefuses(t *testing.T) {
	for column, of := range map[string]func(i int) string{
		"date":  func(i int) string { return "2024-01-" + strconv.Itoa(10+i%20) },
		"words": func(i int) string { return strings.Repeat("some words that tell it number "+strconv.Itoa(i%37)+" ", 3) },
		"level": func(i int) string { return string(rune('a'+i%5)) + string(rune('a'+i%3)) },
	} {
		var b strings.Builder
		b.WriteString(column + ",y\n")
		for i := range 60 {
			b.WriteString(of(i) + "," + strconv.Itoa(i*i%13) + ".5\n")
		}
		table, err := dataset.ReadTable(strings.NewReader(b.String()), dataset.TableOptions{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := recipe.Fit(context.Background(), table, recipe.Options{Levels: 4, Bits: 4}, ridge.Fit, &ridge.Options{Ridge: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		if err := onnx.WriteRecipe(io.Discard, m, onnx.Options{}); !errors.Is(err, rkhs.ErrOption) || !strings.Contains(err.Error(), column) {
			t.Errorf("%s: error %v", column, err)
		}
	}
	if err := onnx.WriteRecipe(io.Discard, nil, onnx.Options{}); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("no recipe: error %v", err)
	}
}
