package recipe

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// maxDonors is the number of training rows that a recipe keeps.
	maxDonors = 500
	// maxDonorElements is the number of their nonzero elements.
	maxDonorElements = 1 << 18
	// donorCount is the number of similar training rows that replace a row with a missing cell.
	donorCount = 64
)

// elements are the nonzero elements of a row by ascending columns.
type elements struct {
	columns []int
	values  []float64
}

func (e *elements) add(column int, v float64) {
	if v != 0 {
		e.columns, e.values = append(e.columns, column), append(e.values, v)
	}
}

// elementsOf returns the elements of a row.
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

// span is a range of columns.
type span struct {
	from, to int
	flag     bool // column to−1 flags a missing cell
}

// inside reports whether one of the holes contains a column.
func inside(holes []span, column int) bool {
	return slices.ContainsFunc(holes, func(s span) bool { return s.from <= column && column < s.to })
}

// learnDonors keeps a random sample of the training rows of positive weight.
func (r *Recipe) learnDonors(t *dataset.Table) error {
	rows := r.weightedRows(t)
	sample := rng.New(0, "recipe donors", 0).Perm(len(rows))
	sample = sample[:min(len(sample), maxDonors)]
	for i, at := range sample {
		sample[i] = rows[at]
	}
	e, err := r.encodeRows(t.Select(sample))
	if err != nil {
		return err
	}
	total := 0
	for i := range sample {
		donor := elementsOf(e.x, i)
		if total += len(donor.columns); i > 0 && total > maxDonorElements {
			break
		}
		r.donors = append(r.donors, donor)
	}
	return nil
}

// weightedRows returns the rows of positive weight, or all rows without one.
func (r *Recipe) weightedRows(t *dataset.Table) (rows []int) {
	n, _ := t.Dims()
	if c := t.Column(r.weights); c != nil {
		for i := range n {
			if w, ok, err := c.Number(i); err == nil && ok && w > 0 {
				rows = append(rows, i)
			}
		}
	}
	if rows == nil {
		return compute.Indices(n)
	}
	return rows
}

// scales returns the units of the columns for distances: the standard deviation of numbers and
// times, and 1 otherwise. It is nil for sparse rows, which are standardized.
func (r *Recipe) scales() []float64 {
	if r.sparse {
		return nil
	}
	scales := make([]float64, 0, r.Width())
	for i := range r.columns {
		c := &r.columns[i]
		for k := range c.width() {
			scale := 1.0
			if k == 0 && (c.use == Numbers || c.use == Times) && c.spread > 0 {
				scale = c.spread
			}
			scales = append(scales, scale)
		}
	}
	return scales
}

// distance returns the squared distance of two rows outside the holes.
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
		sum += float64(v * v)
	}
	return sum
}

// lacks reports whether a donor itself lacks a cell of the holes.
func (e elements) lacks(holes []span) bool {
	return slices.ContainsFunc(holes, func(s span) bool {
		_, found := slices.BinarySearch(e.columns, s.to-1)
		return s.flag && found
	})
}

// similar returns the donors nearest to a row outside its holes. It uses donors that lack cells of
// the holes only if all do.
func (r *Recipe) similar(row elements, holes []span, scales []float64) []int {
	order := slices.DeleteFunc(compute.Indices(len(r.donors)), func(i int) bool { return r.donors[i].lacks(holes) })
	if len(order) == 0 {
		order = compute.Indices(len(r.donors))
	}
	distances := make([]float64, len(r.donors))
	for _, i := range order {
		distances[i] = distance(row, r.donors[i], holes, scales)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(distances[i], distances[j]) })
	return order[:min(len(order), donorCount)]
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
		x, _ := sparseOf(len(rows), r.Width(), func(i int, add func(column int, v float64)) error {
			for k, j := range rows[i].columns {
				add(j, rows[i].values[k])
			}
			return nil
		})
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
