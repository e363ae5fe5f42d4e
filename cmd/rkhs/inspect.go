package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

const inspectExamples = `  rkhs inspect -model price.rkhs`

// description is what rkhs inspect prints.
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

	order   []string // of Report
	explain string   // where what a report has is explained
}

// mostColumns is the number of columns that are shown.
const mostColumns = 20

// trial is a kernel that the search compared.
type trial struct {
	Kernel        string `json:"kernel"`
	Noise         number `json:"noise"`
	Rows          int    `json:"rows"`
	Error         number `json:"error"`
	StandardError number `json:"standardError"`
	AtEdge        bool   `json:"atEdge,omitempty"`
}

// number is null in JSON, which has no infinity, where it is not finite.
type number float64

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if v-v != 0 {
		return []byte("null"), nil
	}
	return json.Marshal(v)
}

// inspect is rkhs inspect.
func inspect(_ context.Context, args []string, s streams) error {
	a := newArguments("inspect", "-model MODEL [flags]", "Says what a model is, how it was found and what it makes of the columns of a table.", inspectExamples, s)
	a.results()
	a.StringVar(&a.model, "model", "", "the `file` of the model")
	trials := a.Int("trials", 10, "the `number` of lines of the search to show")
	if err := a.parse(args); err != nil {
		return err
	}
	if len(a.operands) == 1 && a.model == "" {
		a.model, a.operands = a.operands[0], nil
	}
	if len(a.operands) > 0 {
		return misuse("inspect takes one model, not %q beside it", a.operands)
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
	_, err = fmt.Fprint(s.out, d)
	return err
}

func describe(m model, trials int) *description {
	d := &description{Type: strings.TrimPrefix(fmt.Sprintf("%T", m.of), "*"), Report: map[string]string{}}
	d.Inputs, d.Outputs = m.of.Dims()
	if c, ok := m.of.(rkhs.Classifier); ok {
		d.Labels = c.Labels()
	}
	if m.recipe != nil {
		r := m.recipe.Recipe()
		d.Recipe, d.Classes = r.String(), r.Classes()
	}
	if method := reflect.ValueOf(m.of).MethodByName("Report"); method.IsValid() && method.Type().NumIn() == 0 && method.Type().NumOut() == 1 {
		r := method.Call(nil)[0]
		d.explain = r.Type().PkgPath() + "." + r.Type().Name()
		d.read(r, trials)
	}
	d.Columns = m.importance()
	return d
}

// read takes what can be shown of a report.
func (d *description) read(report reflect.Value, trials int) {
	if report.Kind() != reflect.Struct {
		return
	}
	for _, field := range reflect.VisibleFields(report.Type()) {
		if field.Anonymous || !field.IsExported() {
			continue
		}
		v := report.FieldByIndex(field.Index)
		if choice, ok := v.Interface().(kernel.Choice); ok {
			d.search(choice, trials)
			continue
		}
		if v.IsZero() {
			continue
		}
		switch v.Kind() {
		case reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint64, reflect.Float64, reflect.Bool:
			d.Report[field.Name] = fmt.Sprint(v.Interface())
		case reflect.Slice:
			if v.Len() == 0 || v.Len() > 8 || v.Type().Elem().Kind() != reflect.Float64 {
				continue
			}
			d.Report[field.Name] = fmt.Sprintf("%.4g", v.Interface())
		default:
			continue
		}
		d.order = append(d.order, field.Name)
	}
}

func (d *description) search(c kernel.Choice, trials int) {
	if c.Kernel == nil {
		return
	}
	d.Kernel = short(c.Kernel)
	for _, t := range c.Curve[:min(trials, len(c.Curve))] {
		d.Search = append(d.Search, trial{short(t.Kernel), number(t.Noise), t.Rows, number(t.Error), number(t.StandardError), t.AtEdge})
	}
}

// What short leaves out.
var (
	numberLists = regexp.MustCompile(`\[\]float64\{[^}]*\}|make\(\[\]float64, \d+ [^)]*\)`)
	matrices    = regexp.MustCompile(`mat\.NewDense\((\d+), (\d+), [^)]*\)`)
)

// short returns a kernel in a line of bearable length: of a metric it has many numbers.
func short(k kernel.Kernel) string {
	const most = 100
	text := strings.ReplaceAll(fmt.Sprint(k), "kernel.", "")
	text = numberLists.ReplaceAllString(matrices.ReplaceAllString(text, "$1×$2 matrix"), "…")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return text
}

// String is the description in lines.
func (d *description) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %d bytes, %d columns of numbers in, %d out\n", d.Model, d.Type, d.Bytes, d.Inputs, d.Outputs)
	switch {
	case d.Classes != nil:
		fmt.Fprintf(&b, "classes: %q\n", d.Classes)
	case d.Labels != nil:
		fmt.Fprintf(&b, "labels: %v\n", d.Labels)
	}
	if d.Recipe != "" {
		fmt.Fprintf(&b, "\nrecipe:\n%s", indent(firstLines(d.Recipe)))
	}
	if len(d.order) > 0 {
		fmt.Fprintf(&b, "\nreport (go doc %s):\n", d.explain)
		for _, name := range d.order {
			fmt.Fprintf(&b, "  %s %s\n", name, d.Report[name])
		}
	}
	if d.Kernel != "" {
		fmt.Fprintf(&b, "\nkernel: %s\n", d.Kernel)
	}
	if len(d.Columns) > 0 {
		fmt.Fprintln(&b, "\nthe columns, by their share in the distances that the kernel sees:")
		for _, c := range d.Columns[:min(len(d.Columns), mostColumns)] {
			fmt.Fprintf(&b, "  %5.1f %%  %s\n", 100*c.Share, c.Column)
		}
		if more := len(d.Columns) - mostColumns; more > 0 {
			fmt.Fprintf(&b, "  and %d more: -json has all\n", more)
		}
	}
	if len(d.Search) > 0 {
		fmt.Fprintf(&b, "\nthe search, best first:\n  %10s %10s %10s %6s  kernel\n", "error", "s.e.", "noise", "rows")
		for _, t := range d.Search {
			edge := ""
			if t.AtEdge {
				edge = " (at the edge)"
			}
			fmt.Fprintf(&b, "  %10.4g %10.2g %10.2g %6d  %s%s\n", t.Error, t.StandardError, t.Noise, t.Rows, t.Kernel, edge)
		}
	}
	return b.String()
}

// firstLines clips the lines of a recipe of many columns.
func firstLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if more := len(lines) - 1 - (mostColumns + 1); more > 0 { // beside the target, and what is behind the last end of a line
		return strings.Join(lines[:mostColumns+1], "") + fmt.Sprintf("and %d more: rkhs inspect -json has all\n", more)
	}
	return text
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}
