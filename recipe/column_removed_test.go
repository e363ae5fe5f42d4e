package recipe_test

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/ridge"
)

// TestColumnRemoved trains on complete real tables. For each column, it predicts a file without the
// column. Intervals of level .9 must cover at least .85 of some 400 targets, from several splits of a
// small table.
func TestColumnRemoved(t *testing.T) {
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	testutil.Long(t, "predictions without a column are means over 64 rows")
	for _, name := range []string{"abalone", "boston", "concrete", "kin8nm", "raw/autohorse"} {
		t.Run(name, func(t *testing.T) {
			head, rows := cellsOf(t, filepath.Join(dir, name+".csv.gz"))
			train := min(600, 3*len(rows)/4)
			tested := min(400, len(rows)-train)
			splits := (400 + tested - 1) / tested
			names := strings.Split(head, ",")
			covered := make([]float64, len(names)-1)
			for seed := range splits {
				r := rand.New(rand.NewPCG(1, uint64(seed)))
				r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
				m, err := fitBy(ridge.Fit)(table(t, csvOf(head, rows[:train]), dataset.TableOptions{}))
				if err != nil {
					t.Fatal(err)
				}
				for j := range covered {
					s, err := m.Score(table(t, removed(head, rows[train:train+tested], j), dataset.TableOptions{}))
					if err != nil {
						t.Fatal(err)
					}
					covered[j] += s.Coverage / float64(splits)
				}
			}
			for j, share := range covered {
				if share < 0.85 {
					t.Errorf("without column %s intervals of level 0.9 cover %.3f", names[j], share)
				}
			}
			t.Logf("%d training rows, %d splits, %d columns: coverage %.3f, minimum %.3f",
				train, splits, len(covered), floats.Sum(covered)/float64(len(covered)), slices.Min(covered))
		})
	}
}

// cellsOf returns the rows of a file, and its header or other names. The last column is called y.
func cellsOf(t *testing.T, path string) (head string, rows [][]string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err = csv.NewReader(unzipped).ReadAll(); err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(rows[0]))
	for j := range names {
		names[j] = fmt.Sprint("x", j)
	}
	if !strings.ContainsAny(rows[0][0], "0123456789") {
		copy(names, rows[0])
		rows = rows[1:]
	}
	names[len(names)-1] = "y"
	return strings.Join(names, ","), rows
}

// removed returns a file without column j.
func removed(head string, rows [][]string, j int) string {
	left := make([][]string, len(rows))
	for i, row := range rows {
		left[i] = slices.Delete(slices.Clone(row), j, j+1)
	}
	names := strings.Split(head, ",")
	return csvOf(strings.Join(slices.Delete(names, j, j+1), ","), left)
}
