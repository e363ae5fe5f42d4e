package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
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

// generated returns lines of seed 4: the classes of seed 1 overlap in 10 %.
func generated(t *testing.T, n int) string {
	t.Helper()
	var b bytes.Buffer
	if err := generate(context.Background(), &b, n, 4); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// run learns from lines and fails unless that ends well.
func run(t *testing.T, lines string, s session) (stdout, stderr string) {
	t.Helper()
	s.every = cmp.Or(s.every, 1000)
	s.batch = cmp.Or(s.batch, 1)
	var out, errs bytes.Buffer
	if err := s.run(context.Background(), strings.NewReader(lines), &out, &errs); err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String()
}

// last returns a column of the last line of figures.
func last(t *testing.T, out string, column int) float64 {
	t.Helper()
	lines := strings.Split(out, "\n")
	for i := len(lines) - 1; i > 0; i-- {
		fields := strings.Fields(lines[i])
		if len(fields) != 6 {
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
	for _, batch := range []int{1, 32} {
		out, _ := run(t, generated(t, 20000), session{classify: true, batch: batch, every: 5000})
		if e := last(t, out, 2); e > 9 {
			t.Errorf("batch %d: the last 5000 rows err in %v %%, and the modes that overlap do in 4 %%", batch, e)
		}
		if last(t, out, 0) != 20000 || last(t, out, 3) > 60 {
			t.Errorf("batch %d: want 20000 rows and few points:\n%s", batch, out)
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
		fmt.Fprintf(&b, "%v,%v\n", x, math.Sin(2*x)+0.1*r.NormFloat64())
	}
	for batch, limit := range map[int]float64{1: 0.15, 32: 0.115} {
		out, _ := run(t, b.String(), session{every: 5000, batch: batch})
		if e := last(t, out, 2); e < 0.095 || e > limit {
			t.Errorf("batch %d: RMSE %v over the last rows, want at most %v with noise of 0.1", batch, e, limit)
		}
	}
}

// Bad lines are counted and named, and the learner is the same as without them.
func TestBadLines(t *testing.T) {
	dir := t.TempDir()
	clean, dirty := filepath.Join(dir, "clean"), filepath.Join(dir, "dirty")
	lines := strings.SplitAfter(strings.TrimSpace(generated(t, 1000)), "\n")
	run(t, strings.Join(lines, ""), session{classify: true, model: clean})

	bad := []string{"x,y,label\n", "1,2\n", "\n", "1,NaN,3\n", "1,2,Inf\n", "1,2,0.5\n", "1,2,3,4\n", "one,2,3\n", "1,,2\n", "\x00\xff\n"}
	var mixed strings.Builder
	mixed.WriteString(strings.Repeat("1,", 1<<20) + "\n")
	for i, line := range lines {
		mixed.WriteString(line)
		if i < len(lines)-1 {
			mixed.WriteString(bad[i%len(bad)])
		}
	}
	out, errs := run(t, mixed.String(), session{classify: true, model: dirty})
	if !strings.Contains(out, "learned from 1000 rows; 1000 lines left out") {
		t.Errorf("1000 bad lines are not counted:\n%s", out)
	}
	if n := strings.Count(errs, "is left out"); n != 10 {
		t.Errorf("%d lines are named, want the first 10:\n%s", n, errs)
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
	lines := strings.SplitAfter(generated(t, 3000), "\n")
	for _, batch := range []int{1, 40} {
		run(t, strings.Join(lines, ""), session{classify: true, batch: batch, model: whole})
		run(t, strings.Join(lines[:1200], ""), session{classify: true, batch: batch, model: parts})
		s := session{resume: true, batch: batch, every: 1000, model: parts}
		err := s.run(context.Background(), iotest.HalfReader(strings.NewReader(strings.Join(lines[1200:], ""))), io.Discard, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file(t, whole), file(t, parts)) {
			t.Errorf("batch %d: the resumed learner differs", batch)
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
	lines := generated(t, 1500) // more than a learner waits for
	go io.WriteString(feed, lines)
	var out strings.Builder
	stdout := writerFunc(func(line string) {
		out.WriteString(line)
		if strings.HasPrefix(strings.TrimSpace(line), "1500 ") {
			cancel()
		}
	})
	s := session{classify: true, batch: 1, every: 500, model: model}
	if err := s.run(ctx, in, stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "learned from 1500 rows") {
		t.Errorf("prints:\n%s", out.String())
	}
	again, _ := run(t, lines, session{model: model, resume: true})
	if !strings.Contains(again, "learned from 3000 rows") {
		t.Errorf("the saved learner does not go on:\n%s", again)
	}
}

// What the heap holds does not grow with the rows.
func TestMemoryIsFlat(t *testing.T) {
	n := 60000
	if testing.Short() {
		n = 8000
	}
	in, feed := io.Pipe()
	go func() {
		feed.CloseWithError(generate(context.Background(), feed, n, 1))
	}()
	var heap []uint64
	stdout := writerFunc(func(string) {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // pools of memory for scratch outlive the first
		runtime.ReadMemStats(&m)
		heap = append(heap, m.HeapAlloc)
	})
	s := session{classify: true, batch: 1, every: n / 10}
	if err := s.run(context.Background(), in, stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	if heap[10] > heap[2]+100000 {
		t.Errorf("%d bytes after a fifth of the rows, %d after all", heap[2], heap[10])
	}
}

func TestReaderFails(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	broken := errors.New("the line is dead")
	in := io.MultiReader(strings.NewReader(generated(t, 300)), iotest.ErrReader(broken))
	s := session{classify: true, batch: 1, every: 1000, model: model}
	if err := s.run(context.Background(), in, io.Discard, io.Discard); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the reader", err)
	}
	if len(file(t, model)) == 0 {
		t.Error("what was learned before is not saved")
	}
}

func TestGenerate(t *testing.T) {
	if out := generated(t, 3); strings.Count(out, "\n") != 3 {
		t.Errorf("three rows are:\n%s", out)
	}
}

func TestNothingToLearnFrom(t *testing.T) {
	if out, _ := run(t, "no\nrows\n", session{}); !strings.Contains(out, "learned from 0 rows; 2 lines") {
		t.Errorf("prints:\n%s", out)
	}
	for _, s := range []session{{batch: 0, every: 1}, {batch: 1, every: 1, resume: true, model: filepath.Join(t.TempDir(), "none")}} {
		if err := s.run(context.Background(), strings.NewReader(""), io.Discard, io.Discard); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}
