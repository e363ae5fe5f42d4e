package recipe

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs/dataset"
)

// Use is what a recipe makes of a column.
type Use uint8

const (
	// LeftOut: nothing.
	LeftOut = Use(leftOut)
	// Numbers: the number, or Median where it is missing.
	Numbers = Use(number)
	// Levels: a column for each of the levels and one for others, 1 where the cell is it and
	// else 0. A missing cell is one of the others, unless Flag.
	Levels = Use(levels)
	// HashedLevels: one of 2^Bits columns (dataset.Hashing).
	HashedLevels = Use(hashed)
	// Times: years since 1970, or Median where it is missing, and sine and cosine of parts
	// of the year, the week and, with Clock, the day, which are 0 where it is missing.
	Times = Use(times)
	// Words: counts of words in 2^Bits columns, of Euclidean length one.
	Words = Use(words)
)

func (u Use) String() string {
	if u > Use(lastUse) {
		return fmt.Sprintf("Use(%d)", uint8(u))
	}
	return [...]string{"left out", "numbers", "levels", "hashed levels", "times", "words"}[u]
}

// Step is what a recipe makes of a column of the table: Width columns side by side, in the
// order of the steps.
type Step struct {
	Column string
	Kind   dataset.Kind
	Use    Use
	Width  int
	// Flag says that the last of the columns is 1 where the cell is missing and else 0.
	Flag bool
	// Median, and Spread, the standard deviation, are those of Numbers and Times. With Scaled,
	// which a recipe with Words has, what is v without is (v − Median)/Spread where Spread is
	// not 0.
	Median, Spread float64
	Scaled         bool
	Levels         []string
	Bits           int
	Clock          bool
}

// Steps returns what becomes of the columns of the table, in the order of their columns in
// the rows that the recipe makes; nil of a recipe that was not learned.
func (r *Recipe) Steps() []Step {
	if r.Width() == 0 {
		return nil
	}
	steps := make([]Step, len(r.columns))
	for i, c := range r.columns {
		numeric := c.use == number || c.use == times
		steps[i] = Step{Column: c.name, Kind: c.kind, Use: Use(c.use), Width: c.width(), Levels: slices.Clone(c.levels), Bits: c.bits, Clock: c.clock,
			Flag: c.flag && (numeric || c.use == levels), Scaled: numeric && r.sparse}
		if numeric {
			steps[i].Median, steps[i].Spread = c.median, c.spread
		}
	}
	return steps
}
