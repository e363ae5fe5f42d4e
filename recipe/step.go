package recipe

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs/dataset"
)

// Use is the encoding of a column.
type Use uint8

const (
	// LeftOut ignores the column.
	LeftOut Use = iota
	// Numbers keeps the number. Median replaces a missing number.
	Numbers
	// Levels has an indicator column for each level and one for all other levels. Without Flag, a
	// missing cell counts as one of the other levels.
	Levels
	// HashedLevels has 2^Bits columns (dataset.Hashing).
	HashedLevels
	// Times has the years since 1970, or Median for a missing cell, and sine and cosine of the time
	// of year, of week and, with Clock, of day, which are 0 for a missing cell.
	Times
	// Words has word counts in 2^Bits columns, scaled to Euclidean length one.
	Words
)

var useNames = [...]string{"left out", "numbers", "levels", "hashed levels", "times", "words"}

func (u Use) String() string {
	if int(u) < len(useNames) {
		return useNames[u]
	}
	return fmt.Sprintf("Use(%d)", uint8(u))
}

// Step is the encoding of a column of the table in Width adjacent columns, in the order of the
// steps.
type Step struct {
	Column string
	Kind   dataset.Kind
	Use    Use
	Width  int
	// Flag states that the last of the columns is 1 for a missing cell and 0 otherwise.
	Flag bool
	// Median and Spread, the standard deviation, apply to Numbers and Times. If Scaled, which holds
	// in a recipe with Words, the value v becomes (v − Median)/Spread, unless Spread is 0.
	Median, Spread float64
	Scaled         bool
	// Missing lists the texts of missing cells. Words such as none match in upper and lower case.
	Missing []string
	// Unit is the unit of the numbers.
	Unit   string
	Levels []string
	Bits   int
	Clock  bool
}

// Steps returns the encoding of all columns of the table, or nil for an unfitted recipe.
func (r *Recipe) Steps() []Step {
	if r.Width() == 0 {
		return nil
	}
	steps := make([]Step, len(r.columns))
	for i, c := range r.columns {
		steps[i] = Step{Column: c.name, Kind: c.read.Kind, Use: c.use, Width: c.width(), Missing: c.read.MissingTexts(), Unit: c.read.Unit,
			Flag: c.flag && !c.hashed(), Levels: slices.Clone(c.levels), Bits: c.bits, Clock: c.clock}
		if c.use == Numbers || c.use == Times {
			steps[i].Median, steps[i].Spread, steps[i].Scaled = c.median, c.spread, r.sparse
		}
	}
	return steps
}
