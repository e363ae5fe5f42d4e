package features

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/features"
)

// Options configures New. The zero value of each field means its default.
type Options struct {
	// Seed selects the random streams.
	Seed uint64
	// Columns is the number of features of a block, an even number up to 2²⁴.
	// Kernels with finitely many features, and sums with such terms, may have fewer.
	// Default: 2048.
	Columns int
	// Sampler selects how the parameters of a block are drawn. It must fit the kernel,
	// and every term of a sum whose features are random. Default: Auto.
	Sampler Sampler
	// Leverage, if not nil, makes the features depend on data. It serves kernels that
	// are no sum and have features of frequencies: all of x − z, the skewed kernels,
	// the semigroup kernels and ArcCosine; not with Fastfood.
	Leverage *Leverage
	// Workers bounds the goroutines of a call and does not change the result.
	// Default: GOMAXPROCS.
	Workers int
}

func (o Options) engine() features.Options {
	return features.Options{Seed: o.Seed, Columns: o.Columns, Sampler: features.Sampler(o.Sampler), Leverage: (*features.Leverage)(o.Leverage), Workers: o.Workers}
}

// NystroemOptions configures Nystroem. The zero value of each field means its default.
type NystroemOptions struct {
	// MaxPoints is the number of landmarks, rows drawn without replacement.
	// Default: 1000, or all rows if there are fewer.
	MaxPoints int
	// Seed selects the random stream.
	Seed uint64
	// Workers bounds the goroutines and does not change the result.
	// Default: GOMAXPROCS.
	Workers int
}

// Leverage adapts a map to data. Each block draws more candidates than it needs and samples from them in proportion to
// their ridge leverage scores at these points,
//
//	l_j = ‖(Z·Zᵀ + n·Ridge·I)^−½·z_j‖²,
//
// where z_j holds the values of candidate j at up to 256 points, and Z the values of all candidates. A
// fifth of the probability is uniform, which bounds the weights that keep the block unbiased. Leverage
// helps most for kernels with heavy-tailed frequencies, such as Laplacian and Matern of small Nu, and for
// learners with a small ridge. A block costs Candidates times as much, and the scores
// O(256²·Candidates·Columns). Source: Li, Ton, Oglic and Sejdinovic, "Towards a unified analysis of random
// Fourier features", ICML 2019, algorithm 1.
type Leverage struct {
	// Points is a sample of the data, n×d. Drawing the same blocks again needs the
	// same points.
	Points mat.Matrix
	// Ridge is the ridge parameter of the learner that uses the features, as a
	// multiple of the identity added to K/n. Default: 1e-3.
	Ridge float64
	// Candidates is the number drawn for each one kept, 2 to 64. Default: 4.
	Candidates int
}
