package doublysgd_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
)

// writeRings writes a gzip-compressed svmlight file into a new folder. The label is 3 between two
// circles and 8 elsewhere.
func writeRings() (folder, path string) {
	folder, err := os.MkdirTemp("", "rings")
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.Create(filepath.Join(folder, "rings.svm.gz"))
	if err != nil {
		log.Fatal(err)
	}
	w := gzip.NewWriter(f)
	r := rand.New(rand.NewPCG(1, 0))
	for range 800 {
		x, y, label := 4*r.Float64()-2, 4*r.Float64()-2, 8
		if s := x*x + y*y; s > 0.5 && s < 2.5 {
			label = 3
		}
		fmt.Fprintf(w, "%d 1:%.4f 2:%.4f\n", label, x, y)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	return folder, f.Name()
}

// This example trains, saves, loads and scores a classifier on an svmlight file.
func ExampleFitClassifier_svmlight() {
	folder, path := writeRings()
	defer os.RemoveAll(folder)
	all, err := dataset.Load(path, dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	trainRows, testRows, err := dataset.Stratified(all.Y, 1).Split(0.25)
	if err != nil {
		log.Fatal(err)
	}
	train, test := all.Select(trainRows), all.Select(testRows)
	fitted, err := doublysgd.FitClassifier(context.Background(), train.X, train.Targets(), &doublysgd.Options{Features: 512})
	if err != nil {
		log.Fatal(err)
	}
	if err := rkhs.Save(filepath.Join(folder, "rings.model"), fitted); err != nil {
		log.Fatal(err)
	}
	model, err := rkhs.Load[rkhs.Classifier](filepath.Join(folder, "rings.model"))
	if err != nil {
		log.Fatal(err)
	}
	predicted, err := model.Predict(test.X)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := dataset.Accuracy(predicted, test.Targets())
	fmt.Println("labels:", model.Labels(), "more than 9 in 10 right:", accuracy > 0.9, err)
	// Output: labels: [3 8] more than 9 in 10 right: true <nil>
}
