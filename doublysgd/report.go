package doublysgd

import "github.com/rkhs-go/rkhs"

// Report says how a model was found and how good it is known to be. What a mode
// does not know is NaN.
type Report struct {
	// Mode is the mode of the fit.
	Mode Mode
	// Status says how the fit ended. Converged means that it did what the options
	// ask for, of which only Tolerance asks for a certain accuracy.
	Status rkhs.Status
	// Rows is the number of rows that were trained on, each counted once a fit and
	// once an update of a stream.
	Rows int
	// Features is the number of features, Blocks that of their blocks.
	Features, Blocks int
	// Passes counts passes over the data, in Revisit mode sweeps over the blocks.
	Passes int
	// Ridge is nu, the weight of the squared norm.
	Ridge float64
	// HeldOut is the criterion by which choices were made, the last time that it
	// was measured: in Revisit mode on rows held out, before they were trained on,
	// the mean loss or, of a classification, the smoothed fraction of wrong labels,
	// the mean of 1/(1 + exp(4·margin)); in Newton mode the mean loss on the batch
	// after the last step.
	HeldOut float64
	// Objective is the mean loss on the rows trained on plus (nu/2)·‖f‖², where in
	// Preconditioned mode nu·‖f‖² is taken as the −mean of l'(f)·f that it is at the
	// minimum.
	Objective float64
	// Gradient is the norm of the gradient of Objective in the coefficients, as a
	// fraction of that at f = 0: for the squared loss the relative residual norm of
	// the normal equations. Of losses with kinks it is the larger of the relative
	// residuals of the method of multipliers by which they are minimised. In
	// Preconditioned mode it is ‖h‖/nu over ‖f‖ for the gradient h as a function, by
	// root mean squares over up to 256 rows: for the squared loss a bound of the
	// relative error of f.
	Gradient float64
	// Gap bounds by how much Objective exceeds its minimum over all functions of
	// these features, ‖gradient‖²/(2·modulus of convexity). Being a bound, it may
	// be much larger than the excess where nu is small.
	Gap float64
}
