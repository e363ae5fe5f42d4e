package rkhs_test

import (
	"path/filepath"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestConcurrentSave saves to one path from many goroutines. Each Load must read a complete file,
// and no temporary file may remain.
func TestConcurrentSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "function")
	f := kernel.Expansion{Kernel: kernel.Linear{}, Points: mat.NewDense(500, 4, nil), Weights: mat.NewDense(500, 1, nil)}
	if err := rkhs.Save(path, f); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 16 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 20 {
				if err := rkhs.Save(path, f); err != nil {
					t.Error(err)
				}
				if _, err := rkhs.Load[*kernel.Expansion](path); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 1 {
		t.Errorf("left in the folder: %v, error %v", left, err)
	}
}

func TestNothingToRecordWith(t *testing.T) {
	for name, r := range map[string]rkhs.Recorder{"func": rkhs.RecorderFunc(nil), "nil": (*rkhs.Printer)(nil), "zero": &rkhs.Printer{}} {
		if err := r.Record(rkhs.Progress{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
