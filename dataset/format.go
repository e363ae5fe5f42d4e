package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// Format is how rows stand in a file.
type Format uint8

const (
	unknownFormat Format = iota
	// CSVFormat are lines of cells, also of other separators: ReadCSV and ReadTable.
	CSVFormat
	// SVMFormat are lines of index:value: ReadSVM and ReadSparse.
	SVMFormat
	// IDXFormat is that of MNIST: LoadIDXPair.
	IDXFormat
)

// FormatOf returns the format of the file at path, as Load takes it.
func FormatOf(path string) (Format, error) {
	file := new(file)
	defer file.close()
	r, err := file.contents(path)
	if err != nil {
		return unknownFormat, fmt.Errorf("dataset: %s: %w", path, err)
	}
	return formatOf(path, r), nil
}

// formatOf returns the format that the name tells, or else the contents.
func formatOf(path string, r *bufio.Reader) Format {
	if f := formatOfName(path); f != unknownFormat {
		return f
	}
	head, _ := r.Peek(bufferSize) // an error comes again with the first read
	return formatOfContents(head)
}

var extensions = map[string]Format{
	".csv": CSVFormat, ".tsv": CSVFormat,
	".svm": SVMFormat, ".svmlight": SVMFormat, ".libsvm": SVMFormat,
	".idx": IDXFormat, ".idx3-ubyte": IDXFormat,
}

// formatOfName returns the format that the name of a file tells.
func formatOfName(path string) Format {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".gz")
	if f, ok := extensions[filepath.Ext(name)]; ok {
		return f
	}
	if strings.HasSuffix(name, "-idx3-ubyte") {
		return IDXFormat
	}
	return unknownFormat
}

// formatOfContents returns the format of a file that begins with head: IDX
// begins with two zero bytes, as no text does; in svmlight one of the first
// lines has index:value, or qid:number, after its first number; all else is CSV.
func formatOfContents(head []byte) Format {
	if bytes.HasPrefix(head, []byte{0, 0}) {
		return IDXFormat
	}
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte{'\n'})
		line = trimLeft(bytes.TrimPrefix(line, byteOrderMark), ' ')
		target, rest, more, err := cut(line, ' ')
		if err != nil || !more || line[0] == '#' || !isNumber(target) {
			continue
		}
		field, _, _, _ := cut(rest, ' ')
		if key, _, ok := bytes.Cut(field, []byte{':'}); ok && (isNumber(key) || string(key) == "qid") {
			return SVMFormat
		}
	}
	return CSVFormat
}

// isSVM reports whether a line, which may be cut off, is a number and then index:value alone.
func isSVM(line []byte) bool {
	line, _, _ = bytes.Cut(line, []byte{'#'})
	fields := bytes.Fields(line)
	if len(fields) < 2 || !isNumber(fields[0]) {
		return false
	}
	for i, f := range fields[1:] {
		key, _, ok := bytes.Cut(f, []byte{':'})
		if cut := i > 0 && i == len(fields)-2; !ok && !cut || !isNumber(key) && string(key) != "qid" {
			return false
		}
	}
	return true
}
