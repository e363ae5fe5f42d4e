package dataset

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// FromMaps returns a table of maps with a column for each key, in alphabetical order. Values are as
// for FromStructs. A missing key, nil, NaN and the empty string are missing cells. Slices, maps and
// structs are ignored; Table.Notes counts them.
//
// Errors are rkhs.ErrEmpty without rows or values, rkhs.ErrFormat for another type of value,
// rkhs.ErrNotFinite for an infinity, and rkhs.ErrMemory for over 2²⁰ cells of which less than an eighth
// have a value. O(rows·columns).
func FromMaps(rows []map[string]any) (*Table, error) {
	return whole(new(mapReader).table(slices.Values(rows), len(rows), 0))
}

// MapBatches returns the maps of a sequence in tables of the given number of rows, like FromMaps. A
// table has the keys of its rows and of the tables before. An error ends the iteration. Memory is
// proportional to one batch.
func MapBatches(rows iter.Seq[map[string]any], size int) iter.Seq2[*Table, error] {
	return func(yield func(*Table, error) bool) { chunks(rows, size, new(mapReader).table)(yield) }
}

type mapReader struct {
	objects objects
	size    int // in cells, each of which counts as a byte
}

func (m *mapReader) table(rows iter.Seq[map[string]any], _, from int) (*Table, error) {
	o := &m.objects
	o.begin()
	for row := range rows {
		for _, name := range sortedKeys(row) {
			if err := m.add(name, row[name]); err != nil {
				return nil, fmt.Errorf("row %d: %w", from+o.rows, err)
			}
		}
		m.size += len(row)
		if err := o.endRow(m.size); err != nil {
			return nil, err
		}
	}
	t, err := o.table(defaultParser, nil)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(t.columns, func(a, b *Column) int { return strings.Compare(a.name, b.name) })
	return t, nil
}

func (m *mapReader) add(name string, value any) error {
	if isNested(value) {
		m.objects.ignore(name)
		return nil
	}
	b, err := m.objects.column(name)
	if err != nil {
		return err
	}
	return b.add(value)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
