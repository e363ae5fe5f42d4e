package export

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/tree"
)

// Document is a model in JSON: the function
//
//	f(x) = Intercept + Σ_t Σ_j k_t(x, p_tj)·w_tj + Σ_u Σ_b <φ_ub(x), A_ub>
//
// of Inputs numbers with Outputs values, and the map to predictions; see formula.Formula.
type Document struct {
	Format     string      `json:"format"`  // "rkhs model"
	Version    int         `json:"version"` // of the format: 1
	Inputs     int         `json:"inputs"`
	Outputs    int         `json:"outputs"`
	Intercept  []float64   `json:"intercept"`
	Expansions []Expansion `json:"expansions,omitempty"`
	Features   []Features  `json:"features,omitempty"`
	Output     string      `json:"output"` // a formula.Output
	// Labels and Rule, a formula.Rule, belong to a classifier.
	Labels        []int          `json:"labels,omitempty"`
	Rule          string         `json:"rule,omitempty"`
	Probabilities *Probabilities `json:"probabilities,omitempty"`
	Recipe        *Recipe        `json:"recipe,omitempty"`
}

// Probabilities is a formula.Probabilities.
type Probabilities struct {
	Kind   string    `json:"kind"` // a formula.Kind
	Sums   bool      `json:"sums,omitempty"`
	Slopes []float64 `json:"slopes,omitempty"`
	Shifts []float64 `json:"shifts,omitempty"`
	Curves []Curve   `json:"curves,omitempty"`
}

// Curve is a formula.Curve.
type Curve struct {
	At     []float64 `json:"at"`
	Values []float64 `json:"values"`
}

func probabilitiesOf(p *formula.Probabilities) *Probabilities {
	if p == nil {
		return nil
	}
	d := &Probabilities{Kind: p.Kind.String(), Sums: p.Sums, Slopes: p.Slopes, Shifts: p.Shifts}
	for _, c := range p.Curves {
		d.Curves = append(d.Curves, Curve(c))
	}
	return d
}

// Expansion is the function Σ_j k(x, p_j)·w_j.
type Expansion struct {
	Kernel  Kernel `json:"kernel"`
	Points  Rows   `json:"points"`  // m×inputs
	Weights Rows   `json:"weights"` // m×outputs
}

// Kernel is a kernel of package kernel with the name of its type. Parameters are its fields with a
// lower-case first letter: numbers, lists of numbers, or Rows. Of are the kernels it is built from.
type Kernel struct {
	Family     string         `json:"family"`
	Parameters map[string]any `json:"parameters,omitempty"`
	Of         []Kernel       `json:"of,omitempty"`
}

// Features is the function Σ_b <φ_b(x), A_b> of random features. features.New draws them again from
// Kernel, Seed, Columns and Sampler, which evaluation does not need. Kernel is absent if it is
// user-defined.
type Features struct {
	Kernel  *Kernel `json:"kernel,omitempty"`
	Seed    uint64  `json:"seed,string"`
	Columns int     `json:"columns"`
	Sampler string  `json:"sampler"`
	Blocks  []Block `json:"blocks"`
}

// Block is <φ(x), A>. φ(x) concatenates the columns of the parts; A has a row for each column.
type Block struct {
	Parts        []Part `json:"parts"`
	Coefficients Rows   `json:"coefficients"` // columns×outputs
}

// Part is Scale·[cos(W·x) ; sin(W·x)] for Function "fourier", all cosines first, or Scale·W·x for
// "linear".
type Part struct {
	Function    string  `json:"function"`
	Scale       float64 `json:"scale"`
	Frequencies Rows    `json:"frequencies"` // W, m×inputs
	// Levels, if present, are the levels of a kernel.OneHot that encodes x first: null for a
	// coordinate without levels.
	Levels [][]float64 `json:"levels,omitempty"`
	// From and To, if present, are the knots of a kernel.Warped that maps x first.
	From [][]float64 `json:"from,omitempty"`
	To   [][]float64 `json:"to,omitempty"`
}

// Recipe converts a row of a table to the inputs of the model, and labels to texts. The inputs
// concatenate the columns of the steps.
type Recipe struct {
	Target  string   `json:"target"`
	Classes []string `json:"classes,omitempty"` // by label
	Steps   []Step   `json:"steps"`
}

// Step is a recipe.Step.
type Step struct {
	Column string   `json:"column"`
	Kind   string   `json:"kind"` // a dataset.Kind
	Use    string   `json:"use"`  // a recipe.Use
	Width  int      `json:"width"`
	Flag   bool     `json:"flag,omitempty"`
	Median *float64 `json:"median,omitempty"` // of numbers and times
	Spread *float64 `json:"spread,omitempty"`
	Scaled bool     `json:"scaled,omitempty"`
	Levels []string `json:"levels,omitempty"`
	Bits   int      `json:"bits,omitempty"`
	Clock  bool     `json:"clock,omitempty"`
	// Missing lists the texts of missing cells. Words match in upper and lower case.
	Missing []string `json:"missing"`
	Unit    string   `json:"unit,omitempty"` // of the numbers
}

func kernelOf(n tree.Node) Kernel {
	k := Kernel{Family: n.Family}
	put := func(name string, v any) {
		if k.Parameters == nil {
			k.Parameters = map[string]any{}
		}
		k.Parameters[string(name[0]|0x20)+name[1:]] = v
	}
	for name, v := range n.Numbers {
		put(name, v)
	}
	for name, v := range n.Lists {
		put(name, v)
	}
	for name, v := range n.Matrices {
		put(name, Rows{v})
	}
	for _, of := range n.Of {
		k.Of = append(k.Of, kernelOf(of))
	}
	return k
}

func partOf(p features.Part) Part {
	function := "fourier"
	if p.Linear {
		function = "linear"
	}
	return Part{Function: function, Scale: p.Scale, Frequencies: Rows{p.W}, Levels: p.Levels, From: p.From, To: p.To}
}

// Rows is a matrix. In JSON it is a list of rows, each a list of numbers. An *rkhs.Sparse is an
// object with the number of columns "width", and for each row a list of "columns", counted from 0,
// and a list of their "values".
type Rows struct{ mat.Matrix }
