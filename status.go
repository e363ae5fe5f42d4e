package rkhs

// Status describes how a fit ended.
type Status uint8

const (
	// NotTerminated is the status of a fit that has not ended.
	NotTerminated Status = iota
	// Converged means that the fit reached its tolerance, or, for a method without a
	// tolerance, completed its work. The report of the model states how far it is from the
	// optimum.
	Converged
	// IterationLimit means that the fit reached its limit of iterations or passes.
	IterationLimit
	// Cancelled means that the context of the fit was cancelled.
	Cancelled
	// Stopped means that the Recorder returned an error.
	Stopped
	// Stalled means that rounding errors prevented progress before the fit reached its
	// tolerance.
	Stalled
	// EarlyStopped means that the fit ended because its error on held-out rows stopped
	// decreasing.
	EarlyStopped
)

var statusNames = [...]string{
	NotTerminated:  "NotTerminated",
	Converged:      "Converged",
	IterationLimit: "IterationLimit",
	Cancelled:      "Cancelled",
	Stopped:        "Stopped",
	Stalled:        "Stalled",
	EarlyStopped:   "EarlyStopped",
}

// String returns the name of the status.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "Unknown"
}
