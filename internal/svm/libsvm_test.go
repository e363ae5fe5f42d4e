package svm

import (
	"context"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// single rounds the values of a Gaussian to single precision, like LIBSVM. For large C this rounding changes
// the objective by more than 1e-6.
type single struct{ of kernel.Gaussian }

func (k single) Eval(x, y []float64) float64 { return float64(float32(k.of.Eval(x, y))) }

func (k single) Block(dst, x, z blas64.General) {
	gram.Evaluator{Kernel: k.of, Workers: 1}.Cross(dst, x, z)
	for i := range dst.Rows {
		row := dst.Data[i*dst.Stride:][:dst.Cols]
		for j, v := range row {
			row[j] = float64(float32(v))
		}
	}
}

func (k single) Diag(dst []float64, x blas64.General) { gram.Evaluator{Kernel: k.of}.Diag(dst, x) }

// libsvm are the results of LIBSVM 3.24 or later,
//
//	svm-train -c C -e 0.00001 -g gamma train model
//	svm-predict test model out
//
// on the files with zeros left out: the sum of the printed obj over the pairs of
// classes with its sign changed, the correct predictions and the CRC-32 of out.
// The parts of letter are the first 16000 and the last 4000 rows. The test rows
// of heart are its training rows.
var libsvm = []struct {
	name      string
	gamma, c  float64
	objective float64
	correct   int
	crc       uint32
}{
	{"heart", 0.001, 0.1, 21.874994, 168, 0xf7e499b1},
	{"heart", 0.001, 1, 154.386397, 217, 0x1bc07ca2},
	{"heart", 0.001, 100, 2126.870086, 267, 0x2501b6e2},
	{"letter", 1. / 16, 0.1, 12831.982429, 3579, 0x91733e50},
	{"letter", 1. / 16, 1, 20541.919604, 3890, 0x679ebae9},
	{"letter", 1. / 16, 100, 21558.706429, 3918, 0xab8464dc},
	{"a9a", 1. / 123, 0.1, 1284.766558, 13706, 0x18e50fe3},
	{"a9a", 1. / 123, 1, 11596.355664, 13809, 0x65b9d532},
	{"a9a", 1. / 123, 100, 1036083.405818, 13829, 0x5700406b},
}

func load(t *testing.T, name string) (train, test *dataset.Set) {
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	if name != "heart" && os.Getenv("RKHS_PAPERS") == "" {
		t.Skip("takes half a minute; RKHS_PAPERS is not set")
	}
	read := func(file string) *dataset.Set {
		set, err := dataset.Load(filepath.Join(dir, file), dataset.Options{Cols: 123})
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	if name == "a9a" {
		return read("a9a.train.svm.gz"), read("a9a.test.svm.gz")
	}
	set := read(name + ".csv.gz")
	if name == "heart" {
		return set, set
	}
	rows := compute.Indices(20000)
	return set.Select(rows[:16000]), set.Select(rows[16000:])
}

// number numbers the classes in the order of LIBSVM: 1 before −1, other labels as in the data.
func number(y []float64) (class []int, labels []float64) {
	position := map[float64]int{}
	if isSign := y[0] == 1 || y[0] == -1; isSign {
		position, labels = map[float64]int{1: 0, -1: 1}, []float64{1, -1}
	}
	for _, v := range y {
		if _, ok := position[v]; !ok {
			position[v] = len(labels)
			labels = append(labels, v)
		}
		class = append(class, position[v])
	}
	return class, labels
}

func TestAgainstLIBSVM(t *testing.T) {
	for _, want := range libsvm {
		t.Run(want.name+"/C="+strconv.FormatFloat(want.c, 'g', -1, 64), func(t *testing.T) {
			train, test := load(t, want.name)
			class, labels := number(train.Y)
			k := kernel.Gaussian{Sigma: math.Sqrt(0.5 / want.gamma)}
			o := Options{C: want.c, Tolerance: 1e-5}
			x, z := train.X.RawMatrix(), test.X.RawMatrix()
			rounded, err := FitClasses(context.Background(), single{k}, compute.DensePoints(x), class, len(labels), o)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, s := range rounded.Pairs {
				sum += s.Objective
			}
			if d := sum/want.objective - 1; math.Abs(d) > 1e-6 {
				t.Errorf("objective %.6f, LIBSVM's is %.6f (%.1e)", sum, want.objective, d)
			} else {
				t.Logf("objective %.6f, LIBSVM's is %.6f (%.1e)", sum, want.objective, d)
			}
			scores := compute.NewMatrix(z.Rows, len(rounded.Pairs))
			rounded.Scores(scores, k, compute.DensePoints(x), compute.DensePoints(z), 0)
			got := make([]int, z.Rows)
			rounded.Predict(got, scores)
			correct, lines := 0, new(strings.Builder)
			for j, a := range got {
				if labels[a] == test.Y[j] {
					correct++
				}
				lines.WriteString(strconv.FormatFloat(labels[a], 'g', -1, 64) + "\n")
			}
			if crc := crc32.ChecksumIEEE([]byte(lines.String())); correct != want.correct || crc != want.crc {
				t.Errorf("%d correct, sum of predictions %#x; LIBSVM has %d, %#x", correct, crc, want.correct, want.crc)
			}
		})
	}
}
