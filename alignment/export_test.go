package alignment

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// FitKernel is the second stage of FitClassifier with a kernel that is given.
func FitKernel(x, labels mat.Matrix, k kernel.Sum, opts *Options) (*Classifier, error) {
	s, err := opts.settings(classifying)
	if err != nil {
		return nil, err
	}
	t, names, err := newLabelledTask(x, labels, s)
	if err != nil {
		return nil, err
	}
	r := monitor.New(context.Background(), nil, "alignment")
	defer r.Close()
	given := &Result{Kernel: normalised(k, t.all.x, 0)}
	f := newMachines(given.simplest(), t.all, len(names), s)
	c, _, err := f.chooseC(t.validation, r)
	if err != nil {
		return nil, err
	}
	list, err := f.path(r.Context(), c, 0)
	if err != nil {
		return nil, err
	}
	return &Classifier{model: newModel(s, given, f.solution(list[len(list)-1], r)), labels: names, voting: true}, nil
}

// Aligned returns the sum of the kernels, of one family, with the weights of largest alignment.
func Aligned(kernels []kernel.Kernel, x, y mat.Matrix) (kernel.Sum, error) {
	w, err := pair(door.WeighedPair, x, y)
	if err != nil {
		return nil, err
	}
	d := newData(w.X.Matrix, w.Y)
	s, err := (&Options{Family: kernels[0]}).settings(searching)
	if err != nil {
		return nil, err
	}
	sp, err := newSearch(s, nil).family.space(d, 0, func() bool { return false })
	if err != nil {
		return nil, err
	}
	a := newAscent(sp, d, s)
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
