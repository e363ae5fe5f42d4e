package polk_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// Announced labels are the complete set of classes from the first row on.
func TestAnnouncedLabels(t *testing.T) {
	l, err := polk.NewClassLearner([]int{7, -1, 3}, &polk.Options{Warmup: 2})
	if err != nil || !slices.Equal(l.Labels(), []int{-1, 3, 7}) {
		t.Fatalf("labels %v, error %v", l.Labels(), err)
	}
	resumed := new(polk.ClassLearner)
	if err := resumed.UnmarshalBinary(marshal(t, l)); err != nil {
		t.Fatal(err)
	}
	x, y := mat.NewDense(3, 1, []float64{0, 1, 2}), mat.NewDense(3, 1, []float64{3, -1, 3})
	for _, l := range []*polk.ClassLearner{l, resumed} {
		update(t, l, x, y)
		before := marshal(t, l)
		if err := l.Update(x, mat.NewDense(3, 1, []float64{3, 4, 3})); !errors.Is(err, rkhs.ErrLabels) || !bytes.Equal(before, marshal(t, l)) {
			t.Errorf("a label that was not announced: error %v", err)
		}
		c, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if _, q := c.Dims(); q != 3 || !slices.Equal(c.Labels(), []int{-1, 3, 7}) {
			t.Errorf("%d outputs for the labels %v", q, c.Labels())
		}
	}
	if !bytes.Equal(marshal(t, l), marshal(t, resumed)) {
		t.Error("a learner that was loaded before its first row has other bits")
	}
}

func TestAnnouncedLabelsRefused(t *testing.T) {
	for _, c := range []struct {
		labels []int
		loss   loss.Loss
	}{{[]int{1}, nil}, {[]int{}, nil}, {[]int{1, 2, 1}, nil}, {[]int{1, 2, 3}, loss.Hinge{}}} {
		if l, err := polk.NewClassLearner(c.labels, &polk.Options{Loss: c.loss}); !errors.Is(err, rkhs.ErrLabels) || l != nil {
			t.Errorf("%v with %v: error %v", c.labels, c.loss, err)
		}
	}
}
