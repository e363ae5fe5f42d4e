package recipe

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// mostDonors is the number of training rows that a recipe keeps.
	mostDonors = 500
	// mostDonorElements is the number of their elements that are not zero.
	mostDonorElements = 1 << 18
	// substitutes is the number of similar training rows that a missing cell is averaged over.
	substitutes = 64
)

// elements are the elements of a row that are not zero, in the order of their columns.
type elements struct {
	columns []int
	values  []float64
}

func (e *elements) add(column int, v float64) {
	if v != 0 {
		e.columns, e.values = append(e.columns, column), append(e.values, v)
	}
}

// elementsOf returns a row of a matrix of Recipe.Inputs.
func elementsOf(x mat.Matrix, row int) (e elements) {
	if s, ok := x.(*rkhs.Sparse); ok {
		s.DoRowNonZero(row, func(_, j int, v float64) { e.add(j, v) })
		return e
	}
	_, d := x.Dims()
	for j := range d {
		e.add(j, x.At(row, j))
	}
	return e
}

// span is a range of columns of the rows that a recipe makes.
type span struct {
	from, to int
	flag     bool // column to−1 is 1 in rows that lack the cell
}

// inside reports whether one of the spans has a column.
func inside(holes []span, column int) bool {
	return slices.ContainsFunc(holes, func(s span) bool { return s.from <= column && column < s.to })
}

// learnDonors keeps a random sample of the training rows, in random order. Rows of weight zero
// are not among them.
func (r *Recipe) learnDonors(t *dataset.Table) error {
	rows := r.weighedRows(t)
	sample := rng.New(0, "recipe donors", 0).Perm(len(rows))
	sample = sample[:min(len(sample), mostDonors)]
	for i, at := range sample {
		sample[i] = rows[at]
	}
	x, _, _, err := r.encodeRows(t.Select(sample))
	if err != nil {
		return err
	}
	total := 0
	for i := range sample {
		e := elementsOf(x, i)
		if total += len(e.columns); i > 0 && total > mostDonorElements {
			break
		}
		r.donors = append(r.donors, e)
	}
	return nil
}

// weighedRows returns the rows that have a weight above zero, or all if none has.
func (r *Recipe) weighedRows(t *dataset.Table) []int {
	n, _ := t.Dims()
	c := t.Column(r.weights)
	var all, rows []int
	for i := range n {
		all = append(all, i)
		if c == nil {
			continue
		}
		if w, ok, err := c.Number(i); err == nil && ok && w > 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return all
	}
	return rows
}

// scales returns the unit of each column in distances: the standard deviation of numbers and
// times, and 1 for others. It returns nil if rows are sparse, which are scaled already.
func (r *Recipe) scales() []float64 {
	if r.sparse {
		return nil
	}
	scales := make([]float64, 0, r.Width())
	for i := range r.columns {
		c := &r.columns[i]
		for k := range c.width() {
			scale := 1.0
			if k == 0 && (c.use == number || c.use == times) && c.spread > 0 {
				scale = c.spread
			}
			scales = append(scales, scale)
		}
	}
	return scales
}

// distance returns the squared distance of two rows outside of the holes.
func distance(a, b elements, holes []span, scales []float64) (sum float64) {
	for i, j := 0, 0; i < len(a.columns) || j < len(b.columns); {
		column, v := math.MaxInt, 0.0
		if i < len(a.columns) {
			column = a.columns[i]
		}
		if j < len(b.columns) {
			column = min(column, b.columns[j])
		}
		if i < len(a.columns) && a.columns[i] == column {
			v = a.values[i]
			i++
		}
		if j < len(b.columns) && b.columns[j] == column {
			v -= b.values[j]
			j++
		}
		if inside(holes, column) {
			continue
		}
		if scales != nil {
			v /= scales[column]
		}
		sum += v * v
	}
	return sum
}

// lacking reports whether a donor lacks one of the cells itself.
func (e elements) lacking(holes []span) bool {
	return slices.ContainsFunc(holes, func(s span) bool {
		_, found := slices.BinarySearch(e.columns, s.to-1)
		return s.flag && found
	})
}

// similar returns the donors nearest to a row by the columns outside of its holes, the first of equally
// near ones. Donors that lack a cell of the holes are used only if no other is left.
func (r *Recipe) similar(row elements, holes []span, scales []float64) []int {
	var order []int
	for i, donor := range r.donors {
		if !donor.lacking(holes) {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		for i := range r.donors {
			order = append(order, i)
		}
	}
	distances := make([]float64, len(r.donors))
	for _, i := range order {
		distances[i] = distance(row, r.donors[i], holes, scales)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(distances[i], distances[j]) })
	return order[:min(len(order), substitutes)]
}

// substitute returns the row with the elements of a donor in its holes.
func substitute(row, donor elements, holes []span) (e elements) {
	for i, j := 0, 0; i < len(row.columns) || j < len(donor.columns); {
		if j == len(donor.columns) || i < len(row.columns) && row.columns[i] <= donor.columns[j] {
			if !inside(holes, row.columns[i]) {
				e.add(row.columns[i], row.values[i])
			}
			i++
			continue
		}
		if inside(holes, donor.columns[j]) {
			e.add(donor.columns[j], donor.values[j])
		}
		j++
	}
	return e
}

// matrixOf returns rows of elements as a matrix of the type that Inputs returns.
func (r *Recipe) matrixOf(rows []elements) mat.Matrix {
	if r.sparse {
		x := &rkhs.Sparse{Rows: len(rows), Cols: r.Width(), Offsets: make([]int, 1, len(rows)+1)}
		for _, e := range rows {
			for k, j := range e.columns {
				x.Columns, x.Values = append(x.Columns, int32(j)), append(x.Values, e.values[k])
			}
			x.Offsets = append(x.Offsets, len(x.Columns))
		}
		return x
	}
	x := mat.NewDense(len(rows), r.Width(), nil)
	for i, e := range rows {
		for k, j := range e.columns {
			x.Set(i, j, e.values[k])
		}
	}
	return x
}
