package choose

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// The memory of a search, in matrices of the rows that it looks at. Samples are those that fit
// with one task at a time, whatever the number of workers; these do as many side by side as fit.
const (
	raterSquares = 1 // the Gram matrix, factorised, and the factor inverted, where it lies
	slopeSquares = 8 // distances, values and slopes, P, M, and its square root besides
	fixedScales  = 4 // three of the columns, and codes
	diagonalMaps = longWeights
	fullMaps     = 4*outerSteps + 1 // three fixed points, the descent and one from there
	passingRows  = 2                // copies of rows that pass
	rowNumbers   = 12               // of each output and row: targets, predictions, losses
	fullSquares  = 2*memory + 8     // of the columns: the history of the descent, and an eigendecomposition
	packed       = 1 << 17          // what the products of a worker pack
)

// CheckMemory returns rkhs.ErrMemory if MemoryLimit has no room for a search among n rows, or
// among FewestMetricRows of more, of d columns and q outputs.
func (o *Options) CheckMemory(pkg string, n, d, q int) error {
	least := min(n, FewestMetricRows)
	if o.MemoryLimit == 0 {
		return nil
	}
	return input.Memory(pkg, fmt.Sprintf("a search among %d rows of %d columns", least, d), o.bytes(sizesOf(least), d, q, 1), o.MemoryLimit)
}

// within returns n, or as many rows as MemoryLimit has room for, but no less than CheckMemory
// asks for.
func (o *Options) within(n, d, q int) int {
	for o.MemoryLimit > 0 && n > FewestMetricRows && o.bytes(sizesOf(n), d, q, 1) > float64(o.MemoryLimit) {
		n -= (n + 9) / 10
	}
	return n
}

// side returns the number of tasks that the workers may do side by side.
func (o *Options) side(s sizes, d, q int) int {
	side := compute.Workers(o.Workers)
	for o.MemoryLimit > 0 && side > 1 && o.bytes(s, d, q, side) > float64(o.MemoryLimit) {
		side--
	}
	return side
}

// bytes is what a search among rows of d columns and q outputs uses at a time, at most, with so
// many tasks side by side.
func (o *Options) bytes(s sizes, d, q, side int) float64 {
	coarse, fine, final := square(s.coarse), square(s.fine), square(s.final)
	first := float64(raterSquares*side+fixedScales) * coarse
	second := float64(raterSquares*min(side, finePlaces)+fixedScales) * fine
	squares, maps := max(first, second, raterSquares*final, 2*square(min(s.final, medianRows))), fixedScales
	if o.learnsMetric(s.final, d) {
		maps += diagonalMaps
		squares = max(squares, raterSquares*final+o.learnBytes(s, d, q, side))
		if o.learnsFull(d) {
			maps += fullMaps
			squares += float64(maps+fullSquares) * float64(o.mostRank(d)) * float64(d)
		}
	}
	return 8 * (squares + float64(packed*side) + float64(s.final)*float64((2+maps+passingRows)*o.mostWidth(d)+rowNumbers*q))
}

// learnBytes is what learning a metric takes besides the judgement of it, in numbers.
func (o *Options) learnBytes(s sizes, d, q, side int) float64 {
	learn, _ := metricRows(s.final)
	few, many := square(min(learn, weightRows)), square(min(learn, longWeightRows))
	weights := slopeSquares * max(float64(min(side, len(AllFamilies)))*few, float64(min(side, longWeights))*many)
	if !o.learnsFull(d) {
		return weights
	}
	gradients := 2*square(learn) + 3*float64(learn)*float64(d+1)
	if o.Rank > 0 {
		gradients = 2*square(learn) + 4*float64(learn)*float64((o.mostRank(d)+spareDirections)*q)
	}
	return raterSquares*square(learn) + max(weights, slopeSquares*many, gradients)
}

// learnsFull reports whether full metrics of d columns are among those that are learned.
func (o *Options) learnsFull(d int) bool {
	return o.Metric != kernel.DiagonalMetric && (o.Rank > 0 || d <= mostMetricColumns)
}

// mostRank is that of matrices that are learned.
func (o *Options) mostRank(d int) int {
	if o.Rank > 0 {
		return min(o.Rank, d)
	}
	return d
}

// mostWidth is that of rows of d columns with the codes among them encoded.
func (o *Options) mostWidth(d int) int {
	if o.Linear || o.Metric == kernel.FullMetric || o.Kernel != nil {
		return d
	}
	return max(d, min(mostEncoded, mostLevels*d))
}

// OutputsOf is the number of columns that predictions have.
func OutputsOf(y compute.Matrix, labels []int) int {
	if labels != nil {
		return cmp.Or(countOf(labels), 1)
	}
	return y.Cols
}

func square(n int) float64 { return float64(n) * float64(n) }

// fitting returns the rows that the comparison on more rows learns from, at most so many, as
// MemoryLimit has room for beside the rows of the search, and so many to predict.
func (o *Options) fitting(learn, held, searched, d, q int) int {
	for o.MemoryLimit > 0 && learn > 0 && o.enlargedBytes(learn, held, searched, d, q) > float64(o.MemoryLimit) {
		learn -= (learn + 9) / 10
	}
	return learn
}

// enlargedBytes is what that comparison uses at a time, at most.
func (o *Options) enlargedBytes(learn, held, searched, d, q int) float64 {
	squares, maps, w := square(learn)/2+256*float64(learn), fixedScales, o.mostWidth(d) // a triangle, in panels
	if o.learnsMetric(learn, d) {
		maps += diagonalMaps
		if o.learnsFull(d) {
			maps += fullMaps + enlargedOuterSteps
			squares += 2*float64(min(gradientRows, learn)*learn) + float64(maps+fullSquares)*square(d)
		}
	}
	rows := float64(searched)*float64((2+maps)*w) + float64(learn+held)*float64((1+passingRows)*w+rowNumbers*q)
	return 8 * (squares + rows + float64(min(predictRows, held)*learn))
}

// predictRows is the number of rows that are predicted at a time.
const predictRows = 1024
