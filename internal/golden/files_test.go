package golden

import (
	"bytes"
	"context"
	"encoding"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/slkl"
)

// firstFiles holds one file of each kind. After the first release these files must not change.
const firstFiles = "testdata/files"

// madeFiles returns the objects in the files, by file name. -update writes missing files.
func madeFiles() map[string]encoding.BinaryMarshaler {
	ctx := context.Background()
	k, l := regression(40, 2, 1), classes(40, 2, 3)
	points := k.x.Slice(0, 8, 0, 2)
	few := doublysgd.Options{Features: 16, Paper: doublysgd.Paper{Columns: 16, Batch: 20}}
	learned := func(s interface {
		encoding.BinaryMarshaler
		Update(x, y mat.Matrix) error
	}, k task) encoding.BinaryMarshaler {
		check(s.Update(k.x, k.y))
		return s
	}
	novel := must(novelty.NewLearner(&novelty.Options{Features: 16, Columns: 16}))
	check(novel.Update(k.x))
	two := must(ratio.NewLearner(&ratio.Options{Features: 16, Columns: 16}))
	check(two.Update(k.x, k.test))
	return map[string]encoding.BinaryMarshaler{
		"slkl model":              must(slkl.Fit(ctx, k.x, k.y, &slkl.Options{MaxPoints: 8})),
		"slkl classifier":         must(slkl.FitClassifier(ctx, l.x, l.y, &slkl.Options{MaxPoints: 8})),
		"slkl learner":            learned(must(slkl.NewLearner(&slkl.Options{Points: points})), k),
		"slkl class learner":      learned(must(slkl.NewClassLearner([]int{3, 5, 7}, &slkl.Options{Points: points})), l),
		"doublysgd model":         must(doublysgd.Fit(ctx, k.x, k.y, &doublysgd.Options{Features: 16, Paper: doublysgd.Paper{Columns: 16}})),
		"doublysgd classifier":    must(doublysgd.FitClassifier(ctx, l.x, l.y, &doublysgd.Options{Features: 16, Paper: doublysgd.Paper{Columns: 16}})),
		"doublysgd learner":       learned(must(doublysgd.NewLearner(&few)), k),
		"doublysgd class learner": learned(must(doublysgd.NewClassLearner([]int{3, 5, 7}, &few)), l),
		"gp model":                must(gp.Fit(ctx, k.x, k.y, nil)),
		"novelty model":           must(novelty.Fit(ctx, k.x, nil)),
		"novelty learner":         novel,
		"ratio model":             must(ratio.Fit(ctx, k.x, k.test, nil)),
		"ratio learner":           two,
		"alignment model":         must(alignment.Fit(ctx, k.x, k.y, nil)),
		"alignment classifier":    must(alignment.FitClassifier(ctx, l.x, l.y, nil)),
		"polk model":              must(polk.Fit(ctx, k.x, k.y, nil)),
		"polk classifier":         must(polk.FitClassifier(ctx, l.x, l.y, nil)),
		"polk learner":            learned(must(polk.NewLearner(nil)), k),
		"polk class learner":      learned(must(polk.NewClassLearner(nil, nil)), l),
		"dataset scaler":          must(dataset.Robust.Fit(k.x)),
		"kernel expansion":        kernel.Expansion{Kernel: kernel.Gaussian{Sigma: 1}, Points: k.x, Weights: k.y},
	}
}

func fileOf(kind string) string {
	return filepath.Join(firstFiles, strings.ReplaceAll(kind, " ", "_")+".rkhs")
}

// TestFirstFiles reads each file by its header and writes it back unchanged. golden.txt has the
// predictions under the file name.
func TestFirstFiles(t *testing.T) {
	if *update {
		for kind, made := range madeFiles() {
			if _, err := os.Stat(fileOf(kind)); err != nil {
				check(os.MkdirAll(firstFiles, 0o777))
				check(rkhs.Save(fileOf(kind), made))
			}
		}
	}
	paths := must(filepath.Glob(filepath.Join(firstFiles, "*.rkhs")))
	if want := 21; len(paths) != want {
		t.Errorf("%d files, want %d", len(paths), want)
	}
	for _, path := range paths {
		v, err := rkhs.Load[encoding.BinaryMarshaler](path)
		if err != nil {
			t.Error(err)
			continue
		}
		first, again := must(os.ReadFile(path)), must(v.MarshalBinary())
		if version(again) == version(first) && !bytes.Equal(again, first) {
			t.Errorf("%s: what was read writes another file", path)
		}
	}
}

// version returns the format version of a file.
func version(file []byte) uint16 { return must(codec.Read(bytes.NewReader(file))).Version }

// fileCases predict with the models in the first files.
var fileCases = func() (list []goldenCase) {
	for _, kind := range []string{"slkl model", "slkl classifier", "doublysgd model", "doublysgd classifier", "gp model",
		"novelty model", "ratio model", "alignment model", "alignment classifier", "polk model", "polk classifier"} {
		list = append(list, goldenCase{"file/" + strings.ReplaceAll(kind, " ", "-"), func(t *testing.T) (predictions, figures []float64) {
			m, err := rkhs.Load[rkhs.Model](fileOf(kind))
			if err != nil {
				t.Fatal(err)
			}
			inputs, outputs := m.Dims()
			return must(m.Predict(regression(2, 2, 1).test)).RawMatrix().Data, []float64{float64(inputs), float64(outputs)}
		}})
	}
	return list
}()
