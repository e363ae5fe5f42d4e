package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rkhs-go/rkhs"
)

// TestProgress: without a terminal, a line every five seconds has the phase, the part, the rate and
// the remaining time.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, "fit 1 of 2, ", false)
	for i := range 100 {
		if err := p.Record(rkhs.Progress{Phase: "search", Done: i, Total: 100, Elapsed: time.Duration(i) * time.Second / 5}); err != nil {
			t.Fatal(err)
		}
	}
	p.end()
	want := "fit 1 of 2, search: 5.0 s, 25 %, 5/s, 15 s left\nfit 1 of 2, search: 10.0 s, 50 %, 5/s, 10 s left\nfit 1 of 2, search: 15.0 s, 75 %, 5/s, 5 s left\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	p = newProgress(&b, "", false)
	p.terminal, p.next = true, 0
	p.Record(rkhs.Progress{Phase: "fit", Iteration: 7, Elapsed: 2 * time.Second})
	p.Record(rkhs.Progress{Done: 1, Total: 2, Elapsed: 3 * time.Second})
	p.end()
	whole := "fit: 3.0 s, 50 % [##########..........]"
	if want := "\rfit: 2.0 s, step 7\r" + whole + "\r" + strings.Repeat(" ", len(whole)) + "\r"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	p = newProgress(&b, "", false)
	p.Record(rkhs.Progress{Phase: "solve", Iteration: 1, Elapsed: time.Second})
	p.Record(rkhs.Progress{Phase: "solve", Iteration: 5000, Elapsed: 6 * time.Second})
	p.Record(rkhs.Progress{Phase: "kernel", Done: 1, Total: 30000, Elapsed: 7 * time.Second})
	p.Record(rkhs.Progress{Phase: "kernel", Done: 15000, Total: 30000, Elapsed: 12 * time.Second})
	if want := "solve: 6.0 s, step 5000, 1000/s\nkernel: 12.0 s, 50 %, 3000/s, 5 s left\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	p = newProgress(&b, "", true)
	b.Reset()
	p.Record(rkhs.Progress{Elapsed: time.Minute})
	if b.Len() > 0 {
		t.Errorf("quiet, and %q", b.String())
	}
}
