package doublysgd

import "slices"

// sampleRows is the number of rows from which on features are added, and most passes taken,
// on so many of them: they tell how many features pay as well as all do, and what Work
// leaves then goes into more rows. By passes over all of them Work would end at features too
// few for any number of rows.
const sampleRows = 100000

// begin returns with how many of the rows to train on a fit begins.
func (r *run) begin(train int) int {
	o := r.options
	r.rows, r.bound = r.x.Rows, o.Work
	if o.Features > 0 || o.Passes > 0 || o.Tolerance > 0 || train <= sampleRows {
		return train
	}
	r.rows -= train - sampleRows
	return sampleRows
}

// part returns the first rows of an order, and those held out.
func part(order []int, rows, train int) []int {
	return slices.Concat(order[:rows], order[train:])
}

// on returns the hyperparameters of a fit to so many rows: what the ridge adds to the
// normal equations is the same for any number, unless a ridge is given.
func (r *run) on(rows int, c hyperparameters) hyperparameters {
	if r.options.Ridge == 0 {
		c.ridge *= float64(r.x.Rows) / float64(rows)
	}
	return c
}

// widen goes on with as many of the rows to train on as what is left of Work allows.
func (r *run) widen(c hyperparameters, order []int, train int) {
	const passes = 2
	old := r.solver
	visits := float64(old.Function.Count()) * (passes + lastVisits)
	rows := min(train, int((r.bound-r.spent)/(visits*r.work(1).visit()))-len(order)+train)
	if rows <= old.Train() {
		return
	}
	next, err := r.newSolver(r.on(rows+len(order)-train, c), part(order, rows, train), rows, old.Function.Map.Columns())
	if err != nil {
		return // the memory is for no more rows
	}
	if !next.Continue(old) {
		return
	}
	r.rows, r.solver = next.Rows(), next
	r.settle()
}
