package onnx

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
)

// finish adds the outputs of the graph for scores f(x). The texts of labels may be nil.
func (g *graph) finish(f formula.Formula, scores string, texts []string) {
	out := value{elem: g.real, columns: f.Outputs()}
	if f.Rule != formula.NoRule {
		out.name, out.doc = scoresName, "the function that decides by the rule: "+f.Rule.String()
		g.rename(scores, out)
		labels := value{name: labelsName, elem: elemInt64, doc: "the label of each row"}
		if texts != nil {
			labels.elem = elemString
		}
		g.rename(g.labels(f, scores, texts), labels)
		if p := g.probabilities(f, scores); p != "" {
			g.rename(g.agreeing(f, p, scores), value{name: probabilitiesName, elem: g.real, columns: len(f.Labels), doc: "the probability of each label"})
		}
		return
	}
	if f.Output == formula.Exponential || f.Output == formula.Nonnegative {
		g.rename(scores, value{name: scoresName, elem: g.real, columns: f.Outputs(), doc: "the function that was learned"})
	}
	out.name, out.doc = predictionsName, "the prediction of each row"
	g.rename(g.predictions(f, scores), out)
}

// predictions returns the predictions of a regression.
func (g *graph) predictions(f formula.Formula, scores string) string {
	switch f.Output {
	case formula.AsIs:
		return scores
	case formula.Ascending:
		return g.topK(scores, f.Outputs(), 0)
	case formula.Exponential:
		largest := 700.0
		if g.real == elemFloat {
			largest = 88
		}
		return g.op("Exp", g.op("Min", scores, g.scalar(largest)))
	case formula.Nonnegative:
		return g.op("Max", scores, g.scalar(0))
	}
	g.fail("predictions %v have no operators: %w", f.Output, rkhs.ErrOption)
	return scores
}

// labels returns the label of each row, or its text.
func (g *graph) labels(f formula.Formula, scores string, texts []string) string {
	names := g.ints(f.Labels...)
	if texts != nil {
		of := make([]string, len(f.Labels))
		for k, label := range f.Labels {
			of[k] = texts[label]
		}
		names = g.texts(of)
	}
	return g.op("Gather", names, g.classes(f, scores))
}

// classes returns the class index of each row.
func (g *graph) classes(f formula.Formula, scores string) string {
	last := g.ints(1)
	switch f.Rule {
	case formula.Positive:
		return g.cast(g.op("Squeeze", g.op("Greater", scores, g.scalar(0)), last), elemInt64)
	case formula.NotNegative:
		return g.cast(g.op("Not", g.op("Squeeze", g.op("Less", scores, g.scalar(0)), last)), elemInt64)
	case formula.Votes:
		scores = g.votes(len(f.Labels), scores)
	case formula.Highest:
	default:
		g.fail("the rule %v has no operators: %w", f.Rule, rkhs.ErrOption)
	}
	return g.with("ArgMax", []attribute{{name: "axis", number: 1}, {name: "keepdims"}}, scores)
}

// votes returns the votes of each class: the votes without positive scores, plus one for j and minus
// one for i for each pair (i, j) with a positive score.
func (g *graph) votes(classes int, scores string) string {
	base := make([]float64, classes)
	for i := range base {
		base[i] = float64(classes - 1 - i)
	}
	positive := g.cast(g.op("Greater", scores, g.scalar(0)), g.real)
	return g.op("Add", g.op("MatMul", positive, g.matrix(signs(classes))), g.numbers(base, 1, classes))
}
