package rkhs

// Status says how a fit ended.
type Status uint8

const (
	// NotTerminated is the status of a fit that has not ended.
	NotTerminated Status = iota
	// Converged means that the fit ended as it was asked to: at its tolerance, or, of a
	// method that has none, when it had done all that it was to do. How far from
	// optimal it is the report of the model says.
	Converged
	// IterationLimit means that the fit ended at its limit of iterations or passes.
	IterationLimit
	// Cancelled means that the context of the fit was cancelled.
	Cancelled
	// Stopped means that the Recorder returned an error.
	Stopped
	// Stalled means that rounding leaves no further progress, short of the
	// tolerance that was asked for.
	Stalled
	// EarlyStopped means that the fit ended where its error at rows that were held out fell
	// no longer.
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
