package doublysgd

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
)

// stepSizes are what the memory of Newton and Plain mode depends on.
type stepSizes struct {
	columns, batch int
	blocks         float64 // at most
	outputs        int
	rows           int // whose scores are held
}

// checkMemory returns rkhs.ErrMemory if steps of such sizes take more than
// MemoryLimit.
func (s *settings) checkMemory(z stepSizes) error {
	if need := s.stepBytes(z); need > float64(s.MemoryLimit) {
		return fmt.Errorf("doublysgd: steps on batches of %d rows in %.0f blocks of %d features for %d outputs need %s, MemoryLimit is %s: %w",
			z.batch, z.blocks, z.columns, z.outputs, mebibytes(need), mebibytes(s.MemoryLimit), rkhs.ErrMemory)
	}
	return nil
}

// stepBytes counts coefficients, scores, features of two batches and, in Newton mode,
// normal equations. It counts in floating point, for sizes may be anything.
func (s *settings) stepBytes(z stepSizes) float64 {
	m, q := float64(z.columns), float64(z.outputs)
	sets := 1.0
	if s.Mode == Plain && !s.LastIterate {
		sets = 2 // of the iterate and of the average
	}
	if s.stream {
		sets *= 2 // an update that fails leaves the learner as it was
	}
	numbers := sets*z.blocks*m*q + float64(z.rows)*q + m*max(2*float64(z.batch), float64(min(z.rows, chunkRows)))
	if s.Mode == Newton {
		numbers += m * (m + 3*q) // the square; right side, solution, best solution
	}
	return 8 * numbers
}
