package dataset

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/rkhs-go/rkhs"
)

// openDatabase returns a database in a new file, after some statements.
func openDatabase(t testing.TB, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	return db
}

func query(t testing.TB, db *sql.DB, q string) *sql.Rows {
	t.Helper()
	rows, err := db.Query(q)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rows.Close() })
	return rows
}

// Values of every type of SQLite, NULL, texts in columns of numbers, and repeated names.
func TestFromSQL(t *testing.T) {
	db := openDatabase(t, `CREATE TABLE homes (area REAL, rooms INTEGER, price DECIMAL(10,2), town TEXT, code VARCHAR(9),
		sold DATE, seen TIMESTAMP, lift BOOLEAN, note BLOB, odd INTEGER)`,
		`INSERT INTO homes VALUES (50.5, 3, '1234.50', 'Ely', 'x2139', '2024-05-01', '2024-05-01 12:30:00', true, x'6162', 7)`,
		`INSERT INTO homes VALUES (60, NULL, 99, NULL, '', '2024-06-02', NULL, false, NULL, 'seven')`)
	table, err := FromSQL(query(t, db, "SELECT *, area, area + 1 FROM homes"))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name, texts string
		kind        Kind
	}{
		{"area", "50.5|60", Number}, {"rooms", "3|", Number}, {"price", "1234.5|99", Number}, {"town", "Ely|", Category},
		{"code", "x2139|", Category}, {"sold", "2024-05-01|2024-06-02", Date}, {"seen", "2024-05-01T12:30:00Z|", Date},
		{"lift", "true|false", Category}, {"note", "ab|", Category}, {"odd", "7|seven", Category}, {"area_2", "50.5|60", Number},
		{"area + 1", "51.5|61", Number},
	}
	for j, c := range table.Columns() {
		if got := strings.Join(textsOf(c), "|"); c.Name() != want[j].name || got != want[j].texts || c.Kind() != want[j].kind {
			t.Errorf("column %s, a %v: %s, want %v", c.Name(), c.Kind(), got, want[j])
		}
	}
}

const countTo = `WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT i+1 FROM n WHERE i < %d) SELECT i, i*.5 AS half FROM n`

// Batches have the rows of the query. Ten times as many rows need no more memory at a time.
func TestSQLBatches(t *testing.T) {
	db := openDatabase(t)
	var sizes []int
	for b, err := range SQLBatches(query(t, db, fmt.Sprintf(countTo, 9)), 4) {
		if err != nil {
			t.Fatal(err)
		}
		n, _ := b.Dims()
		sizes = append(sizes, n)
	}
	if !slices.Equal(sizes, []int{4, 4, 2}) {
		t.Errorf("batches of %v rows", sizes)
	}
	peak := func(rows int) (most uint64) {
		for _, err := range SQLBatches(query(t, db, fmt.Sprintf(countTo, rows)), 1000) {
			if err != nil {
				t.Fatal(err)
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
		return most
	}
	if few, many := peak(2000), peak(20000); many > few+1<<20 {
		t.Errorf("20000 rows use %d bytes, 2000 rows %d", many, few)
	}
}

func TestSQLErrors(t *testing.T) {
	db := openDatabase(t)
	checkError(t, errOf(FromSQL(nil)), rkhs.ErrEmpty)
	checkError(t, errOf(FromSQL(query(t, db, "SELECT 1 WHERE 0"))), rkhs.ErrEmpty)
	checkError(t, errOf(FromSQL(query(t, db, "SELECT 1 AS x UNION ALL SELECT 9e999"))), rkhs.ErrNotFinite, "row 1", `"x"`)
	for _, err := range SQLBatches(query(t, db, "SELECT 1"), 0) {
		checkError(t, err, rkhs.ErrOption)
	}
	closed := query(t, db, "SELECT 1")
	closed.Close()
	if _, err := FromSQL(closed); err == nil {
		t.Error("closed rows have a table")
	}
	ctx, cancel := context.WithCancel(context.Background())
	rows, err := db.QueryContext(ctx, fmt.Sprintf(countTo, 1_000_000_000))
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := FromSQL(rows); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled query ends with %v", err)
	}
}
