package rows

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/parquet-go/parquet-go"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

func init() {
	register.Function1x0(collectBatch)
	register.Function1x0(collectRejected)
}

// collected has the output of the pipeline. The runner shares the process of the test.
var collected struct {
	sync.Mutex
	batches  []Batch
	rejected []Rejected
}

func collectBatch(b Batch) {
	collected.Lock()
	defer collected.Unlock()
	collected.batches = append(collected.batches, b)
}

func collectRejected(r Rejected) {
	collected.Lock()
	defer collected.Unlock()
	collected.rejected = append(collected.rejected, r)
}

// read runs a pipeline that reads the files of a pattern.
func read(t *testing.T, pattern string, opts Options) ([]Batch, []Rejected, beam.PipelineResult, error) {
	t.Helper()
	collected.batches, collected.rejected = nil, nil
	p, s := beam.NewPipelineWithRoot()
	batches, rejected, err := Read(s, pattern, opts)
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo0(s, collectBatch, beam.Reshuffle(s, batches)) // by the coder
	beam.ParDo0(s, collectRejected, rejected)
	result, err := ptest.RunWithMetrics(p)
	slices.SortFunc(collected.batches, func(a, b Batch) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.First, b.First))
	})
	slices.SortFunc(collected.rejected, func(a, b Rejected) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line))
	})
	return collected.batches, collected.rejected, result, err
}

// files writes files into a folder.
func files(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range contents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// Read returns the rows of several files with their line numbers. One file is compressed, one
// has only a header, and one is empty. Read counts malformed rows and rejects them with file,
// line, reason and text.
func TestReadCSV(t *testing.T) {
	dir := files(t, map[string]string{
		"a.csv":     "x,y,t\n1,2,3\n\n# comment\n4,5,6\n7,oops,9\n10,11,12\n1,2\n13,14,15\n",
		"b.csv":     "1;2;3\r\n4;NaN;6\r\n",
		"c.csv":     "x,y,t\n",
		"empty.csv": "",
		"d.csv":     zipped("\ufeff1,,3\n1,2,4"),
	})
	got, rejected, result, err := read(t, dir+"/*.csv", Options{Rows: 3})
	if err != nil {
		t.Fatal(err)
	}
	batch := func(name string, first int64, lines []int64, values, targets []float64) Batch {
		return Batch{Rows: len(targets), Cols: 2, Values: values, Targets: targets, Outputs: 1, Source: filepath.Join(dir, name), First: first, Lines: lines}
	}
	want := []Batch{
		batch("a.csv", 2, []int64{2, 5}, []float64{1, 2, 4, 5}, []float64{3, 6}),
		batch("a.csv", 7, []int64{7, 9}, []float64{10, 11, 13, 14}, []float64{12, 15}),
		batch("b.csv", 1, nil, []float64{1, 2}, []float64{3}),
		batch("d.csv", 2, nil, []float64{1, 2}, []float64{4}),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("batches\n%+v\nwant\n%+v", got, want)
	}
	wantRejected := []Rejected{
		{filepath.Join(dir, "a.csv"), 6, `column 2: "oops" is not a number: invalid format`, "7,oops,9"},
		{filepath.Join(dir, "a.csv"), 8, `has 2 columns, want 3: invalid format`, "1,2"},
		{filepath.Join(dir, "b.csv"), 2, `column 2: "NaN": value is not finite`, "4;NaN;6"},
		{filepath.Join(dir, "d.csv"), 1, `column 2: no value: invalid format`, "1,,3"},
	}
	if !reflect.DeepEqual(rejected, wantRejected) {
		t.Errorf("rejected\n%+v\nwant\n%+v", rejected, wantRejected)
	}
	for name, want := range map[string]int64{"rows": 6, "rejected": 4} {
		if n := counter(result, name); n != want {
			t.Errorf("counter %s is %d, want %d", name, n, want)
		}
	}
}

func counter(result beam.PipelineResult, name string) (n int64) {
	for _, c := range result.Metrics().Query(func(m metrics.SingleResult) bool { return m.Name() == name }).Counters() {
		n += c.Result()
	}
	return n
}

// Batches of any size have the rows that package dataset reads from the same file.
func TestReadAsDataset(t *testing.T) {
	text := "a\tb\tw\tc\n" + strings.Repeat("1\t 2 \t.5\t\"3\"\n-1e3\t0.1\t2\t7\n", 25)
	dir := files(t, map[string]string{"a.tsv": text})
	o := dataset.Options{Target: 2, Weights: 3}
	want, err := dataset.ReadCSV(strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 7, 1024} {
		got, rejected, _, err := read(t, dir+"/a.tsv", Options{Numbers: o, Rows: size})
		if err != nil || len(rejected) > 0 || len(got) != (50+size-1)/size {
			t.Fatalf("%d batches of %d rows, rejected %v, %v", len(got), size, rejected, err)
		}
		var values, targets, weights []float64
		for _, b := range got {
			values, targets, weights = append(values, b.Values...), append(targets, b.Targets...), append(weights, b.Weights...)
		}
		if !reflect.DeepEqual(values, want.X.RawMatrix().Data) || !reflect.DeepEqual(targets, want.Y) || !reflect.DeepEqual(weights, want.Weights) {
			t.Errorf("batches of %d rows hold other numbers than package dataset", size)
		}
	}
}

// Sparse rows remain sparse. The reader rejects an index above Cols.
func TestReadSVM(t *testing.T) {
	dir := files(t, map[string]string{"a.svm": "1 1:.5 9:2 # one\n-1\n1 2:1 2:1\n-1 11:1\n1 10:-3\n"})
	got, rejected, _, err := read(t, dir+"/a.svm", Options{Numbers: dataset.Options{Cols: 10}})
	want := Batch{Rows: 3, Cols: 10, Offsets: []int{0, 2, 2, 3}, Columns: []int32{0, 8, 9}, Values: []float64{.5, 2, -3}, Targets: []float64{1, -1, 1}, Outputs: 1,
		Source: filepath.Join(dir, "a.svm"), First: 1, Lines: []int64{1, 2, 5}}
	if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if len(rejected) != 2 || rejected[0].Line != 3 || rejected[1].Line != 4 || !strings.Contains(rejected[1].Reason, "index 11") {
		t.Errorf("rejected %+v", rejected)
	}
}

// Cells keep their texts, which may have several lines. The reader rejects a row of another length
// with its line and text.
func TestReadTable(t *testing.T) {
	dir := files(t, map[string]string{"a.csv": "name,note,n\nx,\"two\nlines\",1\ny,1,2,3\nz,NA,4\nq,\"b\"c,2\nv,w,\n"})
	got, rejected, _, err := read(t, dir+"/a.csv", Options{Table: true})
	want := Batch{Rows: 3, Names: []string{"name", "note", "n"}, Cells: []string{"x", "two\nlines", "1", "z", "", "4", "v", "w", ""},
		Source: filepath.Join(dir, "a.csv"), First: 2, Lines: []int64{2, 5, 7}}
	if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if len(rejected) != 2 || rejected[0].Line != 4 || rejected[0].Text != "y,1,2,3" || rejected[1].Line != 6 || rejected[1].Text != `q,"b"c,2` {
		t.Errorf("rejected %+v", rejected)
	}
}

type sample struct {
	A    float64  `parquet:"a"`
	B    *int32   `parquet:"b,optional"`
	Text string   `parquet:"text"`
	T    float32  `parquet:"t"`
	W    *float64 `parquet:"w,optional"`
}

// Rows of Parquet are numbers or cells. The reader rejects rows of numbers with a missing cell.
func TestReadParquet(t *testing.T) {
	two, w := int32(2), .5
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := parquet.WriteFile(path, []sample{{1, &two, "3", 4, &w}, {5, nil, "6", 7, &w}, {8, &two, "x\ny", 9, &w}, {10, &two, "11", 12, &w}}); err != nil {
		t.Fatal(err)
	}
	got, rejected, _, err := read(t, path, Options{Numbers: dataset.Options{Target: 4, Weights: -1}})
	want := Batch{Rows: 2, Cols: 3, Values: []float64{1, 2, 3, 10, 2, 11}, Targets: []float64{4, 12}, Outputs: 1, Weights: []float64{.5, .5}, Source: path, First: 1, Lines: []int64{1, 4}}
	if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if len(rejected) != 2 || rejected[0].Line != 2 || rejected[1].Line != 3 {
		t.Errorf("rejected %+v", rejected)
	}
	got, rejected, _, err = read(t, path, Options{Table: true, Rows: 3})
	if err != nil || len(got) != 2 || len(rejected) > 0 || got[1].First != 4 || got[0].Cells[6] != "" || got[0].Cells[12] != "x\ny" {
		t.Errorf("cells %+v, rejected %+v, %v", got, rejected, err)
	}
}

// A truncated file gives its complete rows and one rejection for the remainder.
func TestReadDamaged(t *testing.T) {
	text := zipped(strings.Repeat("1,2,3\n", 5000))
	dir := files(t, map[string]string{"a.csv.gz": text[:len(text)-9], "b.parquet": "PAR1 and no more", "c.csv.gz": "not gzip"})
	got, rejected, _, err := read(t, dir+"/a.csv.gz", Options{})
	rows := 0
	for _, b := range got {
		rows += b.Rows
	}
	if err != nil || rows == 0 || len(rejected) != 1 || !strings.HasPrefix(rejected[0].Reason, "the rest of the file") {
		t.Errorf("%d rows, rejected %+v, %v", rows, rejected, err)
	}
	for _, name := range []string{"b.parquet", "c.csv.gz"} {
		if got, rejected, _, err := read(t, filepath.Join(dir, name), Options{}); err != nil || len(got) > 0 || len(rejected) != 1 {
			t.Errorf("%s: batches %+v, rejected %+v, %v", name, got, rejected, err)
		}
	}
}

// Invalid options are errors before a pipeline runs, or fail it if only the files show the error.
func TestReadRefuses(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	for name, o := range map[string]Options{
		"format": {Format: "idx"},
		"rows":   {Rows: -1},
		"cols":   {Format: SVM},
		"skip":   {Cells: dataset.TableOptions{Skip: func(error) {}}},
		"header": {Table: true, Cells: dataset.TableOptions{Header: true, NoHeader: true}},
	} {
		if _, _, err := Read(s, "a.csv", o); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := Read(s, "a.unknown", Options{}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("an unknown format: %v", err)
	}
	dir := files(t, map[string]string{"a.csv": "1,2,3\n"})
	if _, _, _, err := read(t, dir+"/a.csv", Options{Numbers: dataset.Options{Target: 9}}); err == nil || !strings.Contains(err.Error(), "Target = 9") {
		t.Errorf("a column that is not there: %v", err)
	}
	if _, _, _, err := read(t, dir+"/none*.csv", Options{}); err == nil {
		t.Error("a pattern without files is no error")
	}
}

// The reader does not panic for any text. Every line of data is a row or a rejection.
func FuzzNumbers(f *testing.F) {
	f.Add("x,y,t\n1,2,3\n\n# c\n4,5,6\n7,oops,9\n", 2)
	f.Add("\"1\n2\n1 2 3", 1)
	f.Add("1:2 3\n\xff\x00\n\"\"\"", 3)
	f.Fuzz(func(t *testing.T, text string, size int) {
		seen := int64(0)
		r := &reader{Options: Options{Format: CSV, Rows: 1 + size&7}, emit: func(b Batch) {
			if err := b.Check(); err != nil || b.Rows == 0 {
				t.Fatalf("%+v: %v", b, err)
			}
			seen += int64(b.Rows)
		}, reject: func(int64, string, string) { seen++ }}
		b := bufio.NewReader(strings.NewReader(text))
		if err := r.numbers(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		in, data := &lines{r: bufio.NewReader(strings.NewReader(text))}, int64(0)
		for {
			if _, err := in.next(); err != nil {
				break
			}
			data++
		}
		if seen != data && seen != data-1 { // except for a header
			t.Fatalf("%d of %d lines of data are rows or rejected", seen, data)
		}
	})
}

// WriteRejected writes rejected rows as lines of JSON. Without rejected rows it writes no file.
func TestWriteRejected(t *testing.T) {
	dir := files(t, map[string]string{"a.csv": "1,2\n3,oops\n", "b.csv": "1,2\n"})
	for name, want := range map[string]string{"a.csv": `{"Source":"` + dir + `/a.csv","Line":2,"Reason":"column 2: \"oops\" is not a number: invalid format","Text":"3,oops"}` + "\n", "b.csv": ""} {
		p, s := beam.NewPipelineWithRoot()
		_, rejected, err := Read(s, filepath.Join(dir, name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, name+".jsonl")
		WriteRejected(s, out, rejected)
		if err := ptest.Run(p); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if string(got) != want || (want == "") != errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}

// A header may consist of numbers if the option is set. The reader rejects a negative weight. Words
// after an invalid first line are not a header.
func TestReadOptions(t *testing.T) {
	dir := files(t, map[string]string{
		"header.csv": "1,2\n3,4\n",
		"weight.csv": "1,2,.5\n3,4,-1\n",
		"second.csv": "oops,1\na,b\n1,2\n",
	})
	for _, c := range []struct {
		name     string
		o        dataset.Options
		values   []float64
		rejected []int64
	}{
		{"header.csv", dataset.Options{Header: true}, []float64{3}, nil},
		{"header.csv", dataset.Options{}, []float64{1, 3}, nil},
		{"header.csv", dataset.Options{Target: dataset.NoTarget}, []float64{1, 2, 3, 4}, nil},
		{"weight.csv", dataset.Options{Weights: -1}, []float64{1}, []int64{2}},
		{"second.csv", dataset.Options{}, []float64{1}, []int64{1, 2}},
	} {
		got, rejected, _, err := read(t, filepath.Join(dir, c.name), Options{Numbers: c.o})
		if err != nil || len(got) != 1 || !slices.Equal(got[0].Values, c.values) {
			t.Errorf("%s with %+v: %+v, %v", c.name, c.o, got, err)
		}
		var lines []int64
		for _, r := range rejected {
			lines = append(lines, r.Line)
		}
		if !slices.Equal(lines, c.rejected) {
			t.Errorf("%s with %+v: rejected %+v", c.name, c.o, rejected)
		}
	}
}

// The reader reports the beginning of a line that is too long, and reads the next line.
func TestReadLongLine(t *testing.T) {
	text := "1,2\n" + strings.Repeat("3", maxLine+1) + "\n5,6\n"
	var rejected []string
	var values []float64
	r := &reader{Options: Options{Format: CSV, Rows: 10}, emit: func(b Batch) { values = append(values, b.Values...) },
		reject: func(line int64, reason, text string) { rejected = append(rejected, reason) }}
	if err := r.numbers(context.Background(), bufio.NewReader(strings.NewReader(text))); err != nil {
		t.Fatal(err)
	}
	if len(rejected) != 1 || rejected[0] != errLong.Error() || !slices.Equal(values, []float64{1, 5}) {
		t.Errorf("values %v, rejected %q", values, rejected)
	}
}
