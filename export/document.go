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
// of Inputs numbers and Outputs numbers, and what predictions are of it. See formula.Formula.
type Document struct {
	Format     string      `json:"format"`  // "rkhs model"
	Version    int         `json:"version"` // of the format: 1
	Inputs     int         `json:"inputs"`
	Outputs    int         `json:"outputs"`
	Intercept  []float64   `json:"intercept"`
	Expansions []Expansion `json:"expansions,omitempty"`
	Features   []Features  `json:"features,omitempty"`
	Output     string      `json:"output"` // of a formula.Output
	// Labels, one a class, and Rule, of a formula.Rule, are those of a classifier.
	Labels []int  `json:"labels,omitempty"`
	Rule   string `json:"rule,omitempty"`
	// Probabilities are those of a classifier that was calibrated, or whose loss has them.
	Probabilities *Probabilities `json:"probabilities,omitempty"`
	Recipe        *Recipe        `json:"recipe,omitempty"`
}

// Probabilities are a formula.Probabilities.
type Probabilities struct {
	Kind   string    `json:"kind"` // of a formula.Kind
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

// Expansion is the function Σ_j k(x, p_j)·w_j of a kernel.
type Expansion struct {
	Kernel  Kernel `json:"kernel"`
	Points  Rows   `json:"points"`  // m×inputs
	Weights Rows   `json:"weights"` // m×outputs
}

// Kernel is a tree.Node. Parameters have the names of its fields with a small first
// letter; each is a number, a list of numbers, or Rows of them.
type Kernel struct {
	Family     string         `json:"family"`
	Parameters map[string]any `json:"parameters,omitempty"`
	Of         []Kernel       `json:"of,omitempty"`
}

// Features is the function Σ_b <φ_b(x), A_b> of random features. Kernel, Seed, Columns and
// Sampler are what features.New draws them from again, and need not be known to compute
// them. Kernel is left out where it is no kernel of package kernel.
type Features struct {
	Kernel  *Kernel `json:"kernel,omitempty"`
	Seed    uint64  `json:"seed,string"`
	Columns int     `json:"columns"`
	Sampler string  `json:"sampler"`
	Blocks  []Block `json:"blocks"`
}

// Block is <φ(x), A>: φ(x) are the columns of the parts, one part after the other, and A the
// coefficients, a row for each column.
type Block struct {
	Parts        []Part `json:"parts"`
	Coefficients Rows   `json:"coefficients"` // columns×outputs
}

// Part is Scale·[cos(W·x) ; sin(W·x)] for Function "fourier", all cosines first, or
// Scale·W·x for "linear".
type Part struct {
	Function    string  `json:"function"`
	Scale       float64 `json:"scale"`
	Frequencies Rows    `json:"frequencies"` // W, m×inputs
	// Levels, if there are any, are those of a kernel.OneHot, whose image of x takes the place
	// of x: null for a coordinate without.
	Levels [][]float64 `json:"levels,omitempty"`
}

// Recipe is what turns a row of a table into the inputs of the model, and its labels into
// texts. The columns of the steps stand side by side in their order.
type Recipe struct {
	Target  string   `json:"target"`
	Classes []string `json:"classes,omitempty"` // the text of label i is number i
	Missing []string `json:"missing"`           // texts that stand for a missing cell
	Steps   []Step   `json:"steps"`
}

// Step is a recipe.Step. Median and Spread are those of numbers and times.
type Step struct {
	Column string   `json:"column"`
	Kind   string   `json:"kind"` // of a dataset.Kind
	Use    string   `json:"use"`  // of a recipe.Use
	Width  int      `json:"width"`
	Flag   bool     `json:"flag,omitempty"`
	Median *float64 `json:"median,omitempty"`
	Spread *float64 `json:"spread,omitempty"`
	Scaled bool     `json:"scaled,omitempty"`
	Levels []string `json:"levels,omitempty"`
	Bits   int      `json:"bits,omitempty"`
	Clock  bool     `json:"clock,omitempty"`
}

func kernelOf(n tree.Node) Kernel {
	k := Kernel{Family: n.Family}
	put := func(name string, v any) {
		if k.Parameters == nil {
			k.Parameters = map[string]any{}
		}
		k.Parameters[smallFirst(name)] = v
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

func smallFirst(name string) string { return string(name[0]|0x20) + name[1:] }

func partOf(p features.Part) Part {
	function := "fourier"
	if p.Linear {
		function = "linear"
	}
	return Part{Function: function, Scale: p.Scale, Frequencies: Rows{p.W}, Levels: p.Levels}
}

// Rows is a matrix, in JSON a list of its rows, each a list of numbers. An *rkhs.Sparse is
// an object of its number of columns, "width", and for each row a list of columns, counted
// from 0, in "columns" and of their values in "values".
type Rows struct{ mat.Matrix }
