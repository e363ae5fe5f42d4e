package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	library "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/dataset/parquet"
)

// flat is a row with a field of every supported type.
type flat struct {
	Area    float64   `parquet:"area"`
	Height  float32   `parquet:"height"`
	Rooms   *int32    `parquet:"rooms,optional"`
	Number  int64     `parquet:"number"`
	Small   uint32    `parquet:"small"`
	Large   uint64    `parquet:"large"`
	Garden  bool      `parquet:"garden"`
	Town    *string   `parquet:"town,optional,dict"`
	Sold    time.Time `parquet:"sold,timestamp(millisecond)"`
	Built   int32     `parquet:"built,date"`
	Rent    int64     `parquet:"rent,decimal(2:10)"`
	Balance [4]byte   `parquet:"balance,decimal(1:9)"`
	Nothing *float64  `parquet:"nothing,optional"`
}

func flats(n int) []flat {
	rooms, town := int32(3), "Ely"
	list := make([]flat, n)
	for i := range list {
		list[i] = flat{Area: 50.25, Height: 0.1, Rooms: &rooms, Number: int64(-i), Small: 200, Large: math.MaxUint64, Garden: i%2 == 0, Town: &town,
			Sold: time.Date(2024, 5, 1, 12, 30, 0, 0, time.UTC), Built: 19845, Rent: 123456, Balance: [4]byte{0xff, 0xff, 0xff, 0xf6}}
		if i == 1 {
			list[i].Area, list[i].Rooms, list[i].Town = math.NaN(), nil, nil
		}
	}
	return list
}

func write[T any](t testing.TB, rows []T, options ...library.WriterOption) string {
	t.Helper()
	var b bytes.Buffer
	w := library.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLoad reads values of every type, missing values, kinds and compressed files.
func TestLoad(t *testing.T) {
	for name, option := range map[string]library.WriterOption{"snappy": library.Compression(&library.Snappy), "zstd": library.Compression(&library.Zstd),
		"gzip": library.Compression(&library.Gzip), "plain": library.Compression(&library.Uncompressed)} {
		table, err := parquet.Load(write(t, flats(5000), option, library.MaxRowsPerRowGroup(1700)), dataset.TableOptions{Kinds: map[string]dataset.Kind{"small": dataset.Category}})
		if err != nil {
			t.Fatal(name, err)
		}
		if n, _ := table.Dims(); n != 5000 {
			t.Fatalf("%s: %d rows, want 5000", name, n)
		}
		for _, c := range []struct {
			column, text string
			kind         dataset.Kind
		}{
			{"area", "50.25", dataset.Number}, {"height", "0.1", dataset.Number}, {"rooms", "3", dataset.Number}, {"number", "0", dataset.Number},
			{"small", "200", dataset.Category}, {"large", "18446744073709552000", dataset.Number}, {"garden", "true", dataset.Category},
			{"town", "Ely", dataset.Category}, {"sold", "2024-05-01T12:30:00Z", dataset.Date}, {"built", "2024-05-02", dataset.Date},
			{"rent", "1234.56", dataset.Number}, {"balance", "-1", dataset.Number},
		} {
			column := table.Column(c.column)
			if text, ok := column.Text(0); text != c.text || !ok || column.Kind() != c.kind {
				t.Errorf("%s: %s is %q, a %v, want %q, a %v", name, c.column, text, column.Kind(), c.text, c.kind)
			}
		}
		for _, column := range []string{"area", "rooms", "town", "nothing"} {
			if !table.Column(column).Missing(1) {
				t.Errorf("%s: %s is not missing in row 1", name, column)
			}
		}
		if text, _ := table.Column("number").Text(4999); text != "-4999" {
			t.Errorf("%s: the last row is %s", name, text)
		}
	}
}

// TestBatches: batches have the rows of the file.
func TestBatches(t *testing.T) {
	path := write(t, flats(100))
	var sizes []int
	for b, err := range parquet.Batches(path, 30, dataset.TableOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		n, _ := b.Dims()
		sizes = append(sizes, n)
	}
	if !slices.Equal(sizes, []int{30, 30, 30, 10}) {
		t.Errorf("batches of %v", sizes)
	}
	for range parquet.Batches(path, 30, dataset.TableOptions{}) {
		break
	}
}

// TestRefused: an unsupported type is an error that names the column. A damaged file is an error and
// does not panic.
func TestRefused(t *testing.T) {
	type inner struct {
		A float64 `parquet:"a"`
	}
	type nested struct {
		Of inner `parquet:"of"`
	}
	type listed struct {
		Of []float64 `parquet:"of"`
	}
	for name, path := range map[string]string{"nested": write(t, []nested{{}}), "a list": write(t, []listed{{}})} {
		if _, err := parquet.Load(path, dataset.TableOptions{}); !errors.Is(err, rkhs.ErrFormat) || !bytes.Contains([]byte(err.Error()), []byte(`"of"`)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := parquet.Load(write(t, []inner{{math.Inf(1)}}), dataset.TableOptions{}); !errors.Is(err, rkhs.ErrNotFinite) {
		t.Errorf("an infinity: %v", err)
	}
	if _, err := parquet.Load(write(t, []inner{}), dataset.TableOptions{}); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := parquet.Load("no/such", dataset.TableOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	good := write(t, flats(50))
	if _, err := parquet.Load(good, dataset.TableOptions{Kinds: map[string]dataset.Kind{"x": dataset.Number}}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("a kind of a column that is not there: %v", err)
	}
	for _, err := range parquet.Batches(good, 0, dataset.TableOptions{}) {
		if !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("batches of no rows: %v", err)
		}
	}
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bad")
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 300 {
		bad := bytes.Clone(data)
		if i%3 == 0 {
			bad = bad[:r.IntN(len(bad))]
		} else {
			bad[r.IntN(len(bad))] ^= byte(1 + r.IntN(255))
		}
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if table, err := parquet.Load(path, dataset.TableOptions{}); err != nil && table != nil {
			t.Fatalf("a table beside %v", err)
		}
	}
}

// TestOddTypes reads INT96 timestamps, FLOAT16 and unsigned numbers between ignored columns.
func TestOddTypes(t *testing.T) {
	group := library.Group{
		"a":    library.Repeated(library.Leaf(library.Int32Type)),
		"at":   library.Leaf(library.Int96Type),
		"half": library.Optional(library.Leaf(library.FixedLenByteArrayType(2))),
		"in":   library.Group{"x": library.Leaf(library.DoubleType), "y": library.Leaf(library.DoubleType)},
		"z":    library.Leaf(library.DoubleType),
	}
	schema := library.NewSchema("odd", group)
	var b bytes.Buffer
	w := library.NewWriter(&b, schema)
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	nanoseconds := uint64((4*3600 + 5*60 + 6) * 1e9)
	day := uint32(at.Unix()/86400 + 2440588)
	row := library.Row{
		library.ValueOf(int32(1)).Level(0, 1, 0), library.ValueOf(int32(2)).Level(1, 1, 0),
		library.ValueOf(deprecated.Int96{uint32(nanoseconds), uint32(nanoseconds >> 32), day}).Level(0, 0, 1),
		library.ValueOf([]byte{0, 0xc0}).Level(0, 1, 2), library.ValueOf(1.5).Level(0, 0, 3), library.ValueOf(2.5).Level(0, 0, 4), library.ValueOf(3.5).Level(0, 0, 5),
	}
	if _, err := w.WriteRows([]library.Row{row, row}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	table, err := parquet.Load(path, dataset.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := table.Column("at").Time(1)
	if err != nil || !got.Equal(at) {
		t.Errorf("INT96 is %v, want %v, %v", got, at, err)
	}
	if z, _, err := table.Column("z").Number(1); z != 3.5 || err != nil {
		t.Errorf("z is %v, %v", z, err)
	}
	ignored := map[string]string{}
	for _, n := range table.Notes() {
		if n.Ignored != "" {
			ignored[n.Column] = fmt.Sprint(n.Cells, " ", n.Ignored)
		}
	}
	if !maps.Equal(ignored, map[string]string{"a": "2 lists", "in": "2 nested values", "half": "2 values of type FIXED_LEN_BYTE_ARRAY(2)"}) {
		t.Errorf("ignored columns %v", ignored)
	}
}

// Each file of the library, most of them from the public test collection, is a table or an error. Their
// counts are known.
func TestCollection(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/parquet-go/parquet-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "testdata", "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Skip("the module has no test data")
	}
	read := 0
	for _, path := range files {
		table, err := parquet.Load(path, dataset.TableOptions{})
		if err == nil {
			read++
			continue
		}
		t.Logf("%s: %v", filepath.Base(path), err)
		if table != nil || !errors.Is(err, rkhs.ErrFormat) && !errors.Is(err, rkhs.ErrEmpty) && !errors.Is(err, rkhs.ErrNotFinite) {
			t.Errorf("%s: %v, %v", path, table, err)
		}
	}
	t.Logf("read %d of %d files", read, len(files))
	if 46*read < 41*len(files) {
		t.Errorf("read %d of %d files", read, len(files))
	}
}

func Example() {
	path := filepath.Join(os.TempDir(), "rkhs-example.parquet")
	defer os.Remove(path)
	if err := library.WriteFile(path, flats(3)); err != nil {
		fmt.Println(err)
		return
	}
	table, err := parquet.Load(path, dataset.TableOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Column("town").Text(0))
	for t, err := range parquet.Batches(path, 2, dataset.TableOptions{}) {
		rows, _ := t.Dims()
		fmt.Println(rows, err)
	}
	// Output:
	// Ely true
	// 2 <nil>
	// 1 <nil>
}
