package onnx

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/tree"
)

// kernel returns k(x, p_j), rows×m, in a space.
func (g *graph) kernel(n tree.Node, at *space) string {
	switch n.Family {
	case "Sum":
		return g.combined("Add", n, at)
	case "Product":
		return g.combined("Mul", n, at)
	case "Scale":
		return g.times(g.kernel(n.Of[0], at), n.Numbers["By"])
	case "ARD":
		return g.kernel(n.Of[0], at.divided(n.Lists["Scales"]))
	case "Projected":
		return g.kernel(n.Of[0], at.projected(n.Matrices["L"]))
	case "OneHot":
		return g.kernel(n.Of[0], at.encoded(n.ListsOf("Levels")))
	case "Warped":
		return g.kernel(n.Of[0], at.warped(n.ListsOf("From"), n.ListsOf("To")))
	case "LowRank":
		return g.lowRank(n, at)
	}
	if of, ok := logarithms[n.Family]; ok {
		return g.op("Exp", of(g, n, at))
	}
	if of, ok := operators[n.Family]; ok {
		return of(g, n, at)
	}
	g.fail("the kernel %s has no operators: %w", n.Family, rkhs.ErrOption)
	return inputName
}

// combined returns the sum or the product of the kernels of n.
func (g *graph) combined(kind string, n tree.Node, at *space) string {
	all := ""
	for _, of := range n.Of {
		if v := g.kernel(of, at); all == "" {
			all = v
		} else {
			all = g.op(kind, all, v)
		}
	}
	return all
}

// lowRank is Σ_m w_m·k(x, z_m)·k(p_j, z_m)/k(z_m, z_m). Runtimes fold the constant parts.
func (g *graph) lowRank(n tree.Node, at *space) string {
	z, w := n.Matrices["Points"].RawMatrix(), n.Lists["Weights"]
	base := func(x string) string { return g.kernel(n.Of[0], newSpace(g, x, z)) }
	diagonal := make([]int, z.Rows)
	for m := range diagonal {
		diagonal[m] = m * (z.Rows + 1)
	}
	own := g.op("Gather", g.op("Reshape", base(g.matrix(z)), g.ints(z.Rows*z.Rows)), g.ints(diagonal...))
	x := g.op("Mul", base(at.rows(false)), g.op("Div", g.numbers(w, len(w)), own))
	return g.op("MatMul", x, g.transpose(base(g.matrix(at.raw)), 1, 0))
}

// formulas build the operators of kernels by family.
type formulas map[string]func(g *graph, n tree.Node, at *space) string

// logarithms returns the exponent of exponential kernels.
var logarithms = formulas{"Gaussian": logGaussian, "RationalQuadratic": logRationalQuadratic, "Laplacian": logLaplacian, "Cauchy": logCauchy}

// operators returns the other kernels.
var operators = formulas{"Matern": matern, "Linear": linear, "Polynomial": polynomial, "DotProduct": polynomial, "Hellinger": hellinger}

// lessOne returns k − 1 for kernels with k(x, x) = 1.
var lessOne = formulas{"Gaussian": logLess(logGaussian), "RationalQuadratic": logLess(logRationalQuadratic), "Laplacian": logLess(logLaplacian),
	"Cauchy": logLess(logCauchy), "Matern": maternLess}

func logLess(of func(g *graph, n tree.Node, at *space) string) func(g *graph, n tree.Node, at *space) string {
	return func(g *graph, n tree.Node, at *space) string { return g.expm1(of(g, n, at)) }
}

// squared returns squared distances for a kernel with a length scale; see the package page.
func (g *graph) squared(at *space, length float64) string { return at.squared(g.exact(at, length)) }

// exact reports whether inner products are too inaccurate for distances.
func (g *graph) exact(at *space, length float64) bool { return g.real == elemFloat || at.far(length) }

func logGaussian(g *graph, n tree.Node, at *space) string {
	sigma := n.Numbers["Sigma"]
	return g.times(g.squared(at, sigma), -1/(2*sigma*sigma))
}

func logRationalQuadratic(g *graph, n tree.Node, at *space) string {
	alpha, length := n.Numbers["Alpha"], n.Numbers["Length"]
	return g.times(g.log1p(g.times(g.squared(at, length), 1/length/length/(2*alpha))), -alpha)
}

func logLaplacian(g *graph, n tree.Node, at *space) string {
	distance := at.differences("absolute", func(d string) string { return g.op("Abs", d) })
	return g.times(distance, -1/n.Numbers["Sigma"])
}

// logCauchy is a sum of logarithms.
func logCauchy(g *graph, n tree.Node, at *space) string {
	sigma := n.Numbers["Sigma"]
	return g.op("Neg", at.differences(fmt.Sprint("Cauchy ", sigma), func(d string) string {
		u := g.times(d, 1/sigma)
		return g.log1p(g.op("Mul", u, u))
	}))
}

// log1p returns an accurate log(1 + u), u ≥ 0: log(w)·u/(w − 1) for w = 1 + u (Goldberg, "What every computer scientist should know about
// floating-point arithmetic", 1991, theorem 4).
func (g *graph) log1p(u string) string {
	w := g.op("Add", u, g.scalar(1))
	less := g.op("Sub", w, g.scalar(1))
	none := g.op("Equal", less, g.scalar(0))
	safe := g.op("Where", none, g.scalar(1), less)
	return g.op("Where", none, u, g.op("Div", g.op("Mul", g.op("Log", w), u), safe))
}

// expm1 returns an accurate exp(t) − 1 as tanh(t/2)·(exp(t) + 1).
func (g *graph) expm1(t string) string {
	return g.op("Mul", g.op("Tanh", g.times(t, 0.5)), g.plus(g.op("Exp", t), 1))
}

// matern is exp(−t)·p!/(2p)!·Σ_i (p+i)!/(i!(p−i)!)·(2t)^(p−i) for Nu = p + 1/2 (Rasmussen and
// Williams, 2006, eq. 4.16).
func matern(g *graph, n tree.Node, at *space) string {
	t, a := g.maternArgument(n, at)
	return g.op("Mul", g.op("Exp", g.op("Neg", t)), g.horner(t, a))
}

// maternLess is (exp(−t) − 1)·s + (s − 1) for the sum s.
func maternLess(g *graph, n tree.Node, at *space) string {
	t, a := g.maternArgument(n, at)
	less := g.op("Mul", g.expm1(g.op("Neg", t)), g.horner(t, a))
	if len(a) == 1 {
		return less
	}
	a[0] = 0
	return g.op("Add", less, g.horner(t, a))
}

// maxMatern is the largest p of Nu = p + 1/2.
const maxMatern = 10

// maternArgument returns t and the coefficients of its powers.
func (g *graph) maternArgument(n tree.Node, at *space) (t string, a []float64) {
	nu := n.Numbers["Nu"]
	p := int(min(nu, maxMatern+1))
	if nu != float64(p)+0.5 || p > maxMatern {
		g.fail("the kernel Matern with Nu = %v has no operators, which there are for 1/2, 3/2, … %d/2: %w", nu, 2*maxMatern+1, rkhs.ErrOption)
		return inputName, []float64{1}
	}
	squares := at.squared(p == 0 || g.exact(at, n.Numbers["Length"]))
	a = make([]float64, p+1)
	a[0] = 1
	for k := 1; k <= p; k++ { // the ratio of neighbours
		a[k] = a[k-1] * 2 * float64(p-k+1) / float64(k*(2*p-k+1))
	}
	return g.times(g.op("Sqrt", squares), math.Sqrt(2*nu)/n.Numbers["Length"]), a
}

// horner returns Σ_n a_n·sⁿ.
func (g *graph) horner(s string, a []float64) string {
	last := len(a) - 1
	if last == 0 {
		return g.plus(g.op("Mul", s, g.scalar(0)), a[0])
	}
	v := g.plus(g.times(s, a[last]), a[last-1])
	for n := last - 2; n >= 0; n-- {
		v = g.plus(g.op("Mul", v, s), a[n])
	}
	return v
}

func linear(_ *graph, _ tree.Node, at *space) string { return at.inner() }

func hellinger(_ *graph, _ tree.Node, at *space) string { return at.roots().inner() }

// polynomial returns a power by repeated squaring, or a DotProduct by the Horner scheme.
func polynomial(g *graph, n tree.Node, at *space) string {
	if n.Family == "DotProduct" {
		return g.horner(at.inner(), n.Lists["Coefficients"])
	}
	s := g.plus(g.times(at.inner(), n.Numbers["Scale"]), n.Numbers["Offset"])
	power := ""
	for degree := int(n.Numbers["Degree"]); degree > 0; degree >>= 1 {
		if degree&1 == 1 && power == "" {
			power = s
		} else if degree&1 == 1 {
			power = g.op("Mul", power, s)
		}
		if degree > 1 {
			s = g.op("Mul", s, s)
		}
	}
	return power
}
