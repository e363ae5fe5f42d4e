package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/rkhs-go/rkhs/export"
	"github.com/rkhs-go/rkhs/onnx"
)

const exportExamples = `  rkhs export -model price.rkhs -o price.onnx
  rkhs export -model price.rkhs -o price.onnx -float32
  rkhs export price.rkhs -format json | jq .recipe`

const exportAbout = `Writes a model for other programs: as ONNX, or as JSON with all its numbers. docs/files.md describes
both.`

// exportModel is rkhs export.
func exportModel(_ context.Context, args []string, s streams) error {
	a := newArguments("export", "-model MODEL [flags]", exportAbout, exportExamples, s)
	a.addModel()
	format := a.String("format", "", "onnx or json (default: the extension of the file of -o)")
	output, force := a.addOutput()
	single := a.Bool("float32", false, "onnx: use single precision")
	if err := a.parseModel(args); err != nil {
		return err
	}
	if *format == "" {
		*format = strings.TrimPrefix(filepath.Ext(*output), ".")
	}
	switch {
	case *format != "onnx" && *format != "json":
		return misuse("-format %q: want onnx or json", *format)
	case *single && *format == "json":
		return misuse("-float32 has no effect: it is for -format onnx")
	}
	if *output != "" {
		if err := checkOutput("o", *output, *force); err != nil {
			return err
		}
	}
	m, err := loadModel(a.model)
	if err != nil {
		return err
	}
	return a.writeOutput(*output, func(w io.Writer) error { return m.export(w, *format, onnx.Options{Float32: *single}) })
}

func (m model) export(w io.Writer, format string, o onnx.Options) error {
	switch {
	case format == "onnx" && m.recipe != nil:
		return onnx.WriteRecipe(w, m.recipe, o)
	case format == "onnx":
		return onnx.Write(w, m.fitted, o)
	case m.recipe != nil:
		return export.RecipeJSON(w, m.recipe)
	}
	return export.JSON(w, m.fitted)
}
