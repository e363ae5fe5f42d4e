package main

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// description is the output of rkhs inspect.
type description struct {
	Model   string            `json:"model"`
	Type    string            `json:"type"`
	Bytes   int64             `json:"bytes"`
	Inputs  int               `json:"inputs"`
	Outputs int               `json:"outputs"`
	Labels  []int             `json:"labels,omitempty"`
	Classes []string          `json:"classes,omitempty"`
	Recipe  string            `json:"recipe,omitempty"`
	Report  map[string]string `json:"report,omitempty"`
	Columns []share           `json:"columns,omitempty"`
	Kernel  string            `json:"kernel,omitempty"`
	Search  []trial           `json:"search,omitempty"`

	columns []string // of the recipe, as text
	report  string   // as text
}

// trial is a candidate of the kernel search.
type trial struct {
	Kernel        string `json:"kernel"`
	Noise         number `json:"noise"`
	Rows          int    `json:"rows"`
	Error         number `json:"error"`
	StandardError number `json:"standardError"`
	AtEdge        bool   `json:"atEdge,omitempty"`
}

// inspect is rkhs inspect.
func inspect(_ context.Context, args []string, s streams) error {
	a := newArguments("inspect", "-model MODEL [flags]", "Describes a model: its columns, its report and its kernel search.",
		"  rkhs inspect -model price.rkhs", s)
	a.addJSON()
	a.addModel()
	trials := a.Int("trials", 10, "the `number` of candidates of the kernel search to show")
	if err := a.parseModel(args); err != nil {
		return err
	}
	m, err := loadModel(a.model)
	if err != nil {
		return err
	}
	info, err := os.Stat(a.model)
	if err != nil {
		return err
	}
	d := describe(m, max(0, *trials))
	d.Model, d.Bytes = a.model, info.Size()
	if a.json {
		return writeJSON(s.out, d)
	}
	_, err = fmt.Fprint(s.out, escape(d.String()))
	return err
}

func describe(m model, trials int) *description {
	d := &description{Type: strings.TrimPrefix(fmt.Sprintf("%T", m.fitted), "*"), Report: map[string]string{}}
	d.Inputs, d.Outputs = m.fitted.Dims()
	if c, ok := m.fitted.(rkhs.Classifier); ok {
		d.Labels = c.Labels()
	}
	if m.recipe != nil {
		r := m.recipe.Recipe()
		d.Recipe, d.Classes = escape(r.String()), escapeAll(r.Classes())
		d.columns = describeColumns(r, nil, "")
	}
	method := reflect.ValueOf(m.fitted).MethodByName("Report")
	if method.IsValid() && method.Type().NumIn() == 0 && method.Type().NumOut() == 1 {
		d.setReport(method.Call(nil)[0], trials)
	}
	d.Columns = m.importance()
	return d
}

// setReport copies the simple fields of a report that are not zero, and the kernel search.
func (d *description) setReport(report reflect.Value, trials int) {
	d.report = fmt.Sprint(report)
	if report.Kind() != reflect.Struct {
		return
	}
	for _, field := range reflect.VisibleFields(report.Type()) {
		if field.Anonymous || !field.IsExported() {
			continue
		}
		v := report.FieldByIndex(field.Index)
		if found, ok := v.Interface().(kernel.SearchResult); ok {
			d.setSearch(found, trials)
		} else if text := shortText(v); text != "" {
			d.Report[field.Name] = text
		}
	}
}

// shortText returns a number, a name or up to eight numbers as text, and "" for other values.
func shortText(v reflect.Value) string {
	if v.IsZero() {
		return ""
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint64, reflect.Float64, reflect.Bool:
		return fmt.Sprint(v.Interface())
	case reflect.Slice:
		if 1 <= v.Len() && v.Len() <= 8 && v.Type().Elem().Kind() == reflect.Float64 {
			return fmt.Sprintf("%.4g", v.Interface())
		}
	}
	return ""
}

func (d *description) setSearch(c kernel.SearchResult, trials int) {
	if c.Kernel == nil {
		return
	}
	d.Kernel = shortKernel(c.Kernel)
	for _, t := range c.Curve[:min(trials, len(c.Curve))] {
		d.Search = append(d.Search, trial{Kernel: shortKernel(t.Kernel), Noise: number(t.Noise), Rows: t.Rows,
			Error: number(t.Error), StandardError: number(t.StandardError), AtEdge: t.AtEdge})
	}
}

// shortKernel omits these parts of a kernel.
var (
	numberLists = regexp.MustCompile(`\[\]\[\]float64\{(?:\{[^}]*\}|nil|, )*\}|\[\]float64\{[^}]*\}|make\((?:\[\])+float64, \d+ [^)]*\)`)
	matrices    = regexp.MustCompile(`mat\.NewDense\((\d+), (\d+), [^)]*\)`)
)

// shortKernel returns a kernel as a line without long lists of numbers.
func shortKernel(k kernel.Kernel) string {
	const most = 100
	text := strings.ReplaceAll(fmt.Sprint(k), "kernel.", "")
	text = numberLists.ReplaceAllString(matrices.ReplaceAllString(text, "$1×$2 matrix"), "…")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return text
}

// String returns the description as lines of text.
func (d *description) String() string {
	var b strings.Builder
	inputs, outputs := summary.Count(d.Inputs, "input"), summary.Count(d.Outputs, "output")
	fmt.Fprintf(&b, "%s: %s, %d bytes, %s, %s\n", d.Model, d.Type, d.Bytes, inputs, outputs)
	if d.Classes == nil && d.Labels != nil {
		fmt.Fprintf(&b, "labels: %v\n", d.Labels)
	}
	if len(d.columns) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(d.columns, "\n"))
	}
	if d.report != "" {
		fmt.Fprintf(&b, "\n%s\n", d.report)
	}
	d.writeShares(&b)
	d.writeSearch(&b)
	return b.String()
}

func (d *description) writeShares(b *strings.Builder) {
	if len(d.Columns) == 0 {
		return
	}
	fmt.Fprintln(b, "\nshares of the columns in the distances of the kernel:")
	for _, c := range d.Columns[:min(len(d.Columns), mostColumns)] {
		fmt.Fprintf(b, "  %5.1f %%  %s\n", 100*c.Share, c.Column)
	}
	if more := len(d.Columns) - mostColumns; more > 0 {
		fmt.Fprintf(b, "  and %s (-json shows all)\n", summary.Count(more, "more column"))
	}
}

func (d *description) writeSearch(b *strings.Builder) {
	if len(d.Search) == 0 {
		return
	}
	fmt.Fprintf(b, "\nkernel search, best first:\n  %10s %10s %10s %6s  kernel\n", "error", "s.e.", "noise", "rows")
	for _, t := range d.Search {
		edge := ""
		if t.AtEdge {
			edge = " (at the grid edge)"
		}
		fmt.Fprintf(b, "  %10.4g %10.2g %10.2g %6d  %s%s\n", t.Error, t.StandardError, t.Noise, t.Rows, t.Kernel, edge)
	}
}
