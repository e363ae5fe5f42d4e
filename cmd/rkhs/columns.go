package main

import (
	"fmt"
	"strings"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

// mostColumns is the largest number of columns that are printed.
const mostColumns = 20

// describeColumns returns a line for each column, such as "town: category (3 levels)". The table, if
// not nil, has the training rows, in which missing cells are counted.
func describeColumns(r *recipe.Recipe, t *dataset.Table, weights string) []string {
	target := "number"
	if classes := r.Classes(); classes != nil {
		target = classNames(classes)
	}
	lines := []string{fmt.Sprintf("%s: target, %s", r.Target(), target)}
	if weights != "" {
		lines = append(lines, weights+": weights")
	}
	steps := r.Steps()
	for _, s := range steps[:min(len(steps), mostColumns)] {
		line := fmt.Sprintf("%s: %s", s.Column, describeStep(s))
		if c := t.Column(s.Column); c != nil && s.Use != recipe.LeftOut {
			if n := missing(c); n > 0 {
				line += fmt.Sprintf(", %d of %s missing", n, summary.Count(c.Len(), "cell"))
			}
		}
		lines = append(lines, line)
	}
	if more := len(steps) - mostColumns; more > 0 {
		lines = append(lines, fmt.Sprintf("and %s (rkhs inspect -json shows all)", summary.Count(more, "more column")))
	}
	return escapeAll(lines)
}

func classNames(classes []string) string {
	const most = 8
	names := strings.Join(classes[:min(most, len(classes))], ", ")
	if len(classes) > most {
		names += ", …"
	}
	return fmt.Sprintf("%s: %s", summary.Count(len(classes), "class"), names)
}

func describeStep(s recipe.Step) string {
	switch {
	case s.Use == recipe.LeftOut:
		return fmt.Sprintf("%v, not used", s.Kind)
	case s.Use == recipe.Levels:
		return fmt.Sprintf("category (%s)", summary.Count(len(s.Levels), "level"))
	case s.Use == recipe.HashedLevels:
		return fmt.Sprintf("category (hashed to %s)", summary.Count(s.Width, "column"))
	}
	return s.Kind.String()
}

func missing(c *dataset.Column) int {
	n := 0
	for i := range c.Len() {
		if c.Missing(i) {
			n++
		}
	}
	return n
}
