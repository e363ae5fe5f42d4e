package dataset

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/rkhs-go/rkhs"
)

func TestReadSVMWritings(t *testing.T) {
	for name, text := range map[string]string{
		"plain":          "+1 1:.5 3:-2\n-1\n0 2:1e3\n",
		"no end of line": "+1 1:.5 3:-2\n-1\n0 2:1e3",
		"CR LF":          "+1 1:.5 3:-2\r\n-1\r\n0 2:1e3\r\n",
		"blanks":         " +1  1:.5\t3:-2  \n-1 \n0 2:1e3\n",
		"comments":       "# head\n+1 1:.5 3:-2 # 4:1\n\n-1# x\n 0 2:1e3#\n",
		"queries":        "1 qid:3 1:.5 3:-2\n-1 qid:3\n0 qid:4 2:1e3\n",
		"explicit zeros": "1 1:.5 2:0 3:-2\n-1 1:0\n0 2:1000\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, data := range [][]byte{[]byte(text), compress([]byte(text))} {
				s, err := ReadSVM(bytes.NewReader(data), Options{})
				if err != nil {
					t.Fatal(err)
				}
				checkSet(t, s, [][]float64{{.5, 0, -2}, {0, 0, 0}, {0, 1000, 0}}, []float64{1, -1, 0})
			}
		})
	}
}

func TestReadSVMCols(t *testing.T) {
	const text = "1 2:5\n2 1:6\n"
	s, err := ReadSVM(strings.NewReader(text), Options{Cols: 4})
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, s, [][]float64{{0, 5, 0, 0}, {6, 0, 0, 0}}, []float64{1, 2})
	_, err = ReadSVM(strings.NewReader(text), Options{Cols: 1})
	checkError(t, err, rkhs.ErrShape, "line 1, field 2", "index 2", "Cols = 1")
	s, err = ReadSVM(strings.NewReader("1\n"), Options{Cols: 1})
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, s, [][]float64{{0}}, []float64{1})
}

// Indices have any order. The first one is 0 if the first batch has an index 0, and 1 otherwise.
func TestReadSVMFirstIndex(t *testing.T) {
	x, y := [][]float64{{0, 5, 7}, {6, 0, 0}}, []float64{1, 2}
	for text, first := range map[string]FirstIndex{
		"1 2:7 1:5\n2 0:6\n": DetectIndex, "1 1:5 2:7\n2 0:6\n": FromZero, "1 3:7 2:5 1:0\n2 1:6\n": DetectIndex, "1 3:7 2:5\n2 1:6\n": FromOne,
	} {
		s, err := ReadSVM(strings.NewReader(text), Options{FirstIndex: first})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		checkSet(t, s, x, y)
	}
	s, err := ReadSVM(strings.NewReader("1 2:5 1:7\n"), Options{FirstIndex: FromZero})
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, s, [][]float64{{0, 7, 5}}, []float64{1})
	path := filepath.Join(t.TempDir(), "x.svm")
	if err := os.WriteFile(path, []byte("1 1:2\n1 0:3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, err := range SparseBatches(path, 1, Options{Cols: 3}) {
		if err != nil {
			checkError(t, err, rkhs.ErrFormat, "line 2, field 2: index 0 after rows")
		}
	}
	for s, err := range SparseBatches(path, 1, Options{Cols: 2, FirstIndex: FromZero}) {
		if err != nil || len(s.X.Columns) != 1 {
			t.Errorf("%v, %v", s, err)
		}
	}
	if f := formatOfContents([]byte("3,17 1:2 5:1\n")); f != SVMFormat {
		t.Errorf("several labels are of format %v", f)
	}
}

func TestReadSVMErrors(t *testing.T) {
	for _, c := range []struct {
		text     string
		opts     Options
		sentinel error
		place    string
	}{
		{"", Options{}, rkhs.ErrEmpty, "no rows"},
		{"# 1 2:3\n", Options{}, rkhs.ErrEmpty, "no rows"},
		{"1\n2\n", Options{}, rkhs.ErrEmpty, "no row has a feature"},
		{"1 1:2\n\n-1 1:NaN\n", Options{}, rkhs.ErrNotFinite, "line 3, field 2"},
		{"1 1:2 2:1e400\n", Options{}, rkhs.ErrNotFinite, "line 1, field 3"},
		{"Inf 1:2\n", Options{}, rkhs.ErrNotFinite, "line 1, field 1"},
		{"1 1:2\n1:2 2:3\n", Options{}, rkhs.ErrFormat, `line 2, field 1: "1:2" is a feature`},
		{"1,2 1:2\n", Options{}, rkhs.ErrFormat, `line 1, field 1: "1,2" lists several labels`},
		{"1 0:2\n", Options{FirstIndex: FromOne}, rkhs.ErrFormat, "line 1, field 2: index 0"},
		{"1 2:1 0:1\n", Options{Cols: 2}, rkhs.ErrShape, "index 2, want at most 1"},
		{"1 2:1\n", Options{Cols: 2, FirstIndex: FromZero}, rkhs.ErrShape, "index 2, want at most 1"},
		{"1 2:1\n", Options{FirstIndex: 7}, rkhs.ErrOption, "FirstIndex = 7"},
		{"1 -1:2\n", Options{}, rkhs.ErrFormat, `"-1:2" is not index:value`},
		{"1 1:1\n1 2:1 1:3 2:1\n", Options{}, rkhs.ErrFormat, "line 2: index 2 occurs twice"},
		{"1 2:\n", Options{}, rkhs.ErrFormat, "line 1, field 2: no value"},
		{"1 2\n", Options{}, rkhs.ErrFormat, `"2" is not index:value`},
		{"1 2:3:4\n", Options{}, rkhs.ErrFormat, `"3:4" is not a number`},
		{"1 1:2 qid:3\n", Options{}, rkhs.ErrFormat, "line 1, field 3"},
		{"1 qid:x 1:2\n", Options{}, rkhs.ErrFormat, "line 1, field 2"},
		{"1 2147483648:1\n", Options{}, rkhs.ErrFormat, "index 2147483648"},
		{"1 1000000000000000000:1\n", Options{}, rkhs.ErrFormat, "line 1, field 2"},
		{"1 99999999999999999999:1\n", Options{}, rkhs.ErrFormat, "line 1, field 2"},
		{"1 2147483647:1\n", Options{}, rkhs.ErrMemory, "16.0 GiB"},
		{"1 4:1\n2\n", Options{MaxValues: 7}, rkhs.ErrMemory, "2 rows of 4 columns"},
		{"1 4:1\n", Options{Cols: maxIndex}, rkhs.ErrMemory, "GiB"},
		{"1 4:1\n", Options{Cols: -1}, rkhs.ErrOption, "Cols = -1"},
		{"1 4:1\n", Options{MaxValues: -1}, rkhs.ErrOption, "MaxValues = -1"},
	} {
		t.Run("", func(t *testing.T) {
			_, err := ReadSVM(strings.NewReader(c.text), c.opts)
			checkError(t, err, c.sentinel, c.place)
			if t.Failed() {
				t.Logf("from %q", c.text)
			}
		})
	}
	if _, err := ReadSVM(strings.NewReader("1 4:1\n2\n"), Options{MaxValues: 8}); err != nil {
		t.Errorf("8 values with a limit of 8: %v", err)
	}
}

func TestSVMRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, x, y := drawTable(t, " ", "\n")
		var text []byte
		for i, row := range x {
			text = fmt.Appendf(text, "%v", y[i])
			for j, v := range row {
				if v != 0 || j == len(row)-1 {
					text = fmt.Appendf(text, " %d:%v", j+1, v)
				}
			}
			text = append(text, '\n')
		}
		s, err := ReadSVM(iotest.HalfReader(bytes.NewReader(text)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(values(s), slices.Concat(x...)) || !slices.Equal(s.Y, y) {
			t.Fatalf("read %v, %v from %q", values(s), s.Y, text)
		}
	})
}

// A file that is cut off at any byte is an error, or keeps all rows before its last row.
func TestSVMCutAnywhere(t *testing.T) {
	text := []byte("1 qid:2 1:.5 3:-2 # end\n-1 2:1e5\n# x\n+1 1:3 2:4 3:5\n")
	whole, err := ReadSVM(bytes.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for end := range text {
		s, err := ReadSVM(bytes.NewReader(text[:end]), Options{Cols: 3})
		checkWellFormed(t, s, err)
		if err != nil {
			continue
		}
		if n := len(s.Y) - 1; !sameBits(values(s)[:3*n], values(whole)[:3*n]) || !sameBits(s.Y[:n], whole.Y[:n]) {
			t.Errorf("cut to %q, it gives %v, %v", text[:end], values(s), s.Y)
		}
	}
}
