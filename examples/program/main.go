package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/rkhs-go/rkhs/slkl"
	"gonum.org/v1/gonum/mat"
)

func main() {
	noise := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(200, 1, nil), mat.NewDense(200, 1, nil)
	for i := range 200 {
		t := float64(i) / 20
		x.Set(i, 0, t)
		y.Set(i, 0, math.Sin(t)+0.1*noise.NormFloat64())
	}
	model, err := slkl.Fit(context.Background(), x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	f, err := model.Predict(mat.NewDense(2, 1, []float64{math.Pi / 2, 3 * math.Pi / 2}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f %.1f\n", f.At(0, 0), f.At(1, 0)) // 1.0 -1.0
}
