package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rkhs-go/rkhs/polk"
)

const (
	batch = 20   // rows per step
	noise = 0.1  // standard deviation
	every = 1000 // rows per point of the picture
)

// drawDrift draws the rows of a stream at a time from 0 to 1, in which a wave moves by
// one wavelength.
func drawDrift(time float64, r *rand.Rand) (x, y *mat.Dense) {
	x, y = mat.NewDense(batch, 1, nil), mat.NewDense(batch, 1, nil)
	for i := range batch {
		v := 6 * r.Float64()
		x.Set(i, 0, v)
		y.Set(i, 0, math.Sin(2*v+2*math.Pi*time)+noise*r.NormFloat64())
	}
	return x, y
}

// drift follows a stream, and predicts each batch before it trains on it. It compares this
// with a fit to the first rows.
func drift(ctx context.Context, picture string, part float64) (r result, err error) {
	source := rand.New(rand.NewPCG(4, 0))
	steps := int(2000 * part)
	var options polk.Options
	options.Schedule = polk.Constant
	learner, err := polk.NewLearner(&options)
	if err != nil {
		return r, err
	}
	var once *polk.Model
	var following, standing curve
	for step := range steps {
		x, y := drawDrift(float64(step)/float64(steps), source)
		if step*batch >= every { // the first rows are not scored
			if once == nil {
				if once, err = learner.Model(ctx); err != nil {
					return r, err
				}
			}
			predicted, err := once.Predict(x)
			if err != nil {
				return r, err
			}
			var difference mat.Dense
			difference.Sub(predicted, y)
			standing.add(step, mat.Dot(difference.ColView(0), difference.ColView(0))/batch)
		}
		if err := learner.Update(x, y); err != nil {
			return r, err
		}
		if once != nil {
			following.add(step, 2*learner.Last().Loss) // the loss is half the square
		}
	}
	r.error, r.baseline = following.mean(), standing.mean()
	r.usual = fmt.Sprintf("the model of the first %d rows", every)
	r.remark = fmt.Sprintf("%d points after %d rows with noise of %v", learner.Last().ModelOrder, learner.Rows(), noise)
	return r, pictureDrift(picture, following, standing)
}

// curve is the error over the rows of a stream.
type curve struct {
	squares float64 // sum of all steps
	steps   int
	recent  float64 // sum since the last point
	points  plotter.XYs
}

func (c *curve) add(step int, square float64) {
	c.squares, c.recent, c.steps = c.squares+square, c.recent+square, c.steps+1
	if rows := c.steps * batch; rows%every == 0 {
		c.points = append(c.points, plotter.XY{X: float64((step + 1) * batch), Y: math.Sqrt(c.recent * batch / every)})
		c.recent = 0
	}
}

func (c *curve) mean() float64 { return math.Sqrt(c.squares / float64(c.steps)) }

func pictureDrift(path string, following, standing curve) error {
	p := newPlot("polk: the error on rows before training on them", "rows of the stream", fmt.Sprintf("RMSE of %d rows", every))
	p.Y.Min = 0
	floor := plotter.NewFunction(func(float64) float64 { return noise })
	floor.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	p.Add(floor)
	p.Legend.Add("the noise", floor)
	if err := addLine(p, "polk", following.points, blue); err != nil {
		return err
	}
	if err := addLine(p, "the model of the first rows", standing.points, vermillion); err != nil {
		return err
	}
	return writePicture(path, high, panel{Plot: p, width: wide})
}
