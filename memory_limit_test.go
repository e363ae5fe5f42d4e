package rkhs_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
	"github.com/rkhs-go/rkhs/svm"
)

// limited fits each learner with a memory limit in bytes.
var limited = map[string]func(x, y mat.Matrix, bytes int64) error{
	"ridge": limit(ridge.Fit, func(b int64) *ridge.Options { return &ridge.Options{MemoryLimit: b} }),
	"svm":   limit(svm.Fit, func(b int64) *svm.Options { return &svm.Options{MemoryLimit: b} }),
	"slkl":  limit(slkl.Fit, func(b int64) *slkl.Options { return &slkl.Options{MemoryLimit: b} }),
	"slkl, one part": limit(slkl.Fit, func(b int64) *slkl.Options {
		return &slkl.Options{MemoryLimit: b, MaxPoints: 1000, Penalty: 1e-4, Noise: 1e-2}
	}),
	"slkl, all folds": limit(slkl.Fit, func(b int64) *slkl.Options { return &slkl.Options{MemoryLimit: b, MaxPoints: 700} }),
	"doublysgd":       limit(doublysgd.Fit, func(b int64) *doublysgd.Options { return &doublysgd.Options{MemoryLimit: b} }),
	"polk":            limit(polk.Fit, func(b int64) *polk.Options { return &polk.Options{MemoryLimit: b} }),
	"alignment":       limit(alignment.Fit, func(b int64) *alignment.Options { return &alignment.Options{MemoryLimit: b} }),
	"gp":              limit(gp.Fit, func(b int64) *gp.Options { return &gp.Options{MemoryLimit: b} }),
	"novelty": func(x, _ mat.Matrix, b int64) error {
		_, err := novelty.Fit(context.Background(), x, &novelty.Options{MemoryLimit: b})
		return err
	},
	"ratio": func(x, _ mat.Matrix, b int64) error {
		_, err := ratio.Fit(context.Background(), x, x, &ratio.Options{MemoryLimit: b})
		return err
	},
}

func limit[M, O any](fit func(context.Context, mat.Matrix, mat.Matrix, *O) (M, error), options func(int64) *O) func(x, y mat.Matrix, bytes int64) error {
	return func(x, y mat.Matrix, bytes int64) error {
		_, err := fit(context.Background(), x, y, options(bytes))
		return err
	}
}

// TestMemoryLimit fits each learner in its own process with the smallest memory limit that it
// accepts. With GOGC=25 the process may use 1.25 times the limit plus 64 MiB, or plus 48 MiB for
// few rows. RKHS_PAPERS selects more rows.
func TestMemoryLimit(t *testing.T) {
	if name := os.Getenv("RKHS_TEST_LEARNER"); name != "" {
		fitWithin(t, name)
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("the peak of a process is read from /proc: runs on Linux")
	}
	slack := int64(48)
	if os.Getenv("RKHS_PAPERS") != "" {
		slack = 64
	}
	for name, fit := range limited {
		t.Run(name, func(t *testing.T) {
			x, y := limitedRows(200)
			if err := fit(x, y, 1000); !errors.Is(err, rkhs.ErrMemory) {
				t.Errorf("200 rows in 1000 bytes: error %v", err)
			}
			testutil.Long(t, "fits in one process per limit")
			for _, mib := range []int64{24, 48, 96, 192, 384, 768} {
				peak, ok := peakWithin(t, name, mib<<20)
				if !ok {
					continue // limit too small
				}
				t.Logf("limit %d MiB, peak %d MiB", mib, peak>>20)
				if peak > (mib+mib/4+slack)<<20 {
					t.Errorf("the process uses %d MiB with a limit of %d MiB", peak>>20, mib)
				}
				return
			}
			t.Error("no limit is accepted")
		})
	}
}

// peakWithin returns the peak memory of a process that fits the learner within a limit, or false if
// the learner needs more than the limit.
func peakWithin(t *testing.T, name string, bytes int64) (peak int64, ok bool) {
	c := exec.Command(os.Args[0], "-test.run=^TestMemoryLimit$", "-test.v")
	c.Env = append(os.Environ(), "RKHS_TEST_LEARNER="+name, fmt.Sprintf("RKHS_TEST_LIMIT=%d", bytes))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, after, ok := strings.Cut(string(out), "peak ")
	if !ok {
		return 0, false
	}
	if _, err := fmt.Sscan(after, &peak); err != nil {
		t.Fatal(err)
	}
	return peak, true
}

// fitWithin prints the peak memory of the process after a fit, or no output if the learner needs
// more than the limit.
func fitWithin(t *testing.T, name string) {
	var bytes int64
	if _, err := fmt.Sscan(os.Getenv("RKHS_TEST_LIMIT"), &bytes); err != nil {
		t.Fatal(err)
	}
	debug.SetGCPercent(25)
	rows := 1500
	if os.Getenv("RKHS_PAPERS") != "" {
		rows = 6000
	}
	x, y := limitedRows(rows)
	if err := limited[name](x, y, bytes); errors.Is(err, rkhs.ErrMemory) {
		return
	} else if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("peak %d\n", int64(testutil.PeakMemory()*(1<<20)))
}

// limitedRows returns rows with 8 columns and positive targets.
func limitedRows(n int) (x, y *mat.Dense) {
	random := rng.New(1, "memory", 0)
	x, y = mat.NewDense(n, 8, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = random.NormFloat64()
		}
		y.Set(i, 0, 2+math.Sin(row[0])+math.Tanh(row[1]*row[2])/2+random.Float64()/10)
	}
	return x, y
}
