package alignmentpaper

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/kernel"
)

// benchmark is a block of rows in table 2. The methods in published get no rank. The maps ranks and
// seconds hold the figures of the paper. The array figures holds the figure numbers of the errors
// and of the alignment on the test rows; 0 means no figure.
type benchmark struct {
	title     string
	figures   [2]int
	tasks     []task
	methods   []named
	published []named
	ranks     map[string]string
	seconds   map[string]string
}

// mnist compares the methods on eight tasks of the digits.
func mnist(ctx context.Context, s *settings) error {
	tasks, err := digitTasks(s)
	if err != nil {
		return err
	}
	return benchmark{
		title:   "MNIST",
		figures: [2]int{5, 0},
		tasks:   tasks,
		methods: one(),
		ranks:   map[string]string{"CA-1D": "1", "CR": "2", "DA": "4.5", "D1": "4.5", "D2": "5", "DU": "4"},
		seconds: map[string]string{"CA-1D": "12", "CR": "377", "DA": "31", "D1": "57", "D2": "58", "DU": "10"},
	}.run(ctx, s)
}

func digitTasks(s *settings) (list []task, err error) {
	rows, err := s.Load("train-images-idx3-ubyte.gz")
	if err != nil {
		return nil, err
	}
	for _, c := range []struct {
		name string
		a, b []float64
	}{
		{"odd/even", []float64{1, 3, 5, 7, 9}, []float64{0, 2, 4, 6, 8}},
		{"0-4/5-9", []float64{0, 1, 2, 3, 4}, []float64{5, 6, 7, 8, 9}},
		{"3/8", []float64{3}, []float64{8}}, {"4/7", []float64{4}, []float64{7}},
		{"2/3", []float64{2}, []float64{3}}, {"5/6", []float64{5}, []float64{6}},
		{"4/9", []float64{4}, []float64{9}}, {"1/7", []float64{1}, []float64{7}},
	} {
		list = append(list, gaussianTask(c.name, rows, against(c.a, c.b), sizes{500, 1000, 2000}, equidistant(500, 50000, 20)))
	}
	return list, nil
}

// letter compares the methods on twelve pairs of letters.
func letter(ctx context.Context, s *settings) error {
	tasks, err := letterTasks(s)
	if err != nil {
		return err
	}
	return benchmark{
		title:     "Letter",
		figures:   [2]int{6, 7},
		tasks:     tasks,
		methods:   all(),
		published: []named{learned},
		ranks:     map[string]string{"CA-1D": "1", "CA-nD": "4.5", "CR": "2", "DA": "3.5", "D1": "7", "D2": "6", "DU": "5"},
		seconds:   map[string]string{"CA-1D": "9", "CA-nD": "1986", "CR": "590", "DA": "11", "D1": "21", "D2": "22", "DU": "5"},
	}.run(ctx, s)
}

func letterTasks(s *settings) (list []task, err error) {
	rows, err := s.Load("letter.csv.gz")
	if err != nil {
		return nil, err
	}
	for _, p := range []string{"EF", "DO", "CG", "HK", "IJ", "MN", "PR", "UV", "BR", "OQ", "VY", "KX"} {
		class := against([]float64{float64(p[0] - 'A')}, []float64{float64(p[1] - 'A')})
		list = append(list, gaussianTask(p, rows, class, sizes{300, 200, 1000}, equidistant(1, 200, 20)))
	}
	return list, nil
}

// gaussianTask returns a task on the unscaled rows of a file.
func gaussianTask(name string, rows *dataset.Set, class func(float64) float64, n sizes, grid func(blas64.General) []kernel.Kernel) task {
	return task{
		name:   name,
		split:  func(seed uint64) split { return draw(rows, class, n, seed) },
		search: kernel.Gaussian{},
		family: byMedian,
		grid:   grid,
	}
}

// byMedian returns Gaussians with bandwidths between 0.1 and 10 times the median distance.
func byMedian(x blas64.General) family {
	m := medianOf(x)
	return gaussians(m/10, 10*m)
}

func medianOf(x blas64.General) float64 {
	m, err := kernel.MedianDistance(mat.NewDense(x.Rows, x.Cols, x.Data), 0)
	if err != nil {
		panic(err) // the reader accepts only finite rows
	}
	return m
}

// against returns 1 for labels in a, −1 for labels in b and 0 otherwise.
func against(a, b []float64) func(float64) float64 {
	return func(label float64) float64 {
		switch {
		case slices.Contains(a, label):
			return 1
		case slices.Contains(b, label):
			return -1
		}
		return 0
	}
}

// run prints the errors, median ranks and mean seconds of the methods, and the alignment of their
// kernels on the test rows. It also draws the figures of the errors and alignments.
func (b benchmark) run(ctx context.Context, s *settings) error {
	t := report.Table{Title: b.title + ": percentage of errors", Head: []string{""}}
	u := report.Table{Title: b.title + ": alignment on the test rows", Head: []string{""}}
	errors := report.Chart{Title: fmt.Sprintf("Figure %d: errors, %s", b.figures[0], b.title), Y: "errors on the test rows, %"}
	alignments := report.Chart{Title: fmt.Sprintf("Figure %d: alignment, %s", b.figures[1], b.title), Y: "centred alignment on the test rows"}
	methods := slices.Concat(b.methods, b.published)
	for _, m := range methods {
		t.Head, u.Head = append(t.Head, m.name), append(u.Head, m.name)
		errors.Lines, alignments.Lines = append(errors.Lines, report.Line{Label: m.name}), append(alignments.Lines, report.Line{Label: m.name})
	}
	var ranks [][]float64 // task by method
	total := make([]result, len(methods))
	for j, task := range first(b.tasks, s.tasks) {
		results, err := compare(ctx, s, task, methods)
		if err != nil {
			return fmt.Errorf("%s: %w", task.name, err)
		}
		fields, aligned, means := []string{task.name}, []string{task.name}, []float64(nil)
		for i, r := range results {
			fields, aligned, means = append(fields, r.errors.Text(1)), append(aligned, r.alignment.Text(3)), append(means, r.errors.Mean())
			total[i].errors.Add(r.errors.Mean())
			total[i].seconds.Add(r.seconds.Mean())
			errors.Lines[i].Add(float64(j), r.errors)
			alignments.Lines[i].Add(float64(j), r.alignment)
		}
		errors.Names, alignments.Names = append(errors.Names, task.name), append(alignments.Names, task.name)
		ranks = append(ranks, rank(means[:len(b.methods)]))
		t.Row(fields...)
		u.Row(aligned...)
	}
	b.summary(&t, methods, ranks, total)
	if err := t.Print(s.W); err != nil {
		return err
	}
	if err := u.Print(s.W); err != nil {
		return err
	}
	if err := s.Figure(fmt.Sprintf("alignment-figure%d.png", b.figures[0]), errors); err != nil || b.figures[1] == 0 {
		return err
	}
	return s.Figure(fmt.Sprintf("alignment-figure%d.png", b.figures[1]), alignments)
}

func (b benchmark) summary(t *report.Table, methods []named, ranks [][]float64, total []result) {
	rows := [][]string{{"mean"}, {"median rank"}, {"in the paper"}, {"seconds"}, {"in the paper"}}
	for i, m := range methods {
		medianRank := ""
		if i < len(b.methods) {
			column := make([]float64, len(ranks))
			for j, r := range ranks {
				column[j] = r[i]
			}
			medianRank = strconv.FormatFloat(median(column), 'g', -1, 64)
		}
		for j, text := range []string{
			strconv.FormatFloat(total[i].errors.Mean(), 'f', 2, 64),
			medianRank,
			b.ranks[m.name],
			strconv.FormatFloat(total[i].seconds.Mean(), 'f', 2, 64),
			b.seconds[m.name],
		} {
			rows[j] = append(rows[j], text)
		}
	}
	for _, r := range rows {
		t.Row(r...)
	}
}

// rank returns the rank of each value, 1 for the smallest. Equal values share the mean of their
// ranks.
func rank(values []float64) []float64 {
	ranks := make([]float64, len(values))
	for i, v := range values {
		for _, w := range values {
			switch {
			case w < v:
				ranks[i]++
			case w == v:
				ranks[i] += 0.5
			}
		}
		ranks[i] += 0.5
	}
	return ranks
}

// median returns NaN for an empty list.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
