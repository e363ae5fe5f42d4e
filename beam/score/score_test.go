package score

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/dataset/parquet"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

func init() {
	register.Function1x0(collectPredictions)
	register.Function1x0(collectRejected)
}

// collected has the output of the pipeline. The runner shares the process of the test.
var collected struct {
	sync.Mutex
	predictions []Predictions
	rejected    []rows.Rejected
}

func collectPredictions(p Predictions) {
	collected.Lock()
	defer collected.Unlock()
	collected.predictions = append(collected.predictions, p)
}

func collectRejected(r rows.Rejected) {
	collected.Lock()
	defer collected.Unlock()
	collected.rejected = append(collected.rejected, r)
}

// predictFiles runs a pipeline that predicts the rows of files.
func predictFiles(t *testing.T, pattern string, from rows.Options, model string, opts Options) ([]Predictions, []rows.Rejected, error) {
	t.Helper()
	collected.predictions, collected.rejected = nil, nil
	p, s := beam.NewPipelineWithRoot()
	batches, _, err := rows.Read(s, pattern, from)
	if err != nil {
		t.Fatal(err)
	}
	predictions, rejected, err := File(s, batches, model, opts)
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo0(s, collectPredictions, beam.Reshuffle(s, predictions)) // by the coder
	beam.ParDo0(s, collectRejected, rejected)
	err = ptest.Run(p)
	slices.SortFunc(collected.predictions, func(a, b Predictions) int {
		return cmp.Or(cmp.Compare(a.Rows.Source, b.Rows.Source), cmp.Compare(a.Rows.First, b.Rows.First))
	})
	return collected.predictions, collected.rejected, err
}

// table writes n rows of x1, x2 and a target to a file, and returns the rows.
func table(t *testing.T, path string, n int, target func(a, b float64) float64) (x, y *mat.Dense) {
	t.Helper()
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	var text strings.Builder
	for i := range n {
		a, b := math.Sin(float64(3*i)), math.Cos(float64(i*i))
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, target(a, b))
		fmt.Fprintf(&text, "%v,%v,%v\n", a, b, y.At(i, 0))
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return x, y
}

func save(t *testing.T, m interface{ MarshalBinary() ([]byte, error) }) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "model.rkhs")
	if err := rkhs.Save(path, m); err != nil {
		t.Fatal(err)
	}
	return path
}

// Predictions and intervals have the bits of the model at the same rows, and the right file and
// line, for any batches.
func TestFileRegression(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	x, y := table(t, path, 300, func(a, b float64) float64 { return a*b + a })
	m, err := ridge.Fit(context.Background(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	lower, upper, err := m.Interval(x, .9)
	if err != nil {
		t.Fatal(err)
	}
	got, rejected, err := predictFiles(t, path, rows.Options{Rows: 77}, save(t, m), Options{Coverage: .9})
	if err != nil || len(got) != 4 || len(rejected) > 0 {
		t.Fatalf("%d batches, rejected %v, %v", len(got), rejected, err)
	}
	row := 0
	for _, p := range got {
		if !slices.Equal(p.Columns, []string{"prediction", "lower", "upper"}) {
			t.Fatalf("columns %q", p.Columns)
		}
		for i := range p.Rows.Rows {
			if !slices.Equal(p.Values[3*i:3*i+3], []float64{want.At(row, 0), lower.At(row, 0), upper.At(row, 0)}) || p.Rows.Row(i) != int64(row+1) {
				t.Fatalf("row %d is %v of line %d", row, p.Values[3*i:3*i+3], p.Rows.Row(i))
			}
			row++
		}
	}
}

// A classifier predicts labels and probabilities.
func TestFileClassifier(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	x, y := table(t, path, 200, func(a, b float64) float64 { return 3 + 2*math.Round((a+1)/2) })
	m, err := ridge.FitClassifier(context.Background(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := predictFiles(t, path, rows.Options{}, save(t, m), Options{Coverage: .9})
	if err != nil || len(got) != 1 || !slices.Equal(got[0].Columns, []string{"prediction", "p(3)", "p(5)"}) {
		t.Fatalf("%+v, %v", got, err)
	}
	want, _ := m.Predict(x)
	proba, _ := m.Proba(x)
	for i := range 200 {
		if !slices.Equal(got[0].Values[3*i:3*i+3], []float64{want.At(i, 0), proba.At(i, 0), proba.At(i, 1)}) {
			t.Fatalf("row %d is %v", i, got[0].Values[3*i:3*i+3])
		}
	}
}

// A model of several outputs has a column for each output.
func TestFileOutputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	x, _ := table(t, path, 100, func(a, b float64) float64 { return 0 })
	m, err := ridge.Fit(context.Background(), x, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := predictFiles(t, path, rows.Options{}, save(t, m), Options{})
	want, _ := m.Predict(x)
	if err != nil || len(got) != 1 || !slices.Equal(got[0].Columns, []string{"prediction 1", "prediction 2"}) || !slices.Equal(got[0].Values, want.RawMatrix().Data) {
		t.Errorf("%+v, %v; want %v", got, err, want)
	}
}

// houses is the header of a table with a class of texts.
const houses = "area,town,class\n"

// A recipe predicts raw rows as in one process. It rejects a row with a cell of another kind than its
// column, with the line.
func TestFileRecipe(t *testing.T) {
	var text strings.Builder
	text.WriteString(houses)
	for i := range 120 {
		fmt.Fprintf(&text, "%d,%s,%s\n", 50+i%60, []string{"Ulm", "Bonn", "Kiel"}[i%3], []string{"cheap", "dear"}[i%60/30])
	}
	all, err := dataset.ReadTable(strings.NewReader(text.String()), dataset.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := recipe.Fit(context.Background(), all, recipe.Options{Target: "class"}, ridge.FitClassifier, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(all)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte(text.String()+"large,Ulm,dear\nNA,Rome,dear\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, rejected, err := predictFiles(t, path, rows.Options{Table: true, Rows: 1000}, save(t, m), Options{})
	if err != nil || len(rejected) != 1 || rejected[0].Line != 122 || rejected[0].Text != "large,Ulm,dear" {
		t.Fatalf("rejected %+v, %v", rejected, err)
	}
	var classes []string
	for _, p := range got {
		if !slices.Equal(p.Columns, []string{"prediction", "p(cheap)", "p(dear)"}) {
			t.Fatalf("columns %q", p.Columns)
		}
		classes = append(classes, p.Classes...)
	}
	if len(classes) != 121 || !slices.Equal(classes[:120], want.Classes) {
		t.Errorf("classes %q, want %q and one more", classes, want.Classes)
	}
}

// Invalid bytes of a model fail the pipeline.
func TestModelRefuses(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	predictions, _, err := Model(s, beam.Create(s, rows.Batch{Rows: 1, Cols: 1, Values: []float64{1}}), beam.Create(s, []byte("no model")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo0(s, collectPredictions, predictions)
	if err := ptest.Run(p); err == nil || !strings.Contains(err.Error(), "score: the model") {
		t.Error(err)
	}
}

// Rows that do not fit the model fail the pipeline. Invalid options are errors before it starts.
func TestFileRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	x, y := table(t, path, 50, func(a, b float64) float64 { return a })
	m, err := ridge.Fit(context.Background(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		from  rows.Options
		model string
		want  string
	}{
		"columns": {rows.Options{Numbers: dataset.Options{Target: dataset.NoTarget}}, save(t, m), rkhs.ErrShape.Error()},
		"cells":   {rows.Options{Table: true}, save(t, m), "not cells"},
		"no file": {rows.Options{}, filepath.Join(dir, "none"), "none"},
		"not one": {rows.Options{}, path, rkhs.ErrFormat.Error()},
	} {
		if _, _, err := predictFiles(t, path, c.from, c.model, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, s := beam.NewPipelineWithRoot()
	var none beam.PCollection
	for _, coverage := range []float64{-1, 1, math.NaN()} {
		if _, _, err := File(s, none, path, Options{Coverage: coverage}); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("coverage %v: %v", coverage, err)
		}
	}
	if _, _, err := File(s, none, "", Options{}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("no model: %v", err)
	}
	for _, o := range []Output{{}, {Path: "a", Shards: -1}} {
		if err := Write(s, none, o); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// A process loads a model only once until its file changes.
func TestOpenOnce(t *testing.T) {
	x := mat.NewDense(40, 1, nil)
	for i := range 40 {
		x.Set(i, 0, math.Sin(float64(i)))
	}
	m, err := ridge.Fit(context.Background(), x, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := save(t, m)
	var opened [8]*model
	var group sync.WaitGroup
	for i := range opened {
		group.Go(func() {
			var err error
			if opened[i], err = open(context.Background(), path); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, o := range opened {
		if o == nil || o != opened[0] {
			t.Fatalf("models %p and %p of one file", o, opened[0])
		}
	}
	other, err := ridge.Fit(context.Background(), x.Slice(0, 20, 0, 1), x.Slice(0, 20, 0, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := rkhs.Save(path, other); err != nil {
		t.Fatal(err)
	}
	if o, err := open(context.Background(), path); err != nil || o == opened[0] {
		t.Errorf("the model of another file, %v", err)
	}
}

// A model from the pipeline predicts like a model from a file. Write puts every row with its inputs
// into one shard.
func TestModelAndWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	x, y := table(t, path, 500, func(a, b float64) float64 { return a - b })
	m, err := ridge.Fit(context.Background(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	file, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	want, _ := m.Predict(x)
	p, s := beam.NewPipelineWithRoot()
	batches, _, err := rows.Read(s, path, rows.Options{Rows: 10})
	if err != nil {
		t.Fatal(err)
	}
	predictions, _, err := Model(s, batches, beam.Create(s, file), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Output{{Path: filepath.Join(dir, "out.csv"), Shards: 3, Inputs: true}, {Path: filepath.Join(dir, "out.parquet")}} {
		if err := Write(s, predictions, o); err != nil {
			t.Fatal(err)
		}
	}
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	shards, _ := filepath.Glob(filepath.Join(dir, "out-0000?-of-00003.csv"))
	if len(shards) != 3 {
		t.Errorf("shards %q", shards)
	}
	seen := map[string]bool{}
	for _, shard := range shards {
		f, err := os.Open(shard)
		if err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil || !slices.Equal(records[0], []string{"source", "line", "x1", "x2", "target", "prediction"}) {
			t.Fatalf("%s: %v, %v", shard, records[0], err)
		}
		for _, r := range records[1:] {
			line, _ := strconv.Atoi(r[1])
			if number(t, r[5]) != want.At(line-1, 0) || number(t, r[2]) != x.At(line-1, 0) || number(t, r[4]) != y.At(line-1, 0) || r[0] != path || seen[r[1]] {
				t.Fatalf("%s: %v", shard, r)
			}
			seen[r[1]] = true
		}
	}
	if len(seen) != 500 {
		t.Errorf("%d rows in shards, want 500", len(seen))
	}
	whole, err := parquet.Load(filepath.Join(dir, "out.parquet"), dataset.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n, d := whole.Dims()
	if n != 500 || d != 3 {
		t.Fatalf("%d×%d of Parquet", n, d)
	}
	for i := range n {
		line, _, _ := whole.Column("line").Number(i)
		v, _, err := whole.Column("prediction").Number(i)
		if err != nil || v != want.At(int(line)-1, 0) {
			t.Fatalf("line %v: %v, %v", line, v, err)
		}
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Truncated bytes are an error of the coder.
func TestDecodeRefuses(t *testing.T) {
	p := Predictions{Rows: rows.Batch{Rows: 2, First: 3}, Columns: []string{"prediction"}, Values: []float64{1, math.Inf(1)}, Classes: []string{"a", "b"}}
	data, err := encode(p)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decodePredictions(data); err != nil || fmt.Sprint(got) != fmt.Sprint(p) {
		t.Errorf("%+v, %v", got, err)
	}
	for n := range data {
		if _, err := decodePredictions(data[:n]); !errors.Is(err, rkhs.ErrFormat) {
			t.Errorf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

// Predictions of svmlight rows have the bits of predictions of sparse rows.
func TestFileSparse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.svm")
	x, y := mat.NewDense(60, 4, nil), mat.NewDense(60, 1, nil)
	var text strings.Builder
	for i := range 60 {
		v := math.Sin(float64(i))
		x.Set(i, i%4, v)
		y.Set(i, 0, v*float64(i%4))
		fmt.Fprintf(&text, "0 %d:%v\n", i%4+1, v)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := ridge.Fit(context.Background(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	sparse, err := dataset.LoadSparse(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(sparse.X)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := predictFiles(t, path, rows.Options{Numbers: dataset.Options{Cols: 4}}, save(t, m), Options{})
	if err != nil || len(got) != 1 || got[0].Rows.Offsets == nil || !slices.Equal(got[0].Values, want.RawMatrix().Data) {
		t.Errorf("%+v, %v; want %v", got, err, want.RawMatrix().Data)
	}
}
