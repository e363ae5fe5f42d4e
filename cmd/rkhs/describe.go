package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/summary"
)

const describeAbout = `Describes the columns of the table in FILE: kind, missing cells, unusual texts and a histogram. FILE
may be - for the standard input.`

const describeExamples = `  rkhs describe houses.csv
  rkhs describe houses.csv -json`

// describeFile is rkhs describe.
func describeFile(_ context.Context, args []string, s streams) error {
	a := newArguments("describe", "FILE [flags]", describeAbout, describeExamples, s)
	a.addJSON()
	a.addRead()
	a.addKind()
	path, err := a.parseFile(args)
	if err != nil {
		return err
	}
	if err := a.checkFormat(path); err != nil {
		return err
	}
	d, err := a.load(path)
	if err != nil {
		return err
	}
	if d.table == nil {
		return misuse("%s has numbered columns: describe reads tables", path)
	}
	columns := overviews(d.table)
	if a.json {
		return writeJSON(a.out, columns)
	}
	return writeOverviews(a.out, d.rows(), columns)
}

// overview describes a column.
type overview struct {
	dataset.Note
	// Low, Median and High describe numbers and dates.
	Low    string `json:"low,omitempty"`
	Median string `json:"median,omitempty"`
	High   string `json:"high,omitempty"`
	// Histogram counts numbers or dates in intervals of equal width from Low to High.
	Histogram []int `json:"histogram,omitempty"`
	// Levels are the most frequent of Distinct texts.
	Distinct int     `json:"distinct,omitempty"`
	Levels   []level `json:"levels,omitempty"`
}

type level struct {
	Text string `json:"text"`
	Rows int    `json:"rows"`
}

func overviews(t *dataset.Table) (list []overview) {
	notes := t.Notes()
	for j, c := range t.Columns() {
		o := overview{Note: notes[j]}
		switch c.Kind() {
		case dataset.Number:
			o.setRange(c, func(row int) (float64, bool) {
				v, ok, err := c.Number(row)
				return v, ok && err == nil
			}, func(v float64) string { return fmt.Sprintf("%.6g", v) })
		case dataset.Date:
			o.setRange(c, func(row int) (float64, bool) {
				at, ok, err := c.Time(row)
				return float64(at.Unix()), ok && err == nil
			}, func(v float64) string { return time.Unix(int64(v), 0).UTC().Format(time.DateOnly) })
		default:
			o.setLevels(c)
		}
		list = append(list, o)
	}
	return list
}

// bins is the number of bins of a histogram.
const bins = 12

// setRange sets the range and the histogram of numbers.
func (o *overview) setRange(c *dataset.Column, number func(row int) (float64, bool), text func(float64) string) {
	var values []float64
	for i := range c.Len() {
		if v, ok := number(i); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return
	}
	slices.Sort(values)
	low, high := values[0], values[len(values)-1]
	o.Low, o.Median, o.High = text(low), text(values[(len(values)-1)/2]), text(high)
	if low == high {
		return
	}
	o.Histogram = make([]int, bins)
	for _, v := range values {
		o.Histogram[min(int(bins*((v/2-low/2)/(high/2-low/2))), bins-1)]++
	}
}

// mostLevels is the largest number of levels that are printed.
const mostLevels = 5

// setLevels sets the most frequent texts.
func (o *overview) setLevels(c *dataset.Column) {
	count := map[string]int{}
	for i := range c.Len() {
		if text, ok := c.Text(i); ok {
			count[text]++
		}
	}
	o.Distinct = len(count)
	texts := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for _, text := range texts[:min(len(texts), mostLevels)] {
		o.Levels = append(o.Levels, level{text, count[text]})
	}
}

func writeOverviews(w io.Writer, rows int, columns []overview) error {
	width := 0
	for _, o := range columns {
		width = max(width, len(o.Column))
	}
	fmt.Fprintf(w, "%s, %s\n\n", summary.Count(rows, "row"), summary.Count(len(columns), "column"))
	for _, o := range columns {
		var parts []string
		if of := o.distribution(); of != "" {
			parts = append(parts, of)
		}
		if empty := o.Missing[""]; empty > 0 {
			parts = append(parts, summary.Count(empty, "empty cell"))
		}
		line := fmt.Sprintf("%-*s  %-10v  %s", min(width, 24), o.Column, o.Kind, strings.Join(append(parts, o.Remarks()...), "; "))
		if _, err := fmt.Fprintln(w, escape(strings.TrimRight(line, " "))); err != nil {
			return err
		}
	}
	return nil
}

// distribution returns the histogram or the levels as text.
func (o *overview) distribution() string {
	if o.Low != "" {
		return strings.TrimSpace(fmt.Sprintf("%s  %s to %s, median %s", bars(o.Histogram), o.Low, o.High, o.Median))
	}
	if o.Distinct == 0 {
		return ""
	}
	var parts []string
	for _, l := range o.Levels {
		text := []rune(l.Text)
		if len(text) > 20 {
			text = append(text[:20], '…')
		}
		parts = append(parts, fmt.Sprintf("%s %d", string(text), l.Rows))
	}
	if o.Distinct > len(o.Levels) {
		parts = append(parts, "…")
	}
	return fmt.Sprintf("%s: %s", summary.Count(o.Distinct, "level"), strings.Join(parts, ", "))
}

// bars draws a histogram.
func bars(counts []int) string {
	const heights = "▁▂▃▄▅▆▇█"
	var b strings.Builder
	for _, n := range counts {
		if n == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune([]rune(heights)[(8*n-1)/slices.Max(counts)])
	}
	return b.String()
}
