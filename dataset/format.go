package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// Format is the format of a file of rows.
type Format uint8

const (
	unknownFormat Format = iota
	// CSVFormat has lines of cells with any separator: ReadCSV and ReadTable.
	CSVFormat
	// SVMFormat has lines of index:value: ReadSVM and ReadSparse.
	SVMFormat
	// IDXFormat is the format of MNIST: LoadIDXPair.
	IDXFormat
)

// FormatOf returns the format that Load finds for the file at path.
func FormatOf(path string) (Format, error) {
	f := new(files)
	defer f.close()
	r, err := f.contents(path)
	if err != nil {
		return unknownFormat, fmt.Errorf("dataset: %s: %w", path, err)
	}
	return formatOf(path, r), nil
}

// formatOf returns the format by the name, or else by the contents.
func formatOf(path string, r *bufio.Reader) Format {
	if f := formatOfName(path); f != unknownFormat {
		return f
	}
	head, _ := r.Peek(bufferSize) // the first read returns the error again
	return formatOfContents(head)
}

var extensions = map[string]Format{
	".csv": CSVFormat, ".tsv": CSVFormat,
	".svm": SVMFormat, ".svmlight": SVMFormat, ".libsvm": SVMFormat,
	".idx": IDXFormat, ".idx3-ubyte": IDXFormat,
}

func formatOfName(path string) Format {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".gz")
	if strings.HasSuffix(name, "-idx3-ubyte") {
		return IDXFormat
	}
	return extensions[filepath.Ext(name)]
}

// formatOfContents returns the format of a file that begins with head. The first two bytes
// of IDX are zero. In svmlight one of the first lines has index:value, or qid:number, after a number.
func formatOfContents(head []byte) Format {
	if bytes.HasPrefix(head, []byte{0, 0}) {
		return IDXFormat
	}
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte{'\n'})
		line = trimLeft(bytes.TrimPrefix(line, byteOrderMark), ' ')
		target, rest, more, err := cut(line, ' ')
		if severalLabels(line) {
			return SVMFormat
		}
		if err != nil || !more || line[0] == '#' || !isNumber(target) {
			continue
		}
		field, _, _, _ := cut(rest, ' ')
		if isFeature(field) {
			return SVMFormat
		}
	}
	return CSVFormat
}

// severalLabels reports whether a line is a row of svmlight with several labels, which its reader
// returns as an error.
func severalLabels(line []byte) bool {
	fields := bytes.Fields(line)
	if len(fields) < 2 || bytes.IndexByte(fields[0], ',') < 0 {
		return false
	}
	for label := range bytes.SplitSeq(fields[0], []byte{','}) {
		if !isNumber(label) {
			return false
		}
	}
	for _, f := range fields[1:] {
		if _, value, _ := bytes.Cut(f, []byte{':'}); !isFeature(f) || !isNumber(value) {
			return false
		}
	}
	return true
}

// isFeature reports whether a field is index:value or qid:number.
func isFeature(field []byte) bool {
	key, _, ok := bytes.Cut(field, []byte{':'})
	return ok && (isNumber(key) || string(key) == "qid")
}

// isSVM reports whether a line is a number followed by only index:value. The line may be truncated.
func isSVM(line []byte) bool {
	line, _, _ = bytes.Cut(line, []byte{'#'})
	fields := bytes.Fields(line)
	if len(fields) < 2 || !isNumber(fields[0]) {
		return false
	}
	for i, f := range fields[1:] {
		last := i > 0 && i == len(fields)-2
		if !isFeature(f) && !(last && isNumber(f)) {
			return false
		}
	}
	return true
}
