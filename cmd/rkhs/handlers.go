package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/recipe"
)

func (v *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /predict", v.answer(v.predict))
	mux.HandleFunc("POST /update", v.answer(v.update))
	mux.HandleFunc("GET /health", v.answer(v.health))
	return mux
}

// refusal is a request at fault, with its status.
type refusal struct {
	status int
	error
}

func (r refusal) Unwrap() error { return r.error }

func refuse(status int, format string, args ...any) error {
	return refusal{status, fmt.Errorf(format, args...)}
}

// answer writes what do returns as JSON. Of errors, those of data are the request's fault.
func (v *server) answer(do func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, v.body)
		result, err := do(r)
		status := http.StatusOK
		if err != nil {
			status = statusOf(err)
			result = map[string]string{"error": err.Error()}
		}
		text, err := json.Marshal(result)
		if err != nil { // a prediction that JSON has no number for
			status, text = http.StatusInternalServerError, []byte(`{"error":"the answer is no JSON"}`)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		w.Write(append(text, '\n')) // an error means that nobody listens any more
	}
}

func statusOf(err error) int {
	var given refusal
	if errors.As(err, &given) {
		return given.status
	}
	for _, of := range []error{rkhs.ErrShape, rkhs.ErrFormat, rkhs.ErrNotFinite, rkhs.ErrLabels, rkhs.ErrOption, rkhs.ErrDomain, rkhs.ErrEmpty, rkhs.ErrDiverged} {
		if errors.Is(err, of) {
			return http.StatusBadRequest
		}
	}
	return http.StatusInternalServerError
}

// request is the body of /predict and /update.
type request struct {
	Rows []json.RawMessage `json:"rows"`
	// Level is that of the intervals that are asked for; 0 asks for none.
	Level float64 `json:"level"`
}

// read returns a request.
func (v *server) read(r *http.Request) (q request, err error) {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err = d.Decode(&q)
	if err == nil {
		if _, e := d.Token(); e != io.EOF {
			err = fmt.Errorf("there is more behind the end")
		}
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return q, refuse(http.StatusRequestEntityTooLarge, "the request has more than %d bytes", v.body)
	case err != nil:
		return q, refuse(http.StatusBadRequest, `want {"rows": [...]}: %w`, err)
	case len(q.Rows) == 0:
		return q, refuse(http.StatusBadRequest, `there are no rows: want {"rows": [...]}`)
	case len(q.Rows) > v.rows:
		return q, refuse(http.StatusRequestEntityTooLarge, "%d rows, want %d at most", len(q.Rows), v.rows)
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
	var p *recipe.Predictions
	if m.recipe != nil {
		var t *dataset.Table
		if t, err = tableOf(q.Rows, m.recipe.Recipe()); err == nil {
			p, err = m.recipe.PredictIntervals(t, q.Level)
		}
	} else {
		var x *mat.Dense
		if x, err = matrixOf(q.Rows, m.columns()); err == nil {
			p, err = recipe.PredictionsOf(m.of, x, q.Level)
		}
	}
	if err != nil {
		return nil, err
	}
	a := predicted{Notes: p.Counts, Averaged: p.Averaged, Lower: p.Lower, Upper: p.Upper}
	for i, value := range p.Values {
		if p.Classes != nil {
			a.Predictions = append(a.Predictions, p.Classes[i])
		} else {
			a.Predictions = append(a.Predictions, value)
		}
		if p.Proba != nil {
			proba := map[string]float64{}
			for j, name := range p.Names {
				proba[name] = p.Proba.At(i, j)
			}
			a.Probabilities = append(a.Probabilities, proba)
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
		return nil, refuse(http.StatusConflict, "%s holds a model, which learns no further: rkhs update makes a learner", v.path)
	}
	t, err := tableOf(q.Rows, v.learner.Recipe())
	if err != nil {
		return nil, err
	}
	v.lock.Lock()
	defer v.lock.Unlock()
	dropped, err := v.learner.Update(t)
	if err != nil {
		return nil, err
	}
	v.unsaved = true
	select {
	case v.changed <- struct{}{}:
	default: // it is known
	}
	return map[string]int{"rows": v.learner.Rows(), "leftOut": dropped}, nil
}

func (v *server) health(*http.Request) (any, error) {
	h := map[string]any{"status": "ok", "model": v.path, "columns": v.model.Load().columns()}
	if v.learner != nil {
		v.lock.Lock()
		defer v.lock.Unlock()
		h["rows"] = v.learner.Rows()
	}
	return h, nil
}

// tableOf returns objects as rows of a table: what one does not name is missing in it, as null
// is, and read as those were that the recipe was learned from, but for the decimal sign, which
// is that of JSON.
func tableOf(rows []json.RawMessage, r *recipe.Recipe) (*dataset.Table, error) {
	objects := make([]map[string]json.RawMessage, len(rows))
	seen := map[string]bool{}
	for i, text := range rows {
		if err := json.Unmarshal(text, &objects[i]); err != nil || objects[i] == nil {
			return nil, refuse(http.StatusBadRequest, `row %d is no object of names and values such as {"area": 50}`, i+1)
		}
		for name := range objects[i] {
			seen[name] = true
		}
	}
	names := slices.Sorted(maps.Keys(seen))
	cells := make([][]string, len(rows))
	for i, o := range objects {
		for _, name := range names {
			cell, err := cellOf(o[name])
			if err != nil {
				return nil, refuse(http.StatusBadRequest, "row %d, %q: %w", i+1, name, err)
			}
			cells[i] = append(cells[i], cell)
		}
	}
	o := r.Reading()
	o.DecimalComma = false
	return dataset.NewTable(names, cells, o)
}

// cellOf returns a value as the text of a cell.
func cellOf(value json.RawMessage) (string, error) {
	text := strings.TrimSpace(string(value))
	switch {
	case text == "" || text == "null":
		return "", nil
	case text[0] == '"':
		var s string
		err := json.Unmarshal(value, &s)
		return s, err
	case text[0] == '{' || text[0] == '[':
		return "", fmt.Errorf("want a number, a text or null")
	}
	return text, nil // a number, true or false
}

// matrixOf returns lists of numbers as rows.
func matrixOf(rows []json.RawMessage, columns int) (*mat.Dense, error) {
	x := mat.NewDense(len(rows), columns, nil)
	for i, text := range rows {
		var row []*float64 // nil for null, which would else be a zero
		if err := json.Unmarshal(text, &row); err != nil || len(row) != columns || slices.Contains(row, nil) {
			return nil, refuse(http.StatusBadRequest, "row %d is no list of %d numbers", i+1, columns)
		}
		for j, v := range row {
			x.Set(i, j, *v)
		}
	}
	return x, nil
}
