//go:build unix

package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

func init() {
	register.DoFn2x0[int, func(rows.Batch)](&makeFn{})
	register.Emitter1[rows.Batch]()
}

// Data of the benchmark.
const (
	madeFiles   = 40
	madeColumns = 20
	madeBatch   = 1000
)

// makeFn emits the rows of a file.
type makeFn struct{ Rows int }

// atOnce counts the running bundles of makeFn, and so of the steps fused with it, and their
// maximum.
var atOnce struct {
	sync.Mutex
	now, most int
}

func (f *makeFn) StartBundle(func(rows.Batch)) {
	atOnce.Lock()
	defer atOnce.Unlock()
	atOnce.now++
	atOnce.most = max(atOnce.most, atOnce.now)
}

func (f *makeFn) FinishBundle(func(rows.Batch)) {
	atOnce.Lock()
	defer atOnce.Unlock()
	atOnce.now--
}

func (f *makeFn) ProcessElement(file int, emit func(rows.Batch)) {
	r := rand.New(rand.NewPCG(uint64(file), 5))
	for from := 0; from < f.Rows; from += madeBatch {
		b := rows.Batch{Rows: min(madeBatch, f.Rows-from), Cols: madeColumns, Outputs: 1, Source: fmt.Sprint(file), First: int64(from + 1)}
		for range b.Rows {
			for range madeColumns {
				b.Values = append(b.Values, r.Float64())
			}
			x := b.Values[len(b.Values)-madeColumns:]
			b.Targets = append(b.Targets, math.Sin(6*x[0])+x[1]*x[2])
		}
		emit(b)
	}
}

// BenchmarkSLKL fits rows of 20 columns on 500 given landmarks, by a pipeline on Prism and by
// direct calls of the methods. It reports the ratio of processor times, the maximum of
// concurrent bundles, which Prism controls, and the peak memory of the process. The peak is
// meaningful only if the pattern selects a single number of rows.
func BenchmarkSLKL(b *testing.B) {
	ctx := context.Background()
	var sample []rows.Batch
	(&makeFn{Rows: 2000}).ProcessElement(madeFiles, func(r rows.Batch) { sample = append(sample, r) })
	all := join(sample)
	opts := &slkl.Options{MaxPoints: 500, Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 1}}, Penalty: 1e-3, NoCalibration: true}
	l, err := slkl.LearnerFrom(ctx, all.X(), all.Y(), opts)
	if err != nil {
		b.Fatal(err)
	}
	plan, err := l.MarshalBinary()
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "plan")
	if err := os.WriteFile(path, plan, 0o600); err != nil {
		b.Fatal(err)
	}
	method, err := SLKL(opts)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{100000, 1000000, 4000000} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			source := &makeFn{Rows: n / madeFiles}
			var plain, piped time.Duration
			for range b.N {
				start := processorTime()
				withoutBeam(b, source, path)
				plain += processorTime() - start
				start = processorTime()
				onPrism(b, source, method, path)
				piped += processorTime() - start
			}
			b.ReportMetric(plain.Seconds()/float64(b.N), "plain-s/op")
			b.ReportMetric(piped.Seconds()/float64(b.N), "beam-s/op")
			b.ReportMetric(float64(piped)/float64(plain), "ratio")
			b.ReportMetric(float64(atOnce.most), "bundles")
			b.ReportMetric(mostMemory(), "MiB")
		})
	}
}

// withoutBeam calls the methods of the steps as one bundle.
func withoutBeam(b *testing.B, source *makeFn, path string) {
	ctx := context.Background()
	f := &slklTake{Path: path}
	for file := range madeFiles {
		source.ProcessElement(file, func(r rows.Batch) {
			if err := f.ProcessElement(ctx, r, nil); err != nil {
				b.Fatal(err)
			}
		})
	}
	if err := f.gather.flush(f.update); err != nil {
		b.Fatal(err)
	}
	if _, err := f.learner.(*slkl.Learner).Model(ctx); err != nil {
		b.Fatal(err)
	}
}

func onPrism(b *testing.B, source *makeFn, method *Method, path string) {
	p, s := beam.NewPipelineWithRoot()
	var files []int
	for file := range madeFiles {
		files = append(files, file)
	}
	batches := beam.ParDo(s, source, beam.Reshuffle(s, beam.CreateList(s, files)))
	beam.ParDo(s, &catchFn{Name: b.Name()}, method.FitPlanned(s, batches, path))
	if err := ptest.Run(p); err != nil {
		b.Fatal(err)
	}
}

// usage returns the resource usage of the process.
func usage() syscall.Rusage {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // cannot fail for the process itself
	return u
}

func processorTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func mostMemory() float64 { return float64(usage().Maxrss) / 1024 }
