package slkl

import (
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestMorePoints counts the landmarks if the error with 100 exceeds the error of the exact kernel.
func TestMorePoints(t *testing.T) {
	for _, c := range []struct {
		name   string
		behind float64
		rows   int
		limit  int64
		given  int
		want   int
	}{
		{"carried", 1.01, 5000, 1 << 30, 0, 100},
		{"behind", 1.05, 5000, 1 << 30, 0, 200},
		{"far behind", 1.2, 5000, 1 << 30, 0, 300},
		{"few rows for three", 1.2, 500, 1 << 30, 0, 200},
		{"few rows for two", 1.2, 300, 1 << 30, 0, 100},
		{"too much work for three", 1.2, 4e6, 1 << 30, 0, 200},
		{"too much work for two", 1.2, 6e6, 1 << 30, 0, 100},
		{"no room", 1.2, 5000, 1 << 22, 0, 100},
		{"as many as asked for", 1.2, 5000, 1 << 30, 100, 100},
	} {
		s, err := (&Options{MemoryLimit: c.limit, MaxPoints: c.given}).settings()
		if err != nil {
			t.Fatal(err)
		}
		found := kernel.SearchResult{Trial: kernel.Trial{Kernel: kernel.Gaussian{Sigma: 3}, Error: c.behind}, Exact: kernel.Trial{Error: 1}}
		if got := s.morePoints(found, 100, compute.DensePoints(compute.Matrix{Rows: c.rows, Cols: 2})); got != c.want {
			t.Errorf("%s: %d landmarks, want %d", c.name, got, c.want)
		}
	}
}

// TestLimitPoints checks that a limit reduces the default number of landmarks, but not a given number.
func TestLimitPoints(t *testing.T) {
	dense, sparse := compute.DensePoints(compute.NewMatrix(6000, 1)), compute.NewSparse(1, 6000, 0)
	for range 6000 {
		sparse.EndRow()
	}
	for _, c := range []struct {
		x           compute.Points
		points      int
		limit       int64
		least, most int
	}{
		{dense, 0, 0, 1000, 1000},
		{dense, 0, 56 << 20, 700, 950},
		{compute.SparsePoints(sparse), 0, 60 << 20, 1000, 1000},
		{dense, 0, 1 << 20, fewestPoints, fewestPoints},
		{dense, 700, 56 << 20, 700, 700},
	} {
		s, err := (&Options{MaxPoints: c.points, MemoryLimit: c.limit}).settings()
		if err != nil {
			t.Fatal(err)
		}
		s.limitPoints(c.x)
		if n := s.MaxPoints; n < c.least || n > c.most {
			t.Errorf("%d landmarks of %d in %d bytes, want %d to %d", n, c.points, c.limit, c.least, c.most)
		}
		if n := s.MaxPoints; n > fewestPoints && c.points == 0 && s.memory(c.x).check(n, s.MemoryLimit) != nil {
			t.Errorf("%d bytes have no room for %d landmarks", c.limit, n)
		}
	}
}

// TestParts counts the separate moments with five folds.
func TestParts(t *testing.T) {
	s, err := (*Options)(nil).settings()
	if err != nil {
		t.Fatal(err)
	}
	for rows, want := range map[int]int{1: 5, 4: 5, 100: 5, 1250: 5, 1700: 4, 2500: 3, 4999: 3, 5000: 2, 1e6: 2} {
		if got := s.parts(rows); got != want {
			t.Errorf("%d rows: %d parts, want %d", rows, got, want)
		}
	}
}
