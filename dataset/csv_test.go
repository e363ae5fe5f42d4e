package dataset

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/rkhs-go/rkhs"
)

func TestReadCSVWritings(t *testing.T) {
	for name, text := range map[string]string{
		"plain":              "1,-2.5,3\n4,5e2,6\n",
		"no end of line":     "1,-2.5,3\n4,5e2,6",
		"CR LF":              "1,-2.5,3\r\n4,5e2,6\r\n",
		"semicolons":         "1;-2.5;3\n4;5e2;6\n",
		"tabs":               "1\t-2.5\t3\n4\t5e2\t6\n",
		"blanks":             "  1 -2.5   3\n4 \t5e2 6  \n",
		"blanks around":      " 1 ,-2.5, 3\n4,\t5e2  ,6 \t\n",
		"quotes":             "\"1\",-2.5,\" 3\" \n4, \"5e2\",6\n",
		"byte order mark":    "\ufeff1,-2.5,3\n4,5e2,6\n",
		"empty lines":        "\n\n1,-2.5,3\n  \t\n4,5e2,6\n\n",
		"comments":           "# a, b\n1,-2.5,3\n  # 7,8,9\n4,5e2,6\n#",
		"header":             "a,b,y\n1,-2.5,3\n4,5e2,6\n",
		"header of quotes":   "\"a, \"\"large\"\" one\",\"b\",y\n1,-2.5,3\n4,5e2,6\n",
		"header with a hole": ",b,y\n1,-2.5,3\n4,5e2,6\n",
		"signs":              "+1,-2.50,+3.\n4,+.5E3,6\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, data := range [][]byte{[]byte(text), compress([]byte(text))} {
				s, err := ReadCSV(bytes.NewReader(data), Options{})
				if err != nil {
					t.Fatal(err)
				}
				checkSet(t, s, [][]float64{{1, -2.5}, {4, 500}}, []float64{3, 6})
			}
		})
	}
}

func TestReadCSVTarget(t *testing.T) {
	const text = "1,2,3\n4,5,6\n"
	for target, want := range map[int][3][]float64{
		0:  {{1, 2}, {4, 5}, {3, 6}},
		3:  {{1, 2}, {4, 5}, {3, 6}},
		-1: {{1, 2}, {4, 5}, {3, 6}},
		1:  {{2, 3}, {5, 6}, {1, 4}},
		-3: {{2, 3}, {5, 6}, {1, 4}},
		-2: {{1, 3}, {4, 6}, {2, 5}},
	} {
		s, err := ReadCSV(strings.NewReader(text), Options{Target: target})
		if err != nil {
			t.Fatal(err)
		}
		checkSet(t, s, want[:2], want[2])
	}
	s, err := ReadCSV(strings.NewReader("7\n8\n"), Options{Target: NoTarget})
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, s, [][]float64{{7}, {8}}, nil)
	if s.Y != nil {
		t.Error("targets of a file read without one")
	}
	for _, target := range []int{4, -4, math.MaxInt} {
		_, err := ReadCSV(strings.NewReader(text), Options{Target: target})
		checkError(t, err, rkhs.ErrOption, "Target", strconv.Itoa(target), "3 columns")
	}
}

func TestReadCSVHeaderOption(t *testing.T) {
	const text = "x,2019,2020\n1,2,3\n"
	s, err := ReadCSV(strings.NewReader(text), Options{Header: true})
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, s, [][]float64{{1, 2}}, []float64{3})
	_, err = ReadCSV(strings.NewReader(text), Options{})
	checkError(t, err, rkhs.ErrFormat, "line 1, column 1", `"x"`)
}

func TestReadCSVErrors(t *testing.T) {
	for _, c := range []struct {
		text     string
		sentinel error
		place    string
	}{
		{"", rkhs.ErrEmpty, "no rows"},
		{"\n# nothing\n \n", rkhs.ErrEmpty, "no rows"},
		{"a,b\n", rkhs.ErrEmpty, "no rows"},
		{"1\n2\n", rkhs.ErrEmpty, "only columns"},
		{"1,2\n\n# x\n3,NaN\n", rkhs.ErrNotFinite, "line 4, column 2"},
		{"1,2\n-inf,3\n", rkhs.ErrNotFinite, "line 2, column 1"},
		{"1,2\n3,1e999\n", rkhs.ErrNotFinite, "line 2, column 2"},
		{"nan,2\n", rkhs.ErrNotFinite, "line 1, column 1"},
		{"1,,3\n", rkhs.ErrFormat, "line 1, column 2: no value"},
		{",,\n", rkhs.ErrFormat, "line 1, column 1: no value"},
		{"1,2\n3,\"\"\n", rkhs.ErrFormat, "line 2, column 2: no value"},
		{"1,2\n3,x\n", rkhs.ErrFormat, `line 2, column 2: "x" is not a number`},
		{"1,?\n3,4\n", rkhs.ErrFormat, `line 1, column 2: "?" is not a number`},
		{"1,2\n3,1_0\n", rkhs.ErrFormat, "line 2, column 2"},
		{"1,2\n3,0x1p-2\n", rkhs.ErrFormat, "line 2, column 2"},
		{"1,2\n3,4 5\n", rkhs.ErrFormat, "line 2, column 2"},
		{"1;2\n3;4,5\n", rkhs.ErrFormat, "line 2, column 2"},
		{"1,2\n3," + strings.Repeat("x", 1000) + "\n", rkhs.ErrFormat, strings.Repeat("x", 32) + "…"},
		{"1,2,3\n4,5\n", rkhs.ErrFormat, "line 2 has 2 columns, want 3"},
		{"1,2,3\n4,5,6,7\n", rkhs.ErrFormat, "line 2 has more than 3 columns"},
		{"1\t2\n3\t4\t\n", rkhs.ErrFormat, "line 2 has more than 2 columns"},
		{"1\t2\n\t4\n", rkhs.ErrFormat, "line 2, column 1: no value"},
		{"1,2\n3,4,\n", rkhs.ErrFormat, "line 2 has more than 2 columns"},
		{"1,2\n\"3,4\n", rkhs.ErrFormat, "line 2, column 1: quote without end"},
		{"1,\"2\n3,4\n", rkhs.ErrFormat, "line 1, column 2: quote without end"},
		{"1,2\n\"3\"4,5\n", rkhs.ErrFormat, "line 2, column 1"},
	} {
		t.Run("", func(t *testing.T) {
			_, err := ReadCSV(strings.NewReader(c.text), Options{})
			checkError(t, err, c.sentinel, c.place)
			_, err = ReadCSV(bytes.NewReader(compress([]byte(c.text))), Options{})
			checkError(t, err, c.sentinel, c.place)
			if t.Failed() {
				t.Logf("from %q", c.text)
			}
		})
	}
}

func TestReadCSVKeepsErrorsOfTheSource(t *testing.T) {
	broken := errors.New("broken disk")
	_, err := ReadCSV(io.MultiReader(strings.NewReader("1,2\n3,"), iotest.ErrReader(broken)), Options{})
	checkError(t, err, broken, "line 2")
	if errors.Is(err, rkhs.ErrFormat) {
		t.Errorf("%v blames the format", err)
	}
}

// drawTable draws a table of any finite numbers, as text and as values.
func drawTable(t *rapid.T, separator, end string) (text []byte, x [][]float64, y []float64) {
	columns := rapid.IntRange(2, 8).Draw(t, "columns")
	finite := rapid.Float64Range(-1.7976931348623157e308, 1.7976931348623157e308)
	rows := rapid.SliceOfN(rapid.SliceOfN(finite, columns, columns), 1, 20).Draw(t, "rows")
	for _, row := range rows {
		for j, v := range row {
			if j > 0 {
				text = append(text, separator...)
			}
			text = strconv.AppendFloat(text, v, 'g', -1, 64)
		}
		text = append(text, end...)
		x, y = append(x, row[:columns-1]), append(y, row[columns-1])
	}
	return text, x, y
}

func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, x, y := drawTable(t,
			rapid.SampledFrom([]string{",", ";", "\t", " ", " , "}).Draw(t, "separator"),
			rapid.SampledFrom([]string{"\n", "\r\n", "\n\n# \n"}).Draw(t, "end"))
		s, err := ReadCSV(iotest.OneByteReader(bytes.NewReader(text)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !sameBits(values(s), slices.Concat(x...)) || !sameBits(s.Y, y) {
			t.Fatalf("read %v, %v from %q", values(s), s.Y, text)
		}
	})
}

// Lines several times as long as the buffers.
func TestReadCSVLongLines(t *testing.T) {
	const rows, columns = 3, 40000
	text := csvText(rows, columns, 17)
	s, err := ReadCSV(bytes.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n, d := s.X.Dims(); n != rows || d != columns-1 {
		t.Fatalf("features are %d×%d, want %d×%d", n, d, rows, columns-1)
	}
	fields := strings.Split(strings.TrimSpace(string(text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:])), ",")
	for j, f := range fields[:columns-1] {
		if want, _ := strconv.ParseFloat(f, 64); s.X.At(rows-1, j) != want {
			t.Fatalf("column %d is %v, want %v", j+1, s.X.At(rows-1, j), want)
		}
	}
}

func TestReadCSVRefusesEndlessLines(t *testing.T) {
	block := strings.NewReader(strings.Repeat("0", 1<<20))
	var endless []io.Reader
	for range 2 * maxLine >> 20 {
		endless = append(endless, io.NewSectionReader(block, 0, block.Size()))
	}
	_, err := ReadCSV(io.MultiReader(endless...), Options{})
	checkError(t, err, rkhs.ErrFormat, "line 1", "longer than")
}

// A plain file that is cut off at any byte returns an error, or lacks only rows at its end and digits
// of its last number.
func TestCSVCutAnywhere(t *testing.T) {
	text := []byte("x,y,z\r\n1.25,-2,30\n\n\"4\",5e2,600\n# end\n7,8,900\n")
	whole, err := ReadCSV(bytes.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for end := range text {
		s, err := ReadCSV(bytes.NewReader(text[:end]), Options{})
		checkWellFormed(t, s, err)
		if err != nil {
			continue
		}
		if n := len(s.Y); !sameBits(values(s), values(whole)[:2*n]) || !sameBits(s.Y[:n-1], whole.Y[:n-1]) {
			t.Errorf("cut to %q, it gives %v, %v", text[:end], values(s), s.Y)
		}
	}
}

// A compressed file that is cut off at any byte is an error.
func TestGzipCutAnywhere(t *testing.T) {
	data := compress(csvText(20, 5, 6))
	for end := range data {
		s, err := ReadCSV(bytes.NewReader(data[:end]), Options{})
		checkWellFormed(t, s, err)
		if err == nil {
			t.Errorf("cut to %d of %d bytes, it is read", end, len(data))
		}
	}
}

// A compressed file with any changed byte is an error, except in the parts of the header that gzip
// does not check: time, flags of the compressor and system.
func TestGzipDamagedAnywhere(t *testing.T) {
	data := compress(csvText(20, 5, 6))
	for i := range data {
		if 4 <= i && i <= 9 {
			continue
		}
		damaged := bytes.Clone(data)
		damaged[i] ^= 0x55
		s, err := ReadCSV(bytes.NewReader(damaged), Options{})
		checkWellFormed(t, s, err)
		if err == nil {
			t.Errorf("with byte %d changed, it is read", i)
		}
	}
}

func TestGzipNamesTheLineOfTheCut(t *testing.T) {
	data := compress(csvText(5000, 5, 6))
	_, err := ReadCSV(bytes.NewReader(data[:len(data)/2]), Options{})
	checkError(t, err, rkhs.ErrFormat, "line 2", "cut off")
}
