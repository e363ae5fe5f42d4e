package arrow_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	library "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/dataset/arrow"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

var schema = library.NewSchema([]library.Field{
	{Name: "area", Type: library.PrimitiveTypes.Float64}, {Name: "height", Type: library.PrimitiveTypes.Float32},
	{Name: "half", Type: library.FixedWidthTypes.Float16}, {Name: "rooms", Type: library.PrimitiveTypes.Int32},
	{Name: "large", Type: library.PrimitiveTypes.Uint64}, {Name: "rent", Type: &library.Decimal128Type{Precision: 9, Scale: 2}},
	{Name: "lift", Type: library.FixedWidthTypes.Boolean}, {Name: "town", Type: library.BinaryTypes.String},
	{Name: "wide", Type: library.BinaryTypes.LargeString}, {Name: "view", Type: library.BinaryTypes.StringView},
	{Name: "code", Type: &library.DictionaryType{IndexType: library.PrimitiveTypes.Int8, ValueType: library.BinaryTypes.String}},
	{Name: "day", Type: library.FixedWidthTypes.Date32}, {Name: "sold", Type: library.FixedWidthTypes.Timestamp_ms},
	{Name: "none", Type: library.Null}, {Name: "list", Type: library.ListOf(library.PrimitiveTypes.Int8)},
	{Name: "bytes", Type: library.BinaryTypes.Binary},
}, nil)

// record returns a row of values and a row of nulls of every type.
func record(t testing.TB) library.RecordBatch {
	t.Helper()
	at := time.Date(2024, 5, 1, 12, 30, 0, 0, time.UTC)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	b.Field(0).(*array.Float64Builder).Append(50.25)
	b.Field(1).(*array.Float32Builder).Append(0.1)
	b.Field(2).(*array.Float16Builder).Append(float16.New(1.5))
	b.Field(3).(*array.Int32Builder).Append(-3)
	b.Field(4).(*array.Uint64Builder).Append(1 << 63)
	b.Field(6).(*array.BooleanBuilder).Append(true)
	b.Field(11).(*array.Date32Builder).Append(library.Date32FromTime(at))
	b.Field(12).(*array.TimestampBuilder).Append(library.Timestamp(at.UnixMilli()))
	b.Field(15).(*array.BinaryBuilder).Append([]byte("x"))
	for j, text := range map[int]string{5: "1234.56", 7: "Ely", 8: "a b", 9: "a text that is longer than twelve", 10: "k7", 14: "[1,2]"} {
		if err := b.Field(j).AppendValueFromString(text); err != nil {
			t.Fatal(err)
		}
	}
	for j := range schema.Fields() {
		b.Field(j).AppendNull()
	}
	b.Field(13).AppendNull()
	return b.NewRecordBatch()
}

func texts(c *dataset.Column) string {
	var list []string
	for i := range c.Len() {
		text, _ := c.Text(i)
		list = append(list, text)
	}
	return strings.Join(list, "|")
}

func check(t *testing.T, table *dataset.Table) {
	t.Helper()
	want := map[string]string{"area": "50.25|", "height": "0.1|", "half": "1.5|", "rooms": "-3|", "large": "9223372036854776000|", "rent": "1234.56|",
		"lift": "true|", "town": "Ely|", "wide": "a b|", "view": "a text that is longer than twelve|", "code": "k7|", "day": "2024-05-01|",
		"sold": "2024-05-01T12:30:00Z|", "none": "|"}
	for _, c := range table.Columns() {
		if got := texts(c); got != want[c.Name()] {
			t.Errorf("%s is %s, want %s", c.Name(), got, want[c.Name()])
		}
		delete(want, c.Name())
	}
	if len(want) > 0 {
		t.Errorf("no columns %v", want)
	}
	var ignored []string
	for _, n := range table.Notes() {
		if n.Ignored != "" {
			ignored = append(ignored, n.Column)
		}
	}
	if !slices.Equal(ignored, []string{"list", "bytes"}) {
		t.Errorf("ignored columns %v", ignored)
	}
}

// write writes records as an IPC file, or as a stream.
func write(t testing.TB, stream bool, records ...library.RecordBatch) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.arrow")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var w interface {
		Write(library.RecordBatch) error
		Close() error
	}
	if stream {
		w = ipc.NewWriter(f, ipc.WithSchema(schema), ipc.WithZstd())
	} else if w, err = ipc.NewFileWriter(f, ipc.WithSchema(schema)); err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTypes reads every type from records, files and streams.
func TestTypes(t *testing.T) {
	table, err := arrow.FromRecords(record(t))
	if err != nil {
		t.Fatal(err)
	}
	check(t, table)
	for _, stream := range []bool{false, true} {
		path := write(t, stream, record(t), record(t))
		table, err := arrow.Load(path, dataset.TableOptions{Kinds: map[string]dataset.Kind{"rooms": dataset.Category}, Missing: []string{"50.25"}})
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := table.Dims(); n != 4 || table.Column("rooms").Kind() != dataset.Category || !table.Column("area").Missing(2) || table.Column("town").Kind() != dataset.Category {
			t.Errorf("%d rows, rooms are %v", n, table.Column("rooms").Kind())
		}
		var sizes []int
		for b, err := range arrow.Batches(path, 1, dataset.TableOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			n, _ := b.Dims()
			sizes = append(sizes, n)
		}
		if !slices.Equal(sizes, []int{1, 1, 1, 1}) {
			t.Errorf("batches of %v", sizes)
		}
		for b, err := range arrow.Batches(path, 5, dataset.TableOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			check(t, b)
		}
		for range arrow.Batches(path, 1, dataset.TableOptions{}) {
			break
		}
	}
}

func numberRecord(values ...float64) library.RecordBatch {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	a := b.NewArray()
	return array.NewRecordBatch(library.NewSchema([]library.Field{{Name: "x", Type: a.DataType()}}, nil), []library.Array{a}, int64(len(values)))
}

// Errors wrap a sentinel. A damaged file is an error, or a table.
func TestErrors(t *testing.T) {
	good := write(t, false, record(t))
	for name, c := range map[string]struct {
		err, want error
	}{
		"no records":  {errOf(arrow.FromRecords()), rkhs.ErrEmpty},
		"no rows":     {errOf(arrow.FromRecords(numberRecord())), rkhs.ErrEmpty},
		"an infinity": {errOf(arrow.FromRecords(numberRecord(1, math.Inf(1)))), rkhs.ErrNotFinite},
		"other names": {errOf(arrow.FromRecords(numberRecord(1), record(t))), rkhs.ErrShape},
		"no file":     {errOf(arrow.Load("no/such", dataset.TableOptions{})), os.ErrNotExist},
		"a kind":      {errOf(arrow.Load(good, dataset.TableOptions{Kinds: map[string]dataset.Kind{"x": dataset.Number}})), rkhs.ErrOption},
		"empty":       {errOf(arrow.Load(write(t, false), dataset.TableOptions{})), rkhs.ErrEmpty},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "bad")
	r := rand.New(rand.NewPCG(1, 1))
	for _, file := range []string{good, write(t, true, record(t))} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 200 {
			bad := slices.Clone(data)
			if i%3 == 0 {
				bad = bad[:r.IntN(len(bad))]
			} else {
				at := len(bad)/2 + r.IntN(len(bad)/4)
				bad[at] ^= byte(1 + r.IntN(255))
			}
			if err := os.WriteFile(path, bad, 0o666); err != nil {
				t.Fatal(err)
			}
			if table, err := arrow.Load(path, dataset.TableOptions{}); err != nil && table != nil {
				t.Fatalf("a table and %v", err)
			}
		}
	}
}

func errOf(_ *dataset.Table, err error) error { return err }

// The example reads an IPC file whole and in batches.
func ExampleLoad() {
	path := filepath.Join(os.TempDir(), "rkhs-example.arrow")
	defer os.Remove(path)
	record := numberRecord(1, 2, 3)
	f, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	w := ipc.NewWriter(f, ipc.WithSchema(record.Schema()))
	if err := errors.Join(w.Write(record), w.Close(), f.Close()); err != nil {
		log.Fatal(err)
	}
	t, err := arrow.Load(path, dataset.TableOptions{})
	fmt.Println(t.Column("x").Kind(), err)
	for t, err := range arrow.Batches(path, 2, dataset.TableOptions{}) {
		rows, _ := t.Dims()
		fmt.Println(rows, err)
	}
	// Output:
	// number <nil>
	// 2 <nil>
	// 1 <nil>
}

// The example predicts from record batches and returns record batches.
func Example() {
	var x, y []float64
	for i := range 60 {
		x, y = append(x, float64(i)), append(y, float64(2*i))
	}
	column := func(values []float64) library.Array {
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		b.AppendValues(values, nil)
		return b.NewArray()
	}
	fields := []library.Field{{Name: "x", Type: library.PrimitiveTypes.Float64}, {Name: "y", Type: library.PrimitiveTypes.Float64}}
	record := array.NewRecordBatch(library.NewSchema(fields, nil), []library.Array{column(x), column(y)}, 60)
	table, err := arrow.FromRecords(record)
	if err != nil {
		log.Fatal(err)
	}
	model, err := recipe.Fit(context.Background(), table, recipe.Options{}, ridge.Fit, nil)
	if err != nil {
		log.Fatal(err)
	}
	p, err := model.PredictIntervals(table, 0.9)
	out := arrow.FromPredictions(p)
	fmt.Println(out.NumRows(), out.ColumnName(0), out.ColumnName(2), err)
	fmt.Printf("%.1f\n", out.Column(0).(*array.Float64).Value(30))
	// Output:
	// 60 prediction upper <nil>
	// 60.0
}
