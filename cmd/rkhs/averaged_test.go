package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAbsentColumn: predict and eval average over rows if the file lacks the column that determines
// the target, report it in one line, and the intervals cover.
func TestAbsentColumn(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 9))
	train, test := &strings.Builder{}, &strings.Builder{}
	train.WriteString("a,b,y\n")
	test.WriteString("b,y\n")
	for i := range 300 {
		a, b := r.Float64(), r.Float64()
		if y := 50 * a; i < 200 {
			fmt.Fprintf(train, "%v,%v,%v\n", a, b, y)
		} else {
			fmt.Fprintf(test, "%v,%v\n", b, y)
		}
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	for name, b := range map[string]*strings.Builder{"train.csv": train, "test.csv": test} {
		if err := os.WriteFile(file(name), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, log bytes.Buffer
	s := streams{in: strings.NewReader(""), out: &out, err: &log}
	if err := trainY(s, file("train.csv"), file("m.rkhs")); err != nil {
		t.Fatal(err)
	}
	const want = "100 rows: no known value in column a, averaged over 64 similar training rows\n"
	for _, call := range []func(context.Context, []string, streams) error{predict, eval} {
		out.Reset()
		log.Reset()
		if err := call(context.Background(), []string{"-model", file("m.rkhs"), file("test.csv")}, s); err != nil {
			t.Fatal(err)
		}
		if strings.Count(log.String(), want) != 1 {
			t.Errorf("printed %q, want a line %q", log.String(), want)
		}
	}
	var inside float64
	_, after, _ := strings.Cut(out.String(), "90 % intervals: ")
	if _, err := fmt.Sscan(after, &inside); err != nil || inside < 85 {
		t.Errorf("%v %% inside: %s", inside, out.String())
	}
}

func trainY(s streams, from, to string) error {
	return train(context.Background(), []string{"-quiet", "-target", "y", from, "-model", to}, s)
}
