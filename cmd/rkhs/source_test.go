package main

import (
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	arrowlib "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// home is a row of the test files.
type home struct {
	Area  float64 `parquet:"area"`
	Town  string  `parquet:"town"`
	Price float64 `parquet:"price"`
}

func testHomes() (rows []home) {
	for i := range 200 {
		area := 20 + float64(i*37%100)
		rows = append(rows, home{area, []string{"Ely", "Bath", "York"}[i%3], math.Round(800*math.Sin(area/25))/10 + 60*float64(i%3)})
	}
	return rows
}

// writeHomes writes rows in every format and returns the paths by name.
func writeHomes(t *testing.T, rows []home) map[string]string {
	t.Helper()
	dir := t.TempDir()
	head, lines, objects := "area,town,price\n", []string{}, []string{}
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("%v,%s,%v\n", r.Area, r.Town, r.Price))
		objects = append(objects, fmt.Sprintf(`{"area":%v,"town":%q,"price":%v}`, r.Area, r.Town, r.Price))
	}
	all := strings.Join(lines, "")
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	put("parts/a.csv", head+strings.Join(lines[:80], ""))
	put("parts/b.csv", head+strings.Join(lines[80:], ""))
	put("parts/.hidden", "x")
	paths := map[string]string{"csv": put("x.csv", head+all), "folder": filepath.Join(dir, "parts"), "pattern": filepath.Join(dir, "part?", "*.csv"),
		"arff": put("x.arff", "@relation x\n@attribute area real\n@attribute town {Bath,Ely,York}\n@attribute price real\n@data\n"+all),
		"json": put("x.jsonl", strings.Join(objects, "\n")), "array": put("x.json", "["+strings.Join(objects, ",")+"]"),
		"xlsx": filepath.Join(dir, "x.xlsx"), "arrow": filepath.Join(dir, "x.feather"), "parquet": filepath.Join(dir, "x.pq")}
	db := filepath.Join(dir, "x y.db")
	paths["sqlite"], paths["query"] = "sqlite:"+db, "sqlite:"+db+"?query=SELECT area, town, price FROM homes WHERE town LIKE '%' ORDER BY rowid"
	if err := errors.Join(writeExcel(paths["xlsx"], rows), writeArrow(paths["arrow"], rows), parquet.WriteFile(paths["parquet"], rows), writeSQLite(db, rows)); err != nil {
		t.Fatal(err)
	}
	return paths
}

func writeExcel(path string, rows []home) error {
	f := excelize.NewFile()
	defer f.Close()
	err := f.SetSheetRow("Sheet1", "A1", &[]any{"area", "town", "price"})
	for i, r := range rows {
		err = errors.Join(err, f.SetSheetRow("Sheet1", fmt.Sprint("A", i+2), &[]any{r.Area, r.Town, r.Price}))
	}
	return errors.Join(err, f.SaveAs(path))
}

func writeArrow(path string, rows []home) error {
	schema := arrowlib.NewSchema([]arrowlib.Field{{Name: "area", Type: arrowlib.PrimitiveTypes.Float64}, {Name: "town", Type: arrowlib.BinaryTypes.String},
		{Name: "price", Type: arrowlib.PrimitiveTypes.Float64}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for _, r := range rows {
		b.Field(0).(*array.Float64Builder).Append(r.Area)
		b.Field(1).(*array.StringBuilder).Append(r.Town)
		b.Field(2).(*array.Float64Builder).Append(r.Price)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := ipc.NewFileWriter(f, ipc.WithSchema(schema))
	if err != nil {
		return err
	}
	return errors.Join(w.Write(b.NewRecordBatch()), w.Close())
}

func writeSQLite(path string, rows []home) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec("CREATE TABLE homes (area REAL, town TEXT, price REAL)")
	for _, r := range rows {
		_, e := db.Exec("INSERT INTO homes VALUES (?, ?, ?)", r.Area, r.Town, r.Price)
		err = errors.Join(err, e)
	}
	return err
}

// cellsOf returns the texts of all cells as CSV.
func cellsOf(tables ...*dataset.Table) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, t := range tables {
		n, _ := t.Dims()
		for i := range n {
			var row []string
			for _, c := range t.Columns() {
				text, _ := c.Text(i)
				row = append(row, c.Name()+"="+text)
			}
			w.Write(row)
		}
	}
	w.Flush()
	return b.String()
}

// Every source of the same rows is the same table, whole and in batches.
func TestSources(t *testing.T) {
	paths := writeHomes(t, testHomes())
	a := new(arguments)
	want, err := a.load(paths["csv"])
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range paths {
		d, err := a.load(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := cellsOf(d.table); got != cellsOf(want.table) {
			t.Errorf("%s has the cells %.200s", name, got)
		}
		for j, c := range d.table.Columns() {
			if kind := want.table.Columns()[j].Kind(); c.Kind() != kind {
				t.Errorf("%s: column %s is a %v, want a %v", name, c.Name(), c.Kind(), kind)
			}
		}
		var parts []*dataset.Table
		for d, err := range a.batches(path, 64, true) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			parts = append(parts, d.table)
		}
		if len(parts) < 4 || cellsOf(parts...) != cellsOf(want.table) {
			t.Errorf("%s in %d batches has other cells", name, len(parts))
		}
	}
}

// A model of a database predicts JSON lines from the standard input like the CSV file.
func TestTrainOnQuery(t *testing.T) {
	paths := writeHomes(t, testHomes())
	model := filepath.Join(t.TempDir(), "m")
	must(t, "train", paths["query"], "-target", "price", "-model", model, "-quiet")
	text, err := os.ReadFile(paths["json"])
	if err != nil {
		t.Fatal(err)
	}
	code, out, stderr := call(t.Context(), string(text), "predict", "-model", model, "-")
	if want := must(t, "predict", "-model", model, paths["csv"]); code != 0 || out != want {
		t.Errorf("code %d, %s, other predictions than of CSV", code, stderr)
	}
}

// Sources without rows, tables or files are errors.
func TestSourceErrors(t *testing.T) {
	dir := t.TempDir()
	a := new(arguments)
	two := filepath.Join(dir, "two.db")
	db, err := sql.Open("sqlite", two)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE a (x); CREATE TABLE b (x)"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{filepath.Join(dir, "*.csv"): fs.ErrNotExist, "sqlite:" + filepath.Join(dir, "no.db"): fs.ErrNotExist,
		"sqlite:" + two: rkhs.ErrOption, "sqlite:" + two + "?query=SELECT * FROM a": rkhs.ErrEmpty} {
		if _, err := a.load(path); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	if _, err := a.load("sqlite:" + two + "?query=DROP TABLE a"); err == nil {
		t.Error("a query changes the database")
	}
	svm := filepath.Join(dir, "svm")
	for _, name := range []string{"a.svm", "b.svm"} {
		if err := errors.Join(os.MkdirAll(svm, 0o777), os.WriteFile(filepath.Join(svm, name), []byte("1 0:2\n"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.load(svm); !errors.As(err, new(usageError)) {
		t.Errorf("several svmlight files: %v", err)
	}
	if d, err := a.load(filepath.Join(svm, "a*")); err != nil || d.x.At(0, 0) != 2 {
		t.Errorf("one svmlight file: %v", err)
	}
}
