package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/rkhs-go/rkhs/internal/testutil"
)

// TestMain runs the command if this variable is set, so tests can start the test binary as the
// command.
func TestMain(m *testing.M) {
	if os.Getenv("RKHS_COMMAND") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process returns the command as a process that has not started.
func process(t testing.TB, args ...string) (c *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, stderr = exec.Command(self, args...), new(bytes.Buffer)
	c.Env = append(os.Environ(), "RKHS_COMMAND=1")
	c.Stderr = stderr
	return c, stderr
}

// TestUpdate: every learner trains on a stream, continues from its file, and predicts.
func TestUpdate(t *testing.T) {
	file, more, test := write(t, "a.csv", flats(400, 1)), write(t, "b.csv", flats(400, 2)), write(t, "c.csv", flats(100, 3))
	names := streamLearners
	if !testutil.LongTests() {
		names = names[:1]
	}
	for _, learner := range names {
		path := filepath.Join(t.TempDir(), "m.learner")
		out := must(t, "update", file, "-model", path, "-learner", learner, "-first", "200", "-every", "200")
		if !strings.Contains(out, "regression of \"price\" by "+learner) || !strings.Contains(out, "before training on them") {
			t.Errorf("%s says %s", learner, out)
		}
		must(t, "update", more, "-model", path, "-json")
		if n := rowsIn(t, path); n != 800 {
			t.Errorf("%s: %d rows, want 800", learner, n)
		}
		if out := must(t, "eval", "-model", path, test); !strings.Contains(out, "100 test rows") {
			t.Errorf("%s: eval says %s", learner, out)
		}
	}
}

// TestUpdateNumbered: update, predict, eval and inspect read rows of numbered columns like a table,
// also after an interruption.
func TestUpdateNumbered(t *testing.T) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(4, 4))
	for range 400 {
		label, j := 1, 1+r.IntN(5)
		if j > 3 {
			label = -1
		}
		fmt.Fprintf(&b, "%+d %d:1 %d:0.5\n", label, j, 7+r.IntN(4))
	}
	text := b.String()
	half := strings.Join(strings.SplitAfter(text, "\n")[:200], "")
	whole, resumed := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "resumed")
	file := write(t, "a.svm", text)
	args := []string{"update", file, "-first", "100", "-every", "64", "-model"}
	if out := must(t, append(args, whole)...); !strings.HasPrefix(out, `classification of "target" by polk, set up from the first 128 rows`) {
		t.Errorf("update says %s", out)
	}
	must(t, "update", write(t, "half.svm", half+"-1 11:1\n"), "-first", "100", "-batch", "1", "-model", resumed)
	if n := rowsIn(t, resumed); n != 201 {
		t.Errorf("%d rows, want 201", n)
	}
	must(t, "update", file, "-model", resumed, "-resume")
	if n := rowsIn(t, resumed); n != 400 {
		t.Errorf("%d rows, want 400", n)
	}
	for _, model := range []string{whole, resumed} {
		if out := must(t, "eval", "-model", model, file); !strings.Contains(out, "400 test rows: 0.00 % errors") {
			t.Errorf("eval says %s", out)
		}
		// These rows lack the last columns, and have an unknown label.
		if out := must(t, "predict", "-model", model, write(t, "b.svm", "0 1:1\n0 5:1\n")); strings.Count(out, "\n") != 3 || !strings.Contains(out, "\n1,") || !strings.Contains(out, "\n-1,") {
			t.Errorf("predict says %s", out)
		}
		if out := must(t, "inspect", model); !strings.Contains(out, "column_10: number") {
			t.Errorf("inspect says %s", out)
		}
	}
	wider := write(t, "d.svm", "+1 1:1\n-1 5:1 14:1\n")
	for _, command := range []string{"predict", "eval", "update"} {
		if code, _, stderr := call(context.Background(), "", command, "-model", whole, wider); code != 0 || !strings.Contains(stderr, "ignored 1 value in columns that no training row has") {
			t.Errorf("%s of a column that the learner lacks: exit code %d: %s", command, code, stderr)
		}
	}
	path := filepath.Join(t.TempDir(), "pictures")
	must(t, "update", pictures(t, 3), "-model", path)
	alone := pictures(t, 3)
	if err := os.Remove(strings.Replace(alone, "images-idx3", "labels-idx1", 1)); err != nil {
		t.Fatal(err)
	}
	if out := must(t, "predict", "-model", path, alone); strings.Count(out, "\n") != 7 {
		t.Errorf("predict of pictures without labels says %s", out)
	}
	if code, _, stderr := call(context.Background(), "", "predict", "-model", path, pictures(t, 4)); code != failed || !strings.Contains(stderr, "16 columns, want 9") {
		t.Errorf("pictures of another size: exit code %d: %s", code, stderr)
	}
}

// TestUpdateFaults: update reports, counts and skips invalid rows, and trains on valid rows. Without
// a valid row it fails.
func TestUpdateFaults(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(flats(100, 1)), "\n")
	lines = append(lines, "1,2", "wide,Ely,2001-01-01,5", "1,Ely,2001-01-01,dear", "70,Ely,2001-01-01,5", "71,Ely,,", "1,\"x\"y,2001-01-01,5")
	path := filepath.Join(t.TempDir(), "m.learner")
	code, _, stderr := call(context.Background(), strings.Join(lines, "\n")+"\n", "update", "-", "-model", path, "-first", "64", "-batch", "16")
	if code != done || rowsIn(t, path) != 101 {
		t.Errorf("exit code %d, %d rows, want 101: %s", code, rowsIn(t, path), stderr)
	}
	for _, message := range []string{"line 102", `"wide"`, `"dear"`, "line 107"} {
		if !strings.Contains(stderr, message) {
			t.Errorf("%q is not told of: %s", message, stderr)
		}
	}
	if code, _, stderr := call(context.Background(), flats(16, 1)+"1,2\n", "update", "-", "-model", path, "-batch", "16"); code != done || !strings.Contains(stderr, "line 18") {
		t.Errorf("a row at fault behind the last batch: exit code %d: %s", code, stderr)
	}
	for _, c := range []struct {
		name    string
		in      string
		args    []string
		code    int
		message string
	}{
		{"rows at fault alone", "a,b\n1\n2\n3\n", nil, failed, "3 skipped"},
		{"no rows", "", nil, failed, "no rows"},
		{"a header", "a,b\n", nil, failed, "no rows"},
		{"a file without a column", "town,price\nEly,3\n", []string{"-model", path}, failed, `no column "area"`},
		{"a missing target", "a,b\n1,\n2,\n", nil, failed, "missing"},
		{"an unknown learner", flats(9, 1), []string{"-learner", "ridge"}, misused, "polk"},
		{"a batch of none", flats(9, 1), []string{"-batch", "0"}, misused, "-batch"},
		{"another target", flats(9, 1), []string{"-model", path, "-target", "area"}, misused, `"price"`},
		{"the kind of a column of a learner", flats(9, 1), []string{"-model", path, "-kind", "area=number"}, misused, "-kind has no effect"},
		{"a column to leave out of a learner", flats(9, 1), []string{"-model", path, "-ignore", "area"}, misused, "-ignore has no effect"},
		{"the weights of a learner", flats(9, 1), []string{"-model", path, "-weights", "area"}, misused, "-weights has no effect"},
		{"the levels of a learner", flats(9, 1), []string{"-model", path, "-levels", "9"}, misused, "-levels has no effect"},
		{"the task of a learner", flats(9, 1), []string{"-model", path, "-task", "regression"}, misused, "-task has no effect"},
		{"another learner in its place", flats(9, 1), []string{"-model", path, "-learner", "slkl"}, misused, "-learner has no effect"},
		{"the first rows of a learner", flats(9, 1), []string{"-model", path, "-first", "5"}, misused, "-first has no effect"},
		{"rows of another table", "a,b\n1,2\n3,4\n", []string{"-model", path}, failed, `no column "price"`},
		{"nothing but rows at fault", "area,town,since,price\n1,2\n", []string{"-model", path}, failed, "no usable row"},
		{"a text as a number", flats(9, 1), []string{"-target", "town", "-task", "regression"}, failed, "line 2"},
		{"a kind", flats(9, 1), []string{"-kind", "area=date"}, failed, "line 2"},
		{"a model", flats(9, 1), []string{"-model", write(t, "m", "x")}, failed, "invalid format"},
	} {
		args := append([]string{"update", "-", "-model", filepath.Join(t.TempDir(), "n")}, c.args...)
		if code, _, stderr := call(context.Background(), c.in, args...); code != c.code || !strings.Contains(stderr, c.message) {
			t.Errorf("%s: exit code %d, want %d and %q: %s", c.name, code, c.code, c.message, stderr)
		}
	}
	model := filepath.Join(t.TempDir(), "m.rkhs")
	must(t, "train", write(t, "a.csv", flats(60, 1)), "-model", model, "-quiet", "-holdout", "0")
	if code, _, stderr := call(context.Background(), flats(9, 1), "update", "-", "-model", model); code != misused || !strings.Contains(stderr, "cannot be updated") {
		t.Errorf("a model: exit code %d: %s", code, stderr)
	}
}

// TestKilled: a command that is killed at random moments, and resumed each time, writes the same
// bits as an uninterrupted command. Its file is always complete.
func TestKilled(t *testing.T) {
	testutil.Long(t, "takes seconds")
	const kills = 20
	file := write(t, "rows.csv", flats(12000, 5))
	whole, path := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "killed")
	args := []string{"update", file, "-first", "256", "-every", "500", "-seconds", "0", "-model"}
	began := time.Now()
	must(t, append(args, whole)...)
	mean := time.Since(began) / kills
	r := rand.New(rand.NewPCG(6, 6))
	killed, ended := 0, false
	for !ended {
		c, stderr := process(t, append(args, path, "-resume")...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		exited := make(chan error, 1)
		go func() { exited <- c.Wait() }()
		wait := time.Hour
		if killed < kills {
			wait = time.Duration(2 * r.Float64() * float64(mean+100*time.Millisecond))
		}
		select {
		case <-time.After(wait):
			c.Process.Kill()
			<-exited
			killed++
			if _, err := os.Stat(path); err == nil {
				rowsIn(t, path)
			}
		case err := <-exited:
			if err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
			ended = true
		}
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("killed %d times, the learner is another: %v", killed, err)
	}
	t.Logf("killed %d times", killed)
}

// TestTerminated: SIGTERM ends an open stream, and saves all rows of the training.
func TestTerminated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.learner")
	c, stderr := process(t, "update", "-", "-model", path, "-first", "64", "-batch", "8", "-every", "100")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, flats(256, 1)); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	space := make([]byte, 4096)
	for !strings.Contains(told.String(), "200 rows,") { // not so many rows/s
		n, err := out.Read(space)
		told.Write(space[:n])
		if err != nil {
			t.Fatalf("%v after %s%s", err, told.String(), stderr)
		}
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	lines := strings.Split(strings.TrimSpace(told.String()+string(rest)), "\n")
	var rows int
	fmt.Sscan(lines[len(lines)-1], &rows)
	if got := rowsIn(t, path); got != rows || rows < 200 || !strings.Contains(stderr.String(), "stopped, learner saved") {
		t.Errorf("%d rows in the file, told of %d: %s", got, rows, stderr)
	}
}

// TestStopped: a signal ends a command that waits for rows at once.
func TestStopped(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	must(t, "train", write(t, "a.csv", flats(60, 1)), "-model", model, "-quiet", "-holdout", "0")
	for _, args := range [][]string{{"eval", "-model", model, "-"}, {"train", "-", "-model", filepath.Join(t.TempDir(), "n")}} {
		c, stderr := process(t, args...)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		// The command has read part of the rows when the pipe has accepted all.
		if _, err := io.WriteString(in, flats(20000, 1)); err != nil {
			t.Fatal(err)
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%q has succeeded", args)
			}
		case <-time.After(20 * time.Second):
			c.Process.Kill()
			t.Errorf("%q goes on", args)
		}
		if args[0] == "train" && !strings.Contains(stderr.String(), "no model saved") {
			t.Errorf("%q says %s", args, stderr)
		}
	}
}

// TestPredictStopped: a signal ends a prediction that waits for rows at once, after the predictions
// of earlier rows.
func TestPredictStopped(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	must(t, "train", write(t, "a.csv", flats(60, 1)), "-model", model, "-quiet", "-holdout", "0")
	for _, lines := range []struct {
		flag string
		want int
	}{{"-json", batchRows}, {"-json=false", batchRows + 1}} {
		c, stderr := process(t, "predict", "-model", model, "-", lines.flag)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, flats(batchRows+10, 1)); err != nil {
			t.Fatal(err)
		}
		hung := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
		rows := bufio.NewScanner(out)
		for range lines.want {
			if !rows.Scan() {
				t.Fatalf("%s: the rows that were read are not answered: %s", lines.flag, stderr)
			}
		}
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if rows.Scan() {
			t.Errorf("%s: then %q", lines.flag, rows.Text())
		}
		var exit *exec.ExitError
		if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != failed || !strings.Contains(stderr.String(), fmt.Sprintf("stopped after %d rows", batchRows)) {
			t.Errorf("%s: %v: %s", lines.flag, err, stderr)
		}
		hung.Stop()
	}
}

// TestUpdateMemory: the heap does not grow with the rows.
func TestUpdateMemory(t *testing.T) {
	testutil.Long(t, "takes seconds")
	const rows = 40000
	in, feed := io.Pipe()
	go func() {
		head, lines, _ := strings.Cut(flats(2000, 1), "\n")
		io.WriteString(feed, head+"\n")
		for range rows / 2000 {
			io.WriteString(feed, lines)
		}
		feed.Close()
	}()
	var heap []uint64
	out := writerFunc(func(p []byte) {
		if bytes.Contains(p, []byte("rows/s")) {
			var m runtime.MemStats
			runtime.GC()
			runtime.GC() // pools of memory for scratch outlive the first
			runtime.ReadMemStats(&m)
			heap = append(heap, m.HeapAlloc)
		}
	})
	args := []string{"update", "-", "-model", filepath.Join(t.TempDir(), "m"), "-every", "4000", "-seconds", "0"}
	if code := run(context.Background(), args, streams{in, out, io.Discard}); code != done {
		t.Fatalf("exit code %d", code)
	}
	if len(heap) < 10 || heap[len(heap)-1] > heap[3]+200000 {
		t.Errorf("the heap holds %v bytes", heap)
	}
}

// writerFunc is a function as a writer.
type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

// TestReaderFails: if the input fails, update saves the learner and returns the error.
func TestReaderFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	broken := errors.New("the line is dead")
	in := io.MultiReader(strings.NewReader(flats(300, 1)), iotest.ErrReader(broken))
	var stderr bytes.Buffer
	code := run(context.Background(), []string{"update", "-", "-model", path, "-first", "64"}, streams{in, io.Discard, &stderr})
	if code != failed || !strings.Contains(stderr.String(), broken.Error()) || rowsIn(t, path) < 288 {
		t.Errorf("exit code %d, %d rows: %s", code, rowsIn(t, path), stderr.String())
	}
}
