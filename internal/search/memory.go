package search

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// Memory of a search in units of Gram matrices of the sample. Samples shrink until one task
// fits, for any number of workers. As many tasks run concurrently as fit.
const (
	raterSquares = 1 // the Gram matrix, overwritten by its factor and the inverse
	slopeSquares = 8 // distances, values and slopes, P, M and its square root
	fixedScales  = 6 // three column scales, two functions of the columns and the encoding
	diagonalMaps = longWeights + 1
	fullMaps     = 4*outerSteps + 1 // three fixed points, the descent and a fixed point from there
	passingRows  = 2                // temporary copies of rows
	rowNumbers   = 12               // per output and row: targets, predictions, losses
	fullSquares  = 2*memory + 8     // d×d: the history of the descent and an eigendecomposition
	packed       = 1 << 17          // packing buffers per worker
)

// CheckMemory returns rkhs.ErrMemory if a search among n rows of d columns and q outputs
// exceeds MemoryLimit even after the sample has shrunk to FewestMetricRows.
func (o *Options) CheckMemory(pkg string, n, d, q int) error {
	least := min(n, FewestMetricRows)
	if o.MemoryLimit == 0 {
		return nil
	}
	return input.Memory(pkg, fmt.Sprintf("a search among %d rows of %d columns", least, d), o.bytes(sizesOf(least), d, q, 1), o.MemoryLimit)
}

// within returns n or the largest sample within MemoryLimit, but at least
// FewestMetricRows or n.
func (o *Options) within(n, d, q int) int {
	for o.MemoryLimit > 0 && n > FewestMetricRows && o.bytes(sizesOf(n), d, q, 1) > float64(o.MemoryLimit) {
		n -= (n + 9) / 10
	}
	return n
}

// side returns the number of tasks that may run concurrently.
func (o *Options) side(s sizes, d, q int) int {
	side := compute.Workers(o.Workers)
	for o.MemoryLimit > 0 && side > 1 && o.bytes(s, d, q, side) > float64(o.MemoryLimit) {
		side--
	}
	return side
}

// bytes returns the maximum memory of a search among rows of d columns and q outputs with
// side concurrent tasks.
func (o *Options) bytes(s sizes, d, q, side int) float64 {
	coarse, fine, final := square(s.coarse), square(s.fine), square(s.final)
	first := float64(raterSquares*side+fixedScales) * coarse
	second := float64(raterSquares*min(side, fineCandidates)+fixedScales) * fine
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

// learnBytes returns the memory for learning a metric, in numbers, without scoring it.
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

// learnsFull reports whether the search learns full metrics of d columns.
func (o *Options) learnsFull(d int) bool {
	return o.Metric != kernel.DiagonalMetric && (o.Rank > 0 || d <= mostMetricColumns)
}

// mostRank returns the maximum rank of learned matrices.
func (o *Options) mostRank(d int) int {
	if o.Rank > 0 {
		return min(o.Rank, d)
	}
	return d
}

// mostWidth returns the maximum number of columns after one-hot encoding.
func (o *Options) mostWidth(d int) int {
	if o.Linear || o.Metric == kernel.FullMetric || o.Kernel != nil {
		return d
	}
	return max(d, min(mostEncoded, mostLevels*d))
}

// OutputsOf returns the number of columns of predictions.
func OutputsOf(y compute.Matrix, labels []int) int {
	if labels != nil {
		return cmp.Or(countOf(labels), 1)
	}
	return y.Cols
}

func square(n int) float64 { return float64(n) * float64(n) }

// fitting returns the largest number of training rows, at most learn, for a comparison
// on more rows within MemoryLimit.
func (o *Options) fitting(learn, held, searched, d, q int) int {
	for o.MemoryLimit > 0 && learn > 0 && o.rescoringBytes(learn, held, searched, d, q) > float64(o.MemoryLimit) {
		learn -= (learn + 9) / 10
	}
	return learn
}

// rescoringBytes returns the maximum memory of the comparison on more rows.
func (o *Options) rescoringBytes(learn, held, searched, d, q int) float64 {
	squares, maps, w := square(learn)/2+256*float64(learn), fixedScales, o.mostWidth(d) // a triangle in panels
	if o.learnsMetric(learn, d) {
		maps += diagonalMaps
		if o.learnsFull(d) {
			maps += fullMaps + rescoringOuterSteps
			squares += 2*float64(min(gradientRows, learn)*learn) + float64(maps+fullSquares)*square(d)
		}
	}
	rows := float64(searched)*float64((2+maps)*w) + float64(learn+held)*float64((1+passingRows)*w+rowNumbers*q)
	return 8 * (squares + rows + float64(min(predictRows, held)*learn))
}

// predictRows is the number of rows per chunk of predictions.
const predictRows = 1024
