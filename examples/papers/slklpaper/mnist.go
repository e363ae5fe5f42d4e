package slklpaper

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/internal/score"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// descriptor converts rows of pixels to features.
type descriptor struct {
	name  string
	apply func(x *mat.Dense) *mat.Dense
	// width returns sigma² for landmarks.
	width func(landmarks *mat.Dense) (float64, error)
}

var descriptors = []descriptor{
	{"HOG", hogs, func(*mat.Dense) (float64, error) { return 1, nil }},
	{"pixels", func(x *mat.Dense) *mat.Dense { return x }, medianWidth},
}

func medianWidth(x *mat.Dense) (float64, error) {
	m, err := kernel.MedianDistance(x, 0)
	return m * m, err
}

func hogs(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	out := mat.NewDense(n, hogLength(), nil)
	for i := range n {
		hog(out.RawRowView(i), x.RawRowView(i))
	}
	return out
}

// digitRows is the number of rows per batch.
const digitRows = 2000

// mnist trains one regression per digit with 1000 landmarks.
func mnist(ctx context.Context, s *report.Settings) error {
	t := report.Table{
		Title: "MNIST, one digit against the rest, M = 1000: test error in % (the paper's \"around 2\" is with HOG)",
		Head:  []string{"", "error", "m0 in all", "pass, s", "solution, s"},
	}
	for _, d := range descriptors {
		r, err := d.run(ctx, s)
		if err != nil {
			return fmt.Errorf("mnist, %s: %w", d.name, err)
		}
		t.Row(d.name, fmt.Sprintf("%.2f", r.percent), fmt.Sprint(r.order),
			fmt.Sprintf("%.1f", r.pass.Seconds()), fmt.Sprintf("%.1f", r.solution.Seconds()))
	}
	return t.Print(s.W)
}

// digitResult is the result of one descriptor.
type digitResult struct {
	percent        float64
	order          int
	pass, solution time.Duration
}

// run reads the training file once to draw landmarks and once to train. It holds at most digitRows
// descriptors in memory.
func (d descriptor) run(ctx context.Context, s *report.Settings) (r digitResult, err error) {
	train := filepath.Join(s.Data, "train-images-idx3-ubyte.gz")
	a, err := d.learner(train, s.Seed)
	if err != nil {
		return r, err
	}
	start := time.Now()
	for batch, err := range dataset.Batches(train, digitRows, dataset.Options{}) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = a.Update(d.apply(batch.X), mat.NewVecDense(len(batch.Y), batch.Y))
		}
		if err != nil {
			return r, err
		}
	}
	r.pass = time.Since(start)

	start = time.Now()
	c, err := a.Model(ctx)
	if err != nil {
		return r, err
	}
	r.solution = time.Since(start)
	r.order = c.Model().ModelOrder()
	r.percent, err = d.test(c, filepath.Join(s.Data, "t10k-images-idx3-ubyte.gz"))
	return r, err
}

// learner draws landmarks in one pass over the training rows.
func (d descriptor) learner(train string, seed uint64) (*slkl.ClassLearner, error) {
	const rows, landmarks = 60000, 1000
	selected, _, err := dataset.Random(rows, seed).Split(1 - float64(landmarks)/rows)
	if err != nil {
		return nil, err
	}
	update := make(map[int]bool)
	for _, i := range selected {
		update[i] = true
	}
	var pixels []float64
	row := 0
	for batch, err := range dataset.Batches(train, digitRows, dataset.Options{}) {
		if err != nil {
			return nil, err
		}
		for i := range batch.Y {
			if update[row+i] {
				pixels = append(pixels, batch.X.RawRowView(i)...)
			}
		}
		row += len(batch.Y)
	}
	points := d.apply(mat.NewDense(landmarks, len(pixels)/landmarks, pixels))
	sigma2, err := d.width(points)
	if err != nil {
		return nil, err
	}
	return slkl.NewClassLearner([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, &slkl.Options{Kernels: []kernel.Kernel{gaussian(sigma2)}, Points: points, Penalty: nu, Paper: slkl.Paper{Ridge: lam, NoIntercept: true}})
}

func (d descriptor) test(c *slkl.Classifier, path string) (percent float64, err error) {
	set, err := dataset.Load(path, dataset.Options{})
	if err != nil {
		return 0, err
	}
	p, err := c.Predict(d.apply(set.X))
	if err != nil {
		return 0, err
	}
	return 100 * float64(score.Errors(p.RawMatrix().Data, set.Y)) / float64(len(set.Y)), nil
}
