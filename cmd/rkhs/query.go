package main

import (
	"database/sql"
	"fmt"
	"iter"
	"net/url"
	"os"
	"strings"

	_ "modernc.org/sqlite" // the driver of SQLite

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

const (
	queryScheme = "sqlite:"
	queryOption = "?query="
)

// isQuery recognizes sqlite:file.db and sqlite:file.db?query=SELECT ….
func isQuery(path string) bool { return strings.HasPrefix(path, queryScheme) }

// queryBatches returns the rows of a query in tables of the given number of rows.
func queryBatches(source string, size int, opts dataset.TableOptions) iter.Seq2[*dataset.Table, error] {
	return func(yield func(*dataset.Table, error) bool) {
		if err := eachQueried(source, size, opts, yield); err != nil {
			yield(nil, inFile(source, err))
		}
	}
}

func eachQueried(source string, size int, opts dataset.TableOptions,
	yield func(*dataset.Table, error) bool) error {
	path, query, _ := strings.Cut(strings.TrimPrefix(source, queryScheme), queryOption)
	if _, err := os.Stat(path); err != nil { // the driver would create the file
		return err
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	if query == "" {
		if query, err = onlyTable(db); err != nil {
			return err
		}
	}
	rows, err := db.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for t, err := range dataset.SQLBatches(rows, size) {
		if err == nil {
			t, err = t.WithReading(opts)
		}
		if err != nil {
			return err
		}
		if !yield(t, nil) {
			return nil
		}
	}
	return nil
}

// onlyTable returns a query of the only table of a database.
func onlyTable(db *sql.DB) (query string, err error) {
	rows, err := db.Query(`SELECT name FROM sqlite_master
		WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name`)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", err
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	if len(names) != 1 {
		return "", fmt.Errorf("the database has the tables %q: select rows with %sSELECT …: %w",
			names, queryOption, rkhs.ErrOption)
	}
	return `SELECT * FROM "` + strings.ReplaceAll(names[0], `"`, `""`) + `"`, nil
}
