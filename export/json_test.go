package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/export"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/fitted"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

// document is the JSON as described in docs/files.md.
type document struct {
	Inputs, Outputs int
	Intercept       []float64
	Expansions      []struct {
		Kernel          node
		Points, Weights [][]float64
	}
	Features []struct {
		Blocks []struct {
			Parts []struct {
				Function    string
				Scale       float64
				Frequencies [][]float64
				Levels      [][]float64
				From, To    [][]float64
			}
			Coefficients [][]float64
		}
	}
	Output, Rule string
	Labels       []float64

	Probabilities *struct {
		Kind           string
		Sums           bool
		Slopes, Shifts []float64
		Curves         []struct{ At, Values []float64 }
	}
}

type node struct {
	Family     string
	Parameters map[string]json.RawMessage
	Of         []node
}

func (n node) number(name string) float64 { return get[float64](n, name) }
func (n node) list(name string) []float64 { return get[[]float64](n, name) }
func (n node) lists(name string) (lists [][]float64) {
	all := n.list(name)
	for _, count := range n.list("counts") {
		lists, all = append(lists, all[:int(count)]), all[int(count):]
	}
	return lists
}
func (n node) rows(name string) [][]float64 { return get[[][]float64](n, name) }
func get[T any](n node, name string) (v T) {
	if err := json.Unmarshal(n.Parameters[name], &v); err != nil {
		panic(n.Family + "." + name + ": " + err.Error())
	}
	return v
}

func inner(x, z []float64) (s float64) {
	for i := range x {
		s += x[i] * z[i]
	}
	return s
}

func product(w [][]float64, x []float64) (y []float64) {
	for _, row := range w {
		y = append(y, inner(row, x))
	}
	return y
}

// eval is the kernel by the formulas of docs/files.md.
func (n node) eval(x, z []float64) float64 {
	squared, absolute := 0.0, 0.0
	for i := range x {
		squared += (x[i] - z[i]) * (x[i] - z[i])
		absolute += math.Abs(x[i] - z[i])
	}
	switch n.Family {
	case "Gaussian":
		return math.Exp(-squared / (2 * n.number("sigma") * n.number("sigma")))
	case "Laplacian":
		return math.Exp(-absolute / n.number("sigma"))
	case "Cauchy":
		p := 1.0
		for i := range x {
			p /= 1 + math.Pow((x[i]-z[i])/n.number("sigma"), 2)
		}
		return p
	case "RationalQuadratic":
		a := n.number("alpha")
		return math.Pow(1+squared/(2*a*math.Pow(n.number("length"), 2)), -a)
	case "Matern":
		r := math.Sqrt(2*n.number("nu")*squared) / n.number("length")
		switch n.number("nu") {
		case 0.5:
			return math.Exp(-r)
		case 1.5:
			return (1 + r) * math.Exp(-r)
		case 2.5:
			return (1 + r + r*r/3) * math.Exp(-r)
		case 3.5:
			return (1 + r + 2*r*r/5 + r*r*r/15) * math.Exp(-r)
		}
	case "Linear":
		return inner(x, z)
	case "Polynomial":
		return math.Pow(n.number("scale")*inner(x, z)+n.number("offset"), n.number("degree"))
	case "DotProduct":
		s := 0.0
		for p, c := range n.list("coefficients") {
			s += c * math.Pow(inner(x, z), float64(p))
		}
		return s
	case "Hellinger":
		s := 0.0
		for i := range x {
			s += math.Sqrt(x[i] * z[i])
		}
		return s
	case "Sum":
		s := 0.0
		for _, of := range n.Of {
			s += of.eval(x, z)
		}
		return s
	case "Product":
		p := 1.0
		for _, of := range n.Of {
			p *= of.eval(x, z)
		}
		return p
	case "Scale":
		return n.number("by") * n.Of[0].eval(x, z)
	case "ARD":
		u, v := slices.Clone(x), slices.Clone(z)
		for i, s := range n.list("scales") {
			u[i] /= s
			v[i] /= s
		}
		return n.Of[0].eval(u, v)
	case "Projected":
		l := n.rows("l")
		return n.Of[0].eval(product(l, x), product(l, z))
	case "OneHot":
		levels := n.lists("levels")
		return n.Of[0].eval(encoded(levels, x), encoded(levels, z))
	case "Warped":
		from, to := n.lists("from"), n.lists("to")
		return n.Of[0].eval(warped(from, to, x), warped(from, to, z))
	case "LowRank":
		s := 0.0
		for m, p := range n.rows("points") {
			s += n.list("weights")[m] * n.Of[0].eval(x, p) * n.Of[0].eval(z, p) / n.Of[0].eval(p, p)
		}
		return s
	}
	panic("family " + n.Family)
}

// encoded returns the image of x by indicators of levels, x itself for nil.
func encoded(levels [][]float64, x []float64) (e []float64) {
	if levels == nil {
		return x
	}
	for c, list := range levels {
		if len(list) == 0 {
			e = append(e, x[c])
		}
		for _, l := range list {
			if x[c] == l {
				e = append(e, 1)
			} else {
				e = append(e, 0)
			}
		}
	}
	return e
}

// warped returns the image of x by piecewise linear functions, x itself for nil.
func warped(from, to [][]float64, x []float64) []float64 {
	u := slices.Clone(x)
	for c, knots := range from {
		if len(knots) == 0 {
			continue
		}
		u[c] = to[c][0]
		for i := 1; i < len(knots); i++ {
			share := (x[c] - knots[i-1]) / (knots[i] - knots[i-1])
			u[c] += min(max(share, 0), 1) * (to[c][i] - to[c][i-1])
		}
	}
	return u
}

// scores returns f(x).
func (d document) scores(x []float64) []float64 {
	f := slices.Clone(d.Intercept)
	for _, e := range d.Expansions {
		for j, p := range e.Points {
			k := e.Kernel.eval(x, p)
			for o, w := range e.Weights[j] {
				f[o] += k * w
			}
		}
	}
	for _, u := range d.Features {
		for _, b := range u.Blocks {
			var phi []float64
			for _, p := range b.Parts {
				angles := product(p.Frequencies, warped(p.From, p.To, encoded(p.Levels, x)))
				switch p.Function {
				case "fourier":
					for _, a := range angles {
						phi = append(phi, p.Scale*math.Cos(a))
					}
					for _, a := range angles {
						phi = append(phi, p.Scale*math.Sin(a))
					}
				case "linear":
					for _, a := range angles {
						phi = append(phi, p.Scale*a)
					}
				}
			}
			for c, v := range phi {
				for o, w := range b.Coefficients[c] {
					f[o] += v * w
				}
			}
		}
	}
	return f
}

func (d document) predict(x []float64) []float64 {
	f := d.scores(x)
	if len(d.Labels) > 0 {
		return []float64{d.Labels[d.class(f)]}
	}
	switch d.Output {
	case "ascending":
		slices.Sort(f)
	case "exponential":
		f[0] = math.Exp(min(f[0], 700))
	case "nonnegative":
		f[0] = max(f[0], 0)
	}
	return f
}

func (d document) class(f []float64) int {
	switch d.Rule {
	case "positive":
		if f[0] > 0 {
			return 1
		}
		return 0
	case "not negative":
		if f[0] >= 0 {
			return 1
		}
		return 0
	case "votes":
		votes := make([]float64, len(d.Labels))
		p := 0
		for i := range votes {
			for j := i + 1; j < len(votes); j++ {
				if f[p] > 0 {
					votes[j]++
				} else {
					votes[i]++
				}
				p++
			}
		}
		f = votes
	}
	return slices.Index(f, slices.Max(f))
}

// proba returns the probabilities of the labels. The predicted label has the largest one.
func (d document) proba(x []float64) []float64 {
	p := d.uncapped(x)
	class := d.class(d.scores(x))
	bound := (1 - 0x1p-20) * (p[class] + slices.Max(p)) / 2
	others := 0.0
	for k := range p {
		if k != class {
			p[k] = min(p[k], bound)
			others += p[k]
		}
	}
	p[class] = 1 - others
	return p
}

// uncapped returns the probabilities of the scores before the predicted label becomes most probable.
func (d document) uncapped(x []float64) []float64 {
	f, p := d.scores(x), d.Probabilities
	if p.Sums {
		f = sums(len(d.Labels), f)
	}
	for j, s := range f {
		switch p.Kind {
		case "sigmoid":
			f[j] = 1 / (1 + math.Exp(-p.Slopes[j]*s-p.Shifts[j]))
		case "softmax":
			f[j] = math.Exp(p.Slopes[j]*s + p.Shifts[j])
		case "curves":
			f[j] = linear(p.Curves[j].At, p.Curves[j].Values, s)
		}
	}
	if len(d.Labels) == 2 && len(f) == 1 {
		return []float64{1 - f[0], f[0]}
	}
	if d.Rule == "votes" && !p.Sums {
		f = coupled(len(d.Labels), f)
	}
	sum := 0.0
	for _, v := range f {
		sum += v
	}
	for k := range f {
		f[k] /= sum
	}
	return f
}

// sums returns the sum of the scores of the pairs of each class.
func sums(k int, c []float64) []float64 {
	s := make([]float64, k)
	for i := range k {
		for j := i + 1; j < k; j++ {
			s[i], s[j], c = s[i]-c[0], s[j]+c[0], c[1:]
		}
	}
	return s
}

// coupled solves the documented equations of pairs by gonum.
func coupled(k int, c []float64) []float64 {
	r, a, ones := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil), mat.NewVecDense(k, nil)
	for i := range k {
		ones.SetVec(i, 1)
		for j := i + 1; j < k; j++ {
			r.Set(j, i, c[0])
			r.Set(i, j, 1-c[0])
			c = c[1:]
		}
	}
	for i := range k {
		for j := range k {
			a.Set(i, j, 1-r.At(i, j)*r.At(j, i))
		}
		column := mat.Col(nil, i, r)
		a.Set(i, i, 1+floats.Dot(column, column))
	}
	var p mat.VecDense
	if err := p.SolveVec(a, ones); err != nil {
		panic(err)
	}
	return p.RawVector().Data
}

// linear interpolates between the points at, and is constant outside.
func linear(at, values []float64, s float64) float64 {
	for i, right := range at {
		switch {
		case s > right:
		case i == 0:
			return values[0]
		default:
			return values[i-1] + (s-at[i-1])/(right-at[i-1])*(values[i]-values[i-1])
		}
	}
	return values[len(values)-1]
}

func read(t *testing.T, m rkhs.Model) (d document) {
	t.Helper()
	var b bytes.Buffer
	if err := export.JSON(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// The documented formulas applied to the JSON give the predictions of the model.
func TestJSON(t *testing.T) {
	models, err := fitted.Models()
	if err != nil {
		t.Fatal(err)
	}
	x, calibrated, summed := fitted.Draw(40, 3, 9).X, 0, 0
	for _, m := range models {
		d := read(t, m.Model)
		inputs, outputs := m.Dims()
		if d.Inputs != inputs || d.Outputs != outputs {
			t.Errorf("%s: %d inputs, %d outputs", m.Name, d.Inputs, d.Outputs)
		}
		want, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, m.Name, d.predict, x, want)
		if c, ok := m.Model.(interface {
			Scores(mat.Matrix) (*mat.Dense, error)
		}); ok {
			scores, err := c.Scores(x)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, m.Name+": scores", d.scores, x, scores)
		}
		if c, ok := m.Model.(rkhs.Probabilistic); ok {
			want, err := c.Proba(x)
			if known := !errors.Is(err, rkhs.ErrNoCalibration); known != (d.Probabilities != nil) {
				t.Errorf("%s: probabilities %v, Proba: %v", m.Name, d.Probabilities, err)
			} else if known {
				compare(t, m.Name+": probabilities", d.proba, x, want)
				calibrated++
				if d.Probabilities.Sums {
					summed++
				}
			}
		}
	}
	if calibrated < 5 || summed == 0 {
		t.Errorf("%d classifiers have probabilities, %d of sums", calibrated, summed)
	}
}

// Changes of a Formula do not affect the model. The Formula has the parts that the accessors of the model return.
func TestFormulaIsACopy(t *testing.T) {
	models, err := fitted.Models()
	if err != nil {
		t.Fatal(err)
	}
	x := fitted.Draw(5, 3, 9).X
	for _, m := range models {
		want, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		f := m.Model.(formula.Modeler).Formula()
		f.Intercept[0] = math.NaN()
		for _, e := range f.Expansions {
			if e.ModelOrder() > 0 {
				e.Weights.Set(0, 0, math.NaN())
				e.Points.(*mat.Dense).Set(0, 0, math.NaN())
			}
			if k, ok := e.Kernel.(kernel.ARD); ok {
				k.Scales[0] = math.NaN()
			}
		}
		for _, e := range f.Features {
			if e.ModelOrder() > 0 {
				e.Coefficients[0].Set(0, 0, math.NaN())
			}
		}
		for k := range f.Labels {
			f.Labels[k] = -99
		}
		if got, err := m.Predict(x); err != nil || !mat.Equal(got, want) {
			t.Errorf("%s: predictions have changed, error %v", m.Name, err)
		}
	}
}

// compare allows differences of 1e-10 of the largest value.
func compare(t *testing.T, name string, f func(x []float64) []float64, x, want *mat.Dense) {
	t.Helper()
	size := math.Max(1, math.Max(mat.Max(want), -mat.Min(want)))
	worst, n := 0.0, 0
	for i := range want.RawMatrix().Rows {
		got := f(x.RawRowView(i))
		n = len(got)
		for o, v := range want.RawRowView(i) {
			worst = max(worst, math.Abs(got[o]-v)/size)
		}
	}
	if _, q := want.Dims(); n != q || !(worst < 1e-10) {
		t.Errorf("%s: %d values, off by %.2g", name, n, worst)
	}
}

// Sparse points remain sparse.
func TestSparseRows(t *testing.T) {
	x := &rkhs.Sparse{Rows: 4, Cols: 1000, Offsets: []int{0, 1, 1, 3, 4}, Columns: []int32{5, 0, 999, 7}, Values: []float64{1, 2, 3, -1}}
	y := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	m, err := ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := export.JSON(&b, m); err != nil {
		t.Fatal(err)
	}
	var d export.Document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	e := m.Expansion()
	if _, ok := d.Expansions[0].Points.Matrix.(*rkhs.Sparse); !ok || !mat.Equal(d.Expansions[0].Points.Matrix, e.Points) || !mat.Equal(d.Expansions[0].Weights.Matrix, e.Weights) {
		t.Errorf("points %v", d.Expansions[0].Points)
	}
}

func TestRowsRefuse(t *testing.T) {
	for _, text := range []string{`[[1,2],[3]]`, `[[]]`, `{"width":2,"columns":[[0]],"values":[]}`, `{"width":2,"columns":[[0,1]],"values":[[1]]}`,
		`{"width":2,"columns":[[2]],"values":[[1]]}`, `{"width":-1,"columns":[[1,0]],"values":[[1,2]]}`, `"a"`} {
		if err := json.Unmarshal([]byte(text), new(export.Rows)); !errors.Is(err, rkhs.ErrFormat) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

type own struct{}

func (own) Eval(x, z []float64) float64 { return 1 + x[0]*z[0] }

type bare struct{ rkhs.Model }

func TestJSONRefuses(t *testing.T) {
	ctx, s := context.Background(), fitted.Draw(20, 3, 1)
	mine, err := ridge.Fit(ctx, s.X, s.Y, &ridge.Options{Kernel: own{}, Ridge: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	arc, err := doublysgd.Fit(ctx, s.X, s.Y, &doublysgd.Options{Kernel: kernel.ArcCosine{Order: 1}, Features: 64, Paper: doublysgd.Paper{Columns: 64}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		w    io.Writer
		m    rkhs.Model
		want error
	}{
		"nil":             {io.Discard, nil, rkhs.ErrUnfitted},
		"a nil model":     {io.Discard, (*ridge.Model)(nil), rkhs.ErrUnfitted},
		"not fitted":      {io.Discard, new(doublysgd.Classifier), rkhs.ErrUnfitted},
		"another's model": {io.Discard, bare{mine}, rkhs.ErrOption},
		"another kernel":  {io.Discard, mine, rkhs.ErrOption},
		"other features":  {io.Discard, arc, rkhs.ErrOption},
		"no writer":       {nil, arc, rkhs.ErrOption},
	} {
		if err := export.JSON(c.w, c.m); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if err := export.RecipeJSON(io.Discard, nil); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("no recipe: error %v", err)
	}
}
