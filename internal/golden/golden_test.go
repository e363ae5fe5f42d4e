package golden

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc64"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

var update = flag.Bool("update", false, "write testdata/golden.txt anew, but for the lines of cases that do not run")

// goldenCase is a fit. It returns predictions for unseen rows and the report figures in a fixed
// order.
type goldenCase struct {
	name string
	fit  func(t *testing.T) (predictions, figures []float64)
}

// cases returns all cases in file order.
func cases() []goldenCase {
	return slices.Concat(kernelCases, featureCases, slklCases, doublysgdCases, gpCases, ridgeCases, svmCases, noveltyCases, ratioCases,
		alignmentCases, polkCases, fileCases)
}

// short selects a third of the cases. All cases run with RKHS_LONG.
func short(i int) bool { return i%3 == 0 }

func TestGolden(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the checksums are those of amd64: fits on other kinds of processors may round differently")
	}
	stored := read(t)
	lines := map[string]line{}
	for i, c := range cases() {
		if _, double := lines[c.name]; double {
			t.Fatalf("two cases are named %s", c.name)
		}
		want, known := stored[c.name]
		lines[c.name] = want
		delete(stored, c.name)
		if !known && !*update {
			t.Errorf("%s: no line in %s: run with -update", c.name, file)
			continue
		}
		if !*update && !testutil.LongTests() && !short(i) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			got := measure(t, c)
			if *update {
				lines[c.name] = got
				return
			}
			got.compare(t, want)
		})
	}
	if *update {
		write(t, lines)
		return
	}
	for name := range stored {
		t.Errorf("%s: a line in %s without a case", name, file)
	}
}

// measure runs a case. A panic of a helper fails it.
func measure(t *testing.T, c goldenCase) line {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(failure); ok {
				t.Fatal(err.error)
			}
			panic(p)
		}
	}()
	predictions, figures := c.fit(t)
	if len(predictions) == 0 || len(figures) == 0 {
		t.Fatal("nothing to compare")
	}
	return line{c.name, checksum(predictions), checksum(figures), fmt.Sprintf("%.6g", predictions[0])}
}

var file = filepath.Join("testdata", "golden.txt")

// line is one line of the file. The first prediction helps the reader.
type line struct{ name, predictions, figures, first string }

func (got line) compare(t *testing.T, want line) {
	t.Helper()
	if got.predictions != want.predictions {
		t.Errorf("%s: the predictions differ: checksum %s, stored %s; first value %s, stored %s",
			got.name, got.predictions, want.predictions, got.first, want.first)
	}
	if got.figures != want.figures {
		t.Errorf("%s: the figures of the report differ: checksum %s, stored %s; first predicted value %s, stored %s",
			got.name, got.figures, want.figures, got.first, want.first)
	}
}

func read(t *testing.T) map[string]line {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !(*update && errors.Is(err, os.ErrNotExist)) {
		t.Fatal(err)
	}
	lines := map[string]line{}
	for text := range strings.Lines(string(data)) {
		f := strings.Fields(text)
		if len(f) != 4 {
			t.Fatalf("%s: %q is not a line of four fields", file, text)
		}
		lines[f[0]] = line{f[0], f[1], f[2], f[3]}
	}
	return lines
}

func write(t *testing.T, lines map[string]line) {
	t.Helper()
	var text strings.Builder
	for _, c := range cases() {
		if l := lines[c.name]; l.name != "" {
			fmt.Fprintf(&text, "%-36s %s %s %s\n", l.name, l.predictions, l.figures, l.first)
		}
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checksum returns the CRC-64 of the bits of the values. All NaNs are equal.
func checksum(values []float64) string {
	hash := crc64.New(crc64.MakeTable(crc64.ECMA))
	for _, v := range values {
		if math.IsNaN(v) {
			v = math.NaN()
		}
		hash.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
	return fmt.Sprintf("%016x", hash.Sum64())
}

// failure is the panic value of a helper.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must returns the value and panics on any error except rkhs.ErrNotConverged.
func must[T any](value T, err error) T {
	if !errors.Is(err, rkhs.ErrNotConverged) {
		check(err)
	}
	return value
}

// values returns the elements of the matrices, row by row.
func values(list ...mat.Matrix) []float64 {
	var v []float64
	for _, m := range list {
		v = append(v, mat.DenseCopyOf(m).RawMatrix().Data...)
	}
	return v
}

type predictor interface {
	Predict(x mat.Matrix) (*mat.Dense, error)
}

type scorer interface {
	predictor
	Scores(x mat.Matrix) (*mat.Dense, error)
}

func predict(m predictor, x mat.Matrix) []float64 { return values(must(m.Predict(x))) }

// classify returns scores followed by labels.
func classify(m scorer, x mat.Matrix) []float64 {
	return values(must(m.Scores(x)), must(m.Predict(x)))
}

// parameters returns the numeric parameters of a kernel.
func parameters(k kernel.Kernel) []float64 {
	var v []float64
	for _, q := range kernel.Parameters(k) {
		v = append(v, q.Value)
	}
	return v
}
