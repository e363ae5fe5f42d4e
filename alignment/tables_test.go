package alignment_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// table skips slow tests unless RKHS_PAPERS is set.
func table(t *testing.T) {
	t.Helper()
	if os.Getenv("RKHS_PAPERS") == "" {
		t.Skip("RKHS_PAPERS is not set")
	}
}

func load(t testing.TB, name string) *dataset.Set {
	t.Helper()
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	s, err := dataset.Load(filepath.Join(dir, name), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// draw shuffles the rows of s of class −1 or 1.
func draw(s *dataset.Set, class func(label float64) float64, seed uint64, train, check, test int) split {
	var list []int
	for _, i := range rand.New(rand.NewPCG(seed, 3)).Perm(len(s.Y)) {
		if class(s.Y[i]) != 0 {
			list = append(list, i)
		}
	}
	part := func(n int) (x, y *mat.Dense) {
		n = min(n, len(list))
		p := s.Select(list[:n])
		list = list[n:]
		for i, l := range p.Y {
			p.Y[i] = class(l)
		}
		return p.X, mat.NewDense(n, 1, p.Y)
	}
	var d split
	d.x, d.y = part(train)
	d.checkX, d.checkY = part(check)
	d.testX, d.testY = part(test)
	return d
}

// parts divides rows into n training rows, n validation rows and test rows.
func parts(s *dataset.Set, n int) split {
	cut := func(from, to int) (*mat.Dense, *mat.Dense) {
		list := make([]int, to-from)
		for i := range list {
			list[i] = from + i
		}
		p := s.Select(list)
		return p.X, mat.NewDense(to-from, 1, p.Y)
	}
	var d split
	d.x, d.y = cut(0, n)
	d.checkX, d.checkY = cut(n, 2*n)
	d.testX, d.testY = cut(2*n, len(s.Y))
	return d
}

func (s split) standardised(t *testing.T) split {
	t.Helper()
	if _, err := dataset.Standardize(s.x, s.checkX, s.testX); err != nil {
		t.Fatal(err)
	}
	return s
}

// against returns 1 for the labels a, −1 for b, and 0 otherwise.
func against(a, b []float64) func(float64) float64 {
	return func(l float64) float64 {
		for k := range a {
			if l == a[k] {
				return 1
			}
		}
		for k := range b {
			if l == b[k] {
				return -1
			}
		}
		return 0
	}
}

func sign(l float64) float64 { return math.Copysign(1, l) }

// mean fits several draws of a task and returns the mean percentage of errors.
func mean(t *testing.T, draws int, task func(seed uint64) split, family kernel.Kernel) float64 {
	t.Helper()
	sum := 0.0
	for seed := range uint64(draws) {
		s := task(seed)
		o := s.options()
		o.Family = family
		_, e := s.fit(t, o)
		sum += e / float64(draws)
	}
	return sum
}

func TestMNISTPairs(t *testing.T) {
	table(t)
	s := load(t, "train-images-idx3-ubyte.gz")
	learned, uniform, aligned := 0.0, 0.0, 0.0
	tasks := mnistTasks()
	const draws = 3
	for _, c := range tasks {
		task := func(seed uint64) split { return draw(s, against(c[0], c[1]), seed, 500, 1000, 2000) }
		e := mean(t, draws, task, kernel.Gaussian{})
		t.Logf("%v against %v: %.2f %%", c[0], c[1], e)
		learned += e / float64(len(tasks))
		for seed := range uint64(draws) {
			d := task(seed)
			sum, err := alignment.Aligned(kernelsOf(mnistGrid()), d.x, d.y)
			if err != nil {
				t.Fatal(err)
			}
			uniform += d.fitKernel(t, mnistGrid()) / float64(len(tasks)*draws)
			aligned += d.fitKernel(t, sum) / float64(len(tasks)*draws)
		}
	}
	t.Logf("mean %.2f %%, on a grid with equal weights %.2f %%, aligned %.2f %%", learned, uniform, aligned)
	if learned > 4.3 || learned >= uniform || learned >= aligned {
		t.Errorf("mean error %.2f %%, want 4.3 %% at most, and less than on a grid", learned)
	}
}

// mnistGrid holds the 20 bandwidths of the paper.
func mnistGrid() (sum kernel.Sum) {
	for i := range 20 {
		sigma := 500 + 49500*float64(i)/19
		sum = append(sum, kernel.Scale{By: 1, Of: kernel.Gaussian{Sigma: sigma / math.Sqrt2}})
	}
	return sum
}

// mnistTasks are the eight tasks of section 3.2.
func mnistTasks() [][2][]float64 {
	return [][2][]float64{
		{{1, 3, 5, 7, 9}, {0, 2, 4, 6, 8}}, {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}},
		{{3}, {8}}, {{4}, {7}}, {{2}, {3}}, {{5}, {6}}, {{4}, {9}}, {{1}, {7}},
	}
}

func TestLetterPairs(t *testing.T) {
	table(t)
	s := load(t, "letter.csv.gz")
	total := 0.0
	pairs := []string{"EF", "DO", "CG", "HK", "IJ", "MN", "PR", "UV", "BR", "OQ", "VY", "KX"}
	for _, p := range pairs {
		a, b := []float64{float64(p[0] - 'A')}, []float64{float64(p[1] - 'A')}
		e := mean(t, 5, func(seed uint64) split { return draw(s, against(a, b), seed, 300, 200, 1000) }, kernel.Gaussian{})
		t.Logf("%s: %.2f %%", p, e)
		total += e / float64(len(pairs))
	}
	t.Logf("mean %.2f %%", total)
	if total > 3.0 {
		t.Errorf("mean error %.2f %%, want 3.0 %% at most", total)
	}
}

func TestSmallSets(t *testing.T) {
	table(t)
	ard := kernel.ARD{Of: kernel.Gaussian{}}
	for _, c := range []struct {
		name               string
		family             kernel.Kernel
		train, check, test int
		limit              float64
	}{
		{"ringnorm", kernel.Gaussian{}, 500, 1000, 2000, 2.2},
		{"banana", kernel.Gaussian{}, 500, 1000, 2000, 11.5},
		{"twonorm", kernel.Gaussian{}, 500, 1000, 2000, 3.2},
		{"image", kernel.Gaussian{}, 400, 600, 1000, 6},
		{"splice-unique", ard, 500, 1000, 1491, 8.5},
	} {
		s := load(t, c.name+".csv.gz")
		class := sign
		if c.name == "image" {
			class = against([]float64{0, 1, 2}, []float64{3, 4, 5, 6})
		}
		e := mean(t, 5, func(seed uint64) split { return draw(s, class, seed, c.train, c.check, c.test).standardised(t) }, c.family)
		t.Logf("%s: %.2f %%", c.name, e)
		if e > c.limit {
			t.Errorf("%s: %.2f %% errors, want %v %% at most", c.name, e, c.limit)
		}
	}
}

// relevance draws n rows of two normal classes in 50 dimensions with means that differ by column as
// (i/50)^gamma: the second task of section 3.1.
func relevance(n int, gamma float64, r *rand.Rand) (x, y *mat.Dense) {
	const d = 50
	theta, norm := make([]float64, d), 0.0
	for i := range theta {
		theta[i] = math.Pow(float64(i+1)/d, gamma)
		norm = math.Hypot(norm, theta[i])
	}
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		label := float64(2*r.IntN(2) - 1)
		y.Set(i, 0, label)
		for j, v := range theta {
			x.Set(i, j, r.NormFloat64()+label*1.75*v/norm)
		}
	}
	return x, y
}

func drawRelevance(gamma float64, seed uint64) split {
	r := rand.New(rand.NewPCG(seed, 50))
	var s split
	s.x, s.y = relevance(50, gamma, r)
	s.checkX, s.checkY = relevance(1000, gamma, r)
	s.testX, s.testY = relevance(1000, gamma, r)
	return s
}

func TestRelevance(t *testing.T) {
	table(t)
	const draws = 10
	for _, gamma := range []float64{0, 1, 2, 5, 10, 20, 40} {
		task := func(seed uint64) split { return drawRelevance(gamma, seed) }
		one, many := mean(t, draws, task, kernel.Gaussian{}), mean(t, draws, task, kernel.ARD{Of: kernel.Gaussian{}})
		t.Logf("gamma %v: one bandwidth %.2f %%, many %.2f %%", gamma, one, many)
		if one < 6 || one > 10.5 {
			t.Errorf("gamma %v: %.2f %% errors, want 6 to 10.5 %%: the task looks alike in every direction", gamma, one)
		}
		if limit, ok := map[float64]float64{0: one + 1, 20: 7.0, 40: 6.5}[gamma]; ok && many > limit {
			t.Errorf("gamma %v: %.2f %% errors with a bandwidth a column, want %.2f %% at most", gamma, many, limit)
		}
	}
}
