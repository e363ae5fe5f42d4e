package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/slkl"
)

func words(n, d, per int, seed uint64) (*rkhs.Sparse, *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 5))
	w := make([]float64, d)
	rw := rand.New(rand.NewPCG(77, 5))
	for i := range w {
		w[i] = rw.NormFloat64()
	}
	s := &rkhs.Sparse{Rows: n, Cols: d, Offsets: []int{0}}
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		seen := map[int]bool{}
		var cols []int
		for len(cols) < per {
			j := int(float64(d) * math.Pow(r.Float64(), 3))
			if !seen[j] {
				seen[j] = true
				cols = append(cols, j)
			}
		}
		sortInts(cols)
		f := 0.0
		for _, j := range cols {
			s.Columns = append(s.Columns, int32(j))
			s.Values = append(s.Values, 1/math.Sqrt(float64(per)))
			f += w[j]
		}
		s.Offsets = append(s.Offsets, len(s.Columns))
		l := 1.0
		if f < 0 {
			l = -1
		}
		y.Set(i, 0, l)
	}
	return s, y
}

func sortInts(a []int) {
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j] < a[j-1]; j-- {
			a[j], a[j-1] = a[j-1], a[j]
		}
	}
}

type pred interface {
	Predict(x mat.Matrix) (*mat.Dense, error)
}

func peak() string {
	b, _ := os.ReadFile("/proc/self/status")
	for _, l := range strings.Split(string(b), "\n") {
		if strings.HasPrefix(l, "VmHWM") {
			return l
		}
	}
	return ""
}

func main() {
	x, y := words(6000, 50000, 50, 1)
	xt, yt := words(2000, 50000, 50, 2)
	if len(os.Args) > 2 {
		f, _ := os.Create(os.Args[2])
		for i := range 6000 {
			fmt.Fprintf(f, "%g", y.At(i, 0))
			x.DoRowNonZero(i, func(_, j int, v float64) { fmt.Fprintf(f, " %d:%g", j+1, v) })
			fmt.Fprintln(f)
		}
		f.Close()
		f, _ = os.Create(os.Args[2] + ".t")
		for i := range 2000 {
			fmt.Fprintf(f, "%g", yt.At(i, 0))
			xt.DoRowNonZero(i, func(_, j int, v float64) { fmt.Fprintf(f, " %d:%g", j+1, v) })
			fmt.Fprintln(f)
		}
		f.Close()
	}
	fmt.Println("base", peak())
	pf, _ := os.Create("/tmp/zz.prof")
	pprof.StartCPUProfile(pf)
	defer pprof.StopCPUProfile()
	start := time.Now()
	var c pred
	var err error
	switch os.Args[1] {
	case "slkl":
		c, err = slkl.FitClassifier(context.Background(), x, y, nil)
	case "doublysgd":
		c, err = doublysgd.FitClassifier(context.Background(), x, y, nil)
	case "polk":
		c, err = polk.FitClassifier(context.Background(), x, y, nil)
	}
	if err != nil {
		fmt.Println(err)
	}
	fit := time.Since(start)
	p, err := c.Predict(xt)
	if err != nil {
		fmt.Println(err)
		return
	}
	wrong := 0
	for i := range 2000 {
		if p.At(i, 0) != yt.At(i, 0) {
			wrong++
		}
	}
	fmt.Println(os.Args[1], fit, time.Since(start)-fit, "wrong", float64(wrong)/20, "%", peak())
	runtime.KeepAlive(x)
}
