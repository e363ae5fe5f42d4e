package main

import (
	"bufio"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
)

// generate writes rows of a task like multidist of the paper behind polk: five
// classes of three modes each in the plane, the label last. It ends early, between
// two rows, when ctx is done.
func generate(ctx context.Context, w io.Writer, rows int, seed uint64) error {
	const classes, modes, spread = 5, 3, 0.2
	var centre [classes][modes][2]float64
	r := rand.New(rand.NewPCG(seed, 0)) // of the modes
	for c := range centre {
		sin, cos := math.Sincos(2 * math.Pi * float64(c) / classes)
		for m := range centre[c] {
			centre[c][m] = [2]float64{cos + r.NormFloat64(), sin + r.NormFloat64()}
		}
	}
	out := bufio.NewWriter(w)
	r = rand.New(rand.NewPCG(seed, 1)) // of the rows
	var line []byte
	for i := 0; i < rows && ctx.Err() == nil; i++ {
		class := r.IntN(classes)
		line = line[:0]
		for _, v := range centre[class][r.IntN(modes)] {
			line = strconv.AppendFloat(line, v+spread*r.NormFloat64(), 'g', 6, 64)
			line = append(line, ',')
		}
		line = strconv.AppendInt(line, int64(class), 10)
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}
