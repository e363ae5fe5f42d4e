package alignmentpaper

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/kernel"
)

// table3 lists the small sets with their files and sizes.
var table3 = []struct {
	name, file string
	sizes      sizes
}{
	{"banana", "banana", sizes{500, 1000, 2000}},
	{"breast cancer", "breast-cancer", sizes{52, 78, 133}},
	{"diabetes", "diabetes", sizes{153, 230, 385}},
	{"german", "german", sizes{200, 300, 500}},
	{"heart", "heart", sizes{54, 81, 135}},
	{"image", "image", sizes{400, 600, 1000}},
	{"ringnorm", "ringnorm", sizes{500, 1000, 2000}},
	{"sonar", "sonar", sizes{41, 62, 105}},
	{"splice", "splice-unique", sizes{500, 1000, 1491}},
	{"thyroid", "thyroid", sizes{43, 64, 108}},
	{"waveform", "waveform", sizes{500, 1000, 2000}},
}

// small compares the methods on the sets of table 3.
func small(ctx context.Context, s *settings) error {
	b := benchmark{
		title:     "11 small sets",
		figures:   [2]int{8, 0},
		methods:   all(),
		published: []named{learned},
		ranks:     map[string]string{"CA-1D": "3", "CA-nD": "2", "CR": "3", "DA": "3", "D1": "4", "D2": "6", "DU": "6"},
	}
	sizes := report.Table{Title: "Table 3: the small sets", Head: []string{"", "columns", "rows", "to train on", "to choose by", "to test on"}}
	for _, c := range first(table3, s.tasks) {
		rows, err := s.Load(c.file + ".csv.gz")
		if err != nil {
			return err
		}
		class := func(label float64) float64 { return math.Copysign(1, label) }
		if c.file == "image" {
			class = against([]float64{0, 1, 2}, []float64{3, 4, 5, 6})
		}
		t := gaussianTask(c.name, rows, class, c.sizes, medianGrid)
		t.split = func(seed uint64) split {
			d := draw(rows, class, c.sizes, seed)
			if _, err := dataset.Standardize(d.train.X, d.check.X, d.test.X); err != nil {
				panic(err) // the reader accepts only finite rows
			}
			return d
		}
		b.tasks = append(b.tasks, t)
		x := rows.X.RawMatrix()
		sizes.Row(c.name, fmt.Sprint(x.Cols), fmt.Sprint(x.Rows), fmt.Sprint(c.sizes.train), fmt.Sprint(c.sizes.check), fmt.Sprint(c.sizes.test))
	}
	if err := sizes.Print(s.W); err != nil {
		return err
	}
	return b.run(ctx, s)
}

// medianGrid returns Gaussians with 20 bandwidths between 0.1 and 10 times the median distance.
func medianGrid(x blas64.General) []kernel.Kernel {
	return geometric(medianOf(x)/10, math.Pow(100, 1.0/19), 20)
}
