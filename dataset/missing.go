package dataset

import "slices"

// MissingTexts returns the texts that stand for a missing cell of tables that are read by o,
// the empty one first.
func (o TableOptions) MissingTexts() []string {
	return slices.Concat([]string{""}, missingTexts, o.Missing)
}
