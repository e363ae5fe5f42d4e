package descent

import (
	"testing"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestFilesOfMoreBlocks reads learners of Newton's method of a time when these had 32768 features
// by default, and keeps what they have; more were never made.
func TestFilesOfMoreBlocks(t *testing.T) {
	for _, c := range []struct{ blocks, limit int }{{3, 32}, {40, 40}, {64, 64}, {65, 0}} {
		s, err := NewStream(Config{Package: "p", Kernel: kernel.Gaussian{Sigma: 1}, Newton: true, MemoryLimit: 1 << 30}, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		s.Inputs, s.Seen = 1, 1
		f, err := s.Zero(s.Config.Kernel)
		if err != nil {
			t.Fatal(err)
		}
		f.Grow(c.blocks)
		s.Stepper = s.Config.Start(f, s.Columns, 0)
		var e codec.Encoder
		if err := s.Encode(&e); err != nil {
			t.Fatal(err)
		}
		d := codec.NewDecoder(e.Payload())
		got := DecodeStream(d, "p", 1, nil)
		if c.limit == 0 {
			if d.Err() == nil {
				t.Errorf("%d blocks were read", c.blocks)
			}
			continue
		}
		if d.Err() != nil || got.Stepper.Limit() != c.limit || got.Stepper.Function.Count() != c.blocks {
			t.Errorf("%d blocks: error %v, limit %d", c.blocks, d.Err(), got.Stepper.Limit())
		}
	}
}
