package slkl_test

import (
	"errors"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

// fuzzPayload fuzzes the payload of a file with a valid checksum, and the whole file.
func fuzzPayload(f *testing.F, name string) {
	for _, s := range files(f) {
		if s.name != name {
			continue
		}
		f.Add(s.payload(f))
		f.Add(s.data)
		f.Fuzz(func(t *testing.T, data []byte) {
			survivesLoading(t, s, data)
			if err := s.empty().UnmarshalBinary(data); err != nil && !errors.Is(err, rkhs.ErrFormat) {
				t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
			} else if _, p, _ := codec.Unmarshal(data, s.kind); err == nil {
				survivesLoading(t, s, p)
			}
		})
	}
}

func FuzzModel(f *testing.F) { fuzzPayload(f, "model") }

func FuzzClassifier(f *testing.F) { fuzzPayload(f, "classifier") }

func FuzzLearner(f *testing.F) { fuzzPayload(f, "learner") }

func FuzzClassLearner(f *testing.F) { fuzzPayload(f, "class learner") }
