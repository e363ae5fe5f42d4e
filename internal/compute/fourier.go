package compute

// FourierPairs sets dst_ij = scale·cos<x_i, w_j> and dst_i,m+j = scale·sin<x_i, w_j>:
// X is n×d, W is m×d, dst is n×2m. With the rows of W drawn from the spectral
// measure of a kernel and scale = 1/√m these are its random Fourier features
// (Rahimi and Recht, 2007). O(n·m·d).
func FourierPairs(dst, x, w Matrix, scale float64, workers int) {
	use64.fourierPairs(of64(dst), of64(x), of64(w), scale, workers)
}

// FourierPairs32 is FourierPairs in single precision.
func FourierPairs32(dst, x, w Matrix32, scale float32, workers int) {
	use32.fourierPairs(of32(dst), of32(x), of32(w), scale, workers)
}

func (e *engine[T]) fourierPairs(dst, x, w matrix[T], scale T, workers int) {
	if dst.rows != x.rows || dst.cols != 2*w.rows {
		panic("compute: sizes of a block of features do not match")
	}
	to := e.pairsTo(dst)
	s := &pairwise[T]{engine: e, x: x, z: w, flush: to.flush}
	s.finish = func(t tile[T]) {
		for r := range t.rows {
			to.put(t.i+r, t.j, t.cols, t.row(r), scale)
		}
	}
	s.run(workers)
}

// FourierPairsSparse is FourierPairs for sparse rows. O(n·m) and O(l·m) for l listed elements.
func FourierPairsSparse(dst Matrix, x *Sparse, w Matrix, scale float64, workers int) {
	if x.Cols != w.Cols {
		panic("compute: sizes of a block of features do not match")
	}
	at := touched(x)
	defer at.free()
	fourierSums(dst, x, at, w.Rows, scale).byPanels(at.fill(w), workers)
}

// fourierSums turns the sums of products with m rows into features.
func fourierSums(dst Matrix, x *Sparse, at places, m int, scale float64) rowSums {
	if dst.Rows != x.Rows || dst.Cols != 2*m {
		panic("compute: sizes of a block of features do not match")
	}
	to := use64.pairsTo(of64(dst))
	return rowSums{x: x, at: at, rows: m, flush: to.flush, finish: func(i, j int, sums []float64) {
		to.put(i, j, min(len(sums), m-j), sums, scale)
	}}
}

// FourierPairsDrawn is FourierPairsSparse for m rows W of which column sets dst to elements
// first, first+1, … of column j, and which factors multiply, unless they are nil. It asks for
// the columns that rows list, and no others.
func FourierPairsDrawn(dst Matrix, x *Sparse, m int, column func(dst []float64, j int32, first int), factors []float64, scale float64, workers int) {
	eachDrawn(x, column, workers, func(from int, part *Sparse) rowSums {
		s := fourierSums(Rows(dst, from, from+part.Rows), part, places{}, m, scale)
		if finish := s.finish; factors != nil {
			s.finish = func(i, j int, sums []float64) {
				for r, v := range factors[j:min(j+len(sums), m)] {
					sums[r] *= v
				}
				finish(i, j, sums)
			}
		}
		return s
	})
}

// FourierPairsOf is FourierPairsDrawn, to the bit, for the products X·Wᵀ without factors.
func FourierPairsOf(dst, products Matrix, factors []float64, scale float64, workers int) {
	m := products.Cols
	if dst.Rows != products.Rows || dst.Cols != 2*m {
		panic("compute: sizes of a block of features do not match")
	}
	Parallel(ceil(dst.Rows, sumRows), workersFor(dst.Rows*m*8, workers), func(t int) {
		sums := use64.buffer(m)
		defer sums.free()
		for i := t * sumRows; i < min((t+1)*sumRows, dst.Rows); i++ {
			copy(sums.data, Row(products, i))
			for r, v := range factors {
				sums.data[r] *= v
			}
			to := Row(dst, i)
			use64.paired(to[:m], to[m:], sums.data, scale)
		}
	})
}

// drawnRows is the number of rows for which what is drawn is drawn once.
const drawnRows = 8192

// eachDrawn sums over the columns of some rows of x after the other, of which the elements of
// the other matrix are drawn; to tells what becomes of the sums of those rows, the first of
// which is row from of x.
func eachDrawn(x *Sparse, column func(dst []float64, j int32, first int), workers int, to func(from int, part *Sparse) rowSums) {
	for from := 0; from < x.Rows; from += drawnRows {
		part := SparsePoints(x).Between(from, min(from+drawnRows, x.Rows)).Sparse
		to(from, part).byDrawnColumns(part.columnLists(), column, workers)
	}
}
