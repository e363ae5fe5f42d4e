package features

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
)

// Sampler is the way in which the frequencies of a block are drawn. All of them
// are unbiased, and every block is drawn afresh.
type Sampler uint8

const (
	// Auto is Orthogonal for Gaussians from 8 columns of x on and Independent for
	// all else.
	Auto Sampler = iota
	// Independent draws each frequency by itself (Rahimi and Recht, "Random
	// features for large-scale kernel machines", NIPS 2007).
	Independent
	// Orthogonal draws frequencies that are orthogonal to each other in groups of
	// d (Yu, Suresh, Choromanski, Holtmann-Rice and Kumar, "Orthogonal random
	// features", NIPS 2016).
	Orthogonal
)

var samplerNames = [...]string{"Auto", "Independent", "Orthogonal"}

// String returns the name of the constant.
func (s Sampler) String() string {
	if int(s) < len(samplerNames) {
		return samplerNames[s]
	}
	return fmt.Sprintf("Sampler(%d)", uint8(s))
}

func (s Sampler) check() error {
	if int(s) >= len(samplerNames) {
		return fmt.Errorf("features: Sampler = %v is unknown: %w", s, rkhs.ErrOption)
	}
	return nil
}
