package selection_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/selection"
	"github.com/rkhs-go/rkhs/slkl"
)

// rows draws points of a square and a function of them, with noise of deviation 0.1.
func rows(n int) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(1, 0))
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := 2*r.Float64()-1, 2*r.Float64()-1
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, math.Sin(4*a)+b*b+0.1*r.NormFloat64())
	}
	return x, y
}

// The grid has two bandwidths and three ridges. The result prints as a table and holds the best
// candidate, fitted to all rows.
func ExampleSearch() {
	x, y := rows(200)
	candidates, err := selection.Grid("ridge", ridge.Fit, ridge.Options{},
		selection.Values("Sigma", func(o *ridge.Options, v float64) { o.Kernel = kernel.Gaussian{Sigma: v} }, 0.2, 1),
		selection.Values("Ridge", func(o *ridge.Options, v float64) { o.Ridge = v }, 1e-1, 1e-3, 1e-5))
	if err != nil {
		log.Fatal(err)
	}
	result, err := selection.Search(context.Background(), x, y, candidates, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result)
	model := result.Model.(*ridge.Model)
	f, err := model.Predict(mat.NewDense(1, 2, []float64{0.3, 0.5}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("f = %.1f, true value %.1f\n", f.At(0, 0), math.Sin(1.2)+0.25)
	// Output:
	// RMSE       s.e.  rung  rows  candidate
	//   *  0.14106  0.0043915     0   160  ridge Sigma=1 Ridge=1e-05
	//      0.15634    0.01105     0   160  ridge Sigma=0.2 Ridge=0.001
	//      0.22687   0.024893     0   160  ridge Sigma=0.2 Ridge=1e-05
	//      0.29488   0.013231     0   160  ridge Sigma=1 Ridge=0.001
	//      0.56304   0.017638     0   160  ridge Sigma=0.2 Ridge=0.1
	//      0.67352   0.016218     0   160  ridge Sigma=1 Ridge=0.1
	// f = 1.1, true value 1.2
}

// The score of the best of many candidates is optimistic. For an unbiased score of the whole
// procedure, score one candidate with a Fit that searches within its own rows.
func ExampleSearch_nested() {
	x, y := rows(150)
	candidates, err := selection.Random("ridge", ridge.Fit, ridge.Options{}, 20, 1,
		selection.LogUniform("Sigma", func(o *ridge.Options, v float64) { o.Kernel = kernel.Gaussian{Sigma: v} }, 0.1, 10),
		selection.LogUniform("Ridge", func(o *ridge.Options, v float64) { o.Ridge = v }, 1e-6, 1))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	within, err := selection.Search(ctx, x, y, candidates, nil)
	if err != nil {
		log.Fatal(err)
	}
	searching := selection.Candidate{Name: "search", Fit: func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error) {
		r, err := selection.Search(ctx, x, y, candidates, nil)
		if err != nil {
			return nil, err
		}
		return r.Model, nil
	}}
	around, err := selection.Search(ctx, x, y, []selection.Candidate{searching}, &selection.Options{NoRefit: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("the best of twenty: %.4f, what it reaches: %.4f\n", within.Best.Mean, around.Best.Mean)
	// Output:
	// the best of twenty: 0.1249, what it reaches: 0.1278
}

// Random draws numbers from intervals, uniformly or on a logarithmic scale, and values from
// lists.
func ExampleRandom() {
	var axes []selection.Axis[ridge.Options]
	axes = append(axes,
		selection.LogUniform("Ridge", func(o *ridge.Options, v float64) { o.Ridge = v }, 1e-6, 1e-2),
		selection.Uniform("MaxPoints", func(o *ridge.Options, v int) { o.MaxPoints = v }, 20, 100),
		selection.Values("Kernel", func(o *ridge.Options, k kernel.Kernel) { o.Kernel = k },
			[]kernel.Kernel{kernel.Gaussian{Sigma: 1}, kernel.Laplacian{Sigma: 1}}...))
	candidates, err := selection.Random("ridge", ridge.Fit, ridge.Options{}, 3, 1, axes...)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range candidates {
		fmt.Println(c)
	}
	// Output:
	// ridge Ridge=0.00777386 MaxPoints=74 Kernel=kernel.Laplacian{Sigma: 1}
	// ridge Ridge=0.000186497 MaxPoints=75 Kernel=kernel.Gaussian{Sigma: 1}
	// ridge Ridge=2.10759e-05 MaxPoints=96 Kernel=kernel.Gaussian{Sigma: 1}
}

// Candidates can be different learners: two with their defaults, and one with a user-defined Fit.
func ExampleCandidate() {
	x, y := rows(150)
	exact, err := selection.Grid("ridge", ridge.Fit, ridge.Options{})
	if err != nil {
		log.Fatal(err)
	}
	sparse, err := selection.Grid("slkl", slkl.Fit, slkl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	line := selection.Candidate{
		Name:   "a line",
		Values: []selection.Value{{Name: "Ridge", Value: 1e-6}},
		Fit: func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error) {
			return ridge.Fit(ctx, x, y, &ridge.Options{Kernel: kernel.Linear{}, Ridge: 1e-6})
		},
	}
	candidates := append(append(exact, sparse...), line)
	result, err := selection.Search(context.Background(), x, y, candidates, &selection.Options{Folds: 3, NoRefit: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range result.Trials {
		var trial selection.Trial = t
		fmt.Printf("%.1f %v\n", trial.Mean, trial.Candidate)
	}
	// Output:
	// 0.1 slkl
	// 0.1 ridge
	// 0.7 a line Ridge=1e-06
}

// Successive halving. The axis is the noise n·lam, which has the same optimum for few and for all
// rows. The program defines the options and the fit.
func ExampleOptions() {
	type options struct{ Sigma, Noise float64 }
	fit := func(ctx context.Context, x, y mat.Matrix, o *options) (*ridge.Model, error) {
		n, _ := x.Dims()
		return ridge.Fit(ctx, x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: o.Sigma}, Ridge: o.Noise / float64(n), Workers: 1})
	}
	candidates, err := selection.Grid("ridge", fit, options{},
		selection.Values("Sigma", func(o *options, v float64) { o.Sigma = v }, 0.2, 0.5, 1, 2),
		selection.Values("Noise", func(o *options, v float64) { o.Noise = v }, 1, 1e-2, 1e-4))
	if err != nil {
		log.Fatal(err)
	}
	x, y := rows(300)
	result, err := selection.Search(context.Background(), x, y, candidates, &selection.Options{Eta: 3, FirstRows: 25})
	if err != nil {
		log.Fatal(err)
	}
	count := map[int]int{}
	for _, t := range result.Trials {
		count[t.Rows]++
	}
	fmt.Println("trials by rows:", count)
	fmt.Printf("%v: %.2f\n", result.Best.Candidate, result.Best.Mean)
	// Output:
	// trials by rows: map[27:12 80:4 240:1]
	// ridge Sigma=0.5 Noise=0.01: 0.11
}

// OneStandardError selects the largest ridge with a score within one standard error of the
// best. The rows form groups of four.
func ExampleRule() {
	x, y := rows(200)
	group := make([]int, 200)
	for i := range group {
		group[i] = i / 4
	}
	candidates, err := selection.Grid("ridge", ridge.Fit, ridge.Options{Kernel: kernel.Gaussian{Sigma: 0.7}},
		selection.Values("Ridge", func(o *ridge.Options, v float64) { o.Ridge = v }, 1e-3, 3e-4, 1e-4, 7e-5, 5e-5, 3e-5, 2e-5, 1e-5))
	if err != nil {
		log.Fatal(err)
	}
	for _, rule := range []selection.Rule{selection.BestMean, selection.OneStandardError} {
		result, err := selection.Search(context.Background(), x, y, candidates, &selection.Options{
			Rule:     rule,
			Repeats:  2,
			Splitter: func(seed uint64) dataset.Splitter { return dataset.Grouped(group, seed) },
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rule, result.Best.Candidate)
	}
	// Output:
	// BestMean ridge Ridge=2e-05
	// OneStandardError ridge Ridge=7e-05
}

// The candidates predict a quantile. A user-defined score compares them.
func ExampleScore() {
	x, y := rows(100)
	candidates, err := selection.Grid("polk", polk.Fit, polk.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Loss: loss.Pinball{Tau: 0.9}})
	if err != nil {
		log.Fatal(err)
	}
	below := selection.Score{
		Name: "fraction below the quantile",
		Of: func(m rkhs.Model, x, y mat.Matrix) (float64, error) {
			p, err := m.Predict(x)
			if err != nil {
				return 0, err
			}
			n, _ := y.Dims()
			count := 0
			for i := range n {
				if y.At(i, 0) <= p.At(i, 0) {
					count++
				}
			}
			return float64(count) / float64(n), nil
		},
		Larger: true,
	}
	for _, score := range []selection.Score{selection.RMSE(), selection.MAE(), selection.R2(), selection.Pinball(0.9), below} {
		result, err := selection.Search(context.Background(), x, y, candidates, &selection.Options{Score: score, NoRefit: true})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %.2f\n", score.Name, result.Best.Mean)
	}
	// Output:
	// RMSE: 0.55
	// MAE: 0.45
	// R2: 0.47
	// pinball 0.9: 0.06
	// fraction below the quantile: 0.88
}

// Three scores compare labels: by the fraction of correct labels, by the probabilities, and by the
// order of the scores.
func ExampleAUC() {
	x, y := rows(80)
	for i := range 80 {
		y.Set(i, 0, math.Copysign(1, y.At(i, 0)))
	}
	candidates, err := selection.Grid("polk", polk.FitClassifier, polk.Options{Kernel: kernel.Gaussian{Sigma: 0.5}, Loss: loss.Logistic{}},
		selection.Values("Ridge", func(o *polk.Options, v float64) { o.Ridge = v }, 1e-1, 1e-4))
	if err != nil {
		log.Fatal(err)
	}
	for _, score := range []selection.Score{selection.Accuracy(), selection.LogLoss(), selection.AUC()} {
		result, err := selection.Search(context.Background(), x, y, candidates, &selection.Options{Score: score})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %.2f: %v\n", score.Name, result.Best.Mean, result.Best.Candidate)
	}
	// Output:
	// accuracy 0.93: polk Ridge=0.0001
	// log loss 0.12: polk Ridge=0.0001
	// AUC 0.99: polk Ridge=0.0001
}

// WriteCSV writes the table with times and the score of each split.
func ExampleResult_WriteCSV() {
	x, y := rows(60)
	candidates, err := selection.Grid("ridge", ridge.Fit, ridge.Options{Kernel: kernel.Gaussian{Sigma: 0.5}},
		selection.Values("Ridge", func(o *ridge.Options, v float64) { o.Ridge = v }, 1e-2, 1e-4))
	if err != nil {
		log.Fatal(err)
	}
	var result *selection.Result
	result, err = selection.Search(context.Background(), x, y, candidates, &selection.Options{HeldOut: 0.3, Repeats: 2})
	if err != nil {
		log.Fatal(err)
	}
	for i := range result.Trials {
		result.Trials[i].Elapsed = 0 // the same on every machine
	}
	if err := result.WriteCSV(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// number,candidate,Ridge,rung,rows,mean,standard error,seconds,split 0,split 1,not converged,selected,error
	// 1,ridge,0.0001,0,42,0.11495989666216529,0.013717883176172188,0,0.1012420134859931,0.12867777983833747,0,true,
	// 0,ridge,0.01,0,42,0.26328553434656443,0.013532685614560641,0,0.27681821996112504,0.24975284873200376,0,false,
}
