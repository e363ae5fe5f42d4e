package main

import (
	"bytes"
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

var rewrite = flag.Bool("rewrite", false, "write what is made of other files of this repository into docs and option_docs.go")

// documents are those of docs with a transcript, and what makes the files that it begins with.
var documents = map[string]func(t *testing.T, dir string){"data.md": abalone, "tuning.md": concrete}

// A transcript stands between two lines of its document.
const (
	begins = "```console\n"
	ends   = "```\n"
)

// speeds are not the same each time.
var speeds = regexp.MustCompile(`\d+\.\d s|\d+ rows/s`)

// abalone writes the abalone of the data sets with a header, the sex as a category, and 3 % of
// the other cells missing: rows to train on, and others.
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
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTranscript: the commands of docs print what stands there.
func TestTranscript(t *testing.T) {
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	if testing.Short() {
		t.Skip("-short")
	}
	for document, files := range documents {
		page, err := filepath.Abs("../../docs/" + document)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(document, func(t *testing.T) {
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
	before, rest, found := strings.Cut(string(doc), begins)
	want, after, closed := strings.Cut(rest, ends)
	if !found || !closed {
		t.Fatal("there is no transcript")
	}
	var got strings.Builder
	for _, line := range strings.Split(want, "\n") {
		if command, ok := strings.CutPrefix(line, "$ rkhs "); ok {
			got.WriteString(line + "\n" + printed(t, command))
		}
	}
	if *rewrite {
		if err := os.WriteFile(page, []byte(before+begins+got.String()+ends+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if masked(got.String()) != masked(want) {
		t.Errorf("the commands print\n%s\nand %s has\n%s", got.String(), page, want)
	}
}

func masked(text string) string { return speeds.ReplaceAllString(text, "…") }

// concrete copies that of the data sets.
func concrete(t *testing.T, dir string) {
	const name = "concrete.csv.gz"
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// some is what a command may have behind it: which of the lines to keep.
var some = regexp.MustCompile(` \| (head|tail) -(\d+)$`)

// printed runs a command, and keeps the lines that it asks for.
func printed(t *testing.T, command string) string {
	t.Helper()
	keep := some.FindStringSubmatch(command)
	args := strings.Fields(some.ReplaceAllString(command, ""))
	var out, stderr bytes.Buffer
	if code := run(context.Background(), args, streams{strings.NewReader(""), &out, &stderr}); code != done {
		t.Fatalf("rkhs %s: exit code %d: %s", command, code, stderr.String())
	}
	text := stderr.String() + out.String()
	if keep == nil {
		return text
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	n, err := strconv.Atoi(keep[2])
	if err != nil {
		t.Fatal(err)
	}
	n = min(n, len(lines))
	if keep[1] == "tail" {
		return strings.Join(lines[len(lines)-n:], "") + "\n"
	}
	return strings.TrimSuffix(strings.Join(lines[:n], ""), "\n") + "\n"
}
