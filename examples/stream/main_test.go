package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// rows returns generated lines, of seed 4: the classes of seed 1 overlap in 10 %.
func rows(t *testing.T, n int) string {
	t.Helper()
	var b bytes.Buffer
	if err := generate(context.Background(), &b, n, 4); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// command runs the command on lines and fails unless it ends well.
func command(t *testing.T, lines string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if err := run(context.Background(), args, strings.NewReader(lines), &out, &errs); err != nil && !errors.Is(err, flag.ErrHelp) {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String(), errs.String()
}

// last returns a column of the last line of figures.
func last(t *testing.T, out string, column int) float64 {
	t.Helper()
	lines := strings.Split(out, "\n")
	for i := len(lines) - 1; i > 0; i-- {
		fields := strings.Fields(lines[i])
		if len(fields) != 7 {
			continue
		}
		if v, err := strconv.ParseFloat(fields[column], 64); err == nil {
			return v
		}
	}
	t.Fatalf("no figures in:\n%s", out)
	return 0
}

func file(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestClassification(t *testing.T) {
	for _, batch := range []string{"1", "32"} {
		out, _ := command(t, rows(t, 20000), "-classify", "-batch", batch, "-every", "5000")
		if e := last(t, out, 2); e > 9 {
			t.Errorf("batch %s: the last 5000 rows err in %v %%, and the modes that overlap do in 4 %%", batch, e)
		}
		if last(t, out, 0) != 20000 || last(t, out, 3) > 60 {
			t.Errorf("batch %s: want 20000 rows and few points:\n%s", batch, out)
		}
	}
}

// The error of a regression falls to its noise, the more so the more rows there are
// to a step: with constant steps each moves the function by a part of its noise.
func TestRegression(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range 20000 {
		x := 4*r.Float64() - 2
		fmt.Fprintf(&b, "%v,%v\n", math.Sin(2*x)+0.1*r.NormFloat64(), x)
	}
	for _, c := range []struct {
		batch string
		limit float64
	}{{"1", 0.15}, {"32", 0.115}} {
		out, _ := command(t, b.String(), "-target", "1", "-every", "5000", "-batch", c.batch)
		if e := last(t, out, 2); e < 0.095 || e > c.limit {
			t.Errorf("batch %s: RMSE %v over the last rows, want at most %v with noise of 0.1", c.batch, e, c.limit)
		}
	}
}

// Bad lines are counted and named, and the learner is the same as without them.
func TestBadLines(t *testing.T) {
	dir := t.TempDir()
	clean, dirty := filepath.Join(dir, "clean"), filepath.Join(dir, "dirty")
	lines := strings.SplitAfter(strings.TrimSpace(rows(t, 1000)), "\n")
	command(t, strings.Join(lines, ""), "-classify", "-model", clean)

	bad := []string{"x,y,label\n", "1,2\n", "\n", "1,NaN,3\n", "1,2,Inf\n", "1,2,0.5\n", "1,2,3,4\n", "one,2,3\n", "1,,2\n", "\x00\xff\n"}
	var mixed strings.Builder
	mixed.WriteString(strings.Repeat("1,", maxLine) + "\n")
	for i, line := range lines {
		mixed.WriteString(line)
		if i < len(lines)-1 {
			mixed.WriteString(bad[i%len(bad)])
		}
	}
	out, errs := command(t, mixed.String(), "-classify", "-model", dirty)
	if !strings.Contains(out, "learned from 1000 rows; 1000 lines and 0 rows left out") {
		t.Errorf("1000 bad lines are not counted:\n%s", out)
	}
	if n := strings.Count(errs, "is left out"); n != maxNotes {
		t.Errorf("%d lines are named, want the first %d:\n%s", n, maxNotes, errs)
	}
	if !bytes.Equal(file(t, clean), file(t, dirty)) {
		t.Error("bad lines have changed what was learned")
	}
}

// A learner that was saved goes on bit for bit, and how the input is cut into
// pieces does not matter.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	lines := rows(t, 3000)
	for _, batch := range []string{"1", "40"} {
		command(t, lines, "-classify", "-batch", batch, "-model", whole)
		cut := strings.Index(lines, "\n")
		for range 1199 {
			cut += 1 + strings.Index(lines[cut+1:], "\n")
		}
		command(t, lines[:cut+1], "-classify", "-batch", batch, "-model", parts)
		var out bytes.Buffer
		err := run(context.Background(), []string{"-classify", "-batch", batch, "-model", parts, "-resume"},
			iotest.HalfReader(strings.NewReader(lines[cut+1:])), &out, &out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file(t, whole), file(t, parts)) {
			t.Errorf("batch %s: the resumed learner differs", batch)
		}
	}
}

// writerFunc is called with each line of figures.
type writerFunc func(line string)

func (f writerFunc) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}

// An interrupt while the input is open but silent ends the command, and the model
// is there.
func TestInterrupt(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	in, feed := io.Pipe()
	defer feed.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	lines := rows(t, 500)
	go io.WriteString(feed, lines)
	var out strings.Builder
	stdout := writerFunc(func(line string) {
		out.WriteString(line)
		if strings.HasPrefix(strings.TrimSpace(line), "500 ") {
			cancel()
		}
	})
	if err := run(ctx, []string{"-classify", "-every", "500", "-model", model}, in, stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "interrupted: learned from 500 rows") {
		t.Errorf("prints:\n%s", out.String())
	}
	again, _ := command(t, lines, "-classify", "-model", model, "-resume")
	if !strings.Contains(again, "learned from 1000 rows") {
		t.Errorf("the saved learner does not go on:\n%s", again)
	}
}

// What the heap holds does not grow with the rows.
func TestMemoryIsFlat(t *testing.T) {
	n := 200000
	if testing.Short() {
		n = 20000
	}
	in, feed := io.Pipe()
	go func() {
		feed.CloseWithError(generate(context.Background(), feed, n, 1))
	}()
	var heap []uint64
	stdout := writerFunc(func(string) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		heap = append(heap, m.HeapAlloc)
	})
	if err := run(context.Background(), []string{"-classify", "-every", strconv.Itoa(n / 10)}, in, stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	if heap[10] > heap[2]+100000 {
		t.Errorf("%d bytes after a fifth of the rows, %d after all", heap[2], heap[10])
	}
}

func TestReaderFails(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	broken := errors.New("the line is dead")
	in := io.MultiReader(strings.NewReader(rows(t, 300)), iotest.ErrReader(broken))
	if err := run(context.Background(), []string{"-classify", "-model", model}, in, io.Discard, io.Discard); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the reader", err)
	}
	if len(file(t, model)) == 0 {
		t.Error("what was learned before is not saved")
	}
}

func TestArguments(t *testing.T) {
	if out, _ := command(t, "", "-h"); !strings.Contains(out, "-generate") {
		t.Errorf("-h prints:\n%s", out)
	}
	if out, _ := command(t, "", "-generate", "3"); strings.Count(out, "\n") != 3 {
		t.Errorf("-generate 3 prints:\n%s", out)
	}
	if out, _ := command(t, "no\nrows\n"); !strings.Contains(out, "learned from 0 rows; 2 lines") {
		t.Errorf("prints:\n%s", out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-colour"}, "-colour"},
		{[]string{"more"}, "more"},
		{[]string{"-target", "0"}, "-target"},
		{[]string{"-batch", "0"}, "-batch"},
		{[]string{"-resume"}, "-model"},
		{[]string{"-resume", "-model", filepath.Join(t.TempDir(), "none")}, "none"},
	} {
		if err := run(context.Background(), c.args, strings.NewReader(""), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one about %s", c.args, err, c.want)
		}
	}
}
