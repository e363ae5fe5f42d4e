package excel_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/dataset/excel"
)

// write writes a file with rows in its first sheet and one cell in a second.
func write(t testing.TB, rows ...[]any) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for i, row := range rows {
		if err := f.SetSheetRow("Sheet1", fmt.Sprint("A", i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	format := "dd/mm/yyyy hh:mm"
	style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
	if err == nil {
		err = f.SetCellStyle("Sheet1", "F3", "F3", style)
	}
	if err == nil {
		style, err = f.NewStyle(&excelize.Style{NumFmt: 4})
	}
	if err == nil {
		err = f.SetCellStyle("Sheet1", "A3", "A3", style)
	}
	if err == nil {
		_, err = f.NewSheet("Other")
	}
	if err == nil {
		err = f.SetSheetCol("Other", "A1", &[]any{"x", 1, 2})
	}
	path := filepath.Join(t.TempDir(), "x.xlsx")
	if err = errors.Join(err, f.SaveAs(path)); err != nil {
		t.Fatal(err)
	}
	return path
}

func example(t testing.TB) string {
	day := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	return write(t, []any{"#area", "town", "lift", "code", "", "sold", "sold"}, nil,
		[]any{1250.5, `The "Ely", 1`, true, "02139", 7, day.Add(12*time.Hour + 30*time.Minute), day},
		[]any{nil, "Bath", false, "7"}, []any{60, "", nil, "#N/A", -1, day, day.AddDate(0, 0, 1)})
}

func texts(c *dataset.Column) string {
	var list []string
	for i := range c.Len() {
		text, _ := c.Text(i)
		list = append(list, text)
	}
	return strings.Join(list, "|")
}

// Values of every type are independent of their format. Rows may be short or blank.
func TestLoad(t *testing.T) {
	path := example(t)
	table, err := excel.Load(path, "", dataset.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name, texts string
		kind        dataset.Kind
	}{
		{"#area", "1250.5||60", dataset.Number}, {"town", `The "Ely", 1|Bath|`, dataset.Category}, {"lift", "true|false|", dataset.Category},
		{"code", "02139|7|", dataset.Category}, {"column_5", "7||-1", dataset.Number},
		{"sold", "2024-05-01T12:30:00Z||2024-05-01", dataset.Date}, {"sold_2", "2024-05-01||2024-05-02", dataset.Date},
	}
	for j, c := range table.Columns() {
		got := texts(c)
		if c.Name() == "code" {
			got = strings.TrimSuffix(got, "#N/A") // missing, or a name in a column of texts
		}
		if c.Name() != want[j].name || got != want[j].texts || c.Kind() != want[j].kind {
			t.Errorf("column %s, a %v: %s, want %v", c.Name(), c.Kind(), got, want[j])
		}
	}
	if table.Line(0) != 3 || table.Line(2) != 5 {
		t.Errorf("rows at lines %d and %d", table.Line(0), table.Line(2))
	}
	other, err := excel.Load(path, "Other", dataset.TableOptions{})
	if err != nil || texts(other.Column("x")) != "1|2" {
		t.Errorf("%v", err)
	}
	var sizes []int
	for b, err := range excel.Batches(path, "", 2, dataset.TableOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		n, _ := b.Dims()
		sizes = append(sizes, n)
	}
	if !slices.Equal(sizes, []int{2, 1}) {
		t.Errorf("batches of %v", sizes)
	}
	for range excel.Batches(path, "", 1, dataset.TableOptions{}) {
		break
	}
}

func TestErrors(t *testing.T) {
	path := example(t)
	for name, c := range map[string]struct {
		path, sheet string
		want        error
	}{
		"no file": {"no/such", "", os.ErrNotExist}, "no sheet": {path, "Third", rkhs.ErrOption}, "empty": {write(t), "", rkhs.ErrEmpty},
	} {
		if _, err := excel.Load(c.path, c.sheet, dataset.TableOptions{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad.xlsx")
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		damaged := slices.Clone(data)
		if i%3 == 0 {
			damaged = damaged[:r.IntN(len(damaged))]
		} else {
			damaged[r.IntN(len(damaged))] ^= byte(1 + r.IntN(255))
		}
		if err := os.WriteFile(bad, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if table, err := excel.Load(bad, "", dataset.TableOptions{}); err != nil && (table != nil || !errors.Is(err, rkhs.ErrFormat) && !errors.Is(err, rkhs.ErrEmpty)) {
			t.Fatalf("%v, %v", table, err)
		}
	}
}

func Example() {
	f := excelize.NewFile()
	path := filepath.Join(os.TempDir(), "rkhs-example.xlsx")
	err := errors.Join(f.SetSheetRow("Sheet1", "A1", &[]any{"area", "town"}), f.SetSheetRow("Sheet1", "A2", &[]any{50.5, "Ely"}), f.SaveAs(path))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(path)
	table, err := excel.Load(path, "", dataset.TableOptions{})
	fmt.Println(table.Column("area").Kind(), err)
	for t, err := range excel.Batches(path, "Sheet1", 100, dataset.TableOptions{}) {
		fmt.Println(t.Column("town").Text(0))
		fmt.Println(err)
	}
	// Output:
	// number <nil>
	// Ely true
	// <nil>
}
