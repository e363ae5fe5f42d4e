package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs/dataset"
)

// fileFormat is the format of a file.
type fileFormat uint8

const (
	textTable   fileFormat = iota
	objectTable            // ARFF or JSON
	parquetTable
	arrowTable
	excelTable
	queryTable // of a database
	svmlight
	idx
)

// numbered reports whether the columns have numbers instead of names.
func (f fileFormat) numbered() bool { return f == svmlight || f == idx }

var extensions = map[string]fileFormat{
	".arff": objectTable, ".json": objectTable, ".jsonl": objectTable, ".ndjson": objectTable,
	".parquet": parquetTable, ".pq": parquetTable,
	".arrow": arrowTable, ".arrows": arrowTable, ".feather": arrowTable,
	".xlsx": excelTable, ".xlsm": excelTable,
}

// formatOf returns the format of the first file of a path. The standard input and pipes are text
// tables.
func formatOf(path string) (fileFormat, error) {
	if isQuery(path) {
		return queryTable, nil
	}
	paths, err := expand(path)
	if err != nil || paths[0] == "-" || isPipe(paths[0]) {
		return textTable, err
	}
	first, err := formatOfFile(paths[0])
	if err == nil && first.numbered() && len(paths) > 1 {
		err = misuse("%s has several files of numbered columns, want one file", path)
	}
	return first, err
}

// formatOfFile returns the format by the name or the first bytes.
func formatOfFile(path string) (fileFormat, error) {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	if format, known := extensions[filepath.Ext(name)]; known {
		return format, nil
	}
	switch head := firstBytes(path); {
	case strings.HasPrefix(head, "PAR1"):
		return parquetTable, nil
	case head == "ARROW1":
		return arrowTable, nil
	}
	f, err := dataset.FormatOf(path)
	switch f {
	case dataset.SVMFormat:
		return svmlight, err
	case dataset.IDXFormat:
		return idx, err
	}
	return textTable, err
}

// firstBytes returns six bytes of a file, or fewer.
func firstBytes(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 6)
	n, _ := io.ReadFull(f, head) // a short file has no magic
	return string(head[:n])
}

// isPipe reports whether a path can be read only once, such as the <(command) of a shell.
func isPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// expand returns the files of a path in alphabetical order: the files of a folder, the files that a
// pattern matches, or the path itself.
func expand(path string) (paths []string, err error) {
	info, err := os.Stat(path)
	switch {
	case path == "-":
		return []string{path}, nil
	case err == nil && info.IsDir():
		paths, err = filesIn(path)
	case err == nil || !strings.ContainsAny(path, "*?["):
		return []string{path}, nil
	default:
		paths, err = filepath.Glob(path)
	}
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: no files: %w", path, fs.ErrNotExist)
	}
	return paths, err
}

// onlyFile returns the file of a path that has no other.
func onlyFile(path string) string {
	if paths, err := expand(path); err == nil {
		return paths[0]
	}
	return path
}

// filesIn returns the visible files of a folder.
func filesIn(folder string) (paths []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	slices.Sort(paths)
	return paths, err
}
