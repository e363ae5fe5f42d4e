package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"

	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
)

// serving runs a server for a model until the test ends or the test calls stop, which returns the
// error of the server.
func serving(t testing.TB, path string) (url string, stop func() error) {
	t.Helper()
	v := &server{changed: make(chan struct{}, 1), log: io.Discard, path: path, maxBytes: 10000, maxRows: 100, refresh: 100 * time.Millisecond}
	if err := v.open(); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- v.run(ctx, l, time.Hour) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { stop() })
	return "http://" + l.Addr().String(), stop
}

// post returns the status and the body of an answer.
func post(t testing.TB, url, body string) (int, string) {
	t.Helper()
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// learnerFile trains a learner on the given number of flats.
func learnerFile(t testing.TB, rows int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.learner")
	must(t, "update", write(t, "flats.csv", flats(rows, 1)), "-model", path, "-first", "100")
	return path
}

// TestServe: the server predicts like the command. Invalid requests get 4xx and have no effect.
func TestServe(t *testing.T) {
	file, path := write(t, "flats.csv", flats(300, 1)), filepath.Join(t.TempDir(), "m.rkhs")
	must(t, "train", file, "-model", path, "-quiet", "-holdout", "0")
	url, _ := serving(t, path)
	status, body := post(t, url+"/predict", `{"rows": [{"area": 50, "town": "Ely", "since": "2001-02-01"}, {"town": null, "area": 70.5}]}`)
	var a predicted
	if err := json.Unmarshal([]byte(body), &a); err != nil || status != http.StatusOK || len(a.Predictions) != 2 {
		t.Fatalf("%d: %s", status, body)
	}
	if a.Averaged == nil || a.Averaged.Rows != 1 || strings.Join(a.Averaged.Columns, ",") != "town,since" && strings.Join(a.Averaged.Columns, ",") != "since,town" {
		t.Errorf("averaged: %+v, want a row without town and since", a.Averaged)
	}
	out := must(t, "predict", "-model", path, write(t, "x.csv", "area,town,since\n50,Ely,2001-02-01\n70.5,,\n"))
	if lines := strings.Fields(out); !strings.HasPrefix(lines[1], fmt.Sprint(a.Predictions[0])+",") || !strings.HasPrefix(lines[2], fmt.Sprint(a.Predictions[1])+",") {
		t.Errorf("%v, and the command says %v", a.Predictions, lines)
	}
	_, body = post(t, url+"/predict", `{"rows": [{"area": 50, "town": "Ely", "since": "2001-02-01"}], "coverage": 0.9}`)
	if err := json.Unmarshal([]byte(body), &a); err != nil || len(a.Lower) != 1 || !strings.Contains(out, fmt.Sprintf(",%v,%v\n", a.Lower[0], a.Upper[0])) {
		t.Errorf("an interval: %s, and the command says %s", body, out)
	}
	for _, c := range []struct {
		name, to, body string
		status         int
		message        string
	}{
		{"no JSON", "/predict", `{"rows": [`, 400, "want"},
		{"a list", "/predict", `[1]`, 400, "want"},
		{"an unknown field", "/predict", `{"rows": [{"area": 1}], "more": 1}`, 400, "more"},
		{"two objects", "/predict", `{"rows": [{"area": 1}]} {}`, 400, "after the end"},
		{"no rows", "/predict", `{"rows": []}`, 400, "no rows"},
		{"a number as a row", "/predict", `{"rows": [1]}`, 400, "row 1"},
		{"a null as a row", "/predict", `{"rows": [null]}`, 400, "row 1"},
		{"a list as a cell", "/predict", `{"rows": [{"area": [1]}]}`, 400, "area"},
		{"none of the columns", "/predict", `{"rows": [{"bogus": 1}]}`, 400, "bogus"},
		{"a text as a number", "/predict", `{"rows": [{"area": "wide"}]}`, 400, "wide"},
		{"a huge number", "/predict", `{"rows": [{"area": 1e999}]}`, 400, "1e999"},
		{"many rows", "/predict", `{"rows": [` + strings.Repeat(`{},`, 100) + `{}]}`, 413, "100"},
		{"a huge body", "/predict", `{"rows": [{"town": "` + strings.Repeat("x", 20000) + `"}]}`, 413, "10000"},
		{"an update of a model", "/update", `{"rows": [{"area": 1, "price": 2}]}`, 409, "cannot be updated"},
		{"an unknown path", "/bogus", `{}`, 404, ""},
		{"the wrong method", "/health", `{}`, 405, ""},
	} {
		if status, body := post(t, url+c.to, c.body); status != c.status || !strings.Contains(body, c.message) {
			t.Errorf("%s: %d %s, want %d and %q", c.name, status, body, c.status, c.message)
		}
	}
	if status, _ := post(t, url+"/predict", `{"rows": [{"area": 1}]}`); status != http.StatusOK {
		t.Errorf("then %d", status)
	}
}

// TestServeNumbers: a model without a recipe predicts lists of numbers.
func TestServeNumbers(t *testing.T) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 100 {
		fmt.Fprintf(&b, "%d 1:%v 2:1\n", i%2*2-1, float64(i%2)+0.1*r.Float64())
	}
	path := filepath.Join(t.TempDir(), "m.rkhs")
	must(t, "train", write(t, "a.svm", b.String()), "-model", path, "-quiet", "-holdout", "0")
	url, _ := serving(t, path)
	if status, body := post(t, url+"/predict", `{"rows": [[1, 1], [0, 1]]}`); status != http.StatusOK || !strings.HasPrefix(body, `{"predictions":[1,-1]`) {
		t.Errorf("%d: %s", status, body)
	}
	for _, rows := range []string{`[1]`, `[1, 2, 3]`, `[1, null]`, `[1, "x"]`, `{"x": 1}`} {
		if status, body := post(t, url+"/predict", `{"rows": [`+rows+`]}`); status != http.StatusBadRequest || !strings.Contains(body, "2 numbers") {
			t.Errorf("%s: %d: %s", rows, status, body)
		}
	}
}

// TestServeLearner: with concurrent updates and predictions, the saved learner has every
// acknowledged row.
func TestServeLearner(t *testing.T) {
	path := learnerFile(t, 400)
	url, stop := serving(t, path)
	before := rowsIn(t, path)
	lines := strings.Split(strings.TrimSpace(flats(200, 9)), "\n")[1:]
	var all sync.WaitGroup
	for w := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := w; i < len(lines); i += 4 {
				cells := strings.Split(lines[i], ",")
				body, _ := json.Marshal(map[string]any{"rows": []any{map[string]any{"area": cells[0], "town": cells[1], "since": cells[2], "price": cells[3]}}})
				if status, text := post(t, url+"/update", string(body)); status != http.StatusOK {
					t.Errorf("update: %d %s", status, text)
				}
				if status, text := post(t, url+"/predict", string(bytes.ReplaceAll(body, []byte(`"price"`), []byte(`"other"`)))); status != http.StatusOK {
					t.Errorf("predict: %d %s", status, text)
				}
			}
		}()
	}
	all.Wait()
	if status, body := post(t, url+"/update", `{"rows": [{"area": 1, "price": "dear"}]}`); status != http.StatusBadRequest || !strings.Contains(body, "dear") {
		t.Errorf("a target that is no number: %d %s", status, body)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if got := rowsIn(t, path); got != before+len(lines) {
		t.Errorf("%d rows in the file, want %d and %d", got, before, len(lines))
	}
}

func rowsIn(t testing.TB, path string) int {
	t.Helper()
	l, err := rkhs.Load[*recipe.Learner](path)
	if err != nil {
		t.Fatal(err)
	}
	return l.Rows()
}

// TestServeFlags: invalid flags are errors.
func TestServeFlags(t *testing.T) {
	path := learnerFile(t, 400)
	for _, args := range [][]string{{"-max-rows", "0"}, {"-max-body", "0"}, {"-seconds", "0"}, {"-refresh", "-1s"}, {"more"}} {
		if code, _, stderr := call(context.Background(), "", append([]string{"serve", "-model", path}, args...)...); code != misused {
			t.Errorf("%q: exit code %d: %s", args, code, stderr)
		}
	}
	if code, _, stderr := call(context.Background(), "", "serve", "-model", path, "-addr", "localhost:bogus"); code != failed {
		t.Errorf("an address: exit code %d: %s", code, stderr)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if code, out, stderr := call(ctx, "", "serve", "-model", path, "-addr", "localhost:0"); code != done || !strings.Contains(out, "http://") || !strings.Contains(stderr, "stopped") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
}

// BenchmarkServe sends single rows over loopback from four clients, each 500 per second (bounded) or
// as fast as possible (all), while another client updates the learner a hundred times per second. It
// reports rows per second and the 99th percentile of the time of an answer.
func BenchmarkServe(b *testing.B) {
	for name, pause := range map[string]time.Duration{"bounded": 2 * time.Millisecond, "all": 0} {
		b.Run(name, func(b *testing.B) { benchmarkServe(b, pause) })
	}
}

// bumps is a table for which a model needs more than a hundred points.
func bumps(n int) string {
	r := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	b.WriteString("a,b,c,y\n")
	for range n {
		x, y, z := r.Float64(), r.Float64(), r.Float64()
		fmt.Fprintf(&b, "%.4f,%.4f,%.4f,%.4f\n", x, y, z, math.Sin(9*x)+math.Sin(9*y)*math.Cos(5*z))
	}
	return b.String()
}

func benchmarkServe(b *testing.B, pause time.Duration) {
	path := filepath.Join(b.TempDir(), "m.learner")
	must(b, "update", write(b, "bumps.csv", bumps(6000)), "-model", path) // polk waits for the first thousand
	m, err := loadModel(path)
	if err != nil {
		b.Fatal(err)
	}
	points := m.fitted.(*polk.Model).ModelOrder()
	url, stop := serving(b, path)
	defer stop()
	ended := make(chan struct{})
	var updates sync.WaitGroup
	updates.Add(1)
	go func() {
		defer updates.Done()
		for {
			select {
			case <-ended:
				return
			case <-time.After(10 * time.Millisecond):
				post(b, url+"/update", `{"rows": [{"a": 0.5, "b": 0.25, "c": 0.75, "y": 0.3}]}`)
			}
		}
	}()
	const clients = 4
	times := make([][]time.Duration, clients)
	b.ResetTimer()
	var all sync.WaitGroup
	for w := range clients {
		all.Add(1)
		go func() {
			defer all.Done()
			next := time.Now()
			for range b.N / clients {
				time.Sleep(time.Until(next))
				next = next.Add(pause)
				began := time.Now()
				if status, text := post(b, url+"/predict", `{"rows": [{"a": 0.5, "b": 0.25, "c": 0.75}]}`); status != http.StatusOK {
					b.Errorf("%d %s", status, text)
				}
				times[w] = append(times[w], time.Since(began))
			}
		}()
	}
	all.Wait()
	b.StopTimer()
	close(ended)
	updates.Wait()
	sorted := slices.Sorted(slices.Values(slices.Concat(times...)))
	if len(sorted) > 0 {
		b.ReportMetric(float64(len(sorted))/b.Elapsed().Seconds(), "rows/s")
		b.ReportMetric(float64(sorted[len(sorted)*99/100].Microseconds())/1000, "p99-ms")
	}
	b.ReportMetric(float64(points), "points")
	b.ReportMetric(0, "ns/op")
}
