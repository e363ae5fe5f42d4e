package rkhs_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rkhs-go/rkhs"
)

func TestPrinterWritesATable(t *testing.T) {
	var b strings.Builder
	p := rkhs.Printer{W: &b}
	for _, r := range []rkhs.Progress{
		{Iteration: 7, Objective: 13677.44514, ModelOrder: 143, Gap: 2e-11, Elapsed: 1500 * time.Millisecond},
		{Iteration: 1234567, Objective: -0.5, ModelOrder: 9, Gap: math.NaN(), Elapsed: time.Hour},
		{Phase: "search", Done: 3, Total: 12},
		{Phase: "pass", Done: 3},
		{Phase: "fit"},
		{Done: 0, Total: 12},
	} {
		if err := p.Record(r); err != nil {
			t.Fatal(err)
		}
	}
	want := " iteration        objective    order        gap    seconds  phase\n" +
		"         7       13677.4451      143   2.00e-11      1.500\n" +
		"   1234567             -0.5        9        NaN   3600.000\n" +
		"         0                0        0   0.00e+00      0.000  search 3/12\n" +
		"         0                0        0   0.00e+00      0.000  pass 3\n" +
		"         0                0        0   0.00e+00      0.000  fit\n" +
		"         0                0        0   0.00e+00      0.000  0/12\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// TestPrinterInterval records every 10 ms, except for a pause between 0.5 s and 0.9 s, with an
// Interval of 250 ms. It prints the first report and each report at least a quarter of a second
// after the last printed one.
func TestPrinterInterval(t *testing.T) {
	var b strings.Builder
	p := rkhs.Printer{W: &b, Interval: 250 * time.Millisecond}
	for i := range 121 {
		if i > 50 && i < 90 {
			continue
		}
		if err := p.Record(rkhs.Progress{Iteration: i, Elapsed: time.Duration(i) * 10 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n")[1:] {
		got = append(got, strings.Fields(line)[0])
	}
	if fmt.Sprint(got) != "[0 25 50 90 115]" {
		t.Errorf("printed the iterations %v", got)
	}
}

// failAfter is a writer that fails after n writes.
type failAfter struct {
	n   int
	err error
}

func (w *failAfter) Write(b []byte) (int, error) {
	if w.n--; w.n < 0 {
		return 0, w.err
	}
	return len(b), nil
}

func TestPrinterReturnsTheErrorOfItsWriter(t *testing.T) {
	full := errors.New("full")
	for n := range 3 { // the header, the first line, the second line
		p := rkhs.Printer{W: &failAfter{n, full}}
		err := p.Record(rkhs.Progress{})
		if n == 2 && err == nil {
			err = p.Record(rkhs.Progress{})
		}
		if !errors.Is(err, full) {
			t.Errorf("after %d writes: error %v", n, err)
		}
	}
}

// TestPrinterFromManyFits shares a Printer between concurrent fits.
func TestPrinterFromManyFits(t *testing.T) {
	r, w := io.Pipe()
	p := rkhs.Printer{W: w}
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 20 {
				p.Record(rkhs.Progress{Iteration: i})
			}
		}()
	}
	go func() { wg.Wait(); w.Close() }()
	text, err := io.ReadAll(r)
	if lines := strings.Count(string(text), "\n"); err != nil || lines != 1+8*20 || strings.Count(string(text), "iteration") != 1 {
		t.Errorf("%d lines, error %v", lines, err)
	}
}

func TestRecorderFunc(t *testing.T) {
	stop := errors.New("stop")
	var got rkhs.Progress
	var r rkhs.Recorder = rkhs.RecorderFunc(func(p rkhs.Progress) error { got = p; return stop })
	want := rkhs.Progress{Iteration: 3, Objective: 2, ModelOrder: 1, Gap: 0.5, Elapsed: time.Second}
	if err := r.Record(want); err != stop || got != want {
		t.Errorf("got %v, error %v", got, err)
	}
}
