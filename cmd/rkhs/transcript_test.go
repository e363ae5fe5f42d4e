package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	library "github.com/parquet-go/parquet-go"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

var rewrite = flag.Bool("rewrite", false, "write the transcripts in README.md and docs, and option_docs.txt")

// documents are the pages with transcripts, and functions that write their files.
var documents = map[string]func(t *testing.T, dir string){
	"README.md":           abalone,
	"docs/data.md":        abalone,
	"docs/transcripts.md": several,
	"docs/tuning.md":      concrete,
}

// A transcript is between these two lines.
const (
	begins = "```console\n"
	ends   = "```\n"
)

// speeds differ between runs.
var speeds = regexp.MustCompile(`\d+\.\d s|\d+ rows/s`)

// abalone writes training rows and other rows of abalone with a header, the sex as a category and 3
// % missing cells.
func abalone(t *testing.T, dir string) {
	set, err := dataset.Load(filepath.Join(dir, "abalone.csv.gz"), dataset.Options{Target: dataset.NoTarget})
	if err != nil {
		t.Fatal(err)
	}
	set.Shuffle(1)
	r := rand.New(rand.NewPCG(1, 1))
	n, _ := set.X.Dims()
	head := "sex,length,diameter,height,whole,shucked,viscera,shell,rings\n"
	files := map[string]*strings.Builder{"abalone.csv": {}, "more.csv": {}}
	for _, b := range files {
		b.WriteString(head)
	}
	for i := range n {
		b := files["abalone.csv"]
		if i >= 3200 {
			b = files["more.csv"]
		}
		row := set.X.RawRowView(i)
		for j, sex := range []string{"male", "female", "infant"} {
			if row[j] == 1 {
				b.WriteString(sex)
			}
		}
		for j, v := range row[3:] {
			b.WriteByte(',')
			if j == len(row)-4 || r.IntN(100) >= 3 {
				b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		b.WriteByte('\n')
	}
	for name, b := range files {
		put(t, name, []byte(b.String()))
	}
}

// TestTranscript: the commands in README.md and docs print the text there.
func TestTranscript(t *testing.T) {
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	if !*rewrite {
		testutil.Long(t, "takes minutes")
	}
	for document, files := range documents {
		page, err := filepath.Abs("../../" + document)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(document), func(t *testing.T) {
			t.Chdir(t.TempDir())
			files(t, dir)
			transcript(t, page)
		})
	}
}

func transcript(t *testing.T, page string) {
	doc, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(doc), begins)
	if len(parts) == 1 {
		t.Fatal("there is no transcript")
	}
	for i, part := range parts[1:] {
		want, after, closed := strings.Cut(part, ends)
		if !closed {
			t.Fatal("a transcript has no end")
		}
		var got strings.Builder
		for _, line := range strings.Split(want, "\n") {
			if command, ok := strings.CutPrefix(line, "$ rkhs "); ok {
				got.WriteString(line + "\n" + printed(t, command))
			}
		}
		if !*rewrite && masked(got.String()) != masked(want) {
			t.Errorf("the commands print\n%s\nand %s has\n%s", got.String(), page, want)
		}
		parts[i+1] = got.String() + ends + after
	}
	if *rewrite {
		if err := os.WriteFile(page, []byte(strings.Join(parts, begins)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func masked(text string) string { return speeds.ReplaceAllString(text, "…") }

// concrete copies the file of the data set.
func concrete(t *testing.T, dir string) { copied(t, dir, "concrete.csv.gz") }

func copied(t *testing.T, dir, name string) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	put(t, name, text)
}

func put(t *testing.T, name string, text []byte) {
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// several writes the files of docs/transcripts.md.
func several(t *testing.T, dir string) {
	twoParts(t, filepath.Join(dir, "a9a.train.svm.gz"), "income.svm", "more-income.svm", 8000, 4000)
	twoParts(t, filepath.Join(dir, "letter.csv.gz"), "letters.csv", "more-letters.csv", 4000, 2000)
	for name, of := range map[string]struct {
		from string
		rows int
	}{"digits": {"train", 3000}, "more": {"t10k", 1000}} {
		firstIDX(t, filepath.Join(dir, of.from+"-images-idx3-ubyte.gz"), name+"-images-idx3-ubyte", 16, 28*28, of.rows)
		firstIDX(t, filepath.Join(dir, of.from+"-labels-idx1-ubyte.gz"), name+"-labels-idx1-ubyte", 8, 1, of.rows)
	}
	power(t, filepath.Join(dir, "ccpp.csv.gz"))
}

// twoParts writes the first n lines of a file to one file and the next lines to another.
func twoParts(t *testing.T, path, first, second string, n, more int) {
	lines := strings.SplitAfter(string(unzipped(t, path)), "\n")
	put(t, first, []byte(strings.Join(lines[:n], "")))
	put(t, second, []byte(strings.Join(lines[n:n+more], "")))
}

func unzipped(t *testing.T, path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// firstIDX writes the first rows of an IDX file, with the given sizes of the head and of a row.
func firstIDX(t *testing.T, from, to string, head, size, rows int) {
	text := unzipped(t, from)[:head+rows*size]
	binary.BigEndian.PutUint32(text[4:], uint32(rows))
	put(t, to, text)
}

// power writes the power plant as Parquet.
func power(t *testing.T, path string) {
	type hour struct {
		Temperature float64 `parquet:"temperature"`
		Vacuum      float64 `parquet:"vacuum"`
		Pressure    float64 `parquet:"pressure"`
		Humidity    float64 `parquet:"humidity"`
		Power       float64 `parquet:"power"`
	}
	set, err := dataset.Load(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set.Shuffle(1)
	var hours []hour
	for i, y := range set.Y {
		x := set.X.RawRowView(i)
		hours = append(hours, hour{x[0], x[1], x[2], x[3], y})
	}
	for name, part := range map[string][]hour{"power.parquet": hours[:6000], "more.parquet": hours[6000:]} {
		if err := library.WriteFile(name, part); err != nil {
			t.Fatal(err)
		}
	}
}

// filter is a filter after a command: the lines or characters to keep.
var filter = regexp.MustCompile(`^(head -|tail -|cut -c-)(\d+)$`)

// printed runs a command and its filters, and returns the output.
func printed(t *testing.T, command string) string {
	t.Helper()
	parts := strings.Split(command, " | ")
	var shown, out bytes.Buffer
	s := streams{strings.NewReader(""), &shown, &shown}
	if len(parts) > 1 {
		s.out = &out
	}
	if code := run(context.Background(), strings.Fields(parts[0]), s); code != done {
		t.Fatalf("rkhs %s: exit code %d: %s", command, code, shown.String())
	}
	lines := slices.Collect(strings.Lines(out.String()))
	for _, part := range parts[1:] {
		keep := filter.FindStringSubmatch(part)
		if keep == nil {
			t.Fatalf("rkhs %s: no command %q", command, part)
		}
		n, err := strconv.Atoi(keep[2])
		if err != nil {
			t.Fatal(err)
		}
		switch keep[1] {
		case "head -":
			lines = lines[:min(n, len(lines))]
		case "tail -":
			lines = lines[max(0, len(lines)-n):]
		default:
			for i, line := range lines {
				line = strings.TrimSuffix(line, "\n")
				lines[i] = line[:min(n, len(line))] + "\n"
			}
		}
	}
	return shown.String() + strings.Join(lines, "")
}
