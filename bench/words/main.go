// Command words runs a learner for bench/words.sh:
//
//	words FOLDER LEARNER
//
// It hashes the words of each text in FOLDER/train to a row of unit length and fits the learner
// with default options. It prints the seconds to fit, the seconds to predict FOLDER/test, and the
// error in %.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("%d arguments, want FOLDER LEARNER", len(os.Args)-1))
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "words:", err)
	os.Exit(1)
}

func run(folder, learner string) error {
	train, y, err := read(filepath.Join(folder, "train"))
	if err != nil {
		return err
	}
	test, truth, err := read(filepath.Join(folder, "test"))
	if err != nil {
		return err
	}
	began := time.Now()
	x, err := hashed(train)
	if err != nil {
		return err
	}
	m, err := fit(learner, x, y)
	if err != nil {
		return err
	}
	learned := time.Now()
	if x, err = hashed(test); err != nil {
		return err
	}
	labels, err := m.Predict(x)
	if err != nil {
		return err
	}
	predicted := time.Since(learned)
	right, err := dataset.Accuracy(labels, truth)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %.2f s and %.2f s, %.2f %% errors\n", learner, learned.Sub(began).Seconds(), predicted.Seconds(), 100*(1-right))
	return nil
}

// read returns the texts and labels of a file.
func read(path string) (texts []string, labels *mat.Dense, err error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var y []float64
	for line := range strings.Lines(string(file)) {
		label, text, _ := strings.Cut(line, " ")
		texts, y = append(texts, text), append(y, float64(label[0]-'0'))
	}
	return texts, mat.NewDense(len(y), 1, y), nil
}

func hashed(texts []string) (*rkhs.Sparse, error) {
	rows := make([][]string, len(texts))
	for i, text := range texts {
		rows[i] = dataset.Words(text)
	}
	x, err := dataset.Hashing{Bits: 18}.Strings(rows)
	if err != nil {
		return nil, err
	}
	return x, (&dataset.Scaler{Scaling: dataset.UnitRows}).ApplySparse(x)
}

func fit(learner string, x, y mat.Matrix) (rkhs.Classifier, error) {
	ctx := context.Background()
	switch learner {
	case "slkl":
		return slkl.FitClassifier(ctx, x, y, nil)
	case "polk":
		return polk.FitClassifier(ctx, x, y, nil)
	case "doublysgd":
		return doublysgd.FitClassifier(ctx, x, y, nil)
	case "ridge":
		return ridge.FitClassifier(ctx, x, y, nil)
	}
	return nil, fmt.Errorf("no learner %q: want slkl, polk, doublysgd or ridge", learner)
}
