package dataset

import (
	"bytes"
	"path/filepath"
	"strings"
)

type format uint8

const (
	unknownFormat format = iota
	csvFormat
	svmFormat
	idxFormat
)

var extensions = map[string]format{
	".csv": csvFormat, ".tsv": csvFormat,
	".svm": svmFormat, ".svmlight": svmFormat, ".libsvm": svmFormat,
	".idx": idxFormat, ".idx3-ubyte": idxFormat,
}

// formatOfName returns the format that the name of a file tells.
func formatOfName(path string) format {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".gz")
	if f, ok := extensions[filepath.Ext(name)]; ok {
		return f
	}
	if strings.HasSuffix(name, "-idx3-ubyte") {
		return idxFormat
	}
	return unknownFormat
}

// formatOfContents returns the format of a file that begins with head: IDX
// begins with two zero bytes, as no text does; in svmlight one of the first
// lines has index:value, or qid:number, after its first number; all else is CSV.
func formatOfContents(head []byte) format {
	if bytes.HasPrefix(head, []byte{0, 0}) {
		return idxFormat
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
			return svmFormat
		}
	}
	return csvFormat
}
