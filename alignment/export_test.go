package alignment

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
)

// FitKernel is the second stage of FitClassifier with a given kernel.
func FitKernel(x, labels mat.Matrix, k kernel.Sum, opts *Options) (*Classifier, error) {
	r, err := newRun(context.Background(), classifying, x, labels, opts)
	if err != nil {
		return nil, err
	}
	defer r.monitor.Close()
	given := &Result{Kernel: normalised(k, r.task.all.x)}
	f := newMachines(r, given.simplest(), r.task.all)
	c, _, err := f.selectC(r.task.validation)
	if err != nil {
		return nil, err
	}
	list, err := f.path(c, 0)
	if err != nil {
		return nil, err
	}
	return &Classifier{model: newModel(r.options, given, f.solution(list)), labels: r.task.labels, voting: true}, nil
}

// Aligned returns the sum of kernels of one family with the weights that maximise the alignment.
func Aligned(kernels []kernel.Kernel, x, y mat.Matrix) (kernel.Sum, error) {
	r, err := newRun(context.Background(), searching, x, y, &Options{Family: kernels[0]})
	if err != nil {
		return nil, err
	}
	defer r.monitor.Close()
	d := newData(r.task.all.x, r.task.all.y, 0, r.monitor.Stopped)
	sp, err := r.space(d, 0)
	if err != nil {
		return nil, err
	}
	a := newAscent(sp, d, r.options)
	for _, k := range kernels {
		a.append(k, 1, a.admit(k))
	}
	a.refit()
	var sum kernel.Sum
	for t, k := range kernels {
		sum = append(sum, kernel.Scale{By: a.weights[t], Of: k})
	}
	return sum, nil
}
