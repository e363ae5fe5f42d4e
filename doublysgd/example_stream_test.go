package doublysgd_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
)

// A stream cannot search for a kernel. This example selects one by a fit to the first rows.
func ExampleLearner() {
	r := rand.New(rand.NewPCG(1, 2))
	x, _, y := ripples(600, r)
	first, err := doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Features: 256})
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := doublysgd.NewLearner(&doublysgd.Options{Kernel: first.Kernel(), Features: 1024})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 100 {
		x, _, y := ripples(200, r)
		if err := l.Update(x, y); err != nil {
			fmt.Println(err)
			return
		}
	}
	m, err := l.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	x, clean, _ := ripples(1000, r)
	f, err := m.Predict(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Rows(), "rows, error below a third of the noise:", rmse(f, clean) < 0.1/3)
	// Output:
	// 20000 rows, error below a third of the noise: true
}

// This example shows the life cycle of a classifier on a stream. It trains on batches, saves
// and resumes with identical bits, and returns a model that consists of a kernel, a seed and
// coefficients.
func ExampleClassLearner() {
	l, err := doublysgd.NewClassLearner([]int{0, 1}, &doublysgd.Options{Features: 1024, Seed: 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		if err := l.Update(spirals(200, r)); err != nil {
			fmt.Println(err)
			return
		}
	}

	file, err := l.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	var resumed doublysgd.ClassLearner
	if err := resumed.UnmarshalBinary(file); err != nil {
		fmt.Println(err)
		return
	}
	x, labels := spirals(2000, r)
	if err := l.Update(x, labels); err != nil {
		fmt.Println(err)
		return
	}
	for from := 0; from < 2000; from += 100 { // the result does not depend on the batches
		if err := resumed.Update(x.Slice(from, from+100, 0, 2), labels.Slice(from, from+100, 0, 1)); err != nil {
			fmt.Println(err)
			return
		}
	}

	uninterrupted, err := l.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := resumed.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	if file, err = c.MarshalBinary(); err != nil {
		fmt.Println(err)
		return
	}
	var served doublysgd.Classifier
	if err := served.UnmarshalBinary(file); err != nil {
		fmt.Println(err)
		return
	}
	x, labels = spirals(1000, r)
	want, err := uninterrupted.Scores(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	got, err := served.Scores(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resumed.Rows(), "rows, the same bits:", mat.Equal(got, want))

	wrong := 0
	for i := range 1000 {
		if (got.At(i, 0) > 0) != (labels.At(i, 0) == 1) {
			wrong++
		}
	}
	fmt.Println("less than 2 % wrong:", wrong < 20)
	// Output:
	// 10000 rows, the same bits: true
	// less than 2 % wrong: true
}
