package dataset

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rkhs-go/rkhs"
)

func TestFormatOfName(t *testing.T) {
	for name, want := range map[string]Format{
		"a.csv": CSVFormat, "a.CSV.GZ": CSVFormat, "dir.svm/a.tsv": CSVFormat, "a.svm.gz": SVMFormat,
		"a.libsvm": SVMFormat, "a.svmlight": SVMFormat, "a.idx": IDXFormat,
		"train-images-idx3-ubyte": IDXFormat, "train-images-idx3-ubyte.gz": IDXFormat, "train-images.idx3-ubyte": IDXFormat,
		"a": unknownFormat, "a.gz": unknownFormat, "a.txt": unknownFormat, "idx3.data": unknownFormat, "a.t": unknownFormat,
	} {
		if got := formatOfName(name); got != want {
			t.Errorf("%s is of format %d, want %d", name, got, want)
		}
	}
}

func TestFormatOfContents(t *testing.T) {
	for head, want := range map[string]Format{
		"\x00\x00\x08\x03":           IDXFormat,
		"+1 3:1 11:1\n":              SVMFormat,
		"# x\n\n-1 \n\ufeff2 1:.5\n": SVMFormat,
		"1 qid:4 2:1\r\n":            SVMFormat,
		"1,2,3\n":                    CSVFormat,
		"1 2 3\n":                    CSVFormat,
		"a b:1\n1 2\n":               CSVFormat,
		"time 12:30\n":               CSVFormat,
		"":                           CSVFormat,
		"\n#\n":                      CSVFormat,
		"\"1 2:3\n":                  CSVFormat,
	} {
		if got := formatOfContents([]byte(head)); got != want {
			t.Errorf("%q is of format %d, want %d", head, got, want)
		}
	}
}

// writeFiles writes the same 10 rows in all formats and returns the paths.
func writeFiles(t *testing.T) []string {
	t.Helper()
	var csv, svm string
	for i := range 10 {
		d := string(rune('0' + i))
		csv += d + ".5,0," + d + "\n"
		svm += d + " 1:" + d + ".5\n"
	}
	dir := t.TempDir()
	files := map[string][]byte{
		"a.csv": []byte(csv), "b.csv.gz": compress([]byte(csv)), "c": compress([]byte(csv)),
		"d.svm": []byte(svm), "e.svm.gz": compress([]byte(svm)), "f.txt": []byte(svm), "g.gz": []byte(svm),
	}
	var paths []string
	for name, data := range files {
		paths = append(paths, filepath.Join(dir, name))
		write(t, paths[len(paths)-1], data)
	}
	return paths
}

func TestLoadFindsTheFormat(t *testing.T) {
	for _, path := range writeFiles(t) {
		s, err := Load(path, Options{Cols: 2})
		if err != nil {
			t.Fatal(err)
		}
		checkSet(t, s.Select([]int{0, 9}), [][]float64{{.5, 0}, {9.5, 0}}, []float64{0, 9})
	}
}

func TestBatchesGiveWhatLoadGives(t *testing.T) {
	images, _ := writePair(t, 10, 10)
	for _, path := range append(writeFiles(t), images) {
		whole, err := Load(path, Options{Cols: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range []int{1, 3, 5, 10, 11, math.MaxInt} {
			batches := Batches(path, rows, Options{Cols: 2})
			for range 2 { // the iterator can be run again
				from := 0
				for s, err := range batches {
					if err != nil {
						t.Fatal(err)
					}
					n := min(rows, 10-from)
					if !sameSet(s, whole.Select(sequenceFrom(from, n))) {
						t.Errorf("%s: rows %d … %d differ in batches of %d", path, from, from+n, rows)
					}
					from += n
				}
				if from != 10 {
					t.Errorf("%s: %d rows in batches of %d, want 10", path, from, rows)
				}
			}
		}
	}
}

func sequenceFrom(from, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = from + i
	}
	return s
}

func TestBatchesBeforeAnErrorAreGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	write(t, path, []byte("1,2\n3,4\n5,6\n7,8\n9,x\n1,2\n"))
	given := 0
	var last error
	for s, err := range Batches(path, 2, Options{}) {
		if last != nil {
			t.Fatal("the iteration goes on after an error")
		}
		if last = err; err == nil {
			given += len(s.Y)
		} else if s != nil {
			t.Error("a batch beside the error")
		}
	}
	if given != 4 {
		t.Errorf("%d rows before the error, want 4", given)
	}
	checkError(t, last, rkhs.ErrFormat, path, "line 5, column 2")
}

func TestBatchesErrors(t *testing.T) {
	dir := t.TempDir()
	csv, svm, empty := filepath.Join(dir, "a.csv"), filepath.Join(dir, "a.svm"), filepath.Join(dir, "empty.csv")
	write(t, csv, []byte("1,2\n"))
	write(t, svm, []byte("1 2:3\n"))
	write(t, empty, nil)
	for _, c := range []struct {
		path     string
		rows     int
		opts     Options
		sentinel error
		part     string
	}{
		{csv, 0, Options{}, rkhs.ErrOption, "0 rows"},
		{csv, -1, Options{}, rkhs.ErrOption, "-1 rows"},
		{csv, 1, Options{Cols: -1}, rkhs.ErrOption, "Cols"},
		{svm, 1, Options{}, rkhs.ErrOption, "Cols"},
		{empty, 1, Options{}, rkhs.ErrEmpty, "no rows"},
		{csv + ".gone", 1, Options{}, os.ErrNotExist, ".gone"},
		{dir, 1, Options{}, nil, ""},
	} {
		count := 0
		for s, err := range Batches(c.path, c.rows, c.opts) {
			count++
			if s != nil || err == nil {
				t.Errorf("%s: a batch of %v with error %v", c.path, s, err)
			}
			if c.sentinel != nil {
				checkError(t, err, c.sentinel, c.path, c.part)
			}
		}
		if count != 1 {
			t.Errorf("%s: %d iterations, want one with the error", c.path, count)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.csv.gz")
	write(t, empty, nil)
	_, err := Load(empty, Options{})
	checkError(t, err, rkhs.ErrEmpty, empty)
	_, err = Load(filepath.Join(dir, "gone.csv"), Options{})
	checkError(t, err, os.ErrNotExist, "gone.csv")
	_, err = Load(dir, Options{})
	if err == nil {
		t.Error("a folder is loaded")
	}
}

func TestFilesAreClosed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counting open files needs Linux")
	}
	images, _ := writePair(t, 10, 10)
	bad := filepath.Join(t.TempDir(), "bad.csv")
	write(t, bad, []byte("1,2\nx,y\n"))
	before := openFiles(t)
	for _, path := range []string{images, bad} {
		Load(path, Options{})
		for range Batches(path, 1, Options{}) {
			break
		}
	}
	if after := openFiles(t); after != before {
		t.Errorf("%d files are open, %d were", after, before)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("counting open files needs /proc")
	}
	return len(entries)
}
