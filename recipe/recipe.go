package recipe

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Recipe converts rows of a table to numbers. It is immutable and safe for concurrent use.
type Recipe struct {
	target      target
	weights     string // the column of the weights, or ""
	weightsRead dataset.Notation
	columns     []column
	sparse      bool
	donors      []elements // training rows, for missing cells
}

// Learn derives a recipe from the training rows. Errors wrap rkhs.ErrOption for an unknown column,
// rkhs.ErrFormat with line and column for cells of another kind than their column, rkhs.ErrEmpty
// for a table without rows or features, and rkhs.ErrLabels for a single class. O(cells).
func Learn(t *dataset.Table, opts Options) (*Recipe, error) {
	n, _ := t.Dims()
	if n == 0 {
		return nil, fmt.Errorf("%s: no rows: %w", pkg, rkhs.ErrEmpty)
	}
	o, err := opts.withDefaults(t)
	if err != nil {
		return nil, err
	}
	r := &Recipe{weights: o.Weights}
	if o.Weights != "" {
		r.weightsRead = t.Column(o.Weights).Notation()
	}
	if r.target, err = learnTarget(t, o); err != nil {
		return nil, err
	}
	for _, c := range t.Columns() {
		name := c.Name()
		if name == o.Target || name == o.Weights {
			continue
		}
		learned, err := learnColumn(t, c, o, slices.Contains(o.Ignore, name))
		if err != nil {
			return nil, err
		}
		r.columns = append(r.columns, learned)
		r.sparse = r.sparse || learned.use == Words
	}
	if w := r.Width(); w > math.MaxInt32 {
		return nil, fmt.Errorf("%s: %d columns of hashed words, want less than 2^31: lower Options.Bits = %d: %w", pkg, w, o.Bits, rkhs.ErrOption)
	} else if w == 0 {
		columns := strings.Join(strings.Split(strings.TrimSpace(r.String()), "\n"), "; ")
		return nil, fmt.Errorf("%s: no column is left to learn from (%s): %w", pkg, columns, rkhs.ErrEmpty)
	}
	if err := r.learnDonors(t); err != nil {
		return nil, err
	}
	return r, nil
}

// Width returns the number of columns of the encoded rows.
func (r *Recipe) Width() (width int) {
	for _, c := range r.orEmpty().columns {
		width += c.width()
	}
	return width
}

// orEmpty returns an empty recipe for nil.
func (r *Recipe) orEmpty() *Recipe {
	if r == nil {
		return new(Recipe)
	}
	return r
}

// Target returns the name of the target.
func (r *Recipe) Target() string { return r.orEmpty().target.name }

// Reading returns options that read another file like the training rows (TableOptions.Notations).
func (r *Recipe) Reading() dataset.TableOptions {
	r = r.orEmpty()
	o := dataset.TableOptions{Notations: map[string]dataset.Notation{r.target.name: r.target.read}}
	if r.weights != "" {
		o.Notations[r.weights] = r.weightsRead
	}
	for _, c := range r.columns {
		o.Notations[c.name] = c.read
	}
	return o
}

// Classes returns the texts of the classes by label, or nil for a regression.
func (r *Recipe) Classes() []string { return slices.Clone(r.orEmpty().target.classes) }

// Columns returns the names of the encoded columns. A text has a single name that ends in a star.
func (r *Recipe) Columns() (names []string) {
	for _, c := range r.orEmpty().columns {
		names = append(names, c.names()...)
	}
	return names
}

// String describes the encoding, one column per line.
func (r *Recipe) String() string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %v\n", r.target.name, &r.target)
	if r.weights != "" {
		fmt.Fprintf(&b, "%s: weights of the rows\n", r.weights)
	}
	for _, c := range r.columns {
		fmt.Fprintf(&b, "%s: %v, %s\n", c.name, c.read.Kind, c.describe())
	}
	return b.String()
}
