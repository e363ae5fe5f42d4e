package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/rkhs-go/rkhs/export"
	"github.com/rkhs-go/rkhs/internal/beside"
	"github.com/rkhs-go/rkhs/onnx"
)

const exportExamples = `  rkhs export -model price.rkhs -o price.onnx
  rkhs export -model price.rkhs -o price.onnx -float32
  rkhs export price.rkhs -format json | jq .recipe`

// exportModel is rkhs export.
func exportModel(_ context.Context, args []string, s streams) error {
	a := newArguments("export", "-model MODEL [flags]", "Writes a model for other programs: as ONNX, for runtimes of many languages, or as JSON, with\nall of its numbers. docs/files.md says what stands in them.", exportExamples, s)
	a.StringVar(&a.model, "model", "", "the `file` of the model")
	format := a.String("format", "", "onnx or json (default: as the file of -o ends)")
	out := a.String("o", "", "the `file` to write to (default: the standard output)")
	single := a.Bool("float32", false, "onnx: in single precision")
	force := a.Bool("force", false, "overwrite the file of -o")
	if err := a.parse(args); err != nil {
		return err
	}
	if len(a.operands) == 1 && a.model == "" {
		a.model, a.operands = a.operands[0], nil
	}
	if len(a.operands) > 0 {
		return misuse("export takes one model, not %q beside it", a.operands)
	}
	if *format == "" {
		*format = strings.TrimPrefix(filepath.Ext(*out), ".")
	}
	switch {
	case *format != "onnx" && *format != "json":
		return misuse("-format is %q, want onnx or json", *format)
	case *single && *format == "json":
		return misuse("-float32 is for -format onnx: JSON has all digits")
	}
	if *out != "" {
		if err := free("o", *out, *force); err != nil {
			return err
		}
	}
	m, err := loadModel(a.model)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return m.export(w, *format, onnx.Options{Float32: *single}) }
	if *out == "" {
		return write(s.out)
	}
	return beside.Write(*out, write)
}

func (m model) export(w io.Writer, format string, o onnx.Options) error {
	switch {
	case format == "onnx" && m.recipe != nil:
		return onnx.WriteRecipe(w, m.recipe, o)
	case format == "onnx":
		return onnx.Write(w, m.of, o)
	case m.recipe != nil:
		return export.RecipeJSON(w, m.recipe)
	}
	return export.JSON(w, m.of)
}
