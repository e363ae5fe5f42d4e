package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

func (v *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /predict", v.answer(v.predict))
	mux.HandleFunc("POST /update", v.answer(v.update))
	mux.HandleFunc("GET /health", v.answer(v.health))
	return mux
}

// requestError is an error in a request, with its status.
type requestError struct {
	status int
	error
}

func (r requestError) Unwrap() error { return r.error }

func badRequest(format string, args ...any) error {
	return requestError{http.StatusBadRequest, fmt.Errorf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return requestError{http.StatusRequestEntityTooLarge, fmt.Errorf(format, args...)}
}

// answer writes the result of a function as JSON.
func (v *server) answer(f func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, v.maxBytes)
		result, err := f(r)
		status := http.StatusOK
		if err != nil {
			status = statusOf(err)
			result = map[string]string{"error": err.Error()}
		}
		text, err := json.Marshal(result)
		if err != nil { // a prediction is not finite
			status, text = http.StatusInternalServerError, []byte(`{"error":"the answer has no JSON form"}`)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		w.Write(append(text, '\n')) // fails if the client has left
	}
}

// statusOf returns the status of an error. Errors in the data are errors of the request.
func statusOf(err error) int {
	var request requestError
	if errors.As(err, &request) {
		return request.status
	}
	for _, data := range []error{rkhs.ErrShape, rkhs.ErrFormat, rkhs.ErrNotFinite, rkhs.ErrLabels, rkhs.ErrOption,
		rkhs.ErrDomain, rkhs.ErrEmpty, rkhs.ErrDiverged} {
		if errors.Is(err, data) {
			return http.StatusBadRequest
		}
	}
	return http.StatusInternalServerError
}

// request is the body of /predict and /update.
type request struct {
	Rows     []any   `json:"rows"`     // objects or lists
	Coverage float64 `json:"coverage"` // of intervals, 0 for no intervals
}

func (v *server) read(r *http.Request) (q request, err error) {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	d.UseNumber()
	if err = d.Decode(&q); err == nil {
		if _, e := d.Token(); e != io.EOF {
			err = fmt.Errorf("text after the end of the object")
		}
	}
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return q, tooLarge("the request has more than %d bytes", v.maxBytes)
	case err != nil:
		return q, badRequest(`want {"rows": [...]}: %w`, err)
	case len(q.Rows) == 0:
		return q, badRequest(`no rows: want {"rows": [...]}`)
	case len(q.Rows) > v.maxRows:
		return q, tooLarge("%d rows, want at most %d", len(q.Rows), v.maxRows)
	}
	return q, nil
}

// predicted is the answer of /predict.
type predicted struct {
	Predictions   []any                `json:"predictions"`
	Lower         []float64            `json:"lower,omitempty"`
	Upper         []float64            `json:"upper,omitempty"`
	Probabilities []map[string]float64 `json:"probabilities,omitempty"`
	Notes         []recipe.Count       `json:"notes,omitempty"`
	Averaged      *recipe.Averaged     `json:"averaged,omitempty"`
}

func (v *server) predict(r *http.Request) (any, error) {
	q, err := v.read(r)
	if err != nil {
		return nil, err
	}
	m := v.model.Load()
	var rows data
	if m.recipe != nil {
		rows.table, err = tableOf(q.Rows, m.recipe.Recipe())
	} else {
		rows.x, err = matrixOf(q.Rows, m.inputs())
	}
	if err != nil {
		return nil, err
	}
	p, err := m.predict(rows, q.Coverage)
	if err != nil {
		return nil, err
	}
	a := predicted{Notes: p.Counts, Averaged: p.Averaged, Lower: p.Lower, Upper: p.Upper}
	for i := range p.Values {
		a.Predictions = append(a.Predictions, valueOf(p, i))
		if p.Proba != nil {
			a.Probabilities = append(a.Probabilities, probabilitiesOf(p, i))
		}
	}
	return a, nil
}

func (v *server) update(r *http.Request) (any, error) {
	q, err := v.read(r)
	if err != nil {
		return nil, err
	}
	if v.learner == nil {
		err := fmt.Errorf("%s is a model, which cannot be updated: create a learner with rkhs update", v.path)
		return nil, requestError{http.StatusConflict, err}
	}
	t, err := tableOf(q.Rows, v.learner.Recipe())
	if err != nil {
		return nil, err
	}
	v.lock.Lock()
	defer v.lock.Unlock()
	rows, err := v.learner.Update(t)
	if err != nil {
		return nil, err
	}
	v.unsaved = true
	select {
	case v.changed <- struct{}{}:
	default:
	}
	return map[string]any{"rows": v.learner.Rows(), "skipped": rows.Dropped, "notes": rows.Counts}, nil
}

func (v *server) health(*http.Request) (any, error) {
	h := map[string]any{"status": "ok", "model": v.path, "columns": v.model.Load().inputs()}
	if v.learner != nil {
		v.lock.Lock()
		defer v.lock.Unlock()
		h["rows"] = v.learner.Rows()
	}
	return h, nil
}

// tableOf returns objects as rows of a table. A name that an object lacks is missing, like null.
// Texts are read like the training rows.
func tableOf(rows []any, r *recipe.Recipe) (*dataset.Table, error) {
	seen := map[string]bool{}
	for i, row := range rows {
		object, ok := row.(map[string]any)
		if !ok {
			return nil, badRequest(`row %d is not an object of names and values such as {"area": 50}`, i+1)
		}
		for name := range object {
			seen[name] = true
		}
	}
	var columns []*dataset.Column
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		c, err := columnOf(rows, name, r.Reading())
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return dataset.TableOf(columns...)
}

// columnOf returns the values of objects as a column of numbers or, if some value is not a number,
// of texts.
func columnOf(rows []any, name string, reading dataset.TableOptions) (*dataset.Column, error) {
	values, missing, cells := make([]float64, len(rows)), make([]bool, len(rows)), make([][]string, len(rows))
	numbers := true
	for i, row := range rows {
		text := ""
		switch v := row.(map[string]any)[name].(type) {
		case nil:
			missing[i] = true
		case json.Number:
			var err error
			values[i], err = v.Float64()
			numbers = numbers && err == nil
			text = v.String()
		case string, bool:
			numbers, text = false, fmt.Sprint(v)
		default:
			return nil, badRequest("row %d, %q: want a number, a text or null", i+1, name)
		}
		cells[i] = []string{text}
	}
	if numbers {
		return dataset.NumberColumn(name, values, missing), nil
	}
	t, err := dataset.NewTable([]string{name}, cells, reading)
	if err != nil {
		return nil, err
	}
	return t.Column(name), nil
}

// matrixOf returns lists of numbers as rows.
func matrixOf(rows []any, columns int) (*mat.Dense, error) {
	x := mat.NewDense(len(rows), columns, nil)
	for i, row := range rows {
		list, _ := row.([]any)
		if len(list) != columns {
			return nil, badRequest("row %d is not a list of %s", i+1, summary.Count(columns, "number"))
		}
		for j, v := range list {
			number, _ := v.(json.Number)
			value, err := number.Float64()
			if err != nil {
				return nil, badRequest("row %d is not a list of %s", i+1, summary.Count(columns, "number"))
			}
			x.Set(i, j, value)
		}
	}
	return x, nil
}
