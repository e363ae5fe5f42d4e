package learn

import (
	"fmt"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// found holds the shared parameters of the shards.
type found struct {
	Kernel, Loss []byte // files
	Ridge        float64
	Features     int // default for doublysgd
}

// start is found after decoding.
type start struct {
	kernel   kernel.Kernel
	loss     loss.Loss // nil for the default of the learner
	ridge    float64
	features int
}

func (f found) open() (s start, err error) {
	s.ridge, s.features = f.Ridge, f.Features
	if f.Kernel != nil {
		if s.kernel, err = kernel.Unmarshal(f.Kernel); err != nil {
			return s, fmt.Errorf("learn: %w", err)
		}
	}
	if f.Loss != nil {
		if s.loss, err = loss.Unmarshal(f.Loss); err != nil {
			return s, fmt.Errorf("learn: %w", err)
		}
	}
	return s, nil
}

// keep is the inverse of open.
func (s start) keep() (f found, err error) {
	f.Ridge, f.Features = s.ridge, s.features
	if s.kernel != nil {
		if f.Kernel, err = kernel.Marshal(s.kernel); err != nil {
			return f, fmt.Errorf("learn: %w", err)
		}
	}
	if s.loss != nil {
		if f.Loss, err = loss.Marshal(s.loss); err != nil {
			return f, fmt.Errorf("learn: %w", err)
		}
	}
	return f, nil
}
